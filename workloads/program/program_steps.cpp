// Members of ProgramHost: a tick of a task, in the steps of docs/programs.md.
#include <algorithm>

#include "workloads/program/program_host.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

void ProgramHost::absorb(Tick tick, const Event& event) {
  if (event.kind == Event::Kind::come) return receive_packet(tick, event.entity, event.slot, event.message);
  if (node_of_entity_[event.entity] == none) {
    if (event.kind == Event::Kind::hand)
      packet_nics_[nic_of_entity_[event.entity]].handed.emplace_back(event.slot, event.message);
    return network_->touch(event.entity);
  }
  Node& node = node_at(event.entity);
  TaskRun& task = tasks_[node.first + event.slot];
  switch (event.kind) {
    case Event::Kind::look:
    case Event::Kind::hand:
    case Event::Kind::come:
      break;
    case Event::Kind::start:
      task.starting = true;
      break;
    case Event::Kind::sent:
      part_sent(task, event.message);
      break;
    case Event::Kind::told:
      hear(task, event.message.number);
      break;
    case Event::Kind::local:
      count_travel(task, true);
      count_arrival(tick, task, event.message);
      task.arrivals.push_back(event.message);
      break;
  }
  node.ready |= u64{1} << event.slot;
  network_->touch(event.entity);
}

void ProgramHost::absorb(const Signal& signal) {
  Node& node = node_at(signal.entity);
  TaskRun& task = tasks_[node.first + signal.slot];
  if (signal.group == Signal::no_group) {
    hear(task, signal.number);
  } else {
    Message message;
    message.source = signal.group;
    message.tag = message.number = signal.number;
    message.communicator = GraphOp::by_switch;
    message.bytes = signal.bytes;
    message.kind = MessageKind::combined;
    message.nic = signal.nic;
    task.arrivals.push_back(message);
  }
  node.ready |= u64{1} << signal.slot;
  network_->touch(signal.entity);
}

/// Runs the tasks of an entity as far as they get in this tick, and lets one of them hand over a packet.
void ProgramHost::act(Tick tick, u32 entity) {
  if (node_of_entity_[entity] != none) {
    Node& node = node_at(entity);
    for (; node.ready != 0; node.ready &= node.ready - 1)
      step(tick, entity, node, static_cast<u32>(std::countr_zero(node.ready)));
  }
  if (!network_->carries_messages()) {
    if (nic_of_entity_[entity] != none) act_nic(tick, packet_nics_[nic_of_entity_[entity]]);
  }
}

void ProgramHost::step(Tick tick, u32 entity, Node& node, u32 slot) {
  TaskRun& task = tasks_[node.first + slot];
  const Site site{*network_, tick, entity, slot, node, task, jobs_[task.job]};
  if (task.wake <= tick) task.wake = never;
  end_streams(site);
  if (!task.arrivals.empty()) arrivals(site);
  if (task.starting) {
    task.starting = false;
    begin_program(site);
  }
  run_ready(site);
}

void ProgramHost::begin_program(const Site& site) {
  TaskRun& task = site.task;
  task.begun = true;
  task.begin = std::min(task.begin, site.now);
  if (task.linear) return pull(site);
  if (!task.lanes.empty()) {
    task.operations = task.lanes.size();
    for (Lane& lane : task.lanes) lane.since = site.now;
    return pull_lanes(site, ~u64{0} >> (most_lanes - task.lanes.size()));
  }
  task.operations = task.graph.ops.size();
  if (task.operations == 0) return finish_round(site);
  for (u32 number = 0; number < task.graph.ops.size(); ++number) {
    if (task.graph.ops[number].missing == 0) make_ready(task, number);
  }
}

