// Packets and messages on an ideal network take what the model says, in any number of parts.
#include "models/machine/ideal/ideal_network.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <mutex>

#include "tests/engine/thread_ranks.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

/// A network with these parameters of the model, packets of up to 16 phits of 4 bytes.
Case ideal_case(i64 nodes, const LogGops& p) {
  Case setup{{"ideal", {{"nodes", nodes}}}, packets_of(16)};
  setup.router.own = {{"latency_ns", p.latency_ns},
                      {"overhead_ns", p.overhead_ns},
                      {"gap_ns", p.gap_ns},
                      {"byte_gap_ns", p.byte_gap_ns},
                      {"byte_overhead_ns", p.byte_overhead_ns},
                      {"rendezvous_bytes", static_cast<i64>(p.rendezvous_bytes)}};
  const ideal::Costs costs(p);
  setup.router.cycle_ticks = costs.ticks_per_ns();
  setup.router.packet_ticks = 16 * setup.router.cycle_ticks;
  setup.router.link_ticks = costs.lookahead();
  setup.router.phit_bytes = 4;
  return setup;
}

constexpr LogGops slow{.latency_ns = 100, .overhead_ns = 10, .gap_ns = 7, .byte_gap_ns = 0.5, .byte_overhead_ns = 0.25};

TEST(IdealNetwork, TakesAPacketAloneInItsClosedForm) {
  std::vector<Send> script;
  for (u32 k = 0; k < 24; ++k) script.push_back({Tick{k} * 1000, k % 3, (k + 1) % 3 + k % 2 * 3, 1 + k % 16});
  for (Send& send : script) send.to = send.to == send.from ? 5 : send.to;
  for (const LogGops& p : {slow, LogGops{}, LogGops{.latency_ns = 0, .byte_gap_ns = 0.02},
                           LogGops{.latency_ns = 1.25, .gap_ns = 3, .byte_gap_ns = 0.001}}) {
    const ideal::Costs costs(p);
    Case setup = ideal_case(6, p);
    std::vector<Send> slower = script;
    for (Send& send : slower) send.tick *= setup.router.cycle_ticks;
    const Result result = run_script(setup, slower);
    ASSERT_TRUE(result.drained);
    for (const Delivery& d : result.deliveries) {
      const auto sent = std::ranges::find(slower, d.generated, &Send::tick);
      EXPECT_EQ(d.at - d.generated, costs.alone(u64{4} * sent->cells));
    }
    EXPECT_EQ(result.counters.wait, 0U);
    EXPECT_EQ(result.counters.hops, script.size());
    EXPECT_EQ(result.counters.link_starts, script.size());
  }
}

TEST(IdealNetwork, LetsPacketsLeaveOneAfterTheOtherAndArriveAtOnce) {
  const Case setup = ideal_case(8, slow);
  const Tick gap = ideal::Costs(slow).gap(64), alone = ideal::Costs(slow).alone(64);
  ASSERT_EQ(gap, 7U + 31);
  std::vector<Send> script;
  for (u32 k = 0; k < 5; ++k) script.push_back({3, 0, 1});              // line up at node 0
  for (u32 from = 2; from < 8; ++from) script.push_back({3, from, 1});  // come from everywhere
  const Result result = run_script(setup, script);
  ASSERT_TRUE(result.drained);
  std::vector<Tick> expected;
  for (u32 k = 0; k < 5; ++k) expected.push_back(3 + k * gap + alone);
  expected.insert(expected.end(), 6, 3 + alone);
  std::ranges::sort(expected);
  EXPECT_EQ(times_at(result, 1), expected);
  EXPECT_EQ(result.counters.wait, gap * (1 + 2 + 3 + 4));
  EXPECT_EQ(result.counters.link_busy, 11 * gap);
}

TEST(IdealNetwork, RefusesWhatItsQueueCannotHoldAndAsksForItAgain) {
  Case setup = ideal_case(2, slow);
  setup.router.injection_capacity = 3;
  const Tick gap = ideal::Costs(slow).gap(64);
  const Result result = run_script(setup, std::vector<Send>(9, {0, 0, 1}));
  ASSERT_TRUE(result.drained);
  std::vector<Tick> generated;
  for (const Delivery& d : result.deliveries) generated.push_back(d.generated);
  // One leaves, three wait, each of the others comes when one more has left.
  EXPECT_EQ(generated, (std::vector<Tick>{0, 0, 0, 0, gap, 2 * gap, 3 * gap, 4 * gap, 5 * gap}));
}

TEST(IdealNetwork, HasOneHistoryInAnyPartsAndKeepsEveryPacket) {
  for (const LogGops& p :
       {slow, LogGops{.latency_ns = 0, .byte_gap_ns = 0.02}, LogGops{.latency_ns = 2, .rendezvous_bytes = 100}}) {
    Case setup = ideal_case(13, p);
    setup.router.injection_capacity = 4;
    std::vector<Send> script = random_traffic(13, 40, 900, 11);
    for (u32 k = 0; k < script.size(); ++k) {
      script[k].cells = 1 + k % 16;
      script[k].tick *= setup.router.cycle_ticks;
    }
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    if (setup.router.cycle_ticks > 1) setup.each_tick = {};
    const Result alone = run_script(setup, script);
    ASSERT_TRUE(alone.drained);
    setup.each_tick = {};
    for (const u32 parts : {2U, 3U, 5U, 9U}) {
      for (const bool in_turn : {false, true}) {
        setup.parts = parts;
        setup.part_of_router.clear();
        for (u32 r = 0; r < 13; ++r) setup.part_of_router.push_back(in_turn ? r % parts : r * parts / 13);
        for (const auto protocol : {engine::Protocol::windowed, engine::Protocol::null_message}) {
          setup.protocol = protocol;
          const Result split = run_script(setup, script);
          EXPECT_TRUE(split.drained);
          EXPECT_EQ(split.digest.hex(), alone.digest.hex()) << parts << " parts";
          EXPECT_EQ(split.counters.words(), alone.counters.words()) << parts << " parts";
        }
      }
    }
  }
}

