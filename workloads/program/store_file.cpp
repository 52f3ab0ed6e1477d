// Files by descriptors; see the header.
#include "workloads/program/store_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_staged_bytes = 1024 * 1024;

std::string folder_of_temporary_files() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

}  // namespace

StoreFile::StoreFile(int descriptor, std::string path, std::string what)
    : path_(std::move(path)), what_(std::move(what)), descriptor_(descriptor) {}

StoreFile StoreFile::create(const std::string& path) {
  StoreFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666), path, "");
  if (file.descriptor_ < 0) file.fail("create");
  return file;
}

StoreFile StoreFile::open(const std::string& path) {
  StoreFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path, "");
  if (file.descriptor_ < 0 && errno == ENOENT)
    throw InputError(fmt::format("{}: is missing (the store is damaged); delete its folder, it is made anew", path));
  if (file.descriptor_ < 0) file.fail("read");
  file.bytes_ = static_cast<u64>(::lseek(file.descriptor_, 0, SEEK_END));
  return file;
}

StoreFile StoreFile::temporary(const std::string& what) {
  std::string name = folder_of_temporary_files() + "/weft-" + what + "-XXXXXX";
  StoreFile file(::mkostemp(name.data(), O_CLOEXEC), "", what);
  if (file.descriptor_ < 0) file.fail("create");
  ::unlink(name.c_str());
  return file;
}

StoreFile::StoreFile(StoreFile&& other) noexcept
    : path_(std::move(other.path_)),
      what_(std::move(other.what_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(other.bytes_),
      staged_(std::move(other.staged_)),
      mapped_(std::exchange(other.mapped_, {})) {}

StoreFile::~StoreFile() {
  if (!mapped_.empty()) ::munmap(mapped_.data(), mapped_.size());
  if (descriptor_ >= 0) ::close(descriptor_);
}

u64 StoreFile::append(const u8* bytes, std::size_t count) {
  if (staged_.size() + count > most_staged_bytes) write_staged();
  if (count >= most_staged_bytes) {
    write_through(bytes, count);
  } else {
    staged_.insert(staged_.end(), bytes, bytes + count);
  }
  return std::exchange(bytes_, bytes_ + count);
}

void StoreFile::flush() {
  write_staged();
  staged_ = std::vector<u8>();
  if (!path_.empty() && ::fdatasync(descriptor_) != 0) fail("write");
}

void StoreFile::write_staged() {
  write_through(staged_.data(), staged_.size());
  staged_.clear();
}

void StoreFile::write_through(const u8* bytes, std::size_t count) const {
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

void StoreFile::read(u64 offset, u8* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 && !path_.empty())
      throw InputError(fmt::format("{}: ends at byte {} (it is damaged); delete it, it is made anew", path_, offset));
    if (got == 0) errno = EIO;
    if (got <= 0) fail("read");
    to += got;
    offset += static_cast<u64>(got);
    count -= static_cast<std::size_t>(got);
  }
}

std::span<u8> StoreFile::map() {
  WEFT_ASSERT(mapped_.empty() && bytes_ > 0 && staged_.empty());
  void* const begin = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (begin == MAP_FAILED) fail("map");
  mapped_ = {static_cast<u8*>(begin), bytes_};
  return mapped_;
}

void StoreFile::fail(const char* action) const {
  const std::string reason = std::strerror(errno);
  if (!path_.empty()) throw SystemError(fmt::format("cannot {} {} ({}); free some space there", action, path_, reason));
  throw SystemError(fmt::format("cannot {} the temporary {} file in {} ({}); set TMPDIR to a folder with more space",
                                action, what_, folder_of_temporary_files(), reason));
}

}  // namespace weft::workloads
