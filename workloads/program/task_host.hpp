// The causal engine behind the NICs: runs the operations of tasks, cuts messages into packets, matches what arrives.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/random.hpp"
#include "models/core/packet.hpp"
#include "models/core/statistics.hpp"
#include "workloads/program/inject.hpp"
#include "workloads/program/node_tasks.hpp"
#include "workloads/program/placement/placement.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/stuck_operation.hpp"
#include "workloads/program/task.hpp"
#include "workloads/program/task_limits.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::workloads {

/// Semantics (INSEE's): a send hands its message to the NIC, one packet a cycle while there is free space, and goes on;
/// a receive waits for a message of the same source, tag and length in packets, and such messages are interchangeable;
/// compute waits. All packets of a message are full but the last, which is as long as what is left in networks that
/// take any length, and padded in others. A message counts as arrived in the cycle after its last packet's tail was
/// consumed. A message is at least one packet long. The tasks of a node take turns at its NIC, packet by packet; their
/// messages to each other go through its memory.
class TaskHost {
 public:
  using Packet = models::MessagePacket;
  static constexpr bool acts = true;
  /// A timer of a task (`packets` = 0), or a message of another task of its node that arrives.
  struct Event {
    u32 entity;
    u32 slot = 0;  ///< place of the task among those of its node
    u32 source = 0, tag = 0, packets = 0;
  };

  TaskHost(const TaskSpec& spec, const Program& program, Placement placement, TimelineSpec timeline = {})
      : spec_(spec),
        program_(program),
        placement_(std::move(placement)),
        slot_of_task_(slots_of(placement_)),
        timeline_(std::move(timeline)) {}

  /// Opens the streams of the tasks placed here, without scheduling anything.
  template <class Net>
  void prepare(Net& net) {
    cycle_ = net.settings().cycle_ticks;
    settle_tasks(
        net.layout(), placement_, slot_of_task_, node_of_entity_, nodes_, [this](u32 count) { tasks_.resize(count); },
        [this](u32 number, u32 place, u32 /*node*/) {
          tasks_[place].id = number;
          tasks_[place].stream = program_.open(TaskId(number));
          tasks_[place].recorded = timeline_.open(number, 0);
        });
    running_ = tasks_.size();
  }
  /// Prepares, and schedules the tasks' first operation at tick 0.
  template <class Net>
  void start(Net& net) {
    prepare(net);
    for (u32 entity = 0; entity < node_of_entity_.size(); ++entity) {
      if (node_of_entity_[entity] == none) continue;
      for (u32 slot = 0; slot < nodes_[node_of_entity_[entity]].count; ++slot)
        net.kernel().schedule(0, Event{entity, slot});
    }
  }

  /// State of an entity's tasks between runs of the kernel.
  void save(u32 entity, engine::ByteWriter& to) const {
    if (node_of_entity_[entity] == none) return;
    const Node& node = nodes_[node_of_entity_[entity]];
    to.put(node.turn);
    to.put(node.nic_free);
    to.put(node.ready);
    to.put(node.wanting);
    to.put(node.refused);
    for (u32 slot = 0; slot < node.count; ++slot) {
      const Task& task = tasks_[node.first + slot];
      task.save(to);
      if (task.recorded) timeline_.of(task.id).save(to);
    }
  }
  /// Throws InputError if the record is of other tasks.
  void load(u32 entity, engine::ByteReader& from) {
    if (node_of_entity_[entity] == none) return;
    Node& node = nodes_[node_of_entity_[entity]];
    node.turn = from.get<u32>();
    node.nic_free = from.get<Tick>();
    node.ready = from.get<u64>();
    node.wanting = from.get<u64>();
    node.refused = from.get<u64>();
    for (u32 slot = 0; slot < node.count; ++slot) {
      Task& task = tasks_[node.first + slot];
      task.load(from);
      if (task.recorded) timeline_.of(task.id).load(from);
      if (task.state == Task::State::done) --running_;
    }
  }

