// The causal engine behind the NICs: runs the operations of tasks, cuts messages into packets, matches what arrives.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/bytes.hpp"
#include "engine/random.hpp"
#include "models/network/network.hpp"
#include "workloads/packet_lengths.hpp"
#include "workloads/placement/placement.hpp"
#include "workloads/program.hpp"
#include "workloads/task_limits.hpp"

namespace weft::workloads {

/// A task that cannot go on, for the report.
struct StuckTask {
  u32 task = 0, source = 0, tag = 0;
  u64 bytes = 0, operation = 0;  ///< the receive it waits in, and its number in the task's program from 1
  bool sending = false;          ///< its packets do not get into the network
};

/// Semantics (INSEE's): a send hands its message to the NIC, one packet a cycle while there is room, and goes on; a
/// receive waits for a message of the same source, tag and length in packets, and such messages are interchangeable;
/// compute waits. All packets of a message are full but the last, which is as long as what is left in networks that
/// take any length, and padded in others. A message counts as arrived in the cycle after its last packet's tail was
/// consumed. A message is at least one packet long.
class TaskHost {
 public:
  using Packet = models::MessagePacket;
  static constexpr bool acts = true;
  /// A task's timer: compute is over, or the next packet of a send is due.
  struct Event {
    u32 entity;
  };

  TaskHost(const TaskSpec& spec, const Program& program, Placement placement)
      : spec_(spec), program_(program), placement_(std::move(placement)) {}

  /// Opens the streams of the tasks placed here, without scheduling anything.
  template <class Net>
  void prepare(Net& net) {
    slot_of_entity_.assign(net.layout().entities(), none);
    cycle_ = net.settings().cycle_ticks;
    for (u32 t = 0; t < placement_.node_of_task.size(); ++t) {
      const u32 entity = net.layout().entity_of(placement_.node_of_task[t]);
      if (entity == models::Layout::none) continue;
      slot_of_entity_[entity] = static_cast<u32>(tasks_.size());
      tasks_.emplace_back();
      tasks_.back().id = t;
      tasks_.back().stream = program_.open(TaskId(t));
    }
    running_ = tasks_.size();
  }
  /// The same, and schedules the tasks' first operation at tick 0.
  template <class Net>
  void start(Net& net) {
    prepare(net);
    for (u32 entity = 0; entity < slot_of_entity_.size(); ++entity) {
      if (slot_of_entity_[entity] != none) net.kernel().schedule(0, Event{entity});
    }
  }

  /// State of an entity's task between runs of the kernel.
  void save(u32 entity, engine::ByteWriter& to) const {
    if (slot_of_entity_[entity] == none) return;
    const Task& task = tasks_[slot_of_entity_[entity]];
    to.put(task.id);
    to.put(static_cast<u32>(task.state));
    to.put(static_cast<u32>(task.ready));
    to.put(task.sent_messages);
    to.put(task.packets_left);
    to.put(task.message_packets);
    to.put(static_cast<u32>(task.op.kind));
    to.put(task.op.peer);
    to.put(task.op.tag);
    to.put(task.op.amount);
    to.put(task.operations);
    to.put(task.due);
    to.put(task.finished);
    to.put(static_cast<u64>(task.mailbox.size()));
    for (const auto& [key, count] : task.mailbox) {
      to.put(key);
      to.put(count);
    }
    to.put(static_cast<u64>(task.partial.size()));
    for (const auto& [key, count] : task.partial) {
      to.put(key);
      to.put(count);
    }
  }
  /// Throws InputError if the record is of another task.
  void load(u32 entity, engine::ByteReader& from) {
    if (slot_of_entity_[entity] == none) return;
    Task& task = tasks_[slot_of_entity_[entity]];
    if (const u32 id = from.get<u32>(); id != task.id) {
      throw InputError("the checkpoint has task " + std::to_string(id) + " where task " + std::to_string(task.id) +
                       " is placed; resume with the config and the files of the run that wrote it");
    }
    task.state = static_cast<State>(from.get<u32>());
    task.ready = from.get<u32>() != 0;
    task.sent_messages = from.get<u32>();
    task.packets_left = from.get<u32>();
    task.message_packets = from.get<u32>();
    task.op.kind = static_cast<OpKind>(from.get<u32>());
    task.op.peer = from.get<u32>();
    task.op.tag = from.get<u32>();
    task.op.amount = from.get<u64>();
    task.operations = from.get<u64>();
    task.due = from.get<Tick>();
    task.finished = from.get<Tick>();
    for (u64 left = from.get<u64>(); left > 0; --left) {
      const Key key = from.get<Key>();
      task.mailbox[key] = from.get<u32>();
    }
    for (u64 left = from.get<u64>(); left > 0; --left) {
      const u64 key = from.get<u64>();
      task.partial[key] = from.get<u32>();
    }
    if (task.state == State::done) {
      task.stream.reset();
      --running_;
      return;
    }
    for (u64 k = 0; k < task.operations; ++k) task.stream->next();
  }

