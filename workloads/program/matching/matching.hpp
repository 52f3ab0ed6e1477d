// Rules by which receives find their messages; one file per rule, found by name. docs/adding-a-matching-rule.md adds
// one.
#pragma once

#include <string>

#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"
#include "workloads/program/matching/matching_rule.hpp"

namespace weft::workloads {

/// Programs that a rule is the usual one of.
enum class MatchingUse : u8 { none, graphs, linear };

struct MatchingKind {
  std::string help;  ///< one line
  MatchingRule rule;
  MatchingUse default_of = MatchingUse::none;  ///< what workload.matching = "auto" stands for; one rule each
};
using MatchingRegistry = Registry<MatchingKind>;

/// The usual rule of programs, graphs or linear ones.
[[nodiscard]] std::string default_matching_name(bool graphs);
[[nodiscard]] const MatchingRule& default_matching(bool graphs);
/// The rule of a name, of which "auto" is the usual one. Throws ConfigError if a program whose receives take any source
/// or tag does not go with it.
[[nodiscard]] const MatchingRule& matching_rule(const std::string& name, bool graphs, bool takes_any);

}  // namespace weft::workloads