  template <class Net>
  void absorb(Net& net, Tick tick, const Event& e) {
    Node& node = nodes_[node_of_entity_[e.entity]];
    if (e.packets == 0) {
      node.ready |= u64{1} << e.slot;
      net.kernel().touch(e.entity);
    } else {
      const MessageKey key{e.source, e.tag, e.packets};
      const Task& task = tasks_[node.first + e.slot];
      const u32 number = task.recorded ? timeline_.of(task.id).number_of(alike(key)) : 0;
      arrive(net, tick, e.entity, node, e.slot, key, number);
    }
  }

  template <class Net>
  void space(Net& net, Tick, u32 entity) {
    const u32 here = node_of_entity_[entity];
    if (here == none || nodes_[here].refused == 0) return;
    nodes_[here].refused = 0;
    net.kernel().touch(entity);
  }

  template <class Net>
  void delivered(Net& net, Tick tick, Tick, u32 entity, const Packet& packet) {
    WEFT_DEBUG_ASSERT(node_of_entity_[entity] != none);
    Node& node = nodes_[node_of_entity_[entity]];
    const u32 slot = packet.target;
    Task& task = tasks_[node.first + slot];
    if (packet.packets > 1 && !task.completes(packet.source_task, packet.message, packet.packets)) return;
    arrive(net, tick, entity, node, slot, {packet.source_task, packet.tag, packet.packets}, packet.message);
  }

  /// Runs the tasks of an entity as far as they get in this cycle, and lets one of them hand over a packet.
  template <class Net>
  void act(Net& net, Tick tick, u32 entity) {
    const u32 here = node_of_entity_[entity];
    if (here == none) return;
    Node& node = nodes_[here];
    for (; node.ready != 0; node.ready &= node.ready - 1) {
      const u32 slot = static_cast<u32>(std::countr_zero(node.ready));
      while (step(net, tick, entity, node, slot)) {
      }
    }
    // While the NIC is taken, the timer of the task that took it is still to come.
    if ((node.wanting & ~node.refused) != 0 && tick >= node.nic_free)
      take_turns(node, [&](u32 slot) { return send_packet(net, tick, entity, node, slot); });
  }

  [[nodiscard]] u64 running() const { return running_; }
  /// Timeline of the local tasks that it was asked for.
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  /// Whether a task has a packet that the network has not let in.
  [[nodiscard]] bool waits() const {
    return std::ranges::any_of(nodes_, [](const Node& node) { return node.refused != 0; });
  }
  /// Messages that arrived and that nobody received.
  [[nodiscard]] u64 unreceived() const {
    u64 sum = 0;
    for (const Task& task : tasks_) {
      for (const auto& [key, count] : task.mailbox) sum += count;
    }
    return sum;
  }
  [[nodiscard]] std::vector<StuckOperation> stuck() const {
    std::vector<StuckOperation> result;
    for (const Task& task : tasks_) {
      if (task.state == Task::State::done) continue;
      const auto kind = task.op.kind == OpKind::send ? GraphOp::Kind::send : GraphOp::Kind::receive;
      result.push_back({task.id, task.op.peer, task.op.tag, 0, task.op.amount, task.operations, 0, 0, kind});
    }
    return result;
  }
  /// (task, tick after its last operation) of the local tasks.
  [[nodiscard]] std::vector<std::pair<u32, Tick>> finish_ticks() const {
    std::vector<std::pair<u32, Tick>> result;
    for (const Task& task : tasks_) result.emplace_back(task.id, task.finished);
    return result;
  }

 private:
  using State = Task::State;
  static constexpr u32 none = ~u32{0};
  static_assert(most_tasks_per_node <= 64);

  /// The tasks of a node, in the order of their numbers, and its NIC; masks have a bit for each.
  struct Node {
    u32 first = 0, count = 0;  ///< in tasks_
    u32 turn = 0;              ///< who is asked first for the next packet
    Tick nic_free = 0;         ///< when the NIC takes the next packet
    u64 ready = 0;             ///< something happened that may let the task go on
    u64 wanting = 0;           ///< it has a packet to send
    u64 refused = 0;           ///< for which there was no free space, and has not been since
  };

  [[nodiscard]] u32 packets_of(u64 bytes) const {
    const u64 packets = bytes == 0 ? 1 : (bytes + spec_.packet_bytes - 1) / spec_.packet_bytes;
    WEFT_ASSERT(packets <= most_message_packets);  // checked when the program was read: task_limits
    return static_cast<u32>(packets);
  }

