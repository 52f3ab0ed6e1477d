// Matching "length": INSEE's rule.
#include "workloads/program/matching/matching.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool length_registered = MatchingRegistry::instance().add(
    "length", {.help = "by source, tag and length in packets, in any order, as INSEE does",
               .rule = {.packets = true, .in_order = false, .wildcards = false},
               .default_of = MatchingUse::linear});

}  // namespace
}  // namespace weft::workloads
