// A plug-in with a name that weft itself has.
#include "workloads/program/matching/matching.hpp"

namespace {

const bool taken_registered =
    weft::workloads::MatchingRegistry::instance().add("order", {.help = "another one of that name", .rule = {}});

}  // namespace
