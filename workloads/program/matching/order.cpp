// Matching "order": as MPI matches.
#include "workloads/program/matching/matching.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool order_registered = MatchingRegistry::instance().add(
    "order", {.help = "by source, tag and communicator, in the order in which messages were sent, as MPI does",
              .rule = {},
              .default_of = MatchingUse::graphs});

}  // namespace
}  // namespace weft::workloads
