// Inputs that are read more than once, pipes too.
#pragma once

#include <memory>

#include "workloads/program/store_file.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// The first file of an input. What a pipe gives is kept in a temporary file.
class KeptInput {
 public:
  /// Throws InputError, SystemError (disk).
  explicit KeptInput(const TraceInput& input);
  /// Its bytes from the begin, decompressed; from any thread.
  [[nodiscard]] std::unique_ptr<ByteSource> open() const;
  [[nodiscard]] const std::string& name() const { return input_.files[0]; }

 private:
  TraceInput input_;
  std::shared_ptr<const StoreFile> kept_;
};

}  // namespace weft::workloads