  template <class Net>
  void absorb(Net& net, Tick tick, const Event& e) {
    Task& task = tasks_[slot_of_entity_[e.entity]];
    task.due = tick;
    task.ready = true;
    net.kernel().touch(e.entity);
  }

  template <class Net>
  void space(Net& net, Tick, u32 entity) {
    const u32 slot = slot_of_entity_[entity];
    if (slot == none || tasks_[slot].state != State::blocked) return;
    tasks_[slot].ready = true;
    net.kernel().touch(entity);
  }

  template <class Net>
  void delivered(Net& net, Tick, Tick, u32 entity, const Packet& packet) {
    const u32 slot = slot_of_entity_[entity];
    WEFT_DEBUG_ASSERT(slot != none);
    Task& task = tasks_[slot];
    if (packet.packets > 1) {
      const u64 key = static_cast<u64>(packet.source_task) << 32 | packet.message;
      u32& arrived = task.partial[key];
      if (++arrived < packet.packets) return;
      task.partial.erase(key);
    }
    ++net.statistics().counters.messages_delivered;
    arrive(task, {packet.source_task, packet.tag, packet.packets});
    if (task.ready) net.kernel().touch(entity);
  }

  /// Runs the task of an entity as far as it gets in this cycle.
  template <class Net>
  void act(Net& net, Tick tick, u32 entity) {
    const u32 slot = slot_of_entity_[entity];
    if (slot == none || !tasks_[slot].ready) return;
    Task& task = tasks_[slot];
    task.ready = false;
    while (step(net, tick, entity, task)) {
    }
  }

