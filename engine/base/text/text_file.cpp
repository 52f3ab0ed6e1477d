// Reads with POSIX calls, since streams do not say why and sometimes not that they failed.
#include "engine/base/text/text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/text/shown.hpp"

namespace weft {
namespace {

constexpr u64 block_bytes = 64 * 1024;

/// Closes at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

FileText unfit(std::string problem, std::string advice) {
  return {FileText::Status::unfit, {}, std::move(problem), std::move(advice)};
}

std::string size_text(u64 bytes) {
  constexpr u64 mebibyte = u64{1} << 20;
  return bytes % mebibyte == 0 ? fmt::format("{} MiB", bytes / mebibyte) : fmt::format("{} bytes", bytes);
}

FileText too_large(u64 most_bytes) {
  return unfit("it is larger than " + size_text(most_bytes), "is it the right file?");
}

}  // namespace

int open_to_read(const std::string& path, u32 wait_ms) {
  // Without O_NONBLOCK, to open a pipe waits for a writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  struct stat facts {};
  if (file < 0 || ::fstat(file, &facts) != 0 || !S_ISFIFO(facts.st_mode)) {
    if (file >= 0) ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
  }
  int probe[2];
  if (::pipe2(probe, O_CLOEXEC) != 0) {
    const int error = errno;
    ::close(file);
    errno = error;
    return -1;
  }
  // tee takes nothing away; it gives 0 if there is neither a writer nor anything left that one has written.
  constexpr u32 step_ms = 10;
  bool written = false;
  for (u32 waited = 0; !written; waited += step_ms) {
    written = ::tee(file, probe[1], 1, SPLICE_F_NONBLOCK) != 0;
    if (written || waited >= wait_ms) break;
    ::poll(nullptr, 0, static_cast<int>(step_ms));
  }
  ::close(probe[0]);
  ::close(probe[1]);
  if (written) {
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
  }
  ::close(file);
  errno = ENXIO;
  return -1;
}

std::string open_problem(int error) {
  return error == ENXIO ? "it is a pipe that nobody writes to, or a device that is not there" : std::strerror(error);
}

FileText file_text(const std::string& path, u64 most_bytes, ReadCall read, u32 wait_ms) {
  if (path.find('\0') != std::string::npos) return unfit("its name holds a NUL character", "check the path");
  // Looked at before it is opened, since to open a device can do something; and again, since it may be another by then.
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return unfit(std::strerror(errno), "check the path");
  const auto is_text = [&facts] { return S_ISREG(facts.st_mode) || S_ISFIFO(facts.st_mode); };
  if (S_ISDIR(facts.st_mode)) return unfit("it is a directory", "give a file in it");
  if (!is_text()) return unfit("it is a device or a socket", "give a file or a pipe");
  const Descriptor file(open_to_read(path, wait_ms));
  if (file.number() < 0) {
    return errno == ENXIO ? unfit("it is a pipe that nobody writes to", "start what writes to it first")
                          : unfit(std::strerror(errno), "check the path and the permissions");
  }
  if (::fstat(file.number(), &facts) != 0) {
    return {FileText::Status::broken, {}, std::strerror(errno), "check the file system"};
  }
  if (!is_text()) return unfit("it is a device or a socket", "give a file or a pipe");
  const u64 stated_bytes = facts.st_size > 0 ? static_cast<u64>(facts.st_size) : 0;
  if (stated_bytes > most_bytes) return too_large(most_bytes);

  FileText result;
  u64 filled = 0;
  for (;;) {
    // One byte of room more than is stated, so that the usual file is read without another block.
    if (filled == result.text.size()) {
      result.text.resize(std::max(filled + block_bytes, filled == 0 ? stated_bytes + 1 : filled + filled / 2));
    }
    const ssize_t got =
        (read != nullptr ? read : ::read)(file.number(), result.text.data() + filled, result.text.size() - filled);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return {FileText::Status::broken,
              {},
              fmt::format("{} after {} bytes", std::strerror(errno), filled),
              "check the file and its file system"};
    }
    filled += static_cast<u64>(got);
    if (filled > most_bytes) return too_large(most_bytes);
  }
  result.text.resize(filled);
  return result;
}

template <class UserError>
std::string read_text_file(const std::string& path, u64 most_bytes, const std::string& what, ReadCall read) {
  FileText file = file_text(path, most_bytes, read);
  if (file.status == FileText::Status::whole) return std::move(file.text);
  const std::string line = fmt::format("{}: cannot read the {} ({}); {}", shown(path), what, file.problem, file.advice);
  if (file.status == FileText::Status::broken) throw SystemError(line);
  throw UserError(line);
}

template std::string read_text_file<ConfigError>(const std::string&, u64, const std::string&, ReadCall);
template std::string read_text_file<InputError>(const std::string&, u64, const std::string&, ReadCall);

}  // namespace weft
