// Sizes of data types in a DUMPI trace: from its table, and from the calls that make new ones.
#pragma once

#include <vector>

#include "workloads/trace/event.hpp"
#include "workloads/trace/format/dumpi/dumpi_file.hpp"

namespace weft::workloads {

class DumpiTypes {
 public:
  explicit DumpiTypes(const DumpiFile& file);
  /// Bytes of `count` elements; TraceEvent::unknown_bytes if the trace does not say. `count` is not negative.
  [[nodiscard]] u64 bytes(i64 count, i64 type) const;
  /// Takes notice of a call that makes a type, or tells its size. True if it is one.
  bool note(const DumpiCall& call);

 private:
  static constexpr u64 unknown = ~u64{0};
  [[nodiscard]] u64 size(i64 type) const;
  void set(i64 type, u64 size);
  std::vector<u64> sizes_;
};

}  // namespace weft::workloads
