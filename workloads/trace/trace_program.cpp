// Loads a trace into a spool and opens its streams.
#include "workloads/trace/trace_program.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

std::string file_name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

TraceProgram::TraceProgram(const std::string& path, const std::string& format, KeepTask keep, const TaskLimits& limits)
    : name_(file_name_of(path)) {
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

std::unique_ptr<Program> open_program(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                      const std::string& format, KeepTask keep, const TaskLimits& limits) {
  const TraceFormat* const known = TraceFormats::instance().find(format);
  WEFT_ASSERT(known != nullptr);
  if (known->program != nullptr) return known->program(std::move(bytes), name, std::move(keep), limits);
  return std::make_unique<TraceProgram>(known->open(std::move(bytes)), name, std::move(keep), SpoolLimits{}, limits);
}

std::unique_ptr<Program> open_program(const std::string& path, const std::string& format, KeepTask keep,
                                      const TaskLimits& limits) {
  auto bytes = open_bytes(path);
  const std::string found = find_trace_format(bytes, format);
  return open_program(std::move(bytes), file_name_of(path), found, std::move(keep), limits);
}

u32 count_trace_tasks(const std::string& path, const std::string& format) {
  return open_program(path, format, [](u32) { return false; })->tasks();
}

}  // namespace weft::workloads
