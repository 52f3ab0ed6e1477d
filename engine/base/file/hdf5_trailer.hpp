// The checksum that our HDF5 files end with, behind what HDF5 itself reads.
#pragma once

#include <fstream>
#include <string>

#include "engine/base/types.hpp"

namespace weft::files {

/// A line with `hash`, written behind the end of the HDF5 file, where HDF5 does not look. HDF5 1.10 has no checksum on
/// texts of variable length and can crash on damaged ones, so damage must be found before it opens the file. Who edits
/// the file with HDF5 removes the trailer, and no checksum is asked for then.
[[nodiscard]] std::string hdf5_trailer(u64 hash);

enum class Hdf5Trailer { absent, right, wrong };

/// Compares the trailer of a file with its content.
[[nodiscard]] Hdf5Trailer check_hdf5_trailer(std::ifstream& file, u64 file_bytes);

}  // namespace weft::files
