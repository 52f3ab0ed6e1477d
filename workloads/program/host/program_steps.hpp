// Members of ProgramHost: a tick of a task, in the steps of docs/programs.md.
#pragma once

#include <algorithm>

#include "workloads/program/host/program_host_class.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

inline void ProgramHost::step(Tick tick, u32 entity, Node& node, u32 slot) {
  TaskRun& task = tasks_[node.first + slot];
  const TaskContext context{*network_, tick, entity, slot, node, task, jobs_[task.job]};
  if (task.wake <= tick) task.wake = never;
  end_streams(context);
  if (!task.arrivals.empty()) arrivals(context);
  if (task.starting) {
    task.starting = false;
    begin_program(context);
  }
  run_ready(context);
}

inline void ProgramHost::begin_program(const TaskContext& context) {
  TaskRun& task = context.task;
  task.begun = true;
  task.begin = std::min(task.begin, context.now);
  if (task.linear) return pull(context);
  if (!task.lanes.empty()) {
    task.operations = task.lanes.size();
    for (Lane& lane : task.lanes) lane.since = context.now;
    return pull_lanes(context, ~u64{0} >> (most_lanes - task.lanes.size()));
  }
  task.operations = task.graph.ops.size();
  if (task.operations == 0) return finish_round(context);
  for (u32 number = 0; number < task.graph.ops.size(); ++number) {
    if (task.graph.ops[number].missing == 0) make_ready(task, number);
  }
}

/// The program of a task is over.
inline void ProgramHost::finish_round(const TaskContext& context) {
  TaskRun& task = context.task;
  task.finished = context.now;
  ++task.rounds;
  if (task.recorded) [[unlikely]]
    note_finished(task, context.now);
  if (!task.requests.empty()) forget_requests(task);
  if (!context.job.repeats || closing_) {
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
    task.open(*context.job.program, TaskId(task.id - context.job.first_task));
  }
  context.net.schedule(
      context.now + cycle_,
      Event{.entity = context.entity, .slot = static_cast<u8>(context.slot), .kind = Event::Kind::start});
}

/// Takes the next operation of a linear program.
inline void ProgramHost::pull(const TaskContext& context) {
  TaskRun& task = context.task;
  for (;;) {
    if (task.listens) [[unlikely]]
      task.stream->at(context.now);
    const Op op = task.stream->next();
    if (task.recorded) [[unlikely]]
      note_taken(task, 0, op, context.now);
    if (op.kind == OpKind::end) {
      task.at_end = task.pending != 0;
      return task.at_end ? void() : finish_round(context);
    }
    if (task.alone) {
      task.current = graph_op(op);
      return make_ready(task, static_cast<u32>(task.operations++));
    }
    if (!take_up(context, op)) return;
  }
}

/// Takes the next operations of lanes (a bit each), and of those that waited for marks that they pass.
inline void ProgramHost::pull_lanes(const TaskContext& context, u64 lanes) {
  TaskRun& task = context.task;
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
      if (!task.activities.empty()) count_activity(task, number, op, waited, context.now);
      if (task.recorded) [[unlikely]]
        note_taken(task, number, op, context.now);
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
        case OpKind::meet:
        case OpKind::imeet:
          WEFT_DEBUG_ASSERT(op.kind <= OpKind::get || op.kind == OpKind::until || op.kind == OpKind::pause);
          // Requests and meetings are of linear programs.
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
  if (!task.at_end) finish_round(context);
}

