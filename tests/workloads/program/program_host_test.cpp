// Tasks that share nodes, and what their own actions cost, on a made-up network: every packet takes the same time, and
// each node has a queue that a packet leaves every few cycles.
#include "workloads/program/host/program_host.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>

#include "engine/digest.hpp"
#include "engine/kernel.hpp"
#include "models/core/statistics.hpp"
#include "models/routing/settings.hpp"
#include "tests/workloads/program/lone_job.hpp"
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

constexpr Tick flight = 10;  // ticks from a node's queue to the other node's tasks

/// A packet that entered the network.
struct Sent {
  Tick tick = 0;
  u32 node = 0, task = 0, target = 0, message = 0;
  friend auto operator<=>(const Sent&, const Sent&) = default;
};

class TaskNet {
 public:
  TaskNet(u32 nodes, u32 capacity, Tick drain)
      : layout_(nodes), queued_(nodes, 0), capacity_(capacity), drain_(drain) {}

  struct Numbers {
    [[nodiscard]] static u32 encode(NodeId node) { return node.value(); }
  };
  struct Timers {
    void schedule(Tick tick, const ProgramHost::Event& event) { due.emplace(tick, event); }
    void schedule(Tick tick, engine::Touch event) { touches.emplace(tick, event.entity); }
    void touch(u32 entity) { touched.insert(entity); }
    std::multimap<Tick, ProgramHost::Event> due;
    std::multimap<Tick, u32> touches;
    std::set<u32> touched;
  };
  [[nodiscard]] static Numbers policy() { return {}; }
  [[nodiscard]] const models::Layout& layout() const { return layout_.layout(); }
  [[nodiscard]] const models::RouterSettings& settings() const { return settings_; }
  [[nodiscard]] Timers& kernel() { return kernel_; }
  [[nodiscard]] models::Statistics& statistics() { return statistics_; }
  [[nodiscard]] engine::Digest& digest() { return digest_; }

  bool inject(u32 entity, const ProgramPacket& packet, Tick tick, u64 bits) {
    if (queued_[entity] >= capacity_) return false;
    EXPECT_NE(packet.to, packet.from);
    if (queued_[entity]++ == 0) leaves_.emplace(tick + drain_, entity);
    flying_.emplace(tick + flight, packet);
    sent.push_back({tick, entity, packet.source_task, packet.target, packet.message});
    draws.insert(bits);
    return true;
  }

  /// Runs until nothing is left to happen, or until `end`.
  void run(ProgramHost& host, Tick end = ~Tick{0}) {
    for (Tick tick = next(); tick < end; tick = next()) {
      for (; first(leaves_) == tick; leaves_.erase(leaves_.begin())) {
        const u32 entity = leaves_.begin()->second;
        if (--queued_[entity] > 0) leaves_.emplace(tick + drain_, entity);
        host.space(*this, tick, entity);
      }
      for (; first(flying_) == tick; flying_.erase(flying_.begin())) {
        const ProgramPacket packet = flying_.begin()->second;
        host.delivered(*this, tick, tick, packet.to, packet);
      }
      for (; first(kernel_.due) == tick; kernel_.due.erase(kernel_.due.begin()))
        host.absorb(*this, tick, kernel_.due.begin()->second);
      for (; first(kernel_.touches) == tick; kernel_.touches.erase(kernel_.touches.begin()))
        kernel_.touch(kernel_.touches.begin()->second);
      for (const u32 entity : std::exchange(kernel_.touched, {})) host.act(*this, tick, entity);
    }
  }

  std::vector<Sent> sent;
  std::set<u64> draws;

 private:
  template <class Map>
  static Tick first(const Map& map) {
    return map.empty() ? ~Tick{0} : map.begin()->first;
  }
  [[nodiscard]] Tick next() const {
    return std::min({first(kernel_.due), first(kernel_.touches), first(flying_), first(leaves_)});
  }

  RingLayout layout_;
  models::RouterSettings settings_;
  Timers kernel_;
  models::Statistics statistics_;
  engine::Digest digest_;
  std::vector<u32> queued_;
  u32 capacity_;
  Tick drain_;
  std::multimap<Tick, u32> leaves_;
  std::multimap<Tick, ProgramPacket> flying_;
};

