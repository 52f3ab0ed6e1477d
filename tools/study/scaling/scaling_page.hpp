// The page of a scaling study: speed-up, efficiency, where the time goes, points, model, predictions.
#pragma once

#include <string>
#include <vector>

#include "tools/report/page/page.hpp"
#include "tools/study/scaling/tables.hpp"

namespace weft::tools {

/// What curves show of a point.
struct ScalingRow {
  std::string series;
  u64 ranks = 0;
  bool oversubscribed = false;  ///< more ranks than cores
  double speed_up = 0, efficiency = 0;
  double compute_share = 1, exchange_share = 0, waiting_share = 0;
};
[[nodiscard]] std::vector<ScalingRow> scaling_rows(const ScalingResult& result);

/// The file that write_scaling_files makes: rows, its name, and the cores of the machine.
struct ScalingFile {
  std::string name, kind;
  u64 cores = 0;
  std::vector<ScalingRow> rows;
};
/// Throws InputError.
[[nodiscard]] ScalingFile read_scaling(const std::string& path);

/// Adds speed-up, efficiency and shares of time. `cores`: where ranks begin to share them.
void add_scaling_curves(page::Page& page, const std::vector<ScalingRow>& rows, u64 cores);

[[nodiscard]] std::string scaling_page(const ScalingResult& result);

}  // namespace weft::tools
