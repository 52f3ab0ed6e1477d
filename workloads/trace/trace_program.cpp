// Opens traces as programs.
#include "workloads/trace/trace_program.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/shown.hpp"

namespace weft::workloads {
namespace {

std::string file_name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// Throws for the largest message or computation, if that is too large for the run.
void check_limits(const TraceInput& input, const StoreIndex& index, const TaskLimits& limits) {
  const auto fail = [&](const LargestAmount& largest, const std::string& problem) {
    throw InputError(
        fmt::format("{}: {}", open_trace(input, index.format).source->place(largest.part, largest.position), problem));
  };
  if (index.message.amount > limits.message_bytes) fail(index.message, too_many_packets(index.message.amount, limits));
  if (index.computation.amount > limits.compute_ns)
    fail(index.computation, too_many_ticks(index.computation.amount, limits));
}

}  // namespace

TraceProgram::TraceProgram(std::shared_ptr<const TraceStore> store, std::string name, CollectiveRulesChoice collectives,
                           ReplayRules rules, u64 streams)
    : store_(std::move(store)),
      name_(std::move(name)),
      streams_(streams == 0 ? store_->index().tasks : streams),
      rules_(std::make_shared<const ReplayRules>(std::move(rules))),
      collectives_(std::make_shared<CollectiveCalls>(store_->index().communicators, store_->index().tasks,
                                                     std::move(collectives))) {}

std::unique_ptr<TaskStream> TraceProgram::open(TaskId task) const {
  WEFT_ASSERT(task.value() < tasks());
  return std::make_unique<EventOps>(store_, task.value(), streams_, collectives_, rules_);
}

std::vector<Activity> TraceProgram::regions() const {
  std::vector<Activity> all;
  for (const TraceName& name : store_->index().names) all.push_back({name.text, name.is_call});
  for (const std::string_view name : collective_names) all.push_back({std::string(name), true});
  return all;
}

std::unique_ptr<Program> open_program(const TraceInput& input, const ReplayChoice& choice) {
  const std::string name = file_name_of(input.path);
  const std::string format = find_trace_format(input, choice.store.format);
  const TraceFormat& known = *TraceFormats::instance().find(format);
  if (known.program) return known.program(input, name, choice.store.keep, choice.limits, choice.collectives.library);
  StoreChoice found = choice.store;
  found.format = format;
  const auto store = store_of(input, found);
  check_limits(input, store->index(), choice.limits);
  if (choice.rules.cycles_per_ns > 0 && !store->index().has_times) {
    throw InputError(fmt::format("{}: has no times (format {}), so that nothing can be sent at those; use another mode",
                                 shown(input.path), format));
  }
  return std::make_unique<TraceProgram>(store, name, choice.collectives, choice.rules);
}

std::unique_ptr<Program> open_program(const std::string& path, const ReplayChoice& choice) {
  return open_program(find_trace(path), choice);
}

u32 count_trace_tasks(const std::string& path, const StoreChoice& choice) {
  ReplayChoice none{.store = choice};
  none.store.keep = [](u32) { return false; };
  return open_program(path, none)->tasks();
}

}  // namespace weft::workloads