  /// Cells of the next packet of a message: as many as fit, or what is left for the last, and the header.
  [[nodiscard]] u32 cells_of_next(const Task& task) const {
    const u32 full = spec_.packet_bytes / spec_.phit_bytes;
    if (task.packets_left > 1) return full + spec_.header_phits;
    const u64 cells = std::max<u64>(1, (task.op.amount + spec_.phit_bytes - 1) / spec_.phit_bytes);
    return static_cast<u32>(cells - static_cast<u64>(task.message_packets - 1) * full) + spec_.header_phits;
  }

  /// What a task in a receive waits for.
  [[nodiscard]] MessageKey awaited(const Task& task) const {
    return {task.op.peer, task.op.tag, packets_of(task.op.amount)};
  }

  [[nodiscard]] static TaskTimeline::Alike alike(const MessageKey& key) { return {key.source, key.tag, key.packets}; }

  template <class Net>
  void arrive(Net& net, Tick tick, u32 entity, Node& node, u32 slot, const MessageKey& key, u32 number) {
    ++net.statistics().counters.messages_delivered;
    Task& task = tasks_[node.first + slot];
    if (task.recorded) [[unlikely]]
      timeline_.of(task.id).arrived(alike(key), number, tick, spec_.causal);
    if (task.state != State::receiving || key != awaited(task)) {
      ++task.mailbox[key];
      return;
    }
    task.state = State::received;
    node.ready |= u64{1} << slot;
    net.kernel().touch(entity);
  }

  /// One operation. True if the task can go on in this cycle.
  template <class Net>
  bool step(Net& net, Tick tick, u32 entity, Node& node, u32 slot) {
    Task& task = tasks_[node.first + slot];
    switch (task.state) {
      case State::computing:
        if (tick < task.due) return false;
        task.state = State::between;
        return true;
      case State::pausing:
        return tick >= task.due && send(net, tick, entity, node, slot);
      case State::receiving:
        if (!task.take(awaited(task))) return false;
        [[fallthrough]];
      case State::received:
        task.state = State::between;
        task.earliest = tick + spec_.turnaround_cycles * cycle_;
        net.digest().add(u64{1} << 63 | task.id, tick, static_cast<u64>(task.op.peer) << 32 | task.op.tag);
        if (task.recorded) [[unlikely]]
          timeline_.of(task.id).received(alike(awaited(task)), tick, task.op.amount);
        return true;
      case State::sending:  // its packets wait for their turns
      case State::done:
        return false;
      case State::between:
        return begin(net, tick, entity, node, slot);
    }
    return false;
  }

  template <class Net>
  bool begin(Net& net, Tick tick, u32 entity, Node& node, u32 slot) {
    Task& task = tasks_[node.first + slot];
    task.op = task.stream->next();
    ++task.operations;
    if (task.recorded) [[unlikely]]
      timeline_.of(task.id).take(*task.stream, tick, task.op);
    switch (task.op.kind) {
      case OpKind::end:
        task.state = State::done;
        task.finished = tick;
        task.stream.reset();
        --running_;
        return false;
      case OpKind::mark:  // of lanes, switches, requests and times of the outside world, which ProgramHost runs
      case OpKind::wait:
      case OpKind::give:
      case OpKind::get:
      case OpKind::isend:
      case OpKind::ireceive:
      case OpKind::await:
      case OpKind::listen:
      case OpKind::cancel:
      case OpKind::until:
      case OpKind::pause:
        WEFT_ASSERT(false);
        return false;
      case OpKind::compute: {
        const double ticks = static_cast<double>(task.op.amount) * spec_.ticks_per_ns;
        if (ticks < 1) return true;
        const Tick from = std::max(tick, task.earliest);
        if (!(ticks < static_cast<double>(last_tick - std::min(from, last_tick)))) [[unlikely]]
          fail_too_late(program_.name(), task.id, task.operations, task.op.amount, from);
        return wait_until(net, from + static_cast<Tick>(ticks), entity, task, slot, State::computing);
      }
      case OpKind::receive:
        if (!spec_.causal) return true;
        task.state = State::receiving;
        return true;
      case OpKind::send: {
        const Tick from = std::max(task.earliest, task.next_send);
        if (tick < from) return wait_until(net, from, entity, task, slot, State::pausing);
        return send(net, tick, entity, node, slot);
      }
    }
    return false;
  }

