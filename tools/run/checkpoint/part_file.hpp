// The file that a checkpoint is while it is being written: none that was there before, and safe on the disk before it
// takes its place.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/base/file/output_path.hpp"
#include "engine/transport.hpp"
#include "tools/run/checkpoint/checkpoint_file.hpp"

namespace weft::tools {

/// PATH.part-HOST-PID-RANDOM, created exclusively by rank 0 and open on every rank from before the first byte is
/// written: so the system tells each rank of every write that fails, and another file under the name is noticed. The
/// members give what went wrong on this rank, empty if nothing; call them in order, the next only if all ranks are
/// well.
class PartFile {
 public:
  explicit PartFile(engine::Transport& transport) : transport_(transport) {}
  ~PartFile();  ///< removes the file unless it was published
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Rank 0: creates the file beside `place` and makes room for so many bytes. Clears away what processes of this host
  /// that are no more have left half-written there.
  [[nodiscard]] std::string create(const CheckpointPlace& place, u64 bytes);
  /// Opens rank 0's file on the others. Collective.
  [[nodiscard]] std::string open();
  /// Puts this rank's data on the disk: what was written on another host may be in that host's memory only.
  [[nodiscard]] std::string synchronise();
  /// Rank 0: puts the file in its place for good.
  [[nodiscard]] std::string publish();

 private:
  engine::Transport& transport_;
  files::OutputTarget target_;
  std::string name_;
  files::Descriptor file_;
  u64 inode_ = 0;
};

/// Text as the transport and hashes take it.
[[nodiscard]] inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// The problem of the lowest rank that has one, on all ranks; empty if none has. Collective.
[[nodiscard]] std::string first_problem(engine::Transport& transport, const std::string& mine);

}  // namespace weft::tools
