// The files of a scaling study: CSV, HDF5 and the page.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/study/scaling/tables.hpp"

namespace weft::tools {

/// Names of what write_scaling_files writes.
inline constexpr std::array scaling_files{"scaling.csv", "scaling.h5", "scaling.html"};

/// Writes scaling_files into the study's folder, each whole or not at all; their paths. Throws SystemError.
std::vector<std::string> write_scaling_files(const ScalingResult& result);

}  // namespace weft::tools