/// The program of a task is over.
void ProgramHost::finish_round(const Site& site) {
  TaskRun& task = site.task;
  task.finished = site.now;
  ++task.rounds;
  if (task.recorded) [[unlikely]]
    note_finished(task, site.now);
  if (!task.requests.empty()) forget_requests(task);
  if (!site.job.repeats || closing_) {
    task.done = true;
    task.stream.reset();
    for (Lane& lane : task.lanes) lane.stream.reset();
    --running_[task.job];
    return;
  }
  task.begun = task.at_end = false;
  const bool graph = !task.linear && task.lanes.empty();
  if (task.linear) task.operations = 0;
  if (graph) {
    reset(task.graph);
  } else {
    task.open(*site.job.program, TaskId(task.id - site.job.first_task));
  }
  site.net.schedule(site.now + cycle_,
                    Event{.entity = site.entity, .slot = static_cast<u8>(site.slot), .kind = Event::Kind::start});
}

/// Takes the next operation of a linear program.
void ProgramHost::pull(const Site& site) {
  TaskRun& task = site.task;
  for (;;) {
    if (task.listens) [[unlikely]]
      task.stream->at(site.now);
    const Op op = task.stream->next();
    if (task.recorded) [[unlikely]]
      note_taken(task, 0, op, site.now);
    if (op.kind == OpKind::end) {
      task.at_end = task.pending != 0;
      return task.at_end ? void() : finish_round(site);
    }
    if (task.alone) {
      task.current = graph_op(op);
      return make_ready(task, static_cast<u32>(task.operations++));
    }
    if (!take_up(site, op)) return;
  }
}

/// Takes the next operations of lanes (a bit each), and of those that waited for marks that they pass.
void ProgramHost::pull_lanes(const Site& site, u64 lanes) {
  TaskRun& task = site.task;
  u64 at_hand = 0;  // lanes with an operation that is to be made ready
  while (lanes != 0) {
    const auto number = static_cast<u32>(std::countr_zero(lanes));
    lanes &= lanes - 1;
    Lane& lane = task.lanes[number];
    const bool waited = lane.awaited > 0;
    lane.awaited = 0;
    for (bool goes_on = true; goes_on;) {
      const Op op = lane.stream->next();
      lane.operations += op.kind != OpKind::end;
      if (!task.activities.empty()) count_activity(task, number, op, waited, site.now);
      if (task.recorded) [[unlikely]]
        note_taken(task, number, op, site.now);
      switch (op.kind) {
        case OpKind::end:
          lane.over = true;
          --task.operations;
          goes_on = false;
          break;
        case OpKind::mark:
          if (task.counters.size() <= op.peer) task.counters.resize(std::size_t{op.peer} + 1);
          ++task.counters[op.peer];
          lanes |= lanes_let_go(task, op.peer);
          break;
        case OpKind::wait:
          lane.waits = op.amount > (op.peer < task.counters.size() ? task.counters[op.peer] : 0);
          lane.counter = op.peer;
          lane.awaited = lane.waits ? op.amount : 0;
          goes_on = !lane.waits;
          break;
        case OpKind::compute:
        case OpKind::send:
        case OpKind::receive:
        case OpKind::give:
        case OpKind::get:
        case OpKind::isend:
        case OpKind::ireceive:
        case OpKind::await:
        case OpKind::listen:
        case OpKind::cancel:
        case OpKind::until:
        case OpKind::pause:
          WEFT_DEBUG_ASSERT(op.kind <= OpKind::get || op.kind >= OpKind::until);  // requests are of linear programs
          lane.current = graph_op(op);
          lane.current.stream = static_cast<u8>(number);
          at_hand |= u64{1} << number;
          goes_on = false;
          break;
      }
    }
  }
  // What one operation lets begin becomes ready in ascending order, as in the graph that these lanes are.
  for (; at_hand != 0; at_hand &= at_hand - 1)
    make_ready(task, task.number_in_lane(static_cast<u32>(std::countr_zero(at_hand))));
  if (task.operations > 0) return;
  task.at_end = task.pending != 0;
  if (!task.at_end) finish_round(site);
}

