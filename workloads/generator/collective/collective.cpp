// Looks an algorithm up by operation and name and makes the checks that all of them share.
#include "workloads/generator/collective/collective.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "workloads/generator/collective/combining.hpp"
#include "workloads/generator/collective/piece_counts.hpp"
#include "workloads/generator/collective/rules.hpp"

namespace weft::workloads {

namespace {

/// Parts register in any order, so that an algorithm without its operation shows only here.
void check_operation(const CollectiveKind& kind) {
  if (OperationRegistry::instance().find(kind.operation) != nullptr) return;
  throw Bug(fmt::format("collective algorithm \"{}\" is of the operation \"{}\", which no file registers",
                        kind.algorithm, kind.operation));
}

/// What the library's rules choose, if they are asked and there are enough tasks known.
std::optional<CollectiveChoice> chosen_by_rules(const CollectiveSpec& spec) {
  if (spec.algorithm != "auto" || spec.library.empty() || spec.tasks == 0) return {};
  const CollectiveRules* const rules = CollectiveRulesRegistry::instance().find(spec.library);
  if (rules == nullptr) {
    throw ConfigError(
        fmt::format("workload.collectives = \"{}\" is no MPI library whose rules are known; did you mean "
                    "\"{}\"?",
                    spec.library, nearest(spec.library, CollectiveRulesRegistry::instance().names())));
  }
  return rules->choose(spec);
}

/// Under what an algorithm is registered.
std::string registered_name(const std::string& operation, const std::string& algorithm) {
  return fmt::format("{} {}", operation, algorithm);
}

/// The algorithm that `spec` names, or that rules choose, if there is one.
const CollectiveKind* find_collective(CollectiveSpec spec) {
  if (const auto choice = chosen_by_rules(spec)) spec.algorithm = choice->algorithm;
  const auto& registry = CollectiveRegistry::instance();
  // Asked for each collective call of a trace: nearly always named.
  if (spec.algorithm != "auto") return registry.find(registered_name(spec.operation, spec.algorithm));
  for (const std::string& name : registry.names()) {
    const CollectiveKind* const kind = registry.find(name);
    if (kind->operation == spec.operation && kind->is_default) return kind;
  }
  return nullptr;
}

/// Advice to leave a key out, or to take an algorithm of the operation that has a use for it.
std::string instead(const std::string& operation, bool (*uses)(const CollectiveKind& kind)) {
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) {
    const CollectiveKind& kind = *registry.find(name);
    if (kind.operation == operation && uses(kind))
      return fmt::format("remove it, or use algorithm = \"{}\"", kind.algorithm);
  }
  return "remove it";
}

/// What helps where pieces differ: the operation's own form with counts, if it has one.
std::string with_counts_instead(const std::string& operation) {
  const std::string other = operation == "all-to-all" ? "all-to-allv" : operation + "v";
  const CollectiveOperation* const found = OperationRegistry::instance().find(other);
  if (found == nullptr || found->counts == CollectiveOperation::Counts::none) return "remove it";
  return fmt::format("remove it, or use name = \"{}\"", other);
}

}  // namespace

bool add_collective(CollectiveKind kind) {
  const std::string name = registered_name(kind.operation, kind.algorithm);
  return CollectiveRegistry::instance().add(name, std::move(kind));
}

std::vector<std::string> collective_operations() {
  std::vector<std::string> operations;
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) operations.push_back(registry.find(name)->operation);
  std::ranges::sort(operations);
  operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
  return operations;
}

const CollectiveKind& collective_kind(const CollectiveSpec& spec) {
  if (const CollectiveKind* const found = find_collective(spec)) {
    check_operation(*found);
    return *found;
  }
  const auto& registry = CollectiveRegistry::instance();
  std::vector<std::string> algorithms{"auto"};
  for (const std::string& name : registry.names()) {
    const CollectiveKind& kind = *registry.find(name);
    if (kind.operation == spec.operation) algorithms.push_back(kind.algorithm);
  }
  if (algorithms.size() == 1) {
    throw ConfigError(
        fmt::format("workload.name \"{}\" is not a collective operation (weft describe collectives lists them); did "
                    "you mean \"{}\"?",
                    spec.operation, nearest(spec.operation, collective_operations())));
  }
  throw ConfigError(fmt::format(
      "workload.algorithm \"{}\" is not one of \"{}\" (weft describe collectives lists them); did you mean \"{}\"?",
      spec.algorithm, spec.operation, nearest(spec.algorithm, algorithms)));
}

CollectiveSpec resolved_collective(const CollectiveSpec& spec) {
  const CollectiveKind& kind = collective_kind(spec);
  CollectiveSpec resolved = spec;
  const auto choice = chosen_by_rules(spec);
  resolved.algorithm = kind.algorithm;
  if (spec.segment_bytes == 0) resolved.segment_bytes = kind.segment_bytes;
  if (spec.segment_bytes == 0 && kind.segment_bytes > 0 && choice && choice->in_one_piece)
    resolved.segment_bytes = std::max<u64>(1, spec.message_bytes);
  if (spec.radix == 0) resolved.radix = kind.radix;
  // Rules may choose one that has no use for them.
  resolved.empty_messages = spec.empty_messages && kind.sends_empty;
  resolved.self_messages = spec.self_messages && kind.sends_to_itself;
  return resolved;
}

