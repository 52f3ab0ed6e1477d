// Opens traces as programs.
#include "workloads/trace/trace_program.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/replay/record_places.hpp"

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

/// Whether MPI calls so what moves data between two tasks, of which one knows nothing.
bool is_one_sided(const std::string& name) {
  constexpr std::array<std::string_view, 10> calls{
      "MPI_Put",  "MPI_Get",  "MPI_Accumulate",  "MPI_Get_accumulate", "MPI_Fetch_and_op", "MPI_Compare_and_swap",
      "MPI_Rput", "MPI_Rget", "MPI_Raccumulate", "MPI_Rget_accumulate"};
  return std::ranges::find(calls, name) != calls.end();
}

/// The number of the name of a counter. Throws InputError that names those that there are.
u32 counter_of(const TraceInput& input, const StoreIndex& index, const std::string& name) {
  std::string counters;
  for (u32 number = 0; number < index.names.size(); ++number) {
    if (!index.names[number].is_counter) continue;
    if (index.names[number].text == name) return number;
    counters += (counters.empty() ? "" : ", ") + shown(index.names[number].text);
  }
  if (counters.empty()) {
    throw InputError(
        fmt::format("{}: has no counters (format {}), so that none can say what was computed; leave workload.counter "
                    "out, or take an OTF2 trace with metrics",
                    shown(input.path), index.format));
  }
  throw InputError(fmt::format("{}: has no counter '{}'; use one of {}", shown(input.path), shown(name), counters));
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
  return std::make_unique<EventOps>(store_, task.value(), streams_, collectives_, rules_, taken_);
}

u64 TraceProgram::record_of(TaskId task, u64 operation) const {
  EventOps ops(store_, task.value(), streams_, collectives_, rules_);
  for (u64 k = 0; k < operation; ++k) {
    if (ops.next().kind == OpKind::end) return 0;
  }
  return ops.events();
}

std::vector<std::string> TraceProgram::places_of(const std::vector<std::pair<u32, u64>>& records) const {
  std::vector<std::string> places(records.size());
  if (input_.files.empty() || input_.once) return places;
  const auto source = open_trace(input_, store_->index().format).source;
  const std::vector<RecordPlace> found = record_places(*source, tasks(), records);
  for (std::size_t k = 0; k < found.size(); ++k) places[k] = found[k].text;
  return places;
}

std::vector<Activity> TraceProgram::regions() const {
  std::vector<Activity> all;
  for (const TraceName& name : store_->index().names) all.push_back({name.text, name.is_call});
  for (const KnownCollective& known : known_collectives) all.push_back({std::string(known.name), true});
  return all;
}

std::unique_ptr<Program> open_program(const TraceInput& input, const ReplayChoice& choice) {
  const std::string name = file_name_of(input.path);
  const std::string format = find_trace_format(input, choice.store.format);
  const TraceFormat& known = *TraceFormats::instance().find(format);
  if (known.program && !choice.counter.empty()) {
    throw InputError(
        fmt::format("{}: has no counters (format {}: graphs); leave workload.counter out", shown(input.path), format));
  }
  if (known.program && choice.collectives.costs) {
    throw InputError(fmt::format(
        "{}: workload.collectives = \"cost-model\" is for traces of calls (format {} has graphs); leave it out",
        shown(input.path), format));
  }
  if (known.program) return known.program(input, name, choice.store.keep, choice.limits, choice.collectives.library);
  StoreChoice found = choice.store;
  found.format = format;
  const auto store = store_of(input, found);
  check_limits(input, store->index(), choice.limits);
  if (choice.rules.cycles_per_ns > 0 && !store->index().has_times) {
    throw InputError(fmt::format("{}: has no times (format {}), so that nothing can be sent at those; use another mode",
                                 shown(input.path), format));
  }
  CollectiveRulesChoice collectives = choice.collectives;
  collectives.limits = choice.limits;
  ReplayRules rules = choice.rules;
  rules.sends_wait = choice.sends_wait.value_or(known.tells_blocking_sends);
  if (!choice.counter.empty()) {
    rules.counter = counter_of(input, store->index(), choice.counter);
    rules.ns_per_count = 1e9 / choice.counter_per_second;
  }
  if (choice.refuses_one_sided) {
    for (const TraceName& one : store->index().names) {
      const bool is_left_out = std::ranges::find(rules.left_out, one.text) != rules.left_out.end();
      rules.refused.push_back(is_one_sided(one.text) && !is_left_out);
    }
  }
  auto program = std::make_unique<TraceProgram>(store, name, collectives, std::move(rules));
  program->set_input(input);
  return program;
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