Op sends(u32 peer, u64 bytes = 64, u32 tag = 0) { return {OpKind::send, peer, tag, bytes}; }
Op receives(u32 peer, u64 bytes = 64, u32 tag = 0) { return {OpKind::receive, peer, tag, bytes}; }
Op computes(u64 ns) { return {OpKind::compute, 0, 0, ns}; }

/// Tasks with the operations given.
class Script final : public Program {
 public:
  explicit Script(std::vector<std::vector<Op>> ops) : ops_(std::move(ops)) {}
  [[nodiscard]] u32 tasks() const override { return static_cast<u32>(ops_.size()); }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override {
    return std::make_unique<Stream>(ops_[task.value()]);
  }
  [[nodiscard]] std::string name() const override { return "script"; }

 private:
  struct Stream final : TaskStream {
    explicit Stream(const std::vector<Op>& of_task) : ops(of_task.begin(), of_task.end()) {}
    Op next() override {
      if (ops.empty()) return {};
      const Op op = ops.front();
      ops.pop_front();
      return op;
    }
    std::deque<Op> ops;
  };
  std::vector<std::vector<Op>> ops_;
};

/// A run on a network with free space for all, and what came of it.
struct Outcome {
  std::vector<Tick> finished;  ///< [task]
  std::vector<Sent> sent;
  u64 sent_messages = 0, delivered_messages = 0;
};

Outcome outcome(TaskNet& net, const ProgramHost& host, u32 tasks) {
  Outcome result;
  result.finished.resize(tasks);
  for (const auto& [task, tick] : host.finish_ticks()) result.finished[task] = tick;
  result.sent = net.sent;
  result.sent_messages = net.statistics().counters.messages_sent;
  result.delivered_messages = net.statistics().counters.messages_delivered;
  EXPECT_EQ(host.unfinished(), std::vector<u64>{0});
  return result;
}

Outcome run_script(const std::vector<std::vector<Op>>& ops, u32 tasks_per_node, const TaskSpec& spec = {},
                   u32 capacity = 100, Tick drain = 1) {
  const Script program(ops);
  const u32 nodes = (program.tasks() + tasks_per_node - 1) / tasks_per_node;
  TaskNet net(nodes, capacity, drain);
  ProgramHost host = lone_job(spec, program, consecutive(program.tasks(), nodes, tasks_per_node));
  host.start(net);
  net.run(host);
  return outcome(net, host, program.tasks());
}

TaskSpec with_costs(u64 turnaround, u64 send_gap) {
  TaskSpec spec;
  spec.turnaround_cycles = turnaround;
  spec.send_gap_cycles = send_gap;
  return spec;
}

TEST(TasksOfANode, SendEachOtherMessagesOfAnySizeInTheSameTime) {
  for (const u64 latency : {1U, 7U}) {
    TaskSpec spec;
    spec.local_latency_cycles = latency;
    const Outcome small = run_script({{sends(1)}, {receives(0)}}, 2, spec);
    const Outcome large = run_script({{sends(1, 1'000'000)}, {receives(0, 1'000'000)}}, 2, spec);
    for (const Outcome& some : {small, large}) {
      EXPECT_EQ(some.finished, (std::vector<Tick>{0, latency}));
      EXPECT_TRUE(some.sent.empty());
      EXPECT_EQ(some.sent_messages, 1U);
      EXPECT_EQ(some.delivered_messages, 1U);
    }
  }
}

TEST(TasksOfANode, AreToldApartBySenderTagAndReceiver) {
  // Tasks 0..2 on node 0, 3..5 on node 1; tasks 4 and 5 get messages of the same tag and length from 0 and from 1.
  const Outcome run = run_script({{sends(4), sends(5), sends(5, 64, 1)},
                                  {sends(5), sends(4)},
                                  {receives(3, 200)},
                                  {sends(2, 200), receives(4)},
                                  {sends(3), receives(1), receives(0)},
                                  {receives(0, 64, 1), receives(1), receives(0)}},
                                 3);
  EXPECT_EQ(run.sent_messages, 7U);
  EXPECT_EQ(run.delivered_messages, 7U);
  std::map<u32, std::vector<u32>> targets;
  for (const Sent& packet : run.sent) targets[packet.task].push_back(packet.target);
  EXPECT_EQ(targets[0], (std::vector<u32>{1, 2, 2}));
  EXPECT_EQ(targets[1], (std::vector<u32>{2, 1}));
  EXPECT_EQ(targets[3], (std::vector<u32>(4, 2)));
}

