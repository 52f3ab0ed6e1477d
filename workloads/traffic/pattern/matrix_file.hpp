// Traffic matrices: how much each node sends to each other, from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Weights above 0 of destinations, those of a source one after the other, by destination; its own is left out.
struct TrafficMatrix {
  std::vector<u64> first;  ///< [source], and the end of the last
  std::vector<u32> to;
  std::vector<double> weight;
};

/// What a matrix is of, for errors, and which column of a table has its weights.
struct MatrixWords {
  std::string column = "bytes";
  std::string of = "node";                                                           ///< what its rows are
  std::string column_key = "workload.matrix_column says which one has the weights";  ///< why that column
};

/// Reads a traffic matrix of `nodes` nodes: as many lines of as many weights (row: source), or lines `source
/// destination weight` in any order, those of a pair adding up. Lines of three words are of the second form, unless
/// there are three nodes. Throws InputError with file and line.
[[nodiscard]] TrafficMatrix read_traffic_matrix(std::string_view text, const std::string& name, u32 nodes,
                                                const MatrixWords& words = {});

}  // namespace weft::workloads