/// A lane takes up an operation, after one that it waited for a mark with or worked on.
void ProgramHost::count_activity(TaskRun& task, u32 number, const Op& next, bool waited, Tick now) {
  Lane &lane = task.lanes[number], &first = task.lanes[0];
  ActivityCounts& before = task.activities[lane.activity];
  const Tick took = now - lane.since;
  if (number == 0) {
    before.ticks += took;
    if (lane.kind == OpKind::compute) lane.computed += took;
  } else {
    const u64 computed = first.computed + (first.kind == OpKind::compute ? now - first.since : 0);
    if (!waited) before.side_ticks += took;
    if (communicates(lane.kind)) before.hidden_ticks += computed - lane.computed;
    lane.computed = computed;
  }
  lane.since = now;
  lane.kind = next.kind;
  lane.activity = next.activity;
  if (next.kind != OpKind::send && next.kind != OpKind::give) return;
  ++task.activities[next.activity].messages;
  task.activities[next.activity].bytes += next.amount;
}

/// The lanes that waited for the last mark of that counter.
u64 ProgramHost::lanes_let_go(TaskRun& task, u32 counter) {
  u64 result = 0;
  for (u32 number = 0; number < task.lanes.size(); ++number) {
    Lane& lane = task.lanes[number];
    if (!lane.waits || lane.counter != counter || lane.awaited > task.counters[counter]) continue;
    lane.waits = false;
    result |= u64{1} << number;
  }
  return result;
}

/// Step 1: what was to end by now has ended.
void ProgramHost::end_streams(const Site& site) {
  TaskRun& task = site.task;
  ended_.clear();
  const auto look_at_stream = [&](ComputeStream& stream) {
    if (!stream.busy || stream.until > site.now) return;
    stream.busy = false;
    ended_.push_back(stream.work);
  };
  look_at_stream(task.first_stream);
  for (ComputeStream& stream : task.more_streams) look_at_stream(stream);
  for (const u32 operation : task.over) ended_.push_back({.operation = operation});
  task.over.clear();
  if (ended_.empty()) return;
  std::ranges::sort(ended_, {}, [&task](const Work& work) { return task.place_in_graph(work.operation); });
  for (const Work& work : ended_) {
    if (work.kind == WorkKind::send) {
      launch(site, work);
    } else if (work.kind == WorkKind::free) {
      end_send(site, work.operation);
    } else {
      complete(site, work.operation, static_cast<u64>(work.source) << 32 | work.number);
    }
  }
}

/// A send is complete: one that the task waits for, or, in a linear program or a lane, a rendezvous behind it.
void ProgramHost::end_send(const Site& site, u32 operation) {
  TaskRun& task = site.task;
  if (is_request(task, operation)) return complete(site, operation);
  const bool behind = task.linear
                          ? task.at_end || operation != static_cast<u32>(task.operations - 1)
                          : !task.lanes.empty() && (task.lanes[TaskRun::lane_of(operation)].over ||
                                                    operation != task.number_in_lane(TaskRun::lane_of(operation)));
  if (!behind) return complete(site, operation);
  if (--task.pending == 0 && task.at_end) finish_round(site);
}

/// An operation is complete; `what` goes into the digest, but of tasks that live outside of the simulation: their
/// operations are how they are led, in slices of any length, and their messages what they do.
void ProgramHost::complete(const Site& site, u32 operation, u64 what) {
  TaskRun& task = site.task;
  GraphOp& op = op_of(task, operation);
  if (!task.outside) site.net.digest().add(u64{1} << 63 | task.id, site.now, engine::remix(what, operation));
  op.state = static_cast<u32>(OpState::complete);
  if (op.kind == GraphOp::Kind::receive) task.earliest = site.now + site.job.turnaround_cycles * cycle_;
  if (task.linear) return task.alone ? pull(site) : complete_listed(site, operation);
  if (!task.lanes.empty()) return pull_lanes(site, u64{1} << TaskRun::lane_of(operation));
  if (task.recorded) [[unlikely]]
    timeline_.of(task.id).end(operation, site.now);
  for (const u32 dependent : task.graph.on_completion(operation)) satisfy(task, dependent);
  if (--task.operations == 0) finish_round(site);
}

