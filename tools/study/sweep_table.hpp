// All points of a sweep in one table: for other programs (HDF5, CSV) and for the terminal.
#pragma once

#include <string>
#include <vector>

#include "tools/study/sweep_folder.hpp"

namespace weft::tools::sweep {

/// A column beside the settings and figures of points: of their networks, or derived.
struct TableColumn {
  std::string name, unit;
  std::vector<double> values;  ///< [row]; NaN: not known
};

/// A sweep as far as it has come.
struct SweepTable {
  SweepStudy study;
  std::vector<SweepPoint> points;
  std::vector<PointState> states;               ///< [point]
  std::vector<TableColumn> columns = {};        ///< of points, see sweep_columns.hpp
  std::vector<TableColumn> curve_columns = {};  ///< of the rows of `saturations`, likewise

  [[nodiscard]] u32 count(PointStatus status) const;
};

/// One HDF5 file: the root's attributes tell what was swept (format = "weft-sweep", format_version, version, name,
/// study, base: the text of the study, the settings of its config); /settings/TABLE.KEY and /points/{index, name,
/// status, digest, FIGURE, COLUMN} are the columns of one table, [point]; /saturation/{KEY, low, high, accepted_most,
/// COLUMN}, of a search, those of another, [curve]; /published/{figure, label, over, x, published, simulated, source},
/// [published point]. Settings are numbers where all of their values are.
/// Throws SystemError.
void write_sweep_hdf5(const SweepTable& table, const std::string& path);

/// The columns of the points as comma-separated values (RFC 4180), empty where there is no value.
[[nodiscard]] std::string sweep_csv(const SweepTable& table);

/// Where the curves of a search saturate, likewise: what names a curve, low, high, accepted_most.
[[nodiscard]] std::string saturation_csv(const SweepTable& table);

/// Settings, state and the figures people look at first, a line for each point.
[[nodiscard]] std::string sweep_text(const SweepTable& table);

/// "12 points: 10 done, 1 failed, 1 missing, 2 points not converged, 3 points saturated"
[[nodiscard]] std::string sweep_counts(const SweepTable& table);

/// The points that are not done: each reason once, with the points that have it.
[[nodiscard]] std::string sweep_gaps(const SweepTable& table);

/// A TOML text without its quotes; everything else as it is.
[[nodiscard]] std::string plain_value(const std::string& value);
/// A value as TOML as a number, or NaN if it is none.
[[nodiscard]] double number_of(const std::string& value);

}  // namespace weft::tools::sweep
