// Looks a rule up by name or use.
#include "workloads/program/matching/matching.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
std::string default_matching_name(bool graphs) {
  const auto& registry = MatchingRegistry::instance();
  for (const std::string& name : registry.names()) {
    if (registry.find(name)->default_of == (graphs ? MatchingUse::graphs : MatchingUse::linear)) return name;
  }
  WEFT_ASSERT(false);
  return "";
}

const MatchingRule& default_matching(bool graphs) {
  return MatchingRegistry::instance().find(default_matching_name(graphs))->rule;
}

const MatchingRule& matching_rule(const std::string& name, bool graphs, bool takes_any) {
  if (name == "auto") return default_matching(graphs);
  const MatchingKind* const kind = MatchingRegistry::instance().find(name);
  WEFT_ASSERT(kind != nullptr);  // the row's choices are those of the registry
  if (takes_any && !kind->rule.wildcards) {
    throw ConfigError(fmt::format(
        "workload.matching = \"{}\" does not fit a program whose receives may take messages of any source or "
        "tag (it compares all of them); use \"{}\"",
        name, default_matching_name(true)));
  }
  return kind->rule;
}

}  // namespace weft::workloads
