// Reads traffic matrices, whole or sparse.
#include "workloads/traffic/pattern/matrix_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
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
void add_row(const TextLine& line, u32 row, u32 nodes, const std::string& of, std::vector<MatrixEntry>& entries) {
  if (row >= nodes) {
    line.fail(
        fmt::format("row {} of a matrix of {} {}s (one row a {}); remove what is too much", row + 1, nodes, of, of));
  }
  for (u32 to = 0; to < nodes; ++to) entries.push_back({row, to, line.weight(to, "weight")});
}

/// Places of the columns of a table of pairs, as `weft trace stats --out FILE.csv` writes it; of lines without names.
struct PairColumns {
  std::size_t from = 0, to = 1, weight = 2, all = 3;
};

void add_pair(const TextLine& line, const PairColumns& columns, u32 nodes, const std::string& of,
              std::vector<MatrixEntry>& entries) {
  const auto node = [&](std::size_t word) { return static_cast<u32>(line.whole(word, nodes - 1, of.c_str())); };
  entries.push_back({node(columns.from), node(columns.to), line.weight(columns.weight, "weight")});
}

/// The columns that a first line names, if it does.
std::optional<PairColumns> columns_of(const TextLine& line, const MatrixWords& expected) {
  const std::string& weight = expected.column;
  std::vector<std::string_view> names;
  for (std::size_t word = 0; word < line.words(); ++word) names.push_back(line.word(word));
  const auto place = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const PairColumns columns{place("from"), place("to"), place(weight), names.size()};
  if (columns.from == names.size() || columns.to == names.size()) return {};
  if (columns.weight == names.size()) line.fail(fmt::format("has no column \"{}\" ({})", weight, expected.column_key));
  return columns;
}

}  // namespace

TrafficMatrix read_traffic_matrix(std::string_view text, const std::string& name, u32 nodes, const MatrixWords& words) {
  std::vector<MatrixEntry> entries;
  u32 rows = 0;
  bool begun = false, whole = false;
  std::optional<PairColumns> columns;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    if (!begun) {
      begun = true;
      columns = columns_of(line, words);
      if (columns) return;
      whole = line.words() == nodes;
    }
    if (columns) {
      line.expect_words(columns->all, "as many as the first line names");
      return add_pair(line, *columns, nodes, words.of, entries);
    }
    if (line.words() != (whole ? nodes : 3)) {
      line.fail(fmt::format("{} words; write {}, or `source destination weight` on each line", line.words(),
                            fmt::format("{} lines of {} weights", nodes, nodes)));
    }
    if (whole) {
      add_row(line, rows++, nodes, words.of, entries);
    } else {
      add_pair(line, PairColumns{}, nodes, words.of, entries);
    }
  });
  if (whole && rows != nodes) {
    throw InputError(fmt::format("{}: a matrix of {} rows for {} {}s (one row a {}); add {}", shown(name), rows, nodes,
                                 words.of, words.of, nodes - rows));
  }
  std::erase_if(entries, [](const MatrixEntry& e) { return e.weight == 0 || e.from == e.to; });
  if (entries.empty()) {
    throw InputError(
        fmt::format("{}: no {} has a weight for another (nothing would be sent); add one", shown(name), words.of));
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