void ProgramHost::started(TaskRun& task, u32 operation, Tick now) {
  op_of(task, operation).state = static_cast<u32>(OpState::started);
  if (task.linear || !task.lanes.empty()) return;
  if (task.recorded) [[unlikely]]
    timeline_.of(task.id).begin(operation, now, task.op(operation));
  for (const u32 dependent : task.graph.on_start(operation)) satisfy(task, dependent);
}

/// One of the things that an operation requires is there.
void ProgramHost::satisfy(TaskRun& task, u32 operation) {
  u32& missing = task.graph.ops[operation].missing;
  if (missing != 0 && --missing == 0) make_ready(task, operation);
}

void ProgramHost::make_ready(TaskRun& task, u32 operation) {
  GraphOp& op = op_of(task, operation);
  op.state = static_cast<u32>(OpState::ready);
  Work work{.operation = operation, .stream = op.stream, .nic = op.nic};
  const bool waits_for_time = op.kind == GraphOp::Kind::until || op.kind == GraphOp::Kind::pause;
  if (op.kind == GraphOp::Kind::compute || waits_for_time) work.kind = WorkKind::compute;
  if (const ProgramJob& job = jobs_[task.job]; op.kind == GraphOp::Kind::compute && job.turnaround_cycles > 0) {
    if (static_cast<double>(op.amount) * job.ticks_per_ns < 1) work.kind = WorkKind::nothing;
  }
  if (op.kind == GraphOp::Kind::send) {
    work.kind = WorkKind::send;
    const bool local =
        op.communicator != GraphOp::by_switch &&
        placement_.node_of_task[jobs_[task.job].first_task + op.peer] == placement_.node_of_task[task.id];
    work.nic = local ? Work::no_nic : nic_of_send(task, op);
  }
  task.line_up(work);
}

std::span<ProgramHost::NicSides> ProgramHost::sides(const TaskRun& task, u8 nic) {
  const std::span of_node =
      std::span(sides_).subspan(std::size_t{node_of_run_[place_of(task)]} * spec_.nics, spec_.nics);
  return nic == Work::all_nics ? of_node : of_node.subspan(nic, 1);
}

/// When work, or the first of a queue, can begin: now, later, or (`never`) when its stream's operation ends.
template <class Needs>
Tick ProgramHost::startable(const Site& site, const Needs& queue) {
  if (queue.kind == WorkKind::free) return site.now;
  TaskRun& task = site.task;
  if (task.compute_stream(queue.stream).busy) return never;
  Tick at = site.now;
  const bool computes = queue.kind == WorkKind::compute, sends = queue.kind == WorkKind::send;
  if (computes || sends) at = std::max(at, task.earliest);
  if (sends) at = std::max(at, task.next_send);
  if (!computes && queue.kind != WorkKind::nothing && queue.nic != Work::no_nic) {
    for (const NicSides& nic : sides(task, queue.nic)) at = std::max(at, sends ? nic.sending : nic.receiving);
  }
  return at;
}

/// Step 3: begins what can begin, in the order in which it became ready.
void ProgramHost::run_ready(const Site& site) {
  if (site.task.alone) return run_next(site);
  for (;;) {
    WorkQueue* next = nullptr;
    Tick later = never;
    for (WorkQueue& queue : site.task.ready) {
      if (queue.waiting.empty()) continue;
      const Tick at = startable(site, queue);
      if (at > site.now) {
        later = std::min(later, at);
      } else if (next == nullptr || queue.waiting.front().ticket < next->waiting.front().ticket) {
        next = &queue;
      }
    }
    if (next == nullptr) {
      if (later != never) look_at(site, later);
      return;
    }
    const Work work = next->waiting.front();
    next->waiting.pop();
    begin(site, work);
  }
}

/// Step 3 of a task that does one thing at a time: begins what is next as long as it can begin.
void ProgramHost::run_next(const Site& site) {
  TaskRun& task = site.task;
  while (task.lined_up) {
    const Tick at = startable(site, task.next);
    if (at > site.now) return at == never ? void() : look_at(site, at);
    task.lined_up = false;
    begin(site, Work(task.next));
  }
}

