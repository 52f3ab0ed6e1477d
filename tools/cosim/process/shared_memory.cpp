// Memory without a name (memfd), opened by others through /proc; see the header.
#include "tools/cosim/process/shared_memory.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/error.hpp"

namespace weft::tools::cosim {
namespace {

[[noreturn]] void fail_memory(const std::string& what) {
  throw SystemError(
      fmt::format("cannot {} ({}); processes talk to weft through memory on one machine", what, std::strerror(errno)));
}

}  // namespace

SharedMemory::SharedMemory(const Board& board) : tasks_(board.tasks) {
  fd_ = ::memfd_create("weft-cosim", MFD_CLOEXEC);
  if (fd_ < 0) fail_memory("make memory for processes");
  if (::ftruncate(fd_, static_cast<off_t>(memory_bytes(tasks_))) != 0) {
    const int error = errno;
    ::close(fd_);
    errno = error;
    fail_memory(fmt::format("make memory for {} processes", tasks_));
  }
  map();
  new (mapped_) Board(board);
}

SharedMemory::SharedMemory(const std::string& path, u32 tasks) : tasks_(tasks) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd_ < 0) fail_memory(fmt::format("open the memory of the first rank, '{}'", path));
  map();
}

SharedMemory::~SharedMemory() {
  ::munmap(mapped_, channel_at(tasks_));
  ::close(fd_);
}

void SharedMemory::map() {
  void* const mapped = ::mmap(nullptr, channel_at(tasks_), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (mapped == MAP_FAILED) {
    ::close(fd_);
    fail_memory("map the memory of processes");
  }
  mapped_ = static_cast<std::byte*>(mapped);
}

std::string SharedMemory::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_); }

Channel& SharedMemory::channel(u32 task) const {
  return *std::launder(reinterpret_cast<Channel*>(mapped_ + channel_at(task)));
}

}  // namespace weft::tools::cosim
