// Layout of the file: attributes of the root for the header; /config and /version as text; /run; /entities/ids and for each
// column /entities/NAME_bytes (lengths) and /entities/NAME (records, one after the other); /events/K for each event type.
#include "tools/checkpoint/checkpoint_file.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <hdf5.h>
#include <numeric>
#include <string_view>
#include <unistd.h>

#include "engine/digest_sum.hpp"
#include "engine/error.hpp"
#include "tools/hash/hash.hpp"
#include "tools/machine/machine.hpp"
#include "tools/result/atomic_file.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t written_bytes = std::size_t{16} << 20, read_bytes = std::size_t{4} << 20;  // at a time
constexpr std::size_t gap_bytes = std::size_t{64} << 10;  // read rather than passed over
constexpr u64 run_id = ~u64{0}, text_id = run_id - 1;

std::span<const std::byte> as_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

constexpr std::string_view part_mark = ".part-";

/// A name beside `path` that no other process of this host or another uses: a job that is thought dead may still be writing.
std::string part_name(const std::string& path) {
  return path + std::string(part_mark) + host_name() + "-" + std::to_string(::getpid());
}

/// Removes what processes of this host that are no more have left half-written.
void remove_left_overs(const std::string& path) {
  const std::string mine = part_name(path), stem = mine.substr(0, mine.rfind('-') + 1);
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(parent.empty() ? "." : parent, error)) {
    const std::string name = parent.empty() ? entry.path().filename().string() : entry.path().string();
    if (!name.starts_with(stem) || name.size() == stem.size()) continue;
    const std::string digits = name.substr(stem.size());
    if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) continue;
    if (::kill(std::stoi(digits), 0) != 0 && errno == ESRCH) std::filesystem::remove(entry.path(), error);
  }
}

/// Whether the disk has room for so many bytes at `name`; empty if so, else why not. HDF5 recovers badly from a full disk, so
/// that is found out before it is asked to write.
std::string reserve(const std::string& name, u64 bytes) {
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return std::string("cannot create '") + name + "': " + std::strerror(errno);
  const int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  ::close(file);
  // File systems that cannot reserve say so in one of these ways.
  if (error == 0 || error == EOPNOTSUPP || error == EINVAL) return {};
  return "no room for " + std::to_string(bytes >> 10) + " KiB: " + std::strerror(error);
}

