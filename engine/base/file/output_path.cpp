// Looks at paths with stat and readlink; what happens between a look and the rename is up to who may write to the
// directory.
#include "engine/base/file/output_path.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "engine/base/error.hpp"

namespace weft::files {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as Linux follows

[[noreturn]] void fail(const std::string& path, const std::string& reason, const std::string& suggestion) {
  throw SystemError(fmt::format("cannot write '{}' ({}); {}", path, reason, suggestion));
}

/// The name behind all symbolic links at `path`, also where nothing of that name is there yet.
std::string followed(const std::string& path) {
  std::string at = path;
  for (int links = 0; links <= most_links; ++links) {
    std::error_code no_link;
    const fs::path to = fs::read_symlink(at, no_link);
    if (no_link) return at;
    at = (fs::path(at).parent_path() / to).string();
  }
  fail_output(path, "its links", ELOOP);
}

void check_directory(const std::string& path, const std::string& target) {
  const std::string directory = directory_of(target);
  struct stat status = {};
  if (::stat(directory.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_output(path, fmt::format("directory '{}'", directory), errno);
    fail(path, fmt::format("directory '{}' does not exist", directory), "create it or choose another path");
  }
  if (!S_ISDIR(status.st_mode)) fail(path, fmt::format("'{}' is not a directory", directory), "choose another path");
}

/// Tries what the writer will do.
void check_takes_files(const std::string& path, const OutputTarget& target) {
  if (target.stream) {
    if (::access(target.path.c_str(), W_OK) != 0) fail_output(path, "not writable", errno);
    return;
  }
  std::string name;
  const Descriptor probe =
      create_exclusively(fmt::format("{}/.weft-{}-", directory_of(target.path), ::getpid()), ".tmp", name);
  if (!probe.valid()) fail_output(path, fmt::format("no new file in '{}'", directory_of(target.path)), errno);
  ::unlink(name.c_str());
}

}  // namespace

void fail_output(const std::string& path, const std::string& what, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  const bool denied = error == EACCES || error == EPERM || error == EROFS;
  const char* suggestion = error == EFBIG ? "raise the limit of file sizes (ulimit -f) or write less"
                           : full         ? "free space or choose another directory"
                           : denied       ? "choose a directory that you may write to"
                                          : "choose another path";
  fail(path, fmt::format("{}: {}", what, std::strerror(error)), suggestion);
}

OutputTarget output_target(const std::string& path, Streams streams) {
  if (path.empty()) throw SystemError("cannot write a file without a name (the path is empty); give a path");
  OutputTarget target;
  struct stat status = {};
  target.exists = ::stat(path.c_str(), &status) == 0;
  if (target.exists && S_ISDIR(status.st_mode)) fail(path, "it is a directory", "add a file name");
  target.stream = target.exists && !S_ISREG(status.st_mode);
  if (target.stream && streams == Streams::refused) {
    throw ConfigError(
        fmt::format("'{}' is no regular file (a new file would take its place); choose another path", path));
  }
  target.path = target.stream ? path : followed(path);
  if (target.stream) return target;
  target.permissions = target.exists ? status.st_mode & 07777 : 0;
  check_directory(path, target.path);
  if (fs::path(target.path).filename().empty()) fail(path, "it names a directory", "add a file name");
  return target;
}

std::string directory_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

void synchronise_directory(const std::string& path) {
  const Descriptor directory(::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.valid()) ::fsync(directory.get());
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    static_cast<void>(close());
    fd_ = other.release();
  }
  return *this;
}

bool Descriptor::close() {
  const int fd = release();
  return fd < 0 || ::close(fd) == 0;
}

int Descriptor::release() { return std::exchange(fd_, -1); }

Descriptor create_exclusively(const std::string& stem, std::string_view ending, std::string& name) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string chosen = fmt::format("{}{:08x}{}", stem, static_cast<u32>(random()), ending);
    Descriptor file(::open(chosen.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!file.valid() && errno == EEXIST) continue;
    if (file.valid()) name = chosen;
    return file;
  }
  errno = EEXIST;
  return {};
}

