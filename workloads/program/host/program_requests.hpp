// Members of ProgramHost: sends and receives that linear programs start and wait for later (Program::has_requests).
#pragma once

#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

/// The next operation of a task with requests is at hand. Of one that awaits, `first_dependent` is what. Whether it is
/// over: then the one behind it is next.
inline bool ProgramHost::take_up(const TaskContext& context, const Op& op) {
  TaskRun& task = context.task;
  const auto number = static_cast<u32>(task.operations++);
  task.current = graph_op(op);
  task.begins_request = op.kind == OpKind::isend || op.kind == OpKind::ireceive || op.kind == OpKind::imeet;
  if (op.kind == OpKind::listen) {
    task.current.first_dependent = TaskList::none;
    task.listening = true;
    return false;
  }
  if (op.kind == OpKind::cancel) {
    task.current.first_dependent = TaskList::none;
    withdraw(task, static_cast<u32>(op.amount));
  }
  if (op.kind == OpKind::await) {
    task.current.first_dependent = static_cast<u32>(op.amount);
    const u32 entry = requests_.find({task.id, task.current.first_dependent});
    const bool over = entry == TaskList::none || requests_[entry].state == static_cast<u32>(OpState::complete);
    task.awaited_request = over ? TaskList::none : task.current.first_dependent;
    if (over) finish_await(context, number);
    return over;
  }
  make_ready(task, number);
  return false;
}

/// What the operation at hand awaits is complete: what comes next requires no more, and is looked at before anything
/// else that happens, as in a graph in which it requires the request itself.
inline void ProgramHost::finish_await(const TaskContext& context, u32 operation) {
  TaskRun& task = context.task;
  task.current.state = static_cast<u32>(OpState::complete);
  if (!task.outside) context.net.digest().add(u64{1} << 63 | task.id, context.now, engine::remix(0, operation));
  const u32 entry = requests_.find({task.id, task.current.first_dependent});
  if (entry == TaskList::none) return;
  requests_.remove(task.requests, entry);
}

/// The operation at hand begins, and the task goes on at once.
inline void ProgramHost::begin_request(const TaskContext& context, u32 operation) {
  TaskRun& task = context.task;
  task.begins_request = false;
  requests_.push(task.requests, {task.id, operation}, task.current);
  ++task.pending;
  pull(context);
}

/// An operation of a task with requests is complete: one of these, or the one at hand.
inline void ProgramHost::complete_listed(const TaskContext& context, u32 operation) {
  TaskRun& task = context.task;
  if (const u32 entry = requests_.find({task.id, operation}); entry != TaskList::none) {
    --task.pending;
    if (context.job.forgets_requests) requests_.remove(task.requests, entry);
    if (task.listens) {
      task.stream->complete(operation, context.now);
      wake_listener(task);
    }
    if (task.awaited_request == operation) {
      task.awaited_request = TaskList::none;
      finish_await(context, static_cast<u32>(task.operations - 1));
      pull(context);
    } else if (task.at_end && task.pending == 0) {
      finish_round(context);
    }
    return;
  }
  pull(context);
}

/// A receive that has not found its message is none any more.
inline void ProgramHost::withdraw(TaskRun& task, u32 operation) {
  u32 entry = task.posted.first;
  while (entry != TaskList::none && posted_[entry] != operation) entry = posted_.after(entry);
  WEFT_ASSERT(entry != TaskList::none);
  if (posted_.listed_only(entry)) --task.wild;
  posted_.remove(task.posted, entry);
  requests_.remove(task.requests, requests_.find({task.id, operation}));
  --task.pending;
}

/// The stream of a task that listens has heard something.
inline void ProgramHost::wake_listener(TaskRun& task) {
  if (!task.listening) return;
  task.listening = false;
  make_ready(task, static_cast<u32>(task.operations - 1));
}

/// Whether the stream of a task that listens takes a message for itself.
inline bool ProgramHost::taken_by_stream(TaskRun& task, const ProgramJob& job, const Message& message, Tick now) {
  if (!task.listens || task.stream == nullptr) return false;
  Message told = message;
  told.source -= job.first_task;
  const bool taken = task.stream->takes(told, now);
  wake_listener(task);
  return taken;
}

/// Drops requests that were never waited for.
inline void ProgramHost::forget_requests(TaskRun& task) {
  while (!task.requests.empty()) requests_.remove(task.requests, task.requests.first);
}

}  // namespace weft::workloads
