// The memory that weft shares with processes (channel.hpp), on weft's side.
#pragma once

#include <string>

#include "engine/base/types.hpp"
#include "tools/cosim/process/channel.hpp"

namespace weft::tools::cosim {

/// Gone with the last process that has it; it has no name in any folder.
class SharedMemory {
 public:
  /// New memory for `board.tasks` processes. Throws SystemError.
  explicit SharedMemory(const Board& board);
  /// Memory that another process of this machine has made. Throws SystemError.
  SharedMemory(const std::string& path, u32 tasks);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// By which other processes of this machine open it, while this one runs.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] u32 tasks() const { return tasks_; }
  [[nodiscard]] Channel& channel(u32 task) const;

 private:
  void map();

  u32 tasks_;
  int fd_ = -1;
  std::byte* mapped_ = nullptr;  ///< board and channels
};

}  // namespace weft::tools::cosim
