// A sweep read back from the file of its table.
#pragma once

#include <string>

#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {

/// Reads a file of write_sweep_hdf5: the study as it was then, points with their values, states and figures, without
/// the config and what made points fail. Throws InputError.
[[nodiscard]] SweepTable read_sweep_table(const std::string& path);

}  // namespace weft::tools::sweep
