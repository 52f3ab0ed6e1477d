// The scripted host behind the model tests, its own tests, and the one place where it is compiled with the network
// model.
#include "tests/models/network/scripted_network.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <mutex>

#include "engine/random.hpp"
#include "models/router/bubble.hpp"
#include "models/router/multistage.hpp"
#include "tests/engine/thread_ranks.hpp"

namespace weft::models::testing {
namespace {

/// Puts each node's packets in at their ticks, in order; what finds no room waits for it. `Acts`: injects in phase two.
template <bool Acts>
class ScriptedHost {
 public:
  using Packet = models::Packet;
  static constexpr bool acts = Acts;
  struct Event {
    u32 entity;
  };

  template <class Net>
  void start(Net& net, const std::vector<Send>& script) {
    sources_.resize(net.layout().entities());
    for (const Send& send : script) {
      const u32 entity = net.layout().entity_of(NodeId(send.from));
      if (entity != Layout::none) sources_[entity].sends.push_back(send);
    }
    for (u32 e = 0; e < sources_.size(); ++e) {
      auto& sends = sources_[e].sends;
      std::ranges::stable_sort(sends, {}, &Send::tick);
      if (!sends.empty()) net.kernel().schedule(sends[0].tick, Event{e});
    }
  }
  template <class Net>
  void absorb(Net& net, Tick tick, const Event& e) {
    sources_[e.entity].scheduled = false;
    offer(net, tick, e.entity);
  }
  template <class Net>
  void space(Net& net, Tick tick, u32 entity) {
    offer(net, tick, entity);
  }
  template <class Net>
  void act(Net& net, Tick tick, u32 entity) {
    if (!sources_[entity].ready) return;
    sources_[entity].ready = false;
    pump(net, tick, entity);
  }
  template <class Net>
  void delivered(Net& net, Tick, Tick at, u32 entity, const Packet& packet) {
    const u32 to = net.policy().decode(packet.to);
    EXPECT_EQ(net.layout().node(entity).value(), to) << "a packet came out at the wrong node";
    deliveries.push_back({at, net.policy().decode(packet.from), to, packet.birth()});
  }
  [[nodiscard]] u64 not_accepted() const {
    u64 sum = 0;
    for (const Source& s : sources_) sum += s.sends.size() - s.next;
    return sum;
  }

  std::vector<Delivery> deliveries;

 private:
  struct Source {
    std::vector<Send> sends;
    std::size_t next = 0;
    bool scheduled = false, ready = false;
  };

  template <class Net>
  void offer(Net& net, Tick tick, u32 entity) {
    if constexpr (Acts) {
      sources_[entity].ready = true;
      net.kernel().touch(entity);
    } else {
      pump(net, tick, entity);
    }
  }
  template <class Net>
  void pump(Net& net, Tick tick, u32 entity) {
    Source& s = sources_[entity];
    for (; s.next < s.sends.size() && s.sends[s.next].tick <= tick; ++s.next) {
      const Send& send = s.sends[s.next];
      const u64 bits = engine::random_bits(7, send.from, s.next, engine::Use::test);
      Packet packet;
      packet.to = net.policy().encode(NodeId(send.to));
      packet.from = net.policy().encode(NodeId(send.from));
      packet.ties = static_cast<u8>(bits);
      if (!net.inject(entity, packet, tick, bits)) return;  // space() comes back to it
    }
    if (s.next < s.sends.size() && !s.scheduled) {
      s.scheduled = true;
      net.kernel().schedule(s.sends[s.next].tick, Event{entity});
    }
  }

