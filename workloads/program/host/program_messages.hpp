// Members of ProgramHost: messages on their way from a send to a receive, and matching (docs/programs.md).
#pragma once

#include <algorithm>
#include <tuple>

#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

/// A message, or what stands for it, has come whole.
inline void ProgramHost::count_arrival(Tick at, TaskRun& task, const Message& message) {
  if (is_control(message.kind)) return;
  if (message.kind == MessageKind::combined && !gave(task, message)) return;
  ++network_->statistics().counters.messages_delivered;
  ++task.arrived;
  task.arrived_bytes += message.bytes;
  if (task.recorded) [[unlikely]]
    note_arrived(task, message, at);
  if (jobs_[task.job].records_arrivals) task.arrived_at.push_back({at, message.source, message.number});
}

/// Step 2: messages of this tick, in an order that does not depend on how they came.
inline void ProgramHost::arrivals(const TaskContext& context) {
  std::vector<Message>& messages = context.task.arrivals;
  if (messages.size() > 1) {
    std::ranges::sort(messages, {}, [](const Message& m) { return std::tuple(m.source, m.number, m.kind); });
  }
  for (std::size_t k = 0; k < messages.size(); ++k) arrive(context, Message(messages[k]));
  messages.clear();
}

inline void ProgramHost::arrive(const TaskContext& context, const Message& message) {
  TaskRun& task = context.task;
  if (message.kind == MessageKind::clear) return on_clear_to_send(context, message);
  if (!context.job.causal) return;
  if (message.kind == MessageKind::given) return combine(context, message);
  if (message.kind == MessageKind::combined) return match_or_enqueue(context, message);
  if (message.kind == MessageKind::payload) {
    const u32 entry = awaited_.find({task.id, message.source, message.number});
    WEFT_ASSERT(entry != TaskTable<u32>::none);
    const u32 operation = awaited_[entry];
    awaited_.remove(task.awaited, entry);
    return handle(task, operation, ReceivedMessage(message));
  }
  if (!context.job.matching.in_order) return match_or_enqueue(context, message);
  const u32 of_tag = context.job.matching.tags_apart ? message.tag : 0;
  const TaskKey alike{task.id, message.source, message.communicator, of_tag};
  const auto place = [&alike](u32 order) { return TaskKey{alike.task, alike.a, alike.b, alike.c, order}; };
  u32 received = received_count_.find(alike);
  if (received == TaskTable<u32>::none) received = received_count_.push(task.received_count, alike, 0);
  if (message.order != received_count_[received]) {
    early_.push(task.early, place(message.order), message);
    return;
  }
  match_or_enqueue(context, message);
  for (;;) {
    const u32 next = early_.find(place(++received_count_[received]));
    if (next == TaskTable<Message>::none) return;
    const Message held = early_[next];
    early_.remove(task.early, next);
    match_or_enqueue(context, held);
  }
}

/// A message takes part in matching from now on.
inline void ProgramHost::match_or_enqueue(const TaskContext& context, const Message& message) {
  TaskRun& task = context.task;
  if (taken_by_stream(task, context.job, message, context.now)) {
    if (task.outside) {
      const u64 sender = message.source - context.job.first_task;
      context.net.digest().add(u64{1} << 63 | task.id, context.now, sender << 32 | message.number);
    }
    return;
  }
  const TaskKey key = message_key(task.id, message, context.job.matching);
  if (const u32 entry = find_posted(task, key); entry != TaskTable<u32>::none) {
    const u32 operation = posted_[entry];
    if (posted_.listed_only(entry)) --task.wild;
    posted_.remove(task.posted, entry);
    return match(context, operation, ReceivedMessage(message));
  }
  unexpected_.push(task.unexpected, key, ReceivedMessage(message));
  for (u32 entry = task.probes.first; entry != TaskTable<u32>::none;) {
    const u32 next = probes_.after(entry), operation = probes_[entry];
    if (fits(probes_.key(entry), key)) {
      probes_.remove(task.probes, entry);
      complete(context, operation);
    }
    entry = next;
  }
}

/// A receive takes a message.
inline void ProgramHost::match(const TaskContext& context, u32 operation, const ReceivedMessage& message) {
  TaskRun& task = context.task;
  if (spec_.record_matches && message.kind != MessageKind::combined)
    task.matches.push_back({message.source, message.number, task.id, operation});
  if (task.listens) [[unlikely]] {
    ReceivedMessage told = message;
    told.source -= context.job.first_task;
    task.stream->matched(operation, told, context.now);
    wake_listener(task);
  }
  if (message.kind != MessageKind::request) return handle(task, operation, message);
  awaited_.push(task.awaited, {task.id, message.source, message.number}, operation);
  Message clear;
  clear.kind = MessageKind::clear;
  clear.number = message.number;
  clear.packets = 1;
  clear.nic = message.nic == Work::all_nics ? 0 : message.nic;
  line_up(context, clear, message.source);
}

