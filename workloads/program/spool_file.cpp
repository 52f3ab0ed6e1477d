// Unlinked temporary files; see the header.
#include "workloads/program/spool_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t staging_bytes = 1024 * 1024;

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

}  // namespace

SpoolFile::SpoolFile(std::string what) : what_(std::move(what)) {
  std::string path = temporary_folder() + "/weft-" + what_ + "-XXXXXX";
  descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("create");
  // Without a name the file vanishes with the process, however that ends.
  ::unlink(path.c_str());
}

SpoolFile::~SpoolFile() {
  if (!mapped_.empty()) ::munmap(mapped_.data(), mapped_.size());
  ::close(descriptor_);
}

void SpoolFile::write(const u8* bytes, std::size_t count) {
  bytes_ += count;
  if (staged_.size() + count > staging_bytes) write_staged();
  if (count >= staging_bytes) {
    write_through(bytes, count);
  } else {
    staged_.insert(staged_.end(), bytes, bytes + count);
  }
}

void SpoolFile::flush() {
  write_staged();
  staged_ = std::vector<u8>();
}

void SpoolFile::write_staged() {
  write_through(staged_.data(), staged_.size());
  staged_.clear();
}

void SpoolFile::write_through(const u8* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

void SpoolFile::read(u64 offset, u8* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) fail("read");
    to += got;
    offset += static_cast<u64>(got);
    count -= static_cast<std::size_t>(got);
  }
}

std::span<u8> SpoolFile::map() {
  WEFT_ASSERT(mapped_.empty() && bytes_ > 0 && staged_.empty());
  void* const begin = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (begin == MAP_FAILED) fail("map");
  mapped_ = {static_cast<u8*>(begin), bytes_};
  return mapped_;
}

void SpoolFile::fail(const char* action) const {
  const std::string reason = std::strerror(errno);
  throw SystemError(fmt::format("cannot {} the temporary {} file in {} ({}); set TMPDIR to a folder with more space",
                                action, what_, temporary_folder(), reason));
}

}  // namespace weft::workloads
