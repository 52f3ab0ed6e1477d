// After the HDF5 File Format Specification 3.0, II.A (superblock), III.E (global heap) and VIII.A (references to
// texts).
#include "engine/base/file/hdf5_heap.hpp"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::files {
namespace {

constexpr std::string_view heap_start{"GCOL\x01\0\0\0", 8};
constexpr u64 heap_header_bytes = 16, object_header_bytes = 16, reference_bytes = 16;
constexpr std::size_t block_bytes = std::size_t{1} << 20;

template <class T>
T little_endian(const char* from) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

u64 aligned(u64 bytes) { return (bytes + 7) / 8 * 8; }

/// Places where a heap may begin.
std::vector<u64> starts_of_heaps(std::ifstream& file) {
  std::vector<u64> starts;
  std::string block;
  const std::size_t overlap = heap_start.size() - 1;
  for (u64 at = 0;; at += block.size() - overlap) {
    block.resize(block_bytes);
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    block.resize(static_cast<std::size_t>(file.gcount()));
    for (std::size_t found = block.find(heap_start); found != std::string::npos;
         found = block.find(heap_start, found + 1))
      starts.push_back(at + found);
    if (block.size() < block_bytes) return starts;
  }
}

}  // namespace

Hdf5Heaps::Hdf5Heaps(std::string path) : path_(std::move(path)) {
  std::ifstream file(path_, std::ios::binary);
  // Version 2 is the first that has checksums on what is not checked here.
  constexpr std::streamoff version_at = 8;
  file.seekg(version_at);
  if (const int version = file.get(); version != 2 && version != 3) {
    problem_ = fmt::format("its superblock is of version {}; 2 or 3 is wanted, as of HDF5 1.8 and later", version);
    return;
  }
  file.seekg(0, std::ios::end);
  const u64 file_bytes = static_cast<u64>(file.tellg());
  for (const u64 start : starts_of_heaps(file)) {
    std::string bytes(heap_header_bytes, '\0');
    const auto read = [&] {
      file.clear();
      file.seekg(static_cast<std::streamoff>(start));
      return static_cast<bool>(file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())));
    };
    u64 size = 0;
    if (read()) size = little_endian<u64>(bytes.data() + heap_start.size());
    if (size < heap_header_bytes || size > file_bytes - start) {
      problem_ = fmt::format("damaged: the texts at byte {} have no end", start);
      return;
    }
    bytes.resize(size);
    if (!read() || !read_heap(bytes, heaps_[start])) {
      problem_ = fmt::format("damaged: the texts at byte {} overlap", start);
      return;
    }
  }
}

bool Hdf5Heaps::read_heap(const std::string& bytes, Heap& heap) {
  for (u64 at = heap_header_bytes; bytes.size() - at >= object_header_bytes;) {
    const u16 number = little_endian<u16>(bytes.data() + at);
    const u64 size = little_endian<u64>(bytes.data() + at + 8), left = bytes.size() - at;
    if (number == 0) return size == left;  // what is free, its header counted
    if (size > left - object_header_bytes || object_header_bytes + aligned(size) > left) return false;
    if (!heap.emplace(number, size).second) return false;
    at += object_header_bytes + aligned(size);
  }
  return true;
}

bool Hdf5Heaps::holds(u64 offset, u64 count) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  char reference[reference_bytes];
  for (u64 row = 0; row < count; ++row) {
    if (!file.read(reference, sizeof reference)) return false;
    const u64 bytes = little_endian<u32>(reference), address = little_endian<u64>(reference + 4);
    const u32 number = little_endian<u32>(reference + 12);
    if (address == 0 && bytes == 0) continue;  // no text
    const auto heap = heaps_.find(address);
    if (heap == heaps_.end() || number > 0xffff) return false;
    const auto text = heap->second.find(static_cast<u16>(number));
    if (text == heap->second.end() || text->second != bytes) return false;
  }
  return true;
}

}  // namespace weft::files
