// Loads a trace into a spool and opens its streams.
#include "workloads/trace/trace_program.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::workloads {

TraceProgram::TraceProgram(const std::string& path, const std::string& format, KeepTask keep, const TaskLimits& limits)
    : name_(path.substr(path.find_last_of('/') + 1)) {
  load(*open_trace(path, format), std::move(keep), {}, limits);
}

TraceProgram::TraceProgram(std::unique_ptr<TraceReader> reader, std::string name, KeepTask keep, SpoolLimits spooling,
                           const TaskLimits& limits)
    : name_(std::move(name)) {
  load(*reader, std::move(keep), spooling, limits);
}

void TraceProgram::load(TraceReader& reader, KeepTask keep, SpoolLimits spooling, const TaskLimits& limits) {
  auto spool = std::make_shared<TraceSpool>(std::move(keep), spooling);
  TraceRecord record;
  while (reader.next(record)) {
    const bool computes = record.op.kind == OpKind::compute;
    if (record.op.amount > (computes ? limits.compute_ns : limits.message_bytes)) {
      throw InputError(fmt::format(
          "{}:{}: {}", name_, reader.position(),
          computes ? too_many_ticks(record.op.amount, limits) : too_many_packets(record.op.amount, limits)));
    }
    spool->add(record.task, record.op);
  }
  spool->finish();
  spool_ = std::move(spool);
  tasks_ = reader.tasks();
  self_sends_ = reader.self_sends();
  self_receives_ = reader.self_receives();
}

std::unique_ptr<TaskStream> TraceProgram::open(TaskId task) const {
  WEFT_ASSERT(task.value() < tasks_);
  return TraceSpool::open(spool_, task);
}

}  // namespace weft::workloads