  [[nodiscard]] u64 running() const { return running_; }
  /// Messages that arrived and that nobody received.
  [[nodiscard]] u64 unreceived() const {
    u64 sum = 0;
    for (const Task& task : tasks_) {
      for (const auto& [key, count] : task.mailbox) sum += count;
    }
    return sum;
  }
  [[nodiscard]] std::vector<StuckTask> stuck() const {
    std::vector<StuckTask> result;
    for (const Task& task : tasks_) {
      if (task.state == State::done) continue;
      result.push_back(
          {task.id, task.op.peer, task.op.tag, task.op.amount, task.operations, task.op.kind == OpKind::send});
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
  static constexpr u32 none = ~u32{0};

  enum class State : u8 { between, computing, receiving, sending, blocked, done };

  /// What a receive matches on.
  struct Key {
    u32 source = 0, tag = 0, packets = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const {
      return engine::remix(static_cast<u64>(k.source) << 32 | k.tag, k.packets);
    }
  };

  struct Task {
    u32 id = 0;
    State state = State::between;
    bool ready = false;  ///< something happened that may let it go on
    u32 sent_messages = 0;
    u32 packets_left = 0, message_packets = 0;
    Op op;
    u64 operations = 0;  ///< taken from the stream so far
    Tick due = 0, finished = 0;
    std::unique_ptr<TaskStream> stream;
    std::unordered_map<Key, u32, KeyHash> mailbox;
    std::unordered_map<u64, u32> partial;
  };

  [[nodiscard]] u32 packets_of(u64 bytes) const {
    const u64 packets = bytes == 0 ? 1 : (bytes + spec_.packet_bytes - 1) / spec_.packet_bytes;
    WEFT_ASSERT(packets <= most_message_packets);  // checked when the program was read: task_limits
    return static_cast<u32>(packets);
  }

  /// Cells of the next packet of a message: as many as fit, or what is left for the last.
  [[nodiscard]] u32 cells_of_next(const Task& task) const {
    const u32 full = spec_.packet_bytes / spec_.phit_bytes;
    if (task.packets_left > 1) return full;
    const u64 cells = std::max<u64>(1, (task.op.amount + spec_.phit_bytes - 1) / spec_.phit_bytes);
    return static_cast<u32>(cells - static_cast<u64>(task.message_packets - 1) * full);
  }

  void arrive(Task& task, const Key& key) {
    ++task.mailbox[key];
    if (task.state == State::receiving && key == Key{task.op.peer, task.op.tag, packets_of(task.op.amount)})
      task.ready = true;
  }

  /// One operation, or one packet of a send. True if the task can go on in this cycle.
  template <class Net>
  bool step(Net& net, Tick tick, u32 entity, Task& task) {
    switch (task.state) {
      case State::computing:
        if (tick < task.due) return false;
        task.state = State::between;
        return true;
      case State::receiving: {
        const auto found = task.mailbox.find({task.op.peer, task.op.tag, packets_of(task.op.amount)});
        if (found == task.mailbox.end()) return false;
        if (--found->second == 0) task.mailbox.erase(found);
        task.state = State::between;
        net.digest().add(u64{1} << 63 | task.id, tick, static_cast<u64>(task.op.peer) << 32 | task.op.tag);
        return true;
      }
      case State::sending:
        if (tick < task.due) return false;
        [[fallthrough]];
      case State::blocked:
        return send_packet(net, tick, entity, task);
      case State::done:
        return false;
      case State::between:
        return begin(net, tick, entity, task);
    }
    return false;
  }

  template <class Net>
  bool begin(Net& net, Tick tick, u32 entity, Task& task) {
    task.op = task.stream->next();
    ++task.operations;
    switch (task.op.kind) {
      case OpKind::end:
        task.state = State::done;
        task.finished = tick;
        task.stream.reset();
        --running_;
        return false;
      case OpKind::compute: {
        const double ticks = static_cast<double>(task.op.amount) * spec_.ticks_per_ns;
        if (ticks < 1) return true;
        if (!(ticks < static_cast<double>(last_tick - std::min(tick, last_tick)))) [[unlikely]]
          fail_too_late(program_.name(), task.id, task.operations, task.op.amount, tick);
        task.state = State::computing;
        task.due = tick + static_cast<Tick>(ticks);
        net.kernel().schedule(task.due, Event{entity});
        return false;
      }
      case OpKind::receive:
        if (!spec_.causal) return true;
        task.state = State::receiving;
        return true;
      case OpKind::send:
        task.message_packets = task.packets_left = packets_of(task.op.amount);
        ++net.statistics().counters.messages_sent;
        if (task.op.peer == task.id) {  // through memory
          ++net.statistics().counters.messages_delivered;
          ++task.mailbox[{task.id, task.op.tag, task.message_packets}];
          ++task.sent_messages;
          return true;
        }
        task.state = State::sending;
        task.due = tick;
        return true;
    }
    return false;
  }

  template <class Net>
  bool send_packet(Net& net, Tick tick, u32 entity, Task& task) {
    const u32 node = net.layout().node(entity).value();
    const u64 bits =
        engine::random_bits(spec_.seed, node, static_cast<u64>(task.sent_messages) << 32 | task.packets_left,
                            engine::Use::source_destination);
    Packet packet;
    packet.to = net.policy().encode(placement_.node_of_task[task.op.peer]);
    packet.from = net.policy().encode(NodeId(node));
    packet.ties = static_cast<u8>(engine::remix(bits, 1));
    packet.message = task.sent_messages;
    packet.tag = task.op.tag;
    packet.packets = task.message_packets;
    packet.source_task = task.id;
    if (!inject(net, entity, packet, tick, bits, [&] { return cells_of_next(task); })) {
      task.state = State::blocked;
      return false;
    }
    if (--task.packets_left == 0) {
      ++task.sent_messages;
      task.state = State::between;
    } else {
      task.state = State::sending;
    }
    // The NIC takes one packet a cycle from its task; the next operation begins in the next cycle.
    task.due = tick + cycle_;
    net.kernel().schedule(task.due, Event{entity});
    return false;
  }

  TaskSpec spec_;
  const Program& program_;
  Placement placement_;
  std::vector<u32> slot_of_entity_;
  std::vector<Task> tasks_;
  u64 running_ = 0;
  Tick cycle_ = 1;
};

}  // namespace weft::workloads
