// The files of a scaling study: CSV, HDF5, HTML page and the plots as SVG.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/scaling/tables.hpp"

namespace weft::tools {

/// Names of what write_scaling_files writes.
inline constexpr std::array scaling_files{"scaling.csv",    "scaling.h5",     "scaling.html",  "speed-up.svg",
                                          "efficiency.svg", "time-split.svg", "prediction.svg"};

/// Writes scaling_files (prediction.svg only where there are predictions) into the study's folder, each whole or not at
/// all; their paths. Throws SystemError.
std::vector<std::string> write_scaling_files(const ScalingResult& result);

/// The page: tables, plots, model, predictions. UTF-8, no scripts, no references.
[[nodiscard]] std::string scaling_page(const ScalingResult& result);

}  // namespace weft::tools
