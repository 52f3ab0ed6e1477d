// Data files of stores; see the header.
#include "workloads/trace/store/store_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_staged_bytes = 1024 * 1024;

std::string folder_of_temporary_files() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

}  // namespace

StoreFile StoreFile::create(const std::string& path) {
  if (!path.empty()) {
    StoreFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666), path);
    if (file.descriptor_ < 0) file.fail("create");
    return file;
  }
  std::string name = folder_of_temporary_files() + "/weft-trace-XXXXXX";
  StoreFile file(::mkostemp(name.data(), O_CLOEXEC), "");
  if (file.descriptor_ < 0) file.fail("create");
  ::unlink(name.c_str());  // it vanishes with the process, however that ends
  return file;
}

StoreFile StoreFile::open(const std::string& path) {
  StoreFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path);
  if (file.descriptor_ < 0) file.fail("read");
  file.bytes_ = static_cast<u64>(::lseek(file.descriptor_, 0, SEEK_END));
  return file;
}

StoreFile::StoreFile(StoreFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(other.bytes_),
      staged_(std::move(other.staged_)) {}

StoreFile::~StoreFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

u64 StoreFile::append(const u8* bytes, std::size_t count) {
  if (staged_.size() + count > most_staged_bytes) write_staged();
  staged_.insert(staged_.end(), bytes, bytes + count);
  return std::exchange(bytes_, bytes_ + count);
}

void StoreFile::flush() {
  write_staged();
  staged_ = std::vector<u8>();
  if (!path_.empty() && ::fdatasync(descriptor_) != 0) fail("write");
}

void StoreFile::write_staged() {
  const u8* at = staged_.data();
  for (std::size_t left = staged_.size(); left > 0;) {
    const ssize_t written = ::write(descriptor_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  staged_.clear();
}

void StoreFile::read(u64 offset, u8* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0)
      throw InputError(fmt::format("{}: ends at byte {} (it is damaged); delete it, it is made anew", path_, offset));
    if (got < 0) fail("read");
    to += got;
    offset += static_cast<u64>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void StoreFile::fail(const char* action) const {
  const std::string reason = std::strerror(errno);
  if (!path_.empty()) throw SystemError(fmt::format("cannot {} {} ({}); free some space there", action, path_, reason));
  throw SystemError(fmt::format("cannot {} the temporary trace file in {} ({}); set TMPDIR to a folder with more space",
                                action, folder_of_temporary_files(), reason));
}

}  // namespace weft::workloads
