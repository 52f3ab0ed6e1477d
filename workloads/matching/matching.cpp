// Looks a rule up by name or use.
#include "workloads/matching/matching.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

std::string usual_name(bool graphs) {
  const auto& registry = MatchingRegistry::instance();
  for (const std::string& name : registry.names()) {
    if (registry.find(name)->usual == (graphs ? MatchingUse::graphs : MatchingUse::linear)) return name;
  }
  WEFT_ASSERT(false);
  return "";
}

}  // namespace

const MatchingRule& usual_matching(bool graphs) { return MatchingRegistry::instance().find(usual_name(graphs))->rule; }

const MatchingRule& matching_rule(const std::string& name, bool graphs) {
  if (name == "auto") return usual_matching(graphs);
  const MatchingKind* const kind = MatchingRegistry::instance().find(name);
  WEFT_ASSERT(kind != nullptr);  // the row's choices are those of the registry
  if (graphs && !kind->rule.wildcards) {
    throw ConfigError(
        fmt::format("workload.matching = \"{}\" does not fit programs of graphs (their receives may take messages of "
                    "any source, tag "
                    "and length); use \"{}\"",
                    name, usual_name(true)));
  }
  return kind->rule;
}

}  // namespace weft::workloads
