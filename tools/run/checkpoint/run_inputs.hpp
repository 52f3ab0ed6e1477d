// The files besides the config that a run's history follows from: what they held when it started.
#pragma once

#include <string>
#include <vector>

#include "tools/run/config/config.hpp"

namespace weft::tools {

/// The trace and the placement file of a run, hashed before they are read. A checkpoint holds the hash, so that a run
/// goes on only with the same files, whatever stands at their paths by then.
class RunInputs {
 public:
  RunInputs() = default;
  /// Throws InputError if a file cannot be read.
  explicit RunInputs(const Config& config);
  [[nodiscard]] u64 hash() const { return hash_; }
  /// The file that can be read only once (a pipe), so that no checkpoint of the run could be resumed; empty if there
  /// is none.
  [[nodiscard]] const std::string& unrepeatable() const { return unrepeatable_; }
  /// Call when the files have been read: throws InputError unless they are what was hashed.
  void check_unchanged() const;

 private:
  struct File {
    std::string path;
    u64 device = 0, inode = 0, bytes = 0, modified_ns = 0;
    u64 hash = 0;
    [[nodiscard]] bool looks_like(const File& other) const;
  };
  [[nodiscard]] static File look_at(const std::string& path);
  void add(const std::string& path);

  bool several_ = false;  ///< a key may name a folder or a pattern
  std::vector<File> files_;
  u64 hash_ = 0;
  std::string unrepeatable_;
};

}  // namespace weft::tools
