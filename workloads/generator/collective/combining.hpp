// What combining data costs: a computation after each receive of data to be combined.
#pragma once

#include <memory>

#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {

/// `program`, which is that of the resolved `spec`: after a receive whose data is combined (`combines`) its task
/// computes for combine_ns_per_byte times its bytes, in whole ns, the nearest.
[[nodiscard]] std::unique_ptr<Program> combining_program(std::unique_ptr<const Program> program,
                                                         const CollectiveSpec& spec);

}  // namespace weft::workloads