/// The writing side on one rank. After a failure it goes on with the calls that all ranks make together and remembers the
/// first reason, so that no rank is left waiting for another.
class Writer {
 public:
  Writer(const std::string& name, engine::Transport& transport) : transport_(transport) {
    start_hdf5();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18);
    if (transport.size() > 1) note(H5Pset_fapl_mpio(access.id(), MPI_COMM_WORLD, MPI_INFO_NULL), "set-up");
    file_ = Hdf5Handle(note(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), "create"), H5Fclose);
  }

  void group(const char* name) {
    if (file_.id() < 0) return;
    const Hdf5Handle made(note(H5Gcreate2(file_.id(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name), H5Gclose);
  }
  void attribute(const char* name, u64 value) {
    if (file_.id() < 0) return;
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle made(note(H5Acreate2(file_.id(), name, H5T_STD_U64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), name),
                          H5Aclose);
    if (made.id() >= 0) note(H5Awrite(made.id(), H5T_NATIVE_UINT64, &value), name);
  }

  /// A dataset of `count` elements from this rank, after those of lower ranks. `fill(first, count, to)` gives them.
  template <class T>
  void dataset(const std::string& name, u64 count, const std::function<void(u64, u64, T*)>& fill) {
    std::vector<u64> counts(transport_.size(), 0);
    counts[transport_.rank()] = count;
    transport_.sum(counts);
    const u64 total = std::accumulate(counts.begin(), counts.end(), u64{0});
    const u64 before = std::accumulate(counts.begin(), counts.begin() + transport_.rank(), u64{0});
    if (file_.id() < 0) return;
    const i64 type = sizeof(T) == 1 ? H5T_NATIVE_UINT8 : sizeof(T) == 4 ? H5T_NATIVE_UINT32 : H5T_NATIVE_UINT64;
    const hsize_t extent = total;
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER);
    const Hdf5Handle set(
        note(H5Dcreate2(file_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), name),
        H5Dclose);
    if (set.id() < 0) return;
    std::vector<T> piece;
    for (u64 at = 0; at < count && reason_.empty();) {
      const u64 here = std::min<u64>(count - at, written_bytes / sizeof(T));
      piece.resize(here);
      fill(at, here, piece.data());
      const hsize_t first = before + at, length = here;
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &first, nullptr, &length, nullptr);
      const Hdf5Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose);
      note(H5Dwrite(set.id(), type, memory.id(), space.id(), H5P_DEFAULT, piece.data()), name);
      at += here;
    }
  }
  template <class T>
  void list(const std::string& name, std::span<const T> values) {
    dataset<T>(name, values.size(),
               [&](u64 first, u64 count, T* to) { std::copy_n(values.begin() + static_cast<i64>(first), count, to); });
  }
  /// Records of known lengths one after the other, put together piece by piece.
  void records(const std::string& name, const CheckpointColumn& column, const std::vector<u32>& ids, u64 number,
               engine::Digest& digest) {
    u64 total = 0;
    for (const u32 bytes : column.bytes) total += bytes;
    std::size_t row = 0;
    std::vector<std::byte> record;
    std::size_t used = 0;  // of `record`, which a piece may split
    dataset<u8>(name, total, [&](u64, u64 count, u8* to) {
      for (u64 done = 0; done < count;) {
        if (used == record.size()) {
          while (column.bytes[row] == 0) ++row;
          record.resize(column.bytes[row]);
          column.fill(row, record.data());
          digest.add(ids[row], number << 32 | record.size(), hash_bytes(record));
          ++row;
          used = 0;
        }
        const std::size_t part = std::min<std::size_t>(record.size() - used, count - done);
        std::memcpy(to + done, record.data() + used, part);
        used += part;
        done += part;
      }
    });
  }

  void close() {
    if (file_.id() >= 0) note(file_.close(), "close");
  }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  template <class Id>
  Id note(Id status, const std::string& what) {
    if (status < 0 && reason_.empty()) reason_ = what + ": hdf5 says '" + hdf5_reason() + "'";
    return status;
  }

  engine::Transport& transport_;
  Hdf5Handle file_;
  std::string reason_;
};

/// Puts the finished file in its place for good. Empty if that worked, else why not.
std::string publish(const std::string& temporary, const std::string& path) {
  const int file = ::open(temporary.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return std::string("cannot open what was written: ") + std::strerror(errno);
  const bool safe = ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  if (!safe) return std::string("fsync failed: ") + std::strerror(error);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return std::string("rename failed: ") + std::strerror(errno);
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const int directory = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
  return {};
}

/// Bytes that the records, events and lists of a share take.
u64 bytes_of(const CheckpointShare& share) {
  u64 bytes = share.run.size() + share.ids.size() * sizeof(u32);
  for (const CheckpointColumn& column : share.columns) {
    bytes += column.bytes.size() * sizeof(u32) + std::accumulate(column.bytes.begin(), column.bytes.end(), u64{0});
  }
  for (const auto& rows : share.events) bytes += rows.size();
  return bytes;
}

}  // namespace

