// A large text file in parts that are cut between lines, so that several threads or processes can read it.
#pragma once

#include <memory>
#include <string>

#include "engine/base/types.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// The ranges of the first file of a trace. What is compressed, a pipe or small is one part.
class LineRanges {
 public:
  static constexpr u64 default_part_bytes = u64{32} << 20;
  explicit LineRanges(const TraceInput& input, u64 part_bytes = default_part_bytes);

  [[nodiscard]] u32 parts() const { return parts_; }
  /// The lines that begin in part `part`, of several. Throws InputError.
  [[nodiscard]] std::unique_ptr<ByteSource> open(u32 part) const;
  /// How many lines begin in the parts before. Reads them: for errors.
  [[nodiscard]] u64 lines_before(u32 part) const;

 private:
  std::string path_;
  u64 bytes_ = 0, part_bytes_;
  u32 parts_ = 1;
};

}  // namespace weft::workloads
