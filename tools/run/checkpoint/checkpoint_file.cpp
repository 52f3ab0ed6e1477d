// Reading of checkpoint files; their layout is described in checkpoint_writer.cpp.
#include "tools/run/checkpoint/checkpoint_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <hdf5.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/digest_sum.hpp"
#include "tools/run/checkpoint/checkpoint_digest.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t read_bytes = std::size_t{4} << 20;  // at a time
constexpr std::size_t gap_bytes = std::size_t{64} << 10;  // read rather than passed over

}  // namespace

CheckpointReader::CheckpointReader(std::string path) : path_(std::move(path)) {
  const auto held = files::hold_hdf5();
  files::start_hdf5();
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) fail("there is no such file");
  if (std::filesystem::is_directory(path_, error)) fail("it is a directory");
  if (!std::filesystem::is_regular_file(path_, error)) fail("it is no regular file");
  if (std::filesystem::file_size(path_, error) == 0) fail("it is empty");
  const files::Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), false, true);
  file_ = files::Hdf5Handle(check(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.id()), "no HDF5 file, or cut short"),
                            H5Fclose);
  const auto number = [&](const char* name) {
    if (H5Aexists(file_.id(), name) <= 0) fail(fmt::format("attribute '{}' is missing", name));
    const files::Hdf5Handle attribute(check(H5Aopen(file_.id(), name, H5P_DEFAULT), name), H5Aclose);
    const files::Hdf5Handle space(check(H5Aget_space(attribute.id()), name), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) fail(fmt::format("attribute '{}' is no single value", name));
    u64 value = 0;
    check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value), name);
    return value;
  };
  if (const u64 layout = number("weft_checkpoint_layout"); layout != checkpoint_layout) {
    fail(fmt::format("its layout is {}, this program reads {}; resume with the version that wrote it", layout,
                     checkpoint_layout));
  }
  header_.config_hash = number("config_hash");
  header_.inputs_hash = number("inputs_hash");
  header_.tick = number("tick");
  header_.ranks = number("ranks");
  digest_low_ = number("digest_low");
  digest_high_ = number("digest_high");
  const auto text = [&](const char* name) {
    u64 count = 0;
    const files::Hdf5Handle set = open(name, count, H5T_INTEGER, 1);
    std::string content(count, '\0');
    if (count != 0) read(set, H5T_NATIVE_UINT8, 0, count, content.data());
    common_.add(text_id, content.size(), hash_bytes(std::as_bytes(std::span(content))));
    return content;
  };
  header_.version = text("/version");
  header_.config_toml = text("/config");
  if (H5Lexists(file_.id(), plugins_path, H5P_DEFAULT) > 0) header_.plugins = text(plugins_path);
}

CheckpointReader::~CheckpointReader() {
  const auto held = files::hold_hdf5();
  file_ = {};
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
  const auto held = files::hold_hdf5();
  u64 count = 0;
  const files::Hdf5Handle set = open("/run", count, H5T_INTEGER, 1);
  std::vector<std::byte> bytes(count);
  if (count != 0) read(set, H5T_NATIVE_UINT8, 0, count, bytes.data());
  common_.add(run_id, bytes.size(), hash_bytes(bytes));
  return bytes;
}

void CheckpointReader::keep(const std::function<bool(u32)>& wanted) {
  const auto held = files::hold_hdf5();
  u64 rows = 0;
  const files::Hdf5Handle set = open("/entities/ids", rows, H5T_INTEGER, 4);
  ids_.resize(rows);
  if (rows != 0) read(set, H5T_NATIVE_UINT32, 0, rows, ids_.data());
  kept_.resize(rows);
  for (u64 row = 0; row < rows; ++row) kept_[row] = wanted(ids_[row]);
}

void CheckpointReader::each_record(const std::string& column,
                                   const std::function<void(u32, std::span<const std::byte>)>& f) {
  const auto held = files::hold_hdf5();
  const u64 number = columns_read_++, rows = ids_.size();
  u64 lengths = 0, total = 0;
  const files::Hdf5Handle length_set = open(fmt::format("/entities/{}_bytes", column), lengths, H5T_INTEGER, 4);
  if (lengths != rows) fail(fmt::format("column '{}' has {} records for {} entities", column, lengths, rows));
  std::vector<u32> bytes(rows);
  if (rows != 0) read(length_set, H5T_NATIVE_UINT32, 0, rows, bytes.data());
  const files::Hdf5Handle set = open("/entities/" + column, total, H5T_INTEGER, 1);
  if (std::accumulate(bytes.begin(), bytes.end(), u64{0}) != total)
    fail(fmt::format("the records of column '{}' do not fill it", column));
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
  const auto held = files::hold_hdf5();
  const std::string name = fmt::format("/events/{}", type);
  u64 total = 0;
  const files::Hdf5Handle set = open(name, total, H5T_INTEGER, 1);
  if (total % row_bytes != 0) fail(fmt::format("dataset '{}' does not consist of rows of {} bytes", name, row_bytes));
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
  throw InputError(fmt::format(
      "'{}' is not a usable checkpoint ({}); give --resume a file that 'weft run' wrote to checkpoint.path, or "
      "start anew without --resume",
      path_, problem));
}

i64 CheckpointReader::check(i64 status, const std::string& what) const {
  if (status < 0) fail(fmt::format("{}: hdf5 says '{}'", what, files::hdf5_reason()));
  return status;
}

files::Hdf5Handle CheckpointReader::open(const std::string& dataset, u64& count, int type_class,
                                         std::size_t type_bytes) const {
  files::Hdf5Handle set(check(H5Dopen2(file_.id(), dataset.c_str(), H5P_DEFAULT), fmt::format("dataset '{}'", dataset)),
                        H5Dclose);
  const files::Hdf5Handle space(check(H5Dget_space(set.id()), dataset), H5Sclose);
  const files::Hdf5Handle type(check(H5Dget_type(set.id()), dataset), H5Tclose);
  if (H5Sget_simple_extent_ndims(space.id()) != 1 || H5Tget_class(type.id()) != type_class ||
      H5Tget_size(type.id()) != type_bytes) {
    fail(fmt::format("dataset '{}' is of another shape or type than expected", dataset));
  }
  count = static_cast<u64>(check(H5Sget_simple_extent_npoints(space.id()), dataset));
  std::error_code error;
  if (count > std::filesystem::file_size(path_, error))
    fail(fmt::format("dataset '{}' claims more elements than the file has bytes", dataset));
  return set;
}

void CheckpointReader::read(const files::Hdf5Handle& dataset, i64 type, u64 first, u64 count, void* to) const {
  const files::Hdf5Handle space(check(H5Dget_space(dataset.id()), "space"), H5Sclose);
  const hsize_t at = first, length = count;
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &at, nullptr, &length, nullptr), "selection");
  const files::Hdf5Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose);
  check(H5Dread(dataset.id(), type, memory.id(), space.id(), H5P_DEFAULT, to), "damaged or cut short");
}

}  // namespace weft::tools