void ProgramHost::begin(const Site& site, const Work& work) {
  TaskRun& task = site.task;
  if (work.kind == WorkKind::handle) {
    if (task.recorded) [[unlikely]]
      note_handled(task, work, site.now);
    const bool by_nic = work.nic != Work::no_nic;
    const Tick gap = by_nic ? site.job.costs.receive_gap() : 0;
    const Tick over = end_of_work(site, site.now + gap, site.job.costs.cpu(work.bytes));
    if (by_nic) {
      for (NicSides& nic : sides(task, work.nic)) nic.receiving = site.now + gap;
    }
    if (work.tells) tell_sender(site, work, over);
    if (over == site.now) return complete(site, work.operation, static_cast<u64>(work.source) << 32 | work.number);
    return hold(site, work, over);
  }
  started(task, work.operation, site.now);
  if (task.begins_request) begin_request(site, work.operation);
  switch (op_of(task, work.operation).kind) {
    case GraphOp::Kind::compute:
      return compute(site, work);
    case GraphOp::Kind::until:
    case GraphOp::Kind::pause:
      return wait_for_time(site, work);
    case GraphOp::Kind::send:
      return send(site, work);
    case GraphOp::Kind::receive:
      return post(site, work.operation);
    case GraphOp::Kind::probe:
      return probe(site, work.operation);
    case GraphOp::Kind::join:
      return complete(site, work.operation);
  }
}

/// When the task's processor is through with work that begins at that tick.
Tick ProgramHost::end_of_work(const Site& site, Tick begin, Tick work) {
  if (!site.job.processors) [[likely]]
    return begin + work;
  return site.job.processors->end_of(site.task.id - site.job.first_task, begin, work);
}

void ProgramHost::compute(const Site& site, const Work& work) {
  const u64 ns = op_of(site.task, work.operation).amount;
  if (site.job.keeps_time) return wait_for_time(site, work);
  const double ticks = static_cast<double>(ns) * site.job.ticks_per_ns;
  if (ticks < 1) return complete(site, work.operation);
  const bool in_time = ticks < static_cast<double>(last_tick - std::min(site.now, last_tick));
  const Tick over = in_time ? end_of_work(site, site.now, static_cast<Tick>(ticks)) : last_tick;
  if (over >= last_tick) [[unlikely]]
    fail_too_late(site.job.program->name(), site.task.id - site.job.first_task, u64{work.operation} + 1, ns, site.now);
  if (over == site.now) return complete(site, work.operation);
  hold(site, work, over);
}

/// Times of the outside world, and computations of programs that keep time: no processor takes part.
void ProgramHost::wait_for_time(const Site& site, const Work& work) {
  const GraphOp& op = op_of(site.task, work.operation);
  const double ticks = static_cast<double>(op.amount) * site.job.outside_ticks;
  const Tick of_program = site.task.rounds == 0 ? site.task.begin : site.task.finished + cycle_;
  const Tick begin = op.kind == GraphOp::Kind::pause ? site.now : of_program;
  if (!(ticks < static_cast<double>(last_tick - std::min(begin, last_tick)))) [[unlikely]]
    fail_beyond_time(site.job.program->name(), site.task.id - site.job.first_task, u64{work.operation} + 1, op.amount);
  const Tick over = std::max(site.now, begin + static_cast<Tick>(ticks));
  if (over == site.now) return complete(site, work.operation);
  hold(site, work, over);
}

/// The stream of `work` is busy with it until then.
void ProgramHost::hold(const Site& site, const Work& work, Tick until) {
  ComputeStream& stream = site.task.compute_stream(work.stream);
  stream.busy = true;
  stream.until = until;
  stream.work = work;
  site.net.schedule(until, Event{.entity = site.entity, .slot = static_cast<u8>(site.slot)});
}

/// Looks at the task again at that tick, or earlier.
void ProgramHost::look_at(const Site& site, Tick tick) {
  if (site.task.wake <= tick) return;
  site.task.wake = tick;
  site.net.schedule(tick, Event{.entity = site.entity, .slot = static_cast<u8>(site.slot)});
}

}  // namespace weft::workloads