u64 write_checkpoint(const std::string& path, const CheckpointHeader& header, const CheckpointShare& share,
                     engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  std::string temporary = part_name(path);
  std::vector<std::byte> told(as_bytes(temporary).begin(), as_bytes(temporary).end());
  transport.broadcast(told);  // all ranks open rank 0's
  temporary.assign(reinterpret_cast<const char*>(told.data()), told.size());
  if (first) remove_left_overs(path);
  engine::Digest digest;
  std::string reason;
  constexpr u64 overhead_bytes = 65536;
  u64 bytes = bytes_of(share);
  transport.sum({&bytes, 1});
  if (first) reason = reserve(temporary, bytes + header.config_toml.size() + overhead_bytes);
  u64 no_room = reason.empty() ? 0 : 1;
  transport.sum({&no_room, 1});
  if (no_room == 0) {
    Writer file(temporary, transport);
    const auto text = [&](const char* name, const std::string& content) {
      const auto span =
          first ? std::span(reinterpret_cast<const u8*>(content.data()), content.size()) : std::span<const u8>();
      file.list<u8>(name, span);
      if (first) digest.add(text_id, content.size(), hash_bytes(as_bytes(content)));
    };
    text("/version", header.version);
    text("/config", header.config_toml);
    file.list<u8>("/run", std::span(reinterpret_cast<const u8*>(share.run.data()), share.run.size()));
    if (first) digest.add(run_id, share.run.size(), hash_bytes(share.run));
    file.group("/entities");
    file.list<u32>("/entities/ids", share.ids);
    for (std::size_t c = 0; c < share.columns.size(); ++c) {
      const CheckpointColumn& column = share.columns[c];
      file.list<u32>("/entities/" + column.name + "_bytes", column.bytes);
      file.records("/entities/" + column.name, column, share.ids, c, digest);
    }
    file.group("/events");
    for (std::size_t k = 0; k < share.events.size(); ++k) {
      const std::vector<std::byte>& rows = share.events[k];
      file.list<u8>("/events/" + std::to_string(k), std::span(reinterpret_cast<const u8*>(rows.data()), rows.size()));
      for (std::size_t at = 0; at < rows.size(); at += share.event_bytes[k]) {
        digest.add(k, share.event_bytes[k], hash_bytes(std::span(rows).subspan(at, share.event_bytes[k])));
      }
    }
    const engine::Digest all = engine::sum_of_ranks(transport, digest);
    file.attribute("weft_checkpoint_layout", checkpoint_layout);
    file.attribute("config_hash", header.config_hash);
    file.attribute("inputs_hash", header.inputs_hash);
    file.attribute("tick", header.tick);
    file.attribute("ranks", transport.size());
    file.attribute("digest_low", all.low());
    file.attribute("digest_high", all.high());
    file.close();
    reason = file.reason();
  }
  u64 problems = reason.empty() ? 0 : 1;
  transport.sum({&problems, 1});
  if (problems == 0 && first) reason = publish(temporary, path);
  u64 failed = reason.empty() ? 0 : 1;
  transport.sum({&failed, 1});
  if (failed == 0) return bytes;
  if (first) ::unlink(temporary.c_str());
  throw SystemError("cannot write the checkpoint '" + path + "' (" + (reason.empty() ? "another rank failed" : reason) +
                    "); free space or set checkpoint.path to another directory; an older checkpoint is untouched");
}

CheckpointReader::CheckpointReader(std::string path) : path_(std::move(path)) {
  start_hdf5();
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) fail("there is no such file");
  if (std::filesystem::is_directory(path_, error)) fail("it is a directory");
  if (std::filesystem::file_size(path_, error) == 0) fail("it is empty");
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), false, true);
  file_ =
      Hdf5Handle(check(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.id()), "no HDF5 file, or cut short"), H5Fclose);
  const auto number = [&](const char* name) {
    if (H5Aexists(file_.id(), name) <= 0) fail(std::string("attribute '") + name + "' is missing");
    const Hdf5Handle attribute(check(H5Aopen(file_.id(), name, H5P_DEFAULT), name), H5Aclose);
    const Hdf5Handle space(check(H5Aget_space(attribute.id()), name), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) fail(std::string("attribute '") + name + "' is no single value");
    u64 value = 0;
    check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value), name);
    return value;
  };
  if (const u64 layout = number("weft_checkpoint_layout"); layout != checkpoint_layout) {
    fail("its layout is " + std::to_string(layout) + ", this program reads " + std::to_string(checkpoint_layout) +
         "; resume with the version that wrote it");
  }
  header_.config_hash = number("config_hash");
  header_.inputs_hash = number("inputs_hash");
  header_.tick = number("tick");
  header_.ranks = number("ranks");
  digest_low_ = number("digest_low");
  digest_high_ = number("digest_high");
  const auto text = [&](const char* name) {
    u64 count = 0;
    const Hdf5Handle set = open(name, count, H5T_INTEGER, 1);
    std::string content(count, '\0');
    if (count != 0) read(set, H5T_NATIVE_UINT8, 0, count, content.data());
    common_.add(text_id, content.size(), hash_bytes(as_bytes(content)));
    return content;
  };
  header_.version = text("/version");
  header_.config_toml = text("/config");
}