TEST(TasksOfANode, TakeTurnsAtItsNicPacketByPacket) {
  // 4 tasks send 3, 1, 2 and 3 packets to a node of their own.
  const std::vector<u64> packets{3, 1, 2, 3};
  std::vector<std::vector<Op>> ops(8);
  for (u32 t = 0; t < 4; ++t) {
    ops[t] = {sends(4 + t, 64 * packets[t])};
    ops[4 + t] = {receives(t, 64 * packets[t])};
  }
  const std::vector<u32> order{0, 1, 2, 3, 0, 2, 3, 0, 3};
  for (const auto& [capacity, drain] : std::vector<std::pair<u32, Tick>>{{100, 1}, {1, 1}, {1, 5}, {2, 3}}) {
    const Outcome run = run_script(ops, 4, {}, capacity, drain);
    std::vector<u32> tasks;
    for (const Sent& packet : run.sent) tasks.push_back(packet.task);
    EXPECT_EQ(tasks, order) << capacity << " " << drain;
    for (std::size_t k = 1; k < run.sent.size(); ++k) EXPECT_GT(run.sent[k].tick, run.sent[k - 1].tick);
    if (capacity == 100) {
      EXPECT_EQ(run.sent.back().tick, order.size() - 1);  // one a cycle
    }
  }
}

TEST(TasksOfANode, DrawTheirOwnRandomNumbers) {
  const Script program({{sends(2)}, {sends(3)}, {receives(0)}, {receives(1)}});
  TaskNet net(2, 100, 1);
  ProgramHost host = lone_job({}, program, consecutive(4, 2, 2));
  host.start(net);
  net.run(host);
  EXPECT_EQ(net.draws.size(), 2U);
}

TEST(TasksOfANode, GoOnFromACheckpointAsIfNothingHadBeen) {
  std::vector<std::vector<Op>> ops(8);
  for (u32 t = 0; t < 8; ++t) {
    for (const u32 distance : {1U, 3U, 4U}) ops[t].push_back(sends((t + distance) % 8, 64 * (1 + t % 3)));
    for (const u32 distance : {1U, 3U, 4U}) {
      const u32 from = (t + 8 - distance) % 8;
      ops[t].push_back(receives(from, 64 * (1 + from % 3)));
    }
    ops[t].push_back(sends((t + 5) % 8, 100));
    ops[t].push_back(receives((t + 3) % 8, 100));
  }
  const Script program(ops);
  TaskSpec spec = with_costs(3, 2);
  spec.local_latency_cycles = 4;
  const auto fresh = [&] { return lone_job(spec, program, consecutive(8, 2, 4)); };
  TaskNet whole(2, 2, 2);
  ProgramHost reference = fresh();
  reference.start(whole);
  whole.run(reference);
  const Outcome expected = outcome(whole, reference, 8);
  const Tick last = *std::ranges::max_element(expected.finished);
  ASSERT_GT(last, 30U);
  for (Tick cut = 1; cut < last; cut += 3) {
    TaskNet net(2, 2, 2);
    ProgramHost before = fresh(), after = fresh();
    before.start(net);
    net.run(before, cut);
    after.prepare(net);
    for (const u32 entity : {0U, 1U}) {
      engine::ByteWriter record;
      before.save(entity, record);
      engine::ByteReader from(record.bytes());
      after.load(entity, from);
    }
    net.run(after);
    const Outcome resumed = outcome(net, after, 8);
    EXPECT_EQ(resumed.finished, expected.finished) << cut;
    EXPECT_EQ(resumed.sent, expected.sent) << cut;
  }
}

TEST(Turnaround, LiesBetweenAReceiveAndTheNextSendOrComputation) {
  TaskSpec spec = with_costs(5, 0);
  spec.ticks_per_ns = 1;
  const std::vector<std::vector<Op>> relay{{sends(1)}, {receives(0), sends(2)}, {receives(1)}};
  const Outcome run = run_script(relay, 1, spec);
  ASSERT_EQ(run.sent.size(), 2U);
  EXPECT_EQ(run.sent[0].tick, 0U);  // nothing was received
  EXPECT_EQ(run.sent[1].tick, flight + 5);
  EXPECT_EQ(run.finished[2], 2 * flight + 5);  // nothing follows
  const Outcome computing = run_script({{sends(1)}, {receives(0), computes(100)}}, 1, spec);
  EXPECT_EQ(computing.finished[1], flight + 5 + 100);
  // Computations that follow no receive, and those of no length, do not count.
  const Outcome later = run_script({{sends(1)}, {receives(0), computes(100), sends(0)}, {}}, 1, spec);
  EXPECT_EQ(later.sent[1].tick, flight + 5 + 100);
  spec.ticks_per_ns = 0;
  EXPECT_EQ(run_script({{sends(1)}, {receives(0), computes(100), sends(0)}, {}}, 1, spec).sent[1].tick, flight + 5);
}

