// Columns of a sweep's tables that follow from others: what networks are made of and cost, and [[sweep.column]].
#pragma once

#include <string>
#include <vector>

#include "tools/study/sweep_networks.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {

/// Rows that columns are derived of: what tells them apart, and the columns that are known.
struct ColumnRows {
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> values;  ///< [row][key], as TOML
  std::vector<TableColumn> known;
};
/// The column `spec` of these rows: NaN where it cannot be told. Throws Bug for a column that is not known.
[[nodiscard]] TableColumn derived(const DerivedColumn& spec, const ColumnRows& rows);

/// Fills in the columns of points and of curves that the study asks for. Throws what building networks and reading
/// their prices throw, but for points whose network cannot be built.
void add_columns(SweepTable& table, Networks& networks);

}  // namespace weft::tools::sweep
