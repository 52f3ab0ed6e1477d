// Looks through the parts of an HDF5 file that have no checksum and that HDF5 1.10 trusts: the heaps in which texts
// lie. A damaged one makes it read and write beyond its memory, or never return.
#pragma once

#include <map>
#include <string>

#include "engine/base/types.hpp"

namespace weft::files {

/// All text heaps ("global heap collections") of a file.
class Hdf5Heaps {
 public:
  /// Reads the file once from begin to end.
  explicit Hdf5Heaps(std::string path);
  /// What is wrong with the file's beginning or with a heap; empty if nothing.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Whether `count` references to texts, stored from byte `offset` of the file on, lead to texts of their lengths.
  [[nodiscard]] bool holds(u64 offset, u64 count) const;

 private:
  using Heap = std::map<u16, u64>;  ///< bytes of each text, by its number
  [[nodiscard]] static bool read_heap(const std::string& bytes, Heap& heap);

  std::string path_, problem_;
  std::map<u64, Heap> heaps_;  ///< by address
};

}  // namespace weft::files