  template <class Net>
  bool wait_until(Net& net, Tick due, u32 entity, Task& task, u32 slot, State state) {
    task.state = state;
    task.due = due;
    net.kernel().schedule(due, Event{entity, slot});
    return false;
  }

  /// Begins a message: its packets line up for the NIC, or it goes through memory and the task goes on at once.
  template <class Net>
  bool send(Net& net, Tick tick, u32 entity, Node& node, u32 slot) {
    Task& task = tasks_[node.first + slot];
    task.message_packets = task.packets_left = packets_of(task.op.amount);
    ++net.statistics().counters.messages_sent;
    const u32 peer = task.op.peer;
    if (task.recorded) [[unlikely]]
      timeline_.of(task.id).sent(0, task.sent_messages);
    if (placement_.node_of_task[peer] != placement_.node_of_task[task.id]) {
      task.state = State::sending;
      node.wanting |= u64{1} << slot;
      return false;
    }
    const bool to_recorded = tasks_[node.first + slot_of_task_[peer]].recorded;
    if (to_recorded && peer != task.id) [[unlikely]]
      timeline_.of(peer).announced({task.id, task.op.tag, task.message_packets}, task.sent_messages);
    if (peer == task.id) {
      ++net.statistics().counters.messages_delivered;
      ++task.mailbox[{task.id, task.op.tag, task.message_packets}];
      if (to_recorded)
        timeline_.of(peer).arrived({task.id, task.op.tag, task.message_packets}, task.sent_messages, tick,
                                   spec_.causal);
    } else {
      net.kernel().schedule(tick + spec_.local_latency_cycles * cycle_,
                            Event{entity, slot_of_task_[peer], task.id, task.op.tag, task.message_packets});
    }
    task.packets_left = 0;
    ++task.sent_messages;
    task.next_send = tick + spec_.send_gap_cycles * cycle_;
    task.state = State::between;
    return true;
  }

  /// False if there is no free space for it.
  template <class Net>
  bool send_packet(Net& net, Tick tick, u32 entity, Node& node, u32 slot) {
    Task& task = tasks_[node.first + slot];
    const u32 number = net.layout().node(entity).value();
    const u64 bits = engine::random_bits(spec_.seed, slot << models::Packet::address_bits | number,
                                         static_cast<u64>(task.sent_messages) << 32 | task.packets_left,
                                         engine::Use::source_destination);
    Packet packet;
    packet.to = net.policy().encode(placement_.node_of_task[task.op.peer]);
    packet.from = net.policy().encode(NodeId(number));
    packet.ties = static_cast<u8>(engine::remix(bits, 1));
    packet.message = task.sent_messages;
    packet.tag = task.op.tag;
    packet.packets = task.message_packets;
    packet.source_task = task.id;
    packet.target = slot_of_task_[task.op.peer];
    if (!inject(net, entity, packet, tick, bits, [&] { return cells_of_next(task); })) return false;
    if (task.packets_left == task.message_packets) task.next_send = tick + spec_.send_gap_cycles * cycle_;
    if (--task.packets_left == 0) {
      ++task.sent_messages;
      task.state = State::between;
      node.wanting &= ~(u64{1} << slot);
    }
    // The NIC takes one packet a cycle from its tasks; the next operation of this one begins in the next cycle.
    node.nic_free = tick + cycle_;
    net.kernel().schedule(node.nic_free, Event{entity, slot});
    return true;
  }

  TaskSpec spec_;
  const Program& program_;
  Placement placement_;
  std::vector<u8> slot_of_task_;     ///< [task] place among the tasks of its node
  std::vector<u32> node_of_entity_;  ///< [entity] in nodes_, or none
  std::vector<Node> nodes_;
  std::vector<Task> tasks_;  ///< those of a node in a row
  u64 running_ = 0;
  Tick cycle_ = 1;
  Timeline timeline_;
};

}  // namespace weft::workloads
