// A program that computes faster or slower than another.
#pragma once

#include <memory>

#include "workloads/program/program.hpp"

namespace weft::workloads {

/// `program`, of which each computation takes `scale` times as long, in whole ns, rounded down; for writers of traces.
/// Graphs are good until the next is asked for. Operations throw ConfigError where a computation is longer than a trace
/// holds.
[[nodiscard]] std::unique_ptr<Program> scaled_program(std::unique_ptr<Program> program, double scale);

}  // namespace weft::workloads
