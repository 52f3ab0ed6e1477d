// Reads traffic matrices, whole or sparse.
#include "workloads/traffic/pattern/matrix_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::workloads {
namespace {

struct MatrixEntry {
  u32 from, to;
  double weight;
};

/// A line of a whole matrix.
void add_row(const TextLine& line, u32 row, u32 nodes, std::vector<MatrixEntry>& entries) {
  if (row >= nodes)
    line.fail(fmt::format("row {} of a matrix of {} nodes (one row a node); remove what is too much", row + 1, nodes));
  for (u32 to = 0; to < nodes; ++to) entries.push_back({row, to, line.weight(to, "weight")});
}

void add_pair(const TextLine& line, u32 nodes, std::vector<MatrixEntry>& entries) {
  const auto node = [&](std::size_t word) { return static_cast<u32>(line.whole(word, nodes - 1, "node")); };
  entries.push_back({node(0), node(1), line.weight(2, "weight")});
}

}  // namespace

TrafficMatrix read_traffic_matrix(std::string_view text, const std::string& name, u32 nodes) {
  std::vector<MatrixEntry> entries;
  u32 rows = 0;
  bool begun = false, whole = false;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    if (!begun) whole = line.words() == nodes;
    begun = true;
    if (line.words() != (whole ? nodes : 3)) {
      line.fail(fmt::format("{} words; write {}, or `source destination weight` on each line", line.words(),
                            fmt::format("{} lines of {} weights", nodes, nodes)));
    }
    if (whole) {
      add_row(line, rows++, nodes, entries);
    } else {
      add_pair(line, nodes, entries);
    }
  });
  if (whole && rows != nodes) {
    throw InputError(fmt::format("{}: a matrix of {} rows for {} nodes (one row a node); add {}", shown(name), rows,
                                 nodes, nodes - rows));
  }
  std::erase_if(entries, [](const MatrixEntry& e) { return e.weight == 0 || e.from == e.to; });
  if (entries.empty()) {
    throw InputError(fmt::format("{}: no node has a weight for another (nothing would be sent); add one", shown(name)));
  }
  std::ranges::stable_sort(entries, {}, [](const MatrixEntry& e) { return std::tuple(e.from, e.to); });
  TrafficMatrix matrix;
  matrix.first.resize(nodes + 1, 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const MatrixEntry& e = entries[k];
    if (k > 0 && entries[k - 1].from == e.from && entries[k - 1].to == e.to) {
      matrix.weight.back() += e.weight;
      continue;
    }
    matrix.to.push_back(e.to);
    matrix.weight.push_back(e.weight);
    ++matrix.first[e.from + 1];
  }
  for (u32 node = 0; node < nodes; ++node) matrix.first[node + 1] += matrix.first[node];
  return matrix;
}

}  // namespace weft::workloads
