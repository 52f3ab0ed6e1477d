// Lengths of packets as hosts hand them to a made-up network that takes any, and to one that takes a single length.
#include "workloads/program/host/inject.hpp"

#include <any>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <utility>

#include "engine/digest.hpp"
#include "engine/kernel.hpp"
#include "models/core/statistics.hpp"
#include "models/routing/settings.hpp"
#include "tests/workloads/program/lone_job.hpp"
#include "workloads/program/host/synthetic_host.hpp"

namespace weft::workloads {
namespace {

constexpr u32 all_nodes = 8;

/// An offer of a packet to the network.
struct Offer {
  Tick tick = 0;
  u32 entity = 0, to = 0, cells = 0;
  u64 identity = 0;
  bool taken = false;
  friend bool operator==(const Offer&, const Offer&) = default;
};

/// What both networks have in common: a node at each entity, and one list of timers.
class FakeNet {
 public:
  struct Numbers {
    [[nodiscard]] static u32 encode(NodeId node) { return node.value(); }
  };
  struct Timers {
    template <class Event>
    void schedule(Tick tick, const Event& event) {
      due.emplace(tick, event);
    }
    void touch(u32 entity) { touched.push_back(entity); }
    std::multimap<Tick, std::any> due;
    std::deque<u32> touched;
  };

  [[nodiscard]] static Numbers policy() { return {}; }
  [[nodiscard]] const models::Layout& layout() const { return layout_.layout(); }
  [[nodiscard]] static bool is_endpoint(u32) { return true; }
  [[nodiscard]] static bool injection_open() { return true; }
  [[nodiscard]] const models::RouterSettings& settings() const { return settings_; }
  [[nodiscard]] Timers& kernel() { return kernel_; }
  [[nodiscard]] models::Statistics& statistics() { return statistics_; }
  [[nodiscard]] engine::Digest& digest() { return digest_; }

  std::vector<Offer> offers;
  u32 refused_at_first = 0;  ///< offers that find no free space

 protected:
  bool take(u32 entity, const models::Packet& packet, Tick tick, u32 cells) {
    const bool taken = offers.size() >= refused_at_first;
    offers.push_back({tick, entity, packet.to, cells, packet.identity(), taken});
    return taken;
  }