std::optional<Complaint> unused_by_collective(const CollectiveSpec& spec, const std::string& name) {
  const CollectiveKind* const found = find_collective(spec);
  if (found == nullptr) return {};
  const CollectiveKind& kind = *found;
  check_operation(kind);
  const std::string key = "workload." + name, what = fmt::format("{} \"{}\"", kind.operation, kind.algorithm);
  if (name == "message_bytes" && OperationRegistry::instance().find(kind.operation)->signals)
    return Complaint{key, fmt::format("with {} (its messages are empty)", what), "remove it"};
  if (name == "combine_ns_per_byte" && !OperationRegistry::instance().find(kind.operation)->adds_up)
    return Complaint{key, fmt::format("with {} (it combines nothing)", kind.operation), "remove it"};
  if (name.starts_with("counts") &&
      OperationRegistry::instance().find(kind.operation)->counts == CollectiveOperation::Counts::none) {
    return Complaint{key, fmt::format("with {} (its pieces are all as long)", kind.operation),
                     with_counts_instead(kind.operation)};
  }
  const bool known = spec.algorithm != "auto" || spec.library.empty() || spec.tasks > 0;
  if (known &&
      ((name == "empty_messages" && !kind.sends_empty) || (name == "self_messages" && !kind.sends_to_itself))) {
    const bool empty = name == "empty_messages";
    return Complaint{key,
                     fmt::format("with {} ({})", what,
                                 empty ? "no library sends empty messages there"
                                       : "no library sends messages to the same task there"),
                     instead(
                         kind.operation, empty ? [](const CollectiveKind& other) { return other.sends_empty; }
                                               : [](const CollectiveKind& other) { return other.sends_to_itself; })};
  }
  if ((name == "shape" || name == "wrap") &&
      OperationRegistry::instance().find(kind.operation)->after_on_grid == nullptr) {
    return Complaint{key, fmt::format("with {} (its tasks are not on a grid)", kind.operation),
                     "remove it, or use name = \"neighbour-allgather\""};
  }
  if (name == "node_tasks" && !kind.by_nodes) {
    return Complaint{key, fmt::format("with {} (it does not know nodes)", what),
                     instead(kind.operation, [](const CollectiveKind& other) { return other.by_nodes; })};
  }
  if (name == "switch_tasks" && !kind.by_switches) {
    return Complaint{key, fmt::format("with {} (it does not know switches)", what),
                     instead(kind.operation, [](const CollectiveKind& other) { return other.by_switches; })};
  }
  // Which algorithm it will be is known when there are tasks.
  if (spec.algorithm == "auto" && !spec.library.empty() && spec.tasks == 0) return {};
  if (name == "segment_bytes" && kind.segment_bytes == 0) {
    return Complaint{key, fmt::format("with {} (it cuts nothing into segments)", what),
                     instead(kind.operation, [](const CollectiveKind& other) { return other.segment_bytes > 0; })};
  }
  if (name == "radix" && kind.radix == 0) {
    return Complaint{key, fmt::format("with {} (its tree, if it has one, is always the same)", what),
                     instead(kind.operation, [](const CollectiveKind& other) { return other.radix > 0; })};
  }
  return {};
}

u64 longest_message_bytes(const CollectiveSpec& spec) {
  const CollectiveKind& kind = collective_kind(spec);
  if (OperationRegistry::instance().find(kind.operation)->signals) return 0;
  const u64 times = kind.longest ? std::max<u64>(1, kind.longest(spec.tasks)) : 1;
  const u64 most = std::numeric_limits<u64>::max() / times;
  const u64 piece = spec.counts ? spec.counts->most() : spec.message_bytes;
  if (piece > most) {
    throw ConfigError(
        fmt::format("workload.{} = {} makes \"{}\" of {} tasks send {} times as much at once (no number of "
                    "64 bits); use {} or less",
                    spec.counts ? "counts" : "message_bytes", piece, spec.operation, spec.tasks, times, most));
  }
  return piece * times;
}

std::unique_ptr<Program> make_collective(const CollectiveSpec& spec) {
  const CollectiveKind& kind = collective_kind(spec);
  const auto need = [&](const char* key, u64 value) {
    if (value > 0) return;
    throw ConfigError(
        fmt::format("workload.{} = 0 for collective \"{}\" (nothing to run); use at least 1", key, spec.operation));
  };
  need("tasks", spec.tasks);
  const CollectiveOperation& operation = *OperationRegistry::instance().find(kind.operation);
  if (!operation.signals && !spec.counts) need("message_bytes", spec.message_bytes);
  need("repetitions", spec.repetitions);
  WEFT_ASSERT(!spec.counts ||
              (spec.counts->tasks() == spec.tasks && operation.counts != CollectiveOperation::Counts::none));
  static_cast<void>(longest_message_bytes(spec));
  const auto check_use = [&](const char* name, u64 value) {
    const std::optional<Complaint> unused = value > 0 ? unused_by_collective(spec, name) : std::nullopt;
    if (unused)
      throw ConfigError(fmt::format("{} = {} has no effect {}; {}", unused->key, value, unused->why, unused->advice));
  };
  check_use("segment_bytes", spec.segment_bytes);
  check_use("radix", spec.radix);
  check_use("node_tasks", spec.node_tasks);
  check_use("switch_tasks", spec.switch_tasks);
  if (spec.radix == 1) {
    throw ConfigError(
        fmt::format("workload.radix = 1 for {} \"{}\" (a task that has the data sends it to radix - 1 others in each "
                    "round); use at least 2",
                    kind.operation, kind.algorithm));
  }
  const CollectiveSpec resolved = resolved_collective(spec);
  auto program = kind.make(resolved);
  if (!(spec.combine_ns_per_byte > 0) || !operation.adds_up) return program;
  return combining_program(std::move(program), resolved);
}

bool combines(const CollectiveSpec& spec, const Op& receive) {
  const CollectiveKind& kind = collective_kind(spec);
  if (!OperationRegistry::instance().find(kind.operation)->adds_up) return false;
  return kind.combines == nullptr || kind.combines(spec, receive);
}

}  // namespace weft::workloads