/// A receive has its message.
inline void ProgramHost::handle(TaskRun& task, u32 operation, const ReceivedMessage& message) {
  const GraphOp& op = op_of(task, operation);
  task.line_up({.bytes = message.bytes,
                .operation = operation,
                .source = message.source,
                .number = message.number,
                .kind = WorkKind::handle,
                .stream = op.stream,
                .nic = message.local ? Work::no_nic : message.nic,
                .tells = message.rendezvous});
}

inline void ProgramHost::post(const TaskContext& context, u32 operation) {
  TaskRun& task = context.task;
  if (!context.job.causal) return complete(context, operation);
  const TaskKey key = receive_key(task, operation);
  if (const u32 entry = find_unexpected(task, key); entry != TaskList::none) {
    const ReceivedMessage message = unexpected_[entry];
    unexpected_.remove(task.unexpected, entry);
    return match(context, operation, message);
  }
  const bool wild = is_wild(key);
  if (wild) ++task.wild;
  posted_.push(task.posted, key, operation, wild);
}

inline void ProgramHost::probe(const TaskContext& context, u32 operation) {
  const TaskKey key = receive_key(context.task, operation);
  if (find_unexpected(context.task, key) != TaskList::none) return complete(context, operation);
  probes_.push(context.task.probes, key, operation, true);
}

/// A send begins.
inline void ProgramHost::send(const TaskContext& context, const Work& work) {
  TaskRun& task = context.task;
  const GraphOp& op = op_of(task, work.operation);
  const models::MessageCosts& costs = context.job.costs;
  const bool to_switch = op.communicator == GraphOp::by_switch;
  const SwitchGroup group = to_switch ? context.job.program->switch_group(op.peer) : SwitchGroup{};
  const u32 peer = context.job.first_task + (to_switch ? group.task(group.root) : op.peer);
  const Tick over = end_of_work(context, context.now, costs.cpu(op.amount));
  const bool local = work.nic == Work::no_nic;
  Work sending = work;
  sending.number = task.messages++;
  if (spec_.record_matches) task.sends.push_back(work.operation);
  if (task.recorded) [[unlikely]]
    note_sent(task, sending);
  if (to_switch) {
    sending.source = op.peer;
  } else {
    const u32 of_tag = context.job.matching.tags_apart ? op.tag : 0;
    sending.source =
        context.job.matching.in_order ? next_order(task.sent_count, {task.id, peer, op.communicator, of_tag}) : 0;
  }
  ++context.net.statistics().counters.messages_sent;
  if (is_rendezvous(context.job, op)) {
    Message data = message_of(task, sending);
    data.kind = MessageKind::payload;
    data.rendezvous = false;
    unfinished_.push(task.unfinished, {task.id, sending.number}, {data, peer});
  }
  if (local || network_->carries_messages()) task.next_send = context.now + context.job.send_gap_cycles * cycle_;
  if (!local) {
    // The first part of a message in stripes is the longest; NICs without a part are as free as before.
    const bool striped = work.nic == Work::all_nics;
    const std::span<NicSides> nics = sides(task, work.nic);
    for (u32 nic = 0; nic < nics.size(); ++nic) {
      const u64 bytes = striped ? stripe(op.amount, nic) : op.amount;
      if (nic == 0 || bytes > 0) nics[nic].sending = context.now + costs.gap(bytes);
    }
    if (network_->carries_messages()) {
      const Message message = message_of(task, sending);
      const u64 longest = striped ? stripe(op.amount, 0) : op.amount;
      ++task.handed;
      if (!to_switch) count_travel(task, false);
      context.net.post(
          context.entity, packet_of(task, peer, message, 0), context.now,
          std::max(over + (to_switch ? switch_flight(context.job, longest) : costs.flight(longest)), context.now + 1),
          op.amount);
    }
  }
  if (over == context.now) return launch(context, sending);
  hold(context, sending, over);
}

/// The sender's overhead is over.
inline void ProgramHost::launch(const TaskContext& context, const Work& work) {
  TaskRun& task = context.task;
  const GraphOp& op = op_of(task, work.operation);
  const bool rendezvous = is_rendezvous(context.job, op);
  if (work.nic == Work::no_nic) through_memory(context, message_of(task, work), context.job.first_task + op.peer);
  if (work.nic == Work::no_nic || network_->carries_messages()) {
    if (!rendezvous) return complete(context, work.operation);
    return go_on_behind_rendezvous(context, work.operation);
  }
  Message message = message_of(task, work);
  message.rendezvous = false;
  if (rendezvous) message.kind = MessageKind::request;
  line_up(context, message, message.kind == MessageKind::given ? task.id : context.job.first_task + op.peer);
  if (rendezvous) go_on_behind_rendezvous(context, work.operation);
}

