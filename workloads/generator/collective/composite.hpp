// Algorithms that are collective operations one after the other: among all tasks, or inside nodes and among their
// leaders.
#pragma once

#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {

/// Registers an algorithm of `parts` (CollectiveKind::parts), which say what it does; returns true.
bool add_composite(CollectiveKind kind);

}  // namespace weft::workloads