 private:
  RingLayout layout_{all_nodes};
  models::RouterSettings settings_;
  Timers kernel_;
  models::Statistics statistics_;
  engine::Digest digest_;
};

class AnyLength : public FakeNet {
 public:
  static constexpr bool any_length = true;
  template <class Packet>
  bool inject(u32 entity, const Packet& packet, Tick tick, u64 /*bits*/, u32 cells) {
    return take(entity, packet, tick, cells);
  }
};

class OneLength : public FakeNet {
 public:
  template <class Packet>
  bool inject(u32 entity, const Packet& packet, Tick tick, u64 /*bits*/) {
    return take(entity, packet, tick, 0);
  }
};

/// Runs timers and tasks until there are none, or for `most` timers.
template <class Net, class Host>
void run(Net& net, Host& host, u32 most = 1'000'000) {
  auto& kernel = net.kernel();
  for (u32 k = 0; k < most && !kernel.due.empty(); ++k) {
    const auto [tick, event] = *kernel.due.begin();
    kernel.due.erase(kernel.due.begin());
    if (const auto* const touch = std::any_cast<engine::Touch>(&event)) {
      kernel.touch(touch->entity);
    } else {
      host.absorb(net, tick, std::any_cast<typename Host::Event>(event));
    }
    for (; !kernel.touched.empty(); kernel.touched.pop_front()) host.act(net, tick, kernel.touched.front());
  }
}

SyntheticHost sources(const PacketLengths& cells, u32 burst_packets) {
  SyntheticSpec spec;
  spec.packets_per_cycle = 1;
  spec.cells = cells;
  spec.bursts = true;
  spec.burst_packets = burst_packets;
  spec.nodes = all_nodes;
  return {spec, make_pattern("uniform", {.nodes = all_nodes}), true};
}

template <class Net>
std::vector<Offer> burst(Net& net, SyntheticHost host) {
  host.start(net);
  host.start_burst(net, 0);
  run(net, host);
  return net.offers;
}

TEST(LengthsOfSources, AreDrawnEvenlyAndLeaveDestinationsAlone) {
  AnyLength net;
  std::map<u32, u32> seen;
  u64 together = 0;
  constexpr u32 each = 1000;
  const std::vector<Offer> offers = burst(net, sources(PacketLengths(2, 5), each));
  ASSERT_EQ(offers.size(), all_nodes * each);
  for (const Offer& offer : offers) {
    ++seen[offer.cells];
    together += offer.cells * u64{offer.to};
  }
  ASSERT_EQ(seen.size(), 4U);
  for (const u32 cells : {2U, 3U, 4U, 5U}) EXPECT_NEAR(seen[cells], all_nodes * each / 4, 200) << cells;
  // Lengths tell nothing of destinations: the mean product is the product of the means.
  EXPECT_NEAR(static_cast<double>(together) / (all_nodes * each), 3.5 * 3.5, 0.4);
  AnyLength alike;
  const std::vector<Offer> of_one_length = burst(alike, sources(PacketLengths(4, 4), each));
  for (std::size_t k = 0; k < offers.size(); ++k) {
    ASSERT_EQ(of_one_length[k].cells, 4U);
    ASSERT_EQ(of_one_length[k].identity, offers[k].identity);
  }
}

TEST(LengthsOfSources, StayWhatTheyAreWhilePacketsWaitForRoom) {
  AnyLength free, full;
  full.refused_at_first = all_nodes;
  const std::vector<Offer> wanted = burst(free, sources(PacketLengths(1, 100), 3));
  SyntheticHost host = sources(PacketLengths(1, 100), 3);
  host.start(full);
  host.start_burst(full, 0);
  run(full, host);
  ASSERT_EQ(full.offers.size(), all_nodes);
  for (u32 e = 0; e < all_nodes; ++e) {
    EXPECT_FALSE(full.offers[e].taken);
    EXPECT_EQ(full.offers[e].cells, wanted[e].cells);
  }
  for (u32 e = 0; e < all_nodes; ++e) host.space(full, 0, e);
  run(full, host);
  EXPECT_EQ(std::vector<Offer>(full.offers.begin() + all_nodes, full.offers.end()), wanted);
}

TEST(LengthsOfSources, AreNoBusinessOfNetworksThatTakeOne) {
  static_assert(TakesAnyLength<AnyLength> && !TakesAnyLength<OneLength>);
  OneLength one;
  AnyLength any;
  const std::vector<Offer> offers = burst(one, sources(PacketLengths(2, 5), 10));
  const std::vector<Offer> same = burst(any, sources(PacketLengths(2, 5), 10));
  ASSERT_EQ(offers.size(), same.size());
  for (std::size_t k = 0; k < offers.size(); ++k) ASSERT_EQ(offers[k].identity, same[k].identity);
}

TEST(LengthsOfSources, HaveTheMeanOfTheirRange) {
  EXPECT_DOUBLE_EQ((PacketLengths(1, 4).mean()), 2.5);
  EXPECT_DOUBLE_EQ((PacketLengths(16, 16).mean()), 16);
}

/// Task 0 sends one message to task 1.
class OneMessage final : public Program {
 public:
  explicit OneMessage(u64 bytes) : bytes_(bytes) {}
  [[nodiscard]] u32 tasks() const override { return 2; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override {
    return std::make_unique<Stream>(task.value() == 0 ? bytes_ : none);
  }
  [[nodiscard]] std::string name() const override { return "one message"; }

 private:
  static constexpr u64 none = ~u64{0};
  struct Stream final : TaskStream {
    explicit Stream(u64 bytes) : left(bytes) {}
    Op next() override {
      const u64 bytes = std::exchange(left, none);
      return bytes == none ? Op{} : Op{OpKind::send, 1, 0, bytes};
    }
    u64 left;
  };
  u64 bytes_;
};

/// Lengths of the packets of a message, with packets of 16 cells of 4 bytes.
std::vector<u32> lengths(u64 bytes, u32 refused = 0, u32 header_phits = 0) {
  TaskSpec spec;
  spec.phit_bytes = 4;
  spec.header_phits = header_phits;
  spec.packet_bytes = (16 - header_phits) * spec.phit_bytes;
  const OneMessage program(bytes);
  AnyLength net;
  net.refused_at_first = refused;
  ProgramHost host = lone_job(spec, program, consecutive(2, all_nodes));
  host.start(net);
  run(net, host);
  for (u32 k = 0; k < refused; ++k) {
    host.space(net, 100 + k, 0);
    for (; !net.kernel().touched.empty(); net.kernel().touched.pop_front())
      host.act(net, 100 + k, net.kernel().touched.front());
  }
  run(net, host);
  std::vector<u32> cells;
  for (const Offer& offer : net.offers) cells.push_back(offer.cells);
  return cells;
}

TEST(LengthsOfMessages, AreFullPacketsAndWhatIsLeft) {
  EXPECT_EQ(lengths(0), (std::vector<u32>{1}));
  EXPECT_EQ(lengths(1), (std::vector<u32>{1}));
  EXPECT_EQ(lengths(4), (std::vector<u32>{1}));
  EXPECT_EQ(lengths(5), (std::vector<u32>{2}));
  EXPECT_EQ(lengths(64), (std::vector<u32>{16}));
  EXPECT_EQ(lengths(65), (std::vector<u32>{16, 1}));
  EXPECT_EQ(lengths(100), (std::vector<u32>{16, 9}));
  EXPECT_EQ(lengths(128), (std::vector<u32>{16, 16}));
  EXPECT_EQ(lengths(129), (std::vector<u32>{16, 16, 1}));
}

TEST(LengthsOfMessages, HaveAHeaderInEachPacket) {
  EXPECT_EQ(lengths(0, 0, 2), (std::vector<u32>{3}));
  EXPECT_EQ(lengths(56, 0, 2), (std::vector<u32>{16}));
  EXPECT_EQ(lengths(57, 0, 2), (std::vector<u32>{16, 3}));
  EXPECT_EQ(lengths(8, 0, 15), (std::vector<u32>{16, 16}));
}

TEST(LengthsOfMessages, StayWhatTheyAreWhilePacketsWaitForRoom) {
  EXPECT_EQ(lengths(20, 2), (std::vector<u32>{5, 5, 5}));
  EXPECT_EQ(lengths(100, 1), (std::vector<u32>{16, 16, 9}));
}

}  // namespace
}  // namespace weft::workloads
