// A matching rule from outside the source folders: docs/adding-a-matching-rule.md.
#include "workloads/program/matching/matching.hpp"

namespace weft::workloads {
namespace {

const bool any_communicator_registered = MatchingRegistry::instance().add(
    "any-communicator",
    {.help = "by source and tag, in the order in which messages were sent, whatever the communicator",
     .rule = {.communicator = false}});

}  // namespace
}  // namespace weft::workloads