std::unique_ptr<CheckpointReader> CheckpointReader::open_by_all(const std::string& path, engine::Transport& transport) {
  constexpr u32 attempts = 30;
  for (u32 attempt = 0;; ++attempt) {
    auto reader = std::make_unique<CheckpointReader>(path);
    const u64 mine[3] = {reader->header_.tick, reader->digest_low_, reader->digest_high_};
    u64 least[3], most[3];
    std::copy_n(mine, 3, least);
    std::copy_n(mine, 3, most);
    transport.min(least);
    transport.max(most);
    if (std::equal(least, least + 3, most)) return reader;
    if (attempt + 1 == attempts) reader->fail("it is replaced again and again: another run is still writing it");
  }
}

std::vector<std::byte> CheckpointReader::run() {
  u64 count = 0;
  const Hdf5Handle set = open("/run", count, H5T_INTEGER, 1);
  std::vector<std::byte> bytes(count);
  if (count != 0) read(set, H5T_NATIVE_UINT8, 0, count, bytes.data());
  common_.add(run_id, bytes.size(), hash_bytes(bytes));
  return bytes;
}

void CheckpointReader::keep(const std::function<bool(u32)>& wanted) {
  u64 rows = 0;
  const Hdf5Handle set = open("/entities/ids", rows, H5T_INTEGER, 4);
  ids_.resize(rows);
  if (rows != 0) read(set, H5T_NATIVE_UINT32, 0, rows, ids_.data());
  kept_.resize(rows);
  for (u64 row = 0; row < rows; ++row) kept_[row] = wanted(ids_[row]);
}

void CheckpointReader::each_record(const std::string& column,
                                   const std::function<void(u32, std::span<const std::byte>)>& f) {
  const u64 number = columns_read_++, rows = ids_.size();
  u64 lengths = 0, total = 0;
  const Hdf5Handle length_set = open("/entities/" + column + "_bytes", lengths, H5T_INTEGER, 4);
  if (lengths != rows)
    fail("column '" + column + "' has " + std::to_string(lengths) + " records for " + std::to_string(rows) +
         " entities");
  std::vector<u32> bytes(rows);
  if (rows != 0) read(length_set, H5T_NATIVE_UINT32, 0, rows, bytes.data());
  const Hdf5Handle set = open("/entities/" + column, total, H5T_INTEGER, 1);
  if (std::accumulate(bytes.begin(), bytes.end(), u64{0}) != total)
    fail("the records of column '" + column + "' do not fill it");
  std::vector<std::byte> piece;
  u64 at = 0;
  for (u64 row = 0; row < rows;) {
    if (!kept_[row]) {
      at += bytes[row++];
      continue;
    }
    // As many as fit into a piece, over gaps that are not worth a reading of their own.
    u64 end = row, length = 0, kept_length = 0;
    for (u64 next = row; next < rows; ++next) {
      if (next != row && length + bytes[next] > read_bytes) break;
      length += bytes[next];
      if (kept_[next]) {
        end = next + 1;
        kept_length = length;
      } else if (length - kept_length > gap_bytes) {
        break;
      }
    }
    piece.resize(kept_length);
    if (kept_length != 0) read(set, H5T_NATIVE_UINT8, at, kept_length, piece.data());
    at += kept_length;
    for (std::size_t offset = 0; row < end; offset += bytes[row++]) {
      if (!kept_[row]) continue;
      const auto record = std::span<const std::byte>(piece).subspan(offset, bytes[row]);
      if (!record.empty()) kept_sum_.add(ids_[row], number << 32 | record.size(), hash_bytes(record));
      f(ids_[row], record);
    }
  }
}