/// A rendezvous has begun: linear programs and lanes do not wait for it, as if they had called MPI_Isend; but for sends
/// that are blocking calls, and for their requests.
inline void ProgramHost::go_on_behind_rendezvous(const TaskContext& context, u32 operation) {
  if (!context.task.linear && context.task.lanes.empty()) return;
  if (is_request(context.task, operation)) return;
  if (op_of(context.task, operation).waits) {
    if (context.task.recorded) [[unlikely]]
      timeline_.of(context.task.id).waits(context.now);
    return;
  }
  ++context.task.pending;
  complete(context, operation);
}

/// To another task of the node, or the same: messages take their turns on the path between them, all of the node on a
/// bus, those of a sender and those of a receiver where it is non-blocking.
inline void ProgramHost::through_memory(const TaskContext& context, const Message& message, u32 peer) {
  if (peer == context.task.id && context.job.own_at_once) {
    count_arrival(context.now, context.task, message);
    return arrive(context, message);
  }
  constexpr double most = 1e15;  // as of other terms: far beyond the end of every run
  const double ticks = static_cast<double>(std::max<u64>(1, message.bytes)) * context.job.memory_ticks_per_byte;
  const auto length = static_cast<Tick>(std::min(ticks, most));
  Tick over = 0;
  if (spec_.non_blocking_path) {
    TaskRun& receiver = tasks_[context.node.first + slot_of_task_[peer]];
    over = std::max({context.now, context.task.path_out, receiver.path_in}) + length;
    context.task.path_out = receiver.path_in = over;
  } else {
    over = context.node.memory_free = std::max(context.now, context.node.memory_free) + length;
  }
  count_travel(context.task, false);
  context.net.schedule(
      over + context.job.local_latency,
      Event{.entity = context.entity, .slot = slot_of_task_[peer], .kind = Event::Kind::local, .message = message});
}

/// The receiver of a rendezvous waits for its data.
inline void ProgramHost::on_clear_to_send(const TaskContext& context, const Message& message) {
  TaskRun& task = context.task;
  const u32 entry = unfinished_.find({task.id, message.number});
  WEFT_ASSERT(entry != TaskList::none);
  const Rendezvous waiting = unfinished_[entry];
  unfinished_.remove(task.unfinished, entry);
  line_up(context, waiting.data, waiting.to);
}

/// The receive that takes a message is complete at tick `over`: its sender hears of it then.
inline void ProgramHost::acknowledge(const TaskContext& context, const Work& work, Tick over) {
  const Tick at = std::max(over, context.now + 1);
  const u8 slot = slot_of_task_[work.source];
  if (work.nic == Work::no_nic) {
    Event event{.entity = context.entity, .slot = slot, .kind = Event::Kind::acknowledged};
    event.message.number = work.number;
    context.net.schedule(at, event);
  } else if (network_->carries_messages()) {
    context.net.signal(context.entity, placement_.node_of_task[work.source],
                       Signal{.slot = slot, .number = work.number}, at);
  }
}

/// A task has given a chunk to the switch of a group, whose state is kept at the group's root. The last one lets the
/// chunk go to all.
inline void ProgramHost::combine(const TaskContext& context, const Message& given) {
  const SwitchGroup group = context.job.program->switch_group(given.order);
  if (group.givers() > 1) {
    const TaskKey key{context.task.id, given.order, given.tag};
    u32 entry = given_.find(key);
    if (entry == TaskTable<u32>::none) entry = given_.push(context.task.given, key, 0);
    if (++given_[entry] < group.givers()) return;
    given_.remove(context.task.given, entry);
  }
  if (network_->carries_messages()) {
    const bool striped = given.nic == Work::all_nics;
    const u64 longest = striped ? stripe(given.bytes, 0) : given.bytes;
    const Tick at = context.now + std::max<Tick>(1, switch_flight(context.job, longest));
    for (u32 rank = 0; rank < group.size; ++rank) {
      const u32 to = context.job.first_task + group.task(rank);
      const u8 slot = slot_of_task_[to];
      context.net.signal(context.entity, placement_.node_of_task[to],
                         Signal{.slot = slot,
                                .nic = striped ? Work::all_nics : static_cast<u8>(slot % spec_.nics),
                                .number = given.tag,
                                .group = given.order,
                                .bytes = given.bytes},
                         at);
    }
  }
}

}  // namespace weft::workloads
