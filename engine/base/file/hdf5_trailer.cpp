// Writes and compares the checksum behind HDF5 files; see the header.
#include "engine/base/file/hdf5_trailer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "engine/base/hash.hpp"

namespace weft::files {
namespace {

constexpr std::string_view trailer_start = "\nweft-checksum ";
constexpr std::size_t trailer_bytes = trailer_start.size() + 16 + 1;
static_assert(trailer_bytes == 32);

}  // namespace

std::string hdf5_trailer(u64 hash) { return fmt::format("{}{}\n", trailer_start, hex_digits(hash)); }

Hdf5Trailer check_hdf5_trailer(std::ifstream& file, u64 file_bytes) {
  if (file_bytes < trailer_bytes) return Hdf5Trailer::absent;
  std::string found(trailer_bytes, '\0');
  file.seekg(static_cast<std::streamoff>(file_bytes - trailer_bytes));
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  if (!file) return Hdf5Trailer::wrong;  // the bytes are there, but cannot be read
  if (!found.starts_with(trailer_start)) return Hdf5Trailer::absent;
  file.seekg(0);
  std::string block(std::size_t{1} << 20, '\0');
  u64 hash = fnv1a({});
  for (u64 left = file_bytes - trailer_bytes; left > 0;) {
    const u64 count = std::min<u64>(left, block.size());
    file.read(block.data(), static_cast<std::streamsize>(count));
    if (!file) return Hdf5Trailer::wrong;
    hash = fnv1a(std::string_view(block).substr(0, count), hash);
    left -= count;
  }
  return found == hdf5_trailer(hash) ? Hdf5Trailer::right : Hdf5Trailer::wrong;
}

}  // namespace weft::files