/// Posts a message to every other node at tick 5 times its number, each of which is answered by a signal.
class PostingHost {
 public:
  using Packet = models::Packet;
  static constexpr bool acts = true;
  struct Event {
    u32 entity;
  };
  struct Signal {
    u32 entity;
    u32 from;
    u64 bytes;
  };
  /// Ticks of what came to a node: of messages by source, and of signals.
  struct Seen {
    std::map<u32, Tick> messages, signals;
    std::map<u32, u64> bytes;
  };

  template <class Net>
  void start(Net& net) {
    seen.resize(net.layout().entities());
    for (u32 e = 0; e < seen.size(); ++e) net.kernel().schedule(5 * net.global_id(e), Event{e});
  }
  template <class Net>
  void absorb(Net& net, Tick, const Event& e) {
    net.kernel().touch(e.entity);
  }
  template <class Net>
  void absorb(Net&, Tick tick, const Signal& s) {
    seen[s.entity].signals[s.from] = tick;
    seen[s.entity].bytes[s.from] = s.bytes;
  }
  template <class Net>
  void act(Net& net, Tick tick, u32 entity) {
    const u32 here = net.global_id(entity);
    if (tick != 5 * here) return;
    for (u32 to = 0; to < nodes; ++to) {
      if (to == here) continue;
      models::Packet packet;
      packet.to = net.policy().encode(NodeId(to));
      packet.from = net.policy().encode(NodeId(here));
      net.post(entity, packet, tick, tick + net.costs().cpu(bytes_to(to)) + net.costs().flight(bytes_to(to)),
               bytes_to(to));
    }
  }
  template <class Net>
  void delivered(Net& net, Tick tick, Tick whole, u32 entity, const models::Packet& packet) {
    EXPECT_EQ(tick, whole);
    seen[entity].messages[packet.from] = tick;
    net.signal(entity, NodeId(packet.from), Signal{0, net.global_id(entity), 7}, tick + net.settings().link_ticks);
  }
  template <class Net>
  void space(Net&, Tick, u32) {
    ADD_FAILURE() << "nothing was refused";
  }

  static constexpr u32 nodes = 6;
  static u64 bytes_to(u32 node) { return 1 + u64{node} * 1000; }
  std::vector<Seen> seen;
};

TEST(IdealNetwork, DeliversPostedMessagesAndSignalsWhenItIsToldTo) {
  using Net = ideal::IdealNetwork<PostingHost>;
  const Case setup = ideal_case(PostingHost::nodes, slow);
  const RouterSettings settings = settings_of(setup);
  const ideal::Costs costs(slow);
  const auto topology = make_topology(setup.topology);
  for (const u32 parts : {1U, 2U, 3U}) {
    engine::Digest digest;
    u64 cells = 0, delivered = 0, generated = 0;
    std::mutex mutex;
    const auto body = [&](engine::Transport& transport) {
      Layout layout(
          *topology, [parts](u32 router) { return router % parts; }, transport.rank(), parts);
      PostingHost host;
      Net net(*topology, settings, layout, host);
      engine::KernelSpec spec = layout.kernel_spec();
      spec.lookahead = settings.link_ticks;
      engine::Kernel<Net> kernel(net, transport, spec);
      net.attach(kernel);
      host.start(net);
      EXPECT_EQ(kernel.run(never), decltype(kernel.run(never))::exhausted);
      net.check_drained();
      const std::lock_guard lock(mutex);
      const Counters& counters = net.statistics().counters;
      generated += counters.injected;
      delivered += counters.delivered;
      cells += counters.delivered_cells;
      digest.add(net.digest());
      for (u32 e = 0; e < layout.entities(); ++e) {
        const u32 here = net.global_id(e);
        const PostingHost::Seen& seen = host.seen[e];
        EXPECT_EQ(seen.messages.size(), PostingHost::nodes - 1);
        EXPECT_EQ(seen.signals.size(), PostingHost::nodes - 1);
        const auto arrival = [&](u32 from, u32 to) {
          const u64 bytes = PostingHost::bytes_to(to);
          return 5 * from + costs.cpu(bytes) + costs.flight(bytes);
        };
        for (const auto& [from, tick] : seen.messages) EXPECT_EQ(tick, arrival(from, here));
        for (const auto& [from, tick] : seen.signals) EXPECT_EQ(tick, arrival(here, from) + costs.lookahead());
        for (const auto& [from, bytes] : seen.bytes) EXPECT_EQ(bytes, 7U);
      }
    };
    if (parts == 1) {
      body(*engine::single_process());
    } else {
      engine::testing::run_ranks(parts, body);
    }
    EXPECT_EQ(generated, 30U);
    EXPECT_EQ(delivered, 30U);
    EXPECT_EQ(cells, 5U * (1 + 251 + 501 + 751 + 1001 + 1251));
    static const std::string alone = digest.hex();
    EXPECT_EQ(digest.hex(), alone) << parts << " parts";
  }
}

}  // namespace
}  // namespace weft::models::testing