void CheckpointReader::each_event(u32 type, u32 row_bytes, const std::function<bool(std::span<const std::byte>)>& f) {
  const std::string name = "/events/" + std::to_string(type);
  u64 total = 0;
  const Hdf5Handle set = open(name, total, H5T_INTEGER, 1);
  if (total % row_bytes != 0)
    fail("dataset '" + name + "' does not consist of rows of " + std::to_string(row_bytes) + " bytes");
  std::vector<std::byte> piece;
  const u64 most = read_bytes / row_bytes * row_bytes;
  for (u64 at = 0; at < total;) {
    piece.resize(std::min(most, total - at));
    read(set, H5T_NATIVE_UINT8, at, piece.size(), piece.data());
    for (std::size_t offset = 0; offset < piece.size(); offset += row_bytes) {
      const auto row = std::span<const std::byte>(piece).subspan(offset, row_bytes);
      if (f(row)) kept_sum_.add(type, row_bytes, hash_bytes(row));
    }
    at += piece.size();
  }
}

void CheckpointReader::verify(engine::Transport& transport) const {
  engine::Digest seen = engine::sum_of_ranks(transport, kept_sum_);
  seen.add(common_);
  if (seen.low() != digest_low_ || seen.high() != digest_high_)
    fail("damaged: its content does not have the digest that it was written with");
}

void CheckpointReader::fail(const std::string& problem) const {
  throw InputError("'" + path_ + "' is not a usable checkpoint (" + problem +
                   "); give --resume a file that 'weft run' wrote to checkpoint.path, or start anew without --resume");
}

i64 CheckpointReader::check(i64 status, const std::string& what) const {
  if (status < 0) fail(what + ": hdf5 says '" + hdf5_reason() + "'");
  return status;
}

Hdf5Handle CheckpointReader::open(const std::string& dataset, u64& count, int type_class,
                                  std::size_t type_bytes) const {
  Hdf5Handle set(check(H5Dopen2(file_.id(), dataset.c_str(), H5P_DEFAULT), "dataset '" + dataset + "'"), H5Dclose);
  const Hdf5Handle space(check(H5Dget_space(set.id()), dataset), H5Sclose);
  const Hdf5Handle type(check(H5Dget_type(set.id()), dataset), H5Tclose);
  if (H5Sget_simple_extent_ndims(space.id()) != 1 || H5Tget_class(type.id()) != type_class ||
      H5Tget_size(type.id()) != type_bytes) {
    fail("dataset '" + dataset + "' is of another shape or type than expected");
  }
  count = static_cast<u64>(check(H5Sget_simple_extent_npoints(space.id()), dataset));
  std::error_code error;
  if (count > std::filesystem::file_size(path_, error))
    fail("dataset '" + dataset + "' claims more elements than the file has bytes");
  return set;
}

void CheckpointReader::read(const Hdf5Handle& dataset, i64 type, u64 first, u64 count, void* to) const {
  const Hdf5Handle space(check(H5Dget_space(dataset.id()), "space"), H5Sclose);
  const hsize_t at = first, length = count;
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &at, nullptr, &length, nullptr), "selection");
  const Hdf5Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose);
  check(H5Dread(dataset.id(), type, memory.id(), space.id(), H5P_DEFAULT, to), "damaged or cut short");
}

}  // namespace weft::tools