  std::vector<Source> sources_;
};

template <class Policy, class Host>
void run_part(const Case& setup, const Topology& topology, const std::vector<Send>& script,
              engine::Transport& transport, Result& result, std::mutex& mutex) {
  auto part_of = setup.part_of_router;
  if (part_of.empty()) part_of.assign(topology.routers(), 0);
  Layout layout(topology, part_of_table(std::move(part_of)), transport.rank(), transport.size());
  Host host;
  Network<Policy, Host> net(topology, setup.router, layout, host);
  engine::KernelSpec spec = layout.kernel_spec();
  spec.lookahead = setup.router.link_ticks;
  engine::Kernel<Network<Policy, Host>> kernel(net, transport, spec);
  net.attach(kernel);
  host.start(net, script);
  const auto outcome = kernel.run(setup.until);

  const std::lock_guard lock(mutex);
  result.exhausted = outcome == decltype(outcome)::exhausted;
  std::ranges::copy(host.deliveries, std::back_inserter(result.deliveries));
  auto sums = result.counters.words();
  for (u32 i = 0; i < Counters::sums; ++i) sums[i] += net.statistics().counters.words()[i];
  result.counters = Counters::from(sums);
  const UnderWay under_way = net.under_way(result.exhausted ? kernel.now() + 1 : setup.until);
  result.under_way.queued += under_way.queued;
  result.under_way.network += under_way.network;
  result.under_way.oldest_age = std::max(result.under_way.oldest_age, under_way.oldest_age);
  result.distance_max = std::max(result.distance_max, net.statistics().distance_max);
  result.digest.add(net.digest());
  std::ranges::copy(net.blocked(), std::back_inserter(result.blocked));
  result.not_accepted += host.not_accepted();
  result.wheel_events += kernel.counters().events;
  result.bytes += net.bytes();
  result.acts += kernel.counters().activations;
  if (result.exhausted && result.blocked.empty() && host.not_accepted() == 0) net.check_drained();
}

template <class Policy>
Result run_policy(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  Result result;
  std::mutex mutex;
  const auto body = [&](engine::Transport& transport) {
    if (setup.inject_in_act) {
      run_part<Policy, ScriptedHost<true>>(setup, topology, script, transport, result, mutex);
    } else {
      run_part<Policy, ScriptedHost<false>>(setup, topology, script, transport, result, mutex);
    }
  };
  if (setup.parts == 1) {
    body(*engine::single_process());
  } else {
    engine::testing::run_ranks(setup.parts, body);
  }
  std::ranges::sort(result.deliveries);
  result.drained = result.exhausted && result.not_accepted == 0 && result.blocked.empty() &&
                   result.deliveries.size() == script.size();
  return result;
}

}  // namespace

Result run_script(const Case& setup, const std::vector<Send>& script) {
  const auto topology = make_topology(setup.topology);
  if (topology->cube() != nullptr) {
    if (!setup.sized) return run_policy<BubblePolicy>(setup, *topology, script);
    if (topology->cube()->dims.size() == 2) return run_policy<SizedBubblePolicy<2, 3>>(setup, *topology, script);
    return run_policy<SizedBubblePolicy<3, 3>>(setup, *topology, script);
  }
  u32 ports = 0;
  for (u32 r = 0; r < topology->routers(); ++r) ports = std::max(ports, topology->ports(RouterId(r)));
  if (ports * setup.router.virtual_channels <= 63) return run_policy<MultistagePolicy<1>>(setup, *topology, script);
  return run_policy<MultistagePolicy<4>>(setup, *topology, script);
}

TopologySpec mesh(std::vector<i64> dims) {
  TopologySpec spec;
  spec.kind = "mesh";
  spec.dims = std::move(dims);
  return spec;
}
TopologySpec torus(std::vector<i64> dims) {
  TopologySpec spec = mesh(std::move(dims));
  spec.kind = "torus";
  return spec;
}
TopologySpec tree(i64 arity, i64 levels) {
  TopologySpec spec;
  spec.kind = "tree";
  spec.arity = arity;
  spec.levels = levels;
  return spec;
}
TopologySpec thin_tree(i64 down, i64 up, i64 levels) {
  TopologySpec spec;
  spec.kind = "thin-tree";
  spec.down = down;
  spec.up = up;
  spec.levels = levels;
  return spec;
}
TopologySpec crossbar(i64 nodes) {
  TopologySpec spec;
  spec.kind = "crossbar";
  spec.nodes = nodes;
  return spec;
}

RouterSettings packets_of(u32 phits, Tick link_ticks, Tick switch_ticks, Tick cycle_ticks) {
  RouterSettings settings;
  settings.packet_phits = phits;
  settings.cycle_ticks = cycle_ticks;
  settings.packet_ticks = phits * cycle_ticks;
  settings.link_ticks = link_ticks;
  settings.switch_ticks = switch_ticks;
  return settings;
}

std::vector<Send> random_traffic(u32 nodes, u32 per_node, Tick span, u64 seed) {
  std::vector<Send> script;
  for (u32 node = 0; node < nodes; ++node) {
    for (u32 k = 0; k < per_node; ++k) {
      const u64 bits = engine::random_bits(seed, node, k, engine::Use::test);
      const u32 other = engine::scale_to(bits, nodes - 1);
      script.push_back({engine::remix(bits, 0) % span, node, other + (other >= node ? 1U : 0U)});
    }
  }
  return script;
}

std::vector<Tick> times_at(const Result& result, u32 to) {
  std::vector<Tick> times;
  for (const Delivery& d : result.deliveries) {
    if (d.to == to) times.push_back(d.at);
  }
  return times;
}

std::vector<u32> sources_at(const Result& result, u32 to) {
  std::vector<u32> sources;
  for (const Delivery& d : result.deliveries) {
    if (d.to == to) sources.push_back(d.from);
  }
  return sources;
}

std::string describe(const Case& setup) {
  const RouterSettings& r = setup.router;
  return make_topology(setup.topology)->name() + ", " + std::to_string(r.virtual_channels) + " channels, queues of " +
         std::to_string(r.queue_packets) + ", packets of " + std::to_string(r.packet_phits) + " phits, link " +
         std::to_string(r.link_ticks) + ", switch " + std::to_string(r.switch_ticks) + ", cycle " +
         std::to_string(r.cycle_ticks) + ", bubble mode " + std::to_string(static_cast<u32>(r.bubble_request)) +
         ", tree mode " + std::to_string(static_cast<u32>(r.tree_request)) + ", arbitration " +
         std::to_string(static_cast<u32>(r.arbitration)) + ", " + std::to_string(r.injection_queues) +
         " injection queues, policy " + std::to_string(static_cast<u32>(r.injection)) +
         (r.multiple_consumption ? ", multiple" : ", single") + " consumption, injected in phase " +
         (setup.inject_in_act ? "two" : "one");
}

TEST(ScriptedNetwork, PacketsGoInAtTheirTicksAndComeOutAtTheirNodes) {
  Case setup{mesh({4, 4}), packets_of(4)};
  const auto result = run_script(setup, {{10, 0, 5}, {30, 7, 7 - 4}, {20, 15, 14}});
  EXPECT_TRUE(result.drained);
  EXPECT_EQ(result.deliveries,
            (std::vector<Delivery>{{10 + 2 + 3, 0, 5, 10}, {20 + 1 + 3, 15, 14, 20}, {30 + 1 + 3, 7, 3, 30}}));
}

TEST(ScriptedNetwork, PacketsThatFindNoRoomWaitTheirTurn) {
  Case setup{mesh({2}), packets_of(4)};
  setup.router.injection_capacity = 1;
  setup.router.virtual_channels = 2;
  const auto result = run_script(setup, {{0, 0, 1}, {0, 0, 1}, {1, 0, 1}});
  EXPECT_TRUE(result.drained);
  EXPECT_EQ(times_at(result, 1), (std::vector<Tick>{4, 8, 12}));
  EXPECT_EQ(result.deliveries[2].born, 8U);
}

}  // namespace weft::models::testing
