// Writing a file so that it is there whole or not at all, by POSIX calls, since only those tell fsync's outcome.
#include "tools/result/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& reason, const std::string& suggestion) {
  throw SystemError("cannot write '" + path + "' (" + reason + "); " + suggestion);
}

[[noreturn]] void fail_errno(const std::string& path, const std::string& what, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  const bool denied = error == EACCES || error == EPERM || error == EROFS;
  const char* suggestion = full     ? "free space or choose another directory"
                           : denied ? "choose a directory that you may write to"
                                    : "choose another path";
  fail(path, what + ": " + std::strerror(error), suggestion);
}

/// An open file descriptor; `close` reports what the destructor cannot.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

/// A temporary file beside the target, removed unless it was renamed.
struct Temporary {
  std::string name;
  ~Temporary() {
    if (!name.empty()) ::unlink(name.c_str());
  }
};

/// The file that `path` means: symbolic links resolved, so that a rename replaces the file and not the link.
std::string resolved(const std::string& path) {
  if (path.empty()) throw SystemError("cannot write a file without a name (the path is empty); give a path");
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

std::string directory_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

void check_directory(const std::string& path) {
  const std::string directory = directory_of(path);
  struct stat status = {};
  if (::stat(directory.c_str(), &status) != 0) {
    if (errno == ENOENT) fail(path, "directory '" + directory + "' does not exist", "create it or choose another path");
    fail_errno(path, "directory '" + directory + "'", errno);
  }
  if (!S_ISDIR(status.st_mode)) fail(path, "'" + directory + "' is not a directory", "choose another path");
}

/// Creates a new file in the directory of `path`; its short name stays legal however long the target's is.
int create_temporary(const std::string& path, Temporary& temporary) {
  const std::string stem = directory_of(path) + "/.weft-" + std::to_string(::getpid()) + "-";
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::string name = stem + std::to_string(attempt) + ".tmp";
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      temporary.name = name;
      return fd;
    }
    if (errno != EEXIST) fail_errno(path, "no new file in '" + directory_of(path) + "'", errno);
  }
  fail(path, "1000 left-over temporary files named " + stem + "*.tmp", "remove them");
}

void write_all(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_errno(path, "write failed", errno);
    if (written == 0) fail(path, "the device takes no more data", "choose another path");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  // Pipes and devices have nothing to synchronise and say so with EINVAL or ENOTSUP.
  if (::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
    fail_errno(path, "fsync failed", errno);
}

void write_directly(const std::string& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) fail_errno(path, "open failed", errno);
  write_all(file.get(), content, path);
  if (!file.close()) fail_errno(path, "close failed", errno);
}

/// Makes the rename itself last; the content is safe already, so a file system that cannot do this is no error.
void synchronise_directory(const std::string& path) {
  const Descriptor directory(::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
}

}  // namespace

void write_file_atomically(const std::string& path, std::string_view content) {
  const std::string target = resolved(path);
  struct stat status = {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, "it is a directory", "add a file name");
  if (exists && !S_ISREG(status.st_mode)) return write_directly(target, content);
  check_directory(target);
  Temporary temporary;
  Descriptor file(create_temporary(target, temporary));
  // A replaced file keeps its permissions; where that is refused the new file's defaults are good enough.
  if (exists && ::fchmod(file.get(), status.st_mode & 07777) != 0) errno = 0;
  write_all(file.get(), content, path);
  if (!file.close()) fail_errno(path, "close failed", errno);
  if (::rename(temporary.name.c_str(), target.c_str()) != 0) fail_errno(path, "rename failed", errno);
  temporary.name.clear();
  synchronise_directory(target);
}

void check_writable(const std::string& path) {
  if (path == "-") return;
  const std::string target = resolved(path);
  struct stat status = {};
  if (::stat(target.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(path, "it is a directory", "add a file name");
    if (!S_ISREG(status.st_mode)) {
      if (::access(target.c_str(), W_OK) != 0) fail_errno(path, "not writable", errno);
      return;
    }
  }
  check_directory(target);
  if (fs::path(target).filename().empty()) fail(path, "it names a directory", "add a file name");
  Temporary probe;
  const Descriptor file(create_temporary(target, probe));
}

}  // namespace weft::tools
