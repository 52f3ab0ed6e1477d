// Reads what a study says of columns that follow from others: [[sweep.column]].
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/run/config/study_table.hpp"
#include "tools/study/sweep_study.hpp"

namespace weft::tools::sweep {

/// Names of the columns that tell points apart.
[[nodiscard]] std::vector<std::string> telling_names(const SweepStudy& study);

/// Reads the [[sweep.column]] tables; axes and search must be known. Throws ConfigError with file:line.
void read_columns(const StudyTable& sweep, SweepStudy& study);

/// The key=value pairs of an inline table, {network = "torus", topology.up = 4}, each key one that tells points apart.
/// Throws ConfigError at `key` of the table for others, and for values that are in no axis.
[[nodiscard]] std::map<std::string, std::string> read_place(const StudyTable& table, const std::string& key,
                                                            const SweepStudy& study);
/// Whether two values as TOML are the same: 1 and 1.0 are.
[[nodiscard]] bool same_value(const std::string& a, const std::string& b);

}  // namespace weft::tools::sweep
