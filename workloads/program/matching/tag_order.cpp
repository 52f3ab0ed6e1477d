// Matching "tag-order": as MPI matches receives that say their tags, and nothing is held back for others.
#include "workloads/program/matching/matching.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool tag_order_registered = MatchingRegistry::instance().add(
    "tag-order", {.help = "as \"order\", but messages of different tags may overtake each other (a receive of any tag "
                          "takes what comes first)",
                  .rule = {.tags_apart = true}});

}  // namespace
}  // namespace weft::workloads
