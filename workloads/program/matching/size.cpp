// Matching "size": the rule of the INSEE papers.
#include "workloads/program/matching/matching.hpp"

namespace weft::workloads {
namespace {

/// "a corresponding message (matching origin, destination, tag and size)" (Navaridas, Miguel-Alonso, Pascual and
/// Ridruejo: Simulating and evaluating interconnection networks with INSEE, 2011, section 3.3.1).
[[maybe_unused]] const bool size_registered = MatchingRegistry::instance().add(
    "size", {.help = "by source, tag and length in bytes, in any order, as INSEE's papers say",
             .rule = {.bytes = true, .in_order = false, .wildcards = false}});

}  // namespace
}  // namespace weft::workloads
