// Flows from files: lines `start_ns source destination bytes`, and connection matrices of htsim.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

struct ListedFlow {
  double start_ns = 0;
  u32 from = 0, to = 0;
  u64 bytes = 0;
};

/// The flows of a file between `nodes` nodes, by start (as in the file where that is the same). A connection matrix
/// (first word Nodes or Connections) has lines `SOURCE->DESTINATION start PICOSECONDS size BYTES`, other words of htsim
/// that say nothing of when and what (id, prio) besides. Throws InputError with file and line: for malformed numbers,
/// unknown nodes, flows to their source, counts that do not fit, and what is not simulated here (triggers, failures).
[[nodiscard]] std::vector<ListedFlow> read_flows(std::string_view text, const std::string& name, u32 nodes);

}  // namespace weft::workloads