/// `path`: links followed. Inode 0 if neither the file nor its directory is there.
CommandFiles::Identity CommandFiles::identity_of(const std::string& path, bool exists) {
  struct stat status = {};
  if (::stat((exists ? path : directory_of(path)).c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, exists ? "" : fs::path(path).filename().string()};
}

void CommandFiles::reads(const std::string& what, const std::string& path) {
  if (path.empty()) return;
  struct stat status = {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  // A pipe or terminal may well be read and written.
  if (exists && !S_ISREG(status.st_mode)) return;
  if (!exists && errno != ENOENT) return;
  const Identity identity = identity_of(exists ? path : followed(path), exists);
  if (identity.inode != 0) inputs_.push_back({what, identity});
}

FileFormat hdf5_format() { return {"HDF5", ".h5", {".h5", ".hdf5"}}; }
FileFormat page_format() { return {"an HTML page", ".html", {".html", ".htm"}}; }
FileFormat figure_format() { return {"a figure", ".pdf", {".pdf", ".svg", ".png", ".eps"}}; }
FileFormat csv_format() { return {"CSV", ".csv", {".csv"}}; }
FileFormat json_format() { return {"JSON", ".json", {}}; }
FileFormat program_format() { return {"a trace", ".trc", {".trc", ".goal", ".goal.bin"}}; }
FileFormat text_format() { return {"text", ".txt", {}}; }

void check_ending(const std::string& what, const std::string& path, const FileFormat& format) {
  static const std::vector<std::string> of_others = {".h5",  ".hdf5", ".html", ".htm", ".csv", ".pdf", ".png",
                                                     ".svg", ".xz",   ".gz",   ".zst", ".bz2", ".zip", ".toml"};
  const std::string ending = fs::path(path).extension().string();
  if (ending.empty() || path == "-") return;
  const std::vector<std::string>& own = format.endings;
  const bool fits = own.empty() ? std::ranges::find(of_others, ending) == of_others.end()
                                : std::ranges::any_of(own, [&](const auto& each) { return path.ends_with(each); });
  if (fits) return;
  const fs::path stem = fs::path(path).replace_extension();
  throw ConfigError(fmt::format("{} = '{}' is no name for what is written ({}, not \"{}\"); use '{}'", what, path,
                                format.name, ending, stem.string() + format.usual));
}

void CommandFiles::writes(const std::string& what, const std::string& path, Streams streams,
                          const std::string& replaceable) {
  if (path.empty()) return;
  if (path == "-" && streams == Streams::allowed) return;
  if (path == "-") {
    throw ConfigError(
        fmt::format("{} - is not possible (what it writes goes to a file, not to standard output); name a file", what));
  }
  const OutputTarget target = output_target(path, streams);
  if (!target.stream) {
    const Identity identity = identity_of(target.path, target.exists);
    if (identity.inode == 0) fail_output(target.path, "it vanished", errno);
    for (const Known& input : inputs_) {
      if (input.identity == identity && (replaceable.empty() || input.what != replaceable)) {
        throw ConfigError(fmt::format("{} = '{}' would be overwritten (it is {}, which is read); choose another file",
                                      what, path, input.what));
      }
    }
    for (const Known& output : outputs_) {
      if (output.identity == identity) {
        throw ConfigError(fmt::format("{} and {} both name '{}' (one would replace the other); use two files",
                                      output.what, what, path));
      }
    }
    for (const int standard : {STDOUT_FILENO, STDERR_FILENO}) {
      struct stat status = {};
      if (::fstat(standard, &status) == 0 && S_ISREG(status.st_mode) &&
          identity == Identity{status.st_dev, status.st_ino, ""}) {
        throw ConfigError(
            fmt::format("{} = '{}' is where standard {} goes (one would replace the other); name another file", what,
                        path, standard == STDOUT_FILENO ? "output" : "error"));
      }
    }
    outputs_.push_back({what, identity});
  }
  check_takes_files(path, target);
}

void CommandFiles::writes(const std::string& what, const std::string& path, const FileFormat& format, Streams streams) {
  writes(what, path, streams);
  check_ending(what, path, format);
}

}  // namespace weft::files
