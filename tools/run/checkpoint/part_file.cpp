// POSIX calls around the file that HDF5 writes; they tell what HDF5 and MPI do not.
#include "tools/run/checkpoint/part_file.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/system/machine.hpp"

namespace weft::tools {
namespace {

/// What the temporary files of this host's processes beside `path` begin with. A job that is thought dead may still be
/// writing, here or on another host.
std::string part_stem(const std::string& path) { return fmt::format("{}.part-{}-", path, host_name()); }

/// Removes what processes of this host that are no more have left half-written: STEM, their id, "-" and random digits.
void remove_left_overs(const std::string& path) {
  const std::string stem = part_stem(path);
  std::error_code error;
  std::filesystem::directory_iterator entry(files::directory_of(path), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = (std::filesystem::path(path).parent_path() / entry->path().filename()).string();
    if (!name.starts_with(stem)) continue;
    const std::string digits = name.substr(stem.size(), name.find('-', stem.size()) - stem.size());
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) continue;
    if (::kill(std::stoi(digits), 0) != 0 && errno == ESRCH) ::unlink(name.c_str());
  }
}

/// Whether the disk has room for so many bytes; empty if so, else why not. HDF5 recovers badly from a full disk, so
/// that is found out before it is asked to write.
std::string reserve(int file, u64 bytes) {
  const int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  // File systems that cannot reserve say so in one of these ways.
  if (error == 0 || error == EOPNOTSUPP || error == EINVAL) return {};
  return fmt::format("no room for {} KiB: {}", bytes >> 10, std::strerror(error));
}

}  // namespace

PartFile::~PartFile() {
  if (transport_.rank() == 0 && !name_.empty()) ::unlink(name_.c_str());
}

std::string PartFile::create(const CheckpointPlace& place, u64 bytes) {
  if (!place.refused.empty()) return place.refused;
  try {
    target_ = files::output_target(place.path);
  } catch (const Error& error) {
    return error.what();
  }
  remove_left_overs(target_.path);
  file_ = files::create_exclusively(fmt::format("{}{}-", part_stem(target_.path), ::getpid()), "", name_);
  if (!file_.valid()) return fmt::format("no new file beside it: {}", std::strerror(errno));
  if (target_.exists && ::fchmod(file_.get(), target_.permissions) != 0) errno = 0;  // as good as the default
  return reserve(file_.get(), bytes);
}

std::string PartFile::open() {
  std::vector<std::byte> bytes(bytes_of(name_).begin(), bytes_of(name_).end());
  transport_.broadcast(bytes);
  name_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (transport_.rank() != 0) file_ = files::Descriptor(::open(name_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  const std::string problem = file_.valid() ? "" : fmt::format("cannot open '{}': {}", name_, std::strerror(errno));
  struct stat status = {};
  if (file_.valid() && ::fstat(file_.get(), &status) == 0) inode_ = status.st_ino;
  // Device numbers differ from host to host.
  std::vector<u64> inodes{inode_};
  transport_.max(inodes);
  return problem.empty() && inodes[0] != inode_ ? fmt::format("'{}' is another file here than elsewhere", name_)
                                                : problem;
}

std::string PartFile::synchronise() {
  const bool safe = ::fsync(file_.get()) == 0;
  const int error = errno;
  return safe && file_.close() ? "" : fmt::format("fsync failed: {}", std::strerror(safe ? errno : error));
}

std::string PartFile::publish() {
  struct stat status = {};
  if (::lstat(name_.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_ino != inode_)
    return fmt::format("'{}' was removed or replaced by somebody else", name_);
  if (::rename(name_.c_str(), target_.path.c_str()) != 0) return fmt::format("rename failed: {}", std::strerror(errno));
  name_.clear();
  files::synchronise_directory(target_.path);
  return {};
}

std::string first_problem(engine::Transport& transport, const std::string& mine) {
  u64 any = mine.empty() ? 0 : 1;
  transport.sum({&any, 1});
  if (any == 0) return {};
  const bool other = !mine.empty() && transport.rank() != 0;
  const std::string told = other ? fmt::format("rank {} on {}: {}", transport.rank(), host_name(), mine) : mine;
  std::vector<std::byte> found;
  for (auto& of_rank : transport.gather(bytes_of(told))) {
    if (found.empty()) found = std::move(of_rank);
  }
  transport.broadcast(found);
  return {reinterpret_cast<const char*>(found.data()), found.size()};
}

}  // namespace weft::tools