TEST(Turnaround, CountsFromTheLastOfSeveralReceives) {
  const Outcome run = run_script({{sends(2)}, {sends(2)}, {receives(0), receives(1), sends(0)}}, 1, with_costs(5, 0));
  EXPECT_EQ(run.sent.back().tick, flight + 5);
}

TEST(Turnaround, MakesABinomialReductionTwoCyclesLongerForEachRoundButTheFirst) {
  for (u32 rounds = 1; rounds <= 8; ++rounds) {
    for (const u32 tasks_per_node : {1U, 4U}) {
      CollectiveSpec collective;
      collective.operation = "reduce";
      collective.algorithm = "binomial";
      collective.tasks = 1U << rounds;
      collective.message_bytes = 4;
      const auto program = make_collective(collective);
      std::vector<Tick> ends;
      for (const u64 turnaround : {0U, 2U}) {
        TaskNet net(collective.tasks, 100, 1);
        ProgramHost host = lone_job(with_costs(turnaround, 0), *program,
                                    consecutive(collective.tasks, collective.tasks, tasks_per_node));
        host.start(net);
        net.run(host);
        ends.push_back(std::ranges::max(outcome(net, host, collective.tasks).finished));
      }
      EXPECT_EQ(ends[1], ends[0] + 2 * (rounds - 1)) << rounds << " rounds, " << tasks_per_node;
    }
  }
}

TEST(SendGap, LiesBetweenTheStartsOfMessages) {
  // Messages of 1, 4 and 1 packets.
  const std::vector<std::vector<Op>> three{{sends(1), sends(1, 256), sends(1)},
                                           {receives(0), receives(0, 256), receives(0)}};
  const auto starts = [&](u64 gap, u32 capacity, Tick drain) {
    const Outcome run = run_script(three, 1, with_costs(0, gap), capacity, drain);
    std::vector<Tick> ticks;
    for (const Sent& packet : run.sent) {
      if (packet.message == ticks.size()) ticks.push_back(packet.tick);
    }
    return ticks;
  };
  EXPECT_EQ(starts(0, 100, 1), (std::vector<Tick>{0, 1, 5}));
  EXPECT_EQ(starts(1, 100, 1), (std::vector<Tick>{0, 1, 5}));
  EXPECT_EQ(starts(3, 100, 1), (std::vector<Tick>{0, 3, 7}));
  EXPECT_EQ(starts(9, 100, 1), (std::vector<Tick>{0, 9, 18}));
  // A message that waits for free space starts when its first packet enters.
  EXPECT_EQ(starts(9, 1, 12), (std::vector<Tick>{0, 12, 60}));
  EXPECT_EQ(starts(20, 1, 12), (std::vector<Tick>{0, 20, 68}));
}

TEST(SendGap, HoldsForMessagesThroughMemoryToo) {
  const Outcome run =
      run_script({{sends(1), sends(1), sends(2)}, {receives(0), receives(0)}, {receives(0)}}, 2, with_costs(0, 6));
  EXPECT_EQ(run.finished[1], 6U + 1);
  ASSERT_EQ(run.sent.size(), 1U);
  EXPECT_EQ(run.sent[0].tick, 12U);
}

TEST(SendGap, IsOfEachTaskAlone) {
  const Outcome run =
      run_script({{sends(2), sends(2)}, {sends(3), sends(3)}, {receives(0), receives(0)}, {receives(1), receives(1)}},
                 2, with_costs(0, 8));
  std::vector<Tick> ticks;
  for (const Sent& packet : run.sent) ticks.push_back(packet.tick);
  EXPECT_EQ(ticks, (std::vector<Tick>{0, 1, 8, 9}));
}

}  // namespace
}  // namespace weft::workloads
