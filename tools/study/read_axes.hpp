// Reads the axes of a parameter sweep.
#pragma once

#include "tools/run/config/study_table.hpp"
#include "tools/study/sweep_study.hpp"

namespace weft::tools::sweep {

/// Adds the axes of the [sweep] table to the study. Throws ConfigError with file:line for what is malformed, for keys
/// that are unknown or in two axes, and for none, unless a search varies something.
void read_axes(const toml::table& sweep, bool has_search, SweepStudy& study);

/// Throws ConfigError at `place` unless an axis may have the key.
void check_swept_key(const std::string& key, const std::string& place);

}  // namespace weft::tools::sweep