/// A lane takes up an operation, after one that it waited for a mark with or worked on.
inline void ProgramHost::count_activity(TaskRun& task, u32 number, const Op& next, bool waited, Tick now) {
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
inline u64 ProgramHost::lanes_let_go(TaskRun& task, u32 counter) {
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
inline void ProgramHost::end_streams(const TaskContext& context) {
  TaskRun& task = context.task;
  ended_.clear();
  const auto look_at_stream = [&](ComputeStream& stream) {
    if (!stream.busy || stream.until > context.now) return;
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
      launch(context, work);
    } else if (work.kind == WorkKind::free) {
      end_send(context, work.operation);
    } else {
      complete(context, work.operation, static_cast<u64>(work.source) << 32 | work.number);
    }
  }
}

/// A send is complete: one that the task waits for, or, in a linear program or a lane, a rendezvous behind it.
inline void ProgramHost::end_send(const TaskContext& context, u32 operation) {
  TaskRun& task = context.task;
  if (is_request(task, operation)) return complete(context, operation);
  const bool behind = task.linear
                          ? task.at_end || operation != static_cast<u32>(task.operations - 1)
                          : !task.lanes.empty() && (task.lanes[TaskRun::lane_of(operation)].over ||
                                                    operation != task.number_in_lane(TaskRun::lane_of(operation)));
  if (!behind) return complete(context, operation);
  if (--task.pending == 0 && task.at_end) finish_round(context);
}

/// An operation is complete: the digest hears of it, and of a receive which message it took (`what`). Where receives
/// say all it hears of them alone, from whom and with which tag. It hears nothing of tasks that live outside of the
/// simulation: their operations are how they are led, in slices of any length, and their messages what they do.
inline void ProgramHost::tell_digest(const TaskContext& context, u32 operation, const GraphOp& op, u64 what) {
  const TaskRun& task = context.task;
  if (task.outside) return;
  const bool receives_say_all = context.job.receives_say_all;
  if (receives_say_all && (op.kind != GraphOp::Kind::receive || !context.job.causal)) return;
  const u64 from_whom = static_cast<u64>(context.job.first_task + op.peer) << 32 | op.tag;
  context.net.digest().add(u64{1} << 63 | task.id, context.now,
                           receives_say_all ? from_whom : engine::remix(what, operation));
}

inline void ProgramHost::complete(const TaskContext& context, u32 operation, u64 what) {
  TaskRun& task = context.task;
  GraphOp& op = op_of(task, operation);
  tell_digest(context, operation, op, what);
  op.state = static_cast<u32>(OpState::complete);
  if (op.kind == GraphOp::Kind::receive) task.earliest = context.now + context.job.turnaround_cycles * cycle_;
  if (task.linear) return task.alone ? pull(context) : complete_listed(context, operation);
  if (!task.lanes.empty()) return pull_lanes(context, u64{1} << TaskRun::lane_of(operation));
  if (task.recorded) [[unlikely]]
    timeline_.of(task.id).end(operation, context.now);
  for (const u32 dependent : task.graph.on_completion(operation)) satisfy(task, dependent);
  if (--task.operations == 0) finish_round(context);
}

inline void ProgramHost::started(TaskRun& task, u32 operation, Tick now) {
  op_of(task, operation).state = static_cast<u32>(OpState::started);
  if (task.linear || !task.lanes.empty()) return;
  if (task.recorded) [[unlikely]]
    timeline_.of(task.id).begin(operation, now, task.op(operation));
  for (const u32 dependent : task.graph.on_start(operation)) satisfy(task, dependent);
}

/// One of the things that an operation requires is there.
inline void ProgramHost::satisfy(TaskRun& task, u32 operation) {
  u32& missing = task.graph.ops[operation].missing;
  if (missing != 0 && --missing == 0) make_ready(task, operation);
}

inline void ProgramHost::make_ready(TaskRun& task, u32 operation) {
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

inline std::span<ProgramHost::NicSides> ProgramHost::sides(const TaskRun& task, u8 nic) {
  const std::span of_node =
      std::span(sides_).subspan(std::size_t{node_of_run_[place_of(task)]} * spec_.nics, spec_.nics);
  return nic == Work::all_nics ? of_node : of_node.subspan(nic, 1);
}

/// When work, or the first of a queue, can begin: now, later, or (`never`) when its stream's operation ends.
template <class Needs>
inline Tick ProgramHost::startable(const TaskContext& context, const Needs& queue) {
  if (queue.kind == WorkKind::free) return context.now;
  TaskRun& task = context.task;
  if (task.compute_stream(queue.stream).busy) return never;
  Tick at = context.now;
  const bool computes = queue.kind == WorkKind::compute, sends = queue.kind == WorkKind::send;
  if (computes || sends) at = std::max(at, task.earliest);
  if (sends) at = std::max(at, task.next_send);
  if (!computes && queue.kind != WorkKind::nothing && queue.nic != Work::no_nic) {
    for (const NicSides& nic : sides(task, queue.nic)) at = std::max(at, sends ? nic.sending : nic.receiving);
  }
  return at;
}

/// Step 3: begins what can begin, in the order in which it became ready.
inline void ProgramHost::run_ready(const TaskContext& context) {
  if (context.task.alone) return run_next(context);
  for (;;) {
    WorkQueue* next = nullptr;
    Tick later = never;
    for (WorkQueue& queue : context.task.ready) {
      if (queue.waiting.empty()) continue;
      const Tick at = startable(context, queue);
      if (at > context.now) {
        later = std::min(later, at);
      } else if (next == nullptr || queue.waiting.front().ticket < next->waiting.front().ticket) {
        next = &queue;
      }
    }
    if (next == nullptr) {
      if (later != never) look_at(context, later);
      return;
    }
    const Work work = next->waiting.front();
    next->waiting.pop();
    begin(context, work);
  }
}

/// Step 3 of a task that does one thing at a time: begins what is next as long as it can begin.
inline void ProgramHost::run_next(const TaskContext& context) {
  TaskRun& task = context.task;
  while (task.lined_up) {
    const Tick at = startable(context, task.next);
    if (at > context.now) return at == never ? void() : look_at(context, at);
    task.lined_up = false;
    begin(context, Work(task.next));
  }
}

inline void ProgramHost::begin(const TaskContext& context, const Work& work) {
  TaskRun& task = context.task;
  if (work.kind == WorkKind::handle) {
    if (task.recorded) [[unlikely]]
      note_handled(task, work, context.now);
    const bool by_nic = work.nic != Work::no_nic;
    const Tick gap = by_nic ? context.job.costs.receive_gap() : 0;
    const Tick over = end_of_work(context, context.now + gap, context.job.costs.cpu(work.bytes));
    if (by_nic) {
      for (NicSides& nic : sides(task, work.nic)) nic.receiving = context.now + gap;
    }
    if (work.tells) acknowledge(context, work, over);
    if (over == context.now)
      return complete(context, work.operation, static_cast<u64>(work.source) << 32 | work.number);
    return hold(context, work, over);
  }
  started(task, work.operation, context.now);
  if (task.begins_request) begin_request(context, work.operation);
  switch (op_of(task, work.operation).kind) {
    case GraphOp::Kind::compute:
      return compute(context, work);
    case GraphOp::Kind::until:
    case GraphOp::Kind::pause:
      return wait_for_time(context, work);
    case GraphOp::Kind::send:
      return send(context, work);
    case GraphOp::Kind::receive:
      return post(context, work.operation);
    case GraphOp::Kind::probe:
      return probe(context, work.operation);
    case GraphOp::Kind::join:
      return complete(context, work.operation);
    case GraphOp::Kind::meet:
      return come_to_meeting(context, work.operation);
  }
}

/// When the task's processor is through with work that begins at that tick.
inline Tick ProgramHost::end_of_work(const TaskContext& context, Tick begin, Tick work) {
  if (!context.job.processors) [[likely]]
    return begin + work;
  return context.job.processors->end_of(context.task.id - context.job.first_task, begin, work);
}

inline void ProgramHost::compute(const TaskContext& context, const Work& work) {
  const u64 ns = op_of(context.task, work.operation).amount;
  if (context.job.keeps_time) return wait_for_time(context, work);
  const double ticks = static_cast<double>(ns) * context.job.ticks_per_ns;
  if (ticks < 1) return complete(context, work.operation);
  const bool in_time = ticks < static_cast<double>(last_tick - std::min(context.now, last_tick));
  const Tick over = in_time ? end_of_work(context, context.now, static_cast<Tick>(ticks)) : last_tick;
  if (over >= last_tick) [[unlikely]]
    fail_too_late(context.job.program->name(), context.task.id - context.job.first_task, u64{work.operation} + 1, ns,
                  context.now);
  if (over == context.now) return complete(context, work.operation);
  hold(context, work, over);
}

/// Times of the outside world, and computations of programs that keep time: no processor takes part.
inline void ProgramHost::wait_for_time(const TaskContext& context, const Work& work) {
  const GraphOp& op = op_of(context.task, work.operation);
  const double ticks = static_cast<double>(op.amount) * context.job.outside_ticks;
  const Tick of_program = context.task.rounds == 0 ? context.task.begin : context.task.finished + cycle_;
  const Tick begin = op.kind == GraphOp::Kind::pause ? context.now : of_program;
  if (!(ticks < static_cast<double>(last_tick - std::min(begin, last_tick)))) [[unlikely]]
    fail_beyond_time(context.job.program->name(), context.task.id - context.job.first_task, u64{work.operation} + 1,
                     op.amount);
  const Tick over = std::max(context.now, begin + static_cast<Tick>(ticks));
  if (over == context.now) return complete(context, work.operation);
  hold(context, work, over);
}

/// The stream of `work` is busy with it until then.
inline void ProgramHost::hold(const TaskContext& context, const Work& work, Tick until) {
  ComputeStream& stream = context.task.compute_stream(work.stream);
  stream.busy = true;
  stream.until = until;
  stream.work = work;
  context.net.schedule(until, Event{.entity = context.entity, .slot = static_cast<u8>(context.slot)});
}

/// Looks at the task again at that tick, or earlier.
inline void ProgramHost::look_at(const TaskContext& context, Tick tick) {
  if (context.task.wake <= tick) return;
  context.task.wake = tick;
  context.net.schedule(tick, Event{.entity = context.entity, .slot = static_cast<u8>(context.slot)});
}

}  // namespace weft::workloads
