// Members of ProgramHost: messages on their way from a send to a receive, and matching (docs/programs.md).
#include <algorithm>
#include <tuple>

#include "workloads/program/program_host.hpp"

namespace weft::workloads {

/// A message, or what stands for it, has come whole.
void ProgramHost::count_arrival(Tick at, TaskRun& task, const Message& message) {
  if (is_control(message.kind)) return;
  if (message.kind == MessageKind::combined && !gave(task, message)) return;
  ++network_->statistics().counters.messages_delivered;
  ++task.arrived;
  task.arrived_bytes += message.bytes;
  if (task.recorded) [[unlikely]]
    note_arrived(task, message, at);
  if (jobs_[task.job].records_arrivals) task.arrived_at.push_back({at, message.source, message.number});
}

void ProgramHost::delivered(Tick tick, Tick whole, u32 entity, const Packet& packet) {
  u32 node = node_of_entity_[entity];
  const bool first_nic = node != none;
  if (!first_nic) node = packet_nics_[nic_of_entity_[entity]].node;
  const u32 slot = packet.target;
  TaskRun& task = tasks_[nodes_[node].first + slot];
  const Tick latency = packet.age(whole);
  ++task.packets;
  task.latency += latency;
  task.latency_max = std::max(task.latency_max, latency);
  task.last_delivery = std::max(task.last_delivery, whole);
  if (!packet.is_for_switches()) [[likely]]
    count_travel(task, true);
  if (first_nic) return receive_packet(whole, entity, slot, packet.carried());
  network_->schedule(tick + spec_.nic_latency, Event{.entity = packet_nic(node, 0).entity,
                                                     .slot = static_cast<u8>(slot),
                                                     .kind = Event::Kind::come,
                                                     .message = packet.carried()});
}

/// A packet has come, whole at that tick, to where the tasks of its node are.
void ProgramHost::receive_packet(Tick at, u32 entity, u32 slot, const Message& message) {
  Node& node = node_at(entity);
  TaskRun& task = tasks_[node.first + slot];
  if (!network_->carries_messages()) {
    if (!is_control(message.kind) && message.packets > 1 && !completes(task, message)) return;
  }
  count_arrival(at, task, message);
  task.arrivals.push_back(message);
  node.ready |= u64{1} << slot;
  network_->touch(entity);
}

/// Step 2: messages of this tick, in an order that does not depend on how they came.
void ProgramHost::arrivals(const Site& site) {
  std::vector<Message>& come = site.task.arrivals;
  if (come.size() > 1) {
    std::ranges::sort(come, {}, [](const Message& m) { return std::tuple(m.source, m.number, m.kind); });
  }
  for (std::size_t k = 0; k < come.size(); ++k) arrive(site, Message(come[k]));
  come.clear();
}

void ProgramHost::arrive(const Site& site, const Message& message) {
  TaskRun& task = site.task;
  if (message.kind == MessageKind::clear) return clear(site, message);
  if (!site.job.causal) return;
  if (message.kind == MessageKind::given) return combine(site, message);
  if (message.kind == MessageKind::combined) return enter(site, message);
  if (message.kind == MessageKind::payload) {
    const u32 entry = awaited_.find({task.id, message.source, message.number});
    WEFT_ASSERT(entry != TaskTable<u32>::none);
    const u32 operation = awaited_[entry];
    awaited_.remove(task.awaited, entry);
    return handle(task, operation, ReceivedMessage(message));
  }
  if (!site.job.matching.in_order) return enter(site, message);
  const u32 of_tag = site.job.matching.tags_apart ? message.tag : 0;
  const TaskKey alike{task.id, message.source, message.communicator, of_tag};
  const auto place = [&alike](u32 order) { return TaskKey{alike.task, alike.a, alike.b, alike.c, order}; };
  u32 heard = heard_from_.find(alike);
  if (heard == TaskTable<u32>::none) heard = heard_from_.push(task.heard_from, alike, 0);
  if (message.order != heard_from_[heard]) {
    early_.push(task.early, place(message.order), message);
    return;
  }
  enter(site, message);
  for (;;) {
    const u32 next = early_.find(place(++heard_from_[heard]));
    if (next == TaskTable<Message>::none) return;
    const Message held = early_[next];
    early_.remove(task.early, next);
    enter(site, held);
  }
}

/// A message takes part in matching from now on.
void ProgramHost::enter(const Site& site, const Message& message) {
  TaskRun& task = site.task;
  if (taken_by_stream(task, site.job, message, site.now)) {
    if (task.outside) {
      const u64 sender = message.source - site.job.first_task;
      site.net.digest().add(u64{1} << 63 | task.id, site.now, sender << 32 | message.number);
    }
    return;
  }
  const TaskKey key = message_key(task.id, message, site.job.matching);
  if (const u32 entry = find_posted(task, key); entry != TaskTable<u32>::none) {
    const u32 operation = posted_[entry];
    if (posted_.listed_only(entry)) --task.wild;
    posted_.remove(task.posted, entry);
    return match(site, operation, ReceivedMessage(message));
  }
  unexpected_.push(task.unexpected, key, ReceivedMessage(message));
  for (u32 entry = task.probes.first; entry != TaskTable<u32>::none;) {
    const u32 next = probes_.after(entry), operation = probes_[entry];
    if (fits(probes_.key(entry), key)) {
      probes_.remove(task.probes, entry);
      complete(site, operation);
    }
    entry = next;
  }
}

/// A receive takes a message.
void ProgramHost::match(const Site& site, u32 operation, const ReceivedMessage& message) {
  TaskRun& task = site.task;
  if (spec_.record_matches && message.kind != MessageKind::combined)
    task.matches.push_back({message.source, message.operation, task.id, operation});
  if (task.listens) [[unlikely]] {
    ReceivedMessage told = message;
    told.source -= site.job.first_task;
    task.stream->matched(operation, told, site.now);
    tell(task);
  }
  if (message.kind != MessageKind::request) return handle(task, operation, message);
  awaited_.push(task.awaited, {task.id, message.source, message.number}, operation);
  Message clear;
  clear.kind = MessageKind::clear;
  clear.number = message.number;
  clear.packets = 1;
  clear.nic = message.nic == Work::all_nics ? 0 : message.nic;
  line_up(site, clear, message.source);
}

/// A receive has its message.
void ProgramHost::handle(TaskRun& task, u32 operation, const ReceivedMessage& message) {
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

void ProgramHost::post(const Site& site, u32 operation) {
  TaskRun& task = site.task;
  if (!site.job.causal) return complete(site, operation);
  const TaskKey key = receive_key(task, operation);
  if (const u32 entry = find_unexpected(task, key); entry != TaskList::none) {
    const ReceivedMessage message = unexpected_[entry];
    unexpected_.remove(task.unexpected, entry);
    return match(site, operation, message);
  }
  const bool wild = is_wild(key);
  if (wild) ++task.wild;
  posted_.push(task.posted, key, operation, wild);
}

void ProgramHost::probe(const Site& site, u32 operation) {
  const TaskKey key = receive_key(site.task, operation);
  if (find_unexpected(site.task, key) != TaskList::none) return complete(site, operation);
  probes_.push(site.task.probes, key, operation, true);
}

/// A send begins.
void ProgramHost::send(const Site& site, const Work& work) {
  TaskRun& task = site.task;
  const GraphOp& op = op_of(task, work.operation);
  const models::MessageCosts& costs = site.job.costs;
  const bool to_switch = op.communicator == GraphOp::by_switch;
  const SwitchGroup group = to_switch ? site.job.program->switch_group(op.peer) : SwitchGroup{};
  const u32 peer = site.job.first_task + (to_switch ? group.task(group.root) : op.peer);
  const Tick over = end_of_work(site, site.now, costs.cpu(op.amount));
  const bool local = work.nic == Work::no_nic;
  Work sending = work;
  sending.number = task.messages++;
  if (task.recorded) [[unlikely]]
    note_sent(task, sending);
  if (to_switch) {
    sending.source = op.peer;
  } else {
    const u32 of_tag = site.job.matching.tags_apart ? op.tag : 0;
    sending.source =
        site.job.matching.in_order ? next_order(task.sent_to, {task.id, peer, op.communicator, of_tag}) : 0;
  }
  ++site.net.statistics().counters.messages_sent;
  if (is_rendezvous(site.job, op)) {
    Message data = message_of(task, sending);
    data.kind = MessageKind::payload;
    data.rendezvous = false;
    unfinished_.push(task.unfinished, {task.id, sending.number}, {data, peer});
  }
  if (local || network_->carries_messages()) task.next_send = site.now + site.job.send_gap_cycles * cycle_;
  if (!local) {
    // The first part of a message in stripes is the longest; NICs without a part are as free as before.
    const bool striped = work.nic == Work::all_nics;
    const std::span<NicSides> nics = sides(task, work.nic);
    for (u32 nic = 0; nic < nics.size(); ++nic) {
      const u64 bytes = striped ? stripe(op.amount, nic) : op.amount;
      if (nic == 0 || bytes > 0) nics[nic].sending = site.now + costs.gap(bytes);
    }
    if (network_->carries_messages()) {
      const Message message = message_of(task, sending);
      const u64 longest = striped ? stripe(op.amount, 0) : op.amount;
      ++task.handed;
      if (!to_switch) count_travel(task, false);
      site.net.post(
          site.entity, packet_of(task, peer, message, 0), site.now,
          std::max(over + (to_switch ? switch_flight(site.job, longest) : costs.flight(longest)), site.now + 1),
          op.amount);
    }
  }
  if (over == site.now) return launch(site, sending);
  hold(site, sending, over);
}

/// The sender's overhead is over.
void ProgramHost::launch(const Site& site, const Work& work) {
  TaskRun& task = site.task;
  const GraphOp& op = op_of(task, work.operation);
  const bool rendezvous = is_rendezvous(site.job, op);
  if (work.nic == Work::no_nic) through_memory(site, message_of(task, work), site.job.first_task + op.peer);
  if (work.nic == Work::no_nic || network_->carries_messages()) {
    if (!rendezvous) return complete(site, work.operation);
    return go_on(site, work.operation);
  }
  Message message = message_of(task, work);
  message.rendezvous = false;
  if (rendezvous) message.kind = MessageKind::request;
  line_up(site, message, message.kind == MessageKind::given ? task.id : site.job.first_task + op.peer);
  if (rendezvous) go_on(site, work.operation);
}

/// A rendezvous has begun: linear programs and lanes do not wait for it, as if they had called MPI_Isend; but for sends
/// that are blocking calls, and for their requests.
void ProgramHost::go_on(const Site& site, u32 operation) {
  if (!site.task.linear && site.task.lanes.empty()) return;
  if (is_request(site.task, operation)) return;
  if (op_of(site.task, operation).waits) {
    if (site.task.recorded) [[unlikely]]
      timeline_.of(site.task.id).waits(site.now);
    return;
  }
  ++site.task.pending;
  complete(site, operation);
}

/// To another task of the node, or the same: messages take their turns on the path between them, all of the node on a
/// bus, those of a sender and those of a receiver where it is non-blocking.
void ProgramHost::through_memory(const Site& site, const Message& message, u32 peer) {
  constexpr double most = 1e15;  // as of other terms: far beyond the end of every run
  const double ticks = static_cast<double>(std::max<u64>(1, message.bytes)) * site.job.memory_ticks_per_byte;
  const auto length = static_cast<Tick>(std::min(ticks, most));
  Tick over = 0;
  if (spec_.non_blocking_path) {
    TaskRun& receiver = tasks_[site.node.first + slot_of_task_[peer]];
    over = std::max({site.now, site.task.path_out, receiver.path_in}) + length;
    site.task.path_out = receiver.path_in = over;
  } else {
    over = site.node.memory_free = std::max(site.now, site.node.memory_free) + length;
  }
  count_travel(site.task, false);
  site.net.schedule(
      over + site.job.local_latency,
      Event{.entity = site.entity, .slot = slot_of_task_[peer], .kind = Event::Kind::local, .message = message});
}

/// The receiver of a rendezvous waits for its data.
void ProgramHost::clear(const Site& site, const Message& message) {
  TaskRun& task = site.task;
  const u32 entry = unfinished_.find({task.id, message.number});
  WEFT_ASSERT(entry != TaskList::none);
  const Rendezvous waiting = unfinished_[entry];
  unfinished_.remove(task.unfinished, entry);
  line_up(site, waiting.data, waiting.to);
}

/// The receive that takes a message is complete at tick `over`: its sender hears of it then.
void ProgramHost::tell_sender(const Site& site, const Work& work, Tick over) {
  const Tick at = std::max(over, site.now + 1);
  const u8 slot = slot_of_task_[work.source];
  if (work.nic == Work::no_nic) {
    Event event{.entity = site.entity, .slot = slot, .kind = Event::Kind::told};
    event.message.number = work.number;
    site.net.schedule(at, event);
  } else if (network_->carries_messages()) {
    site.net.signal(site.entity, placement_.node_of_task[work.source], Signal{.slot = slot, .number = work.number}, at);
  }
}

/// A task has given a chunk to the switch of a group, whose state is kept at the group's root. The last one lets the
/// chunk go to all.
void ProgramHost::combine(const Site& site, const Message& given) {
  const SwitchGroup group = site.job.program->switch_group(given.order);
  if (group.givers() > 1) {
    const TaskKey key{site.task.id, given.order, given.tag};
    u32 entry = given_.find(key);
    if (entry == TaskTable<u32>::none) entry = given_.push(site.task.given, key, 0);
    if (++given_[entry] < group.givers()) return;
    given_.remove(site.task.given, entry);
  }
  if (network_->carries_messages()) {
    const bool striped = given.nic == Work::all_nics;
    const u64 longest = striped ? stripe(given.bytes, 0) : given.bytes;
    const Tick at = site.now + std::max<Tick>(1, switch_flight(site.job, longest));
    for (u32 rank = 0; rank < group.size; ++rank) {
      const u32 to = site.job.first_task + group.task(rank);
      const u8 slot = slot_of_task_[to];
      site.net.signal(site.entity, placement_.node_of_task[to],
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
