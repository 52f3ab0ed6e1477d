// Writing a file so that it is there whole or not at all, by POSIX calls, since only those tell fsync's outcome.
#include "engine/base/file/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "engine/base/error.hpp"

namespace weft::files {

AtomicFile::AtomicFile(std::string path, Streams streams)
    : path_(std::move(path)), target_(output_target(path_, streams)) {
  if (target_.stream) {
    file_ = Descriptor(::open(target_.path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file_.valid()) fail_output(path_, "open failed", errno);
    return;
  }
  const std::string directory = directory_of(target_.path);
  // A short name is legal however long the target's is.
  file_ = create_exclusively(fmt::format("{}/.weft-{}-", directory, ::getpid()), ".tmp", temporary_);
  if (!file_.valid()) {
    temporary_.clear();
    fail_output(path_, fmt::format("no new file in '{}'", directory), errno);
  }
  // A replaced file keeps its permissions; where that is refused the new file's defaults are good enough.
  if (target_.exists && ::fchmod(file_.get(), target_.permissions) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file_.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_output(path_, "write failed", errno);
    if (written == 0) fail_output(path_, "the device takes no more data", ENOSPC);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  // Pipes and devices have nothing to synchronise and say so with EINVAL or ENOTSUP.
  if (::fsync(file_.get()) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
    fail_output(path_, "fsync failed", errno);
  if (!file_.close()) fail_output(path_, "close failed", errno);
  if (target_.stream) return;
  if (::rename(temporary_.c_str(), target_.path.c_str()) != 0) fail_output(path_, "rename failed", errno);
  temporary_.clear();
  synchronise_directory(target_.path);
}

void write_file_atomically(const std::string& path, std::string_view content, Streams streams) {
  AtomicFile file(path, streams);
  file.write(content);
  file.commit();
}

}  // namespace weft::files
