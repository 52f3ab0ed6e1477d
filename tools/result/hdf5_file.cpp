// A thin layer over the HDF5 C API: handles that close themselves and errors that name the file and HDF5's reason.
#include "tools/result/hdf5_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <hdf5.h>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/error.hpp"
#include "tools/hash/hash.hpp"
#include "tools/result/atomic_file.hpp"
#include "tools/result/hdf5_heap.hpp"

namespace weft::tools {
namespace {

static_assert(std::is_same_v<hid_t, i64> && std::is_same_v<herr_t, int>, "Hdf5Handle holds HDF5 1.10's identifiers");

constexpr u64 rows_per_chunk = 65536;
constexpr u64 fewest_compressed_rows = 1024;
constexpr u64 most_rows = u64{1} << 28;  // more than any result has: a damaged length must not ask for all memory

/// Written behind the end of the HDF5 file, where HDF5 does not look, followed by 16 hex digits and a line break. HDF5
/// 1.10 has no checksum on texts of variable length and can crash on damaged ones, so damage must be found before it
/// opens the file. Who edits the file with HDF5 removes the trailer, and no checksum is asked for then.
constexpr std::string_view trailer_start = "\nweft-checksum ";
constexpr std::size_t trailer_bytes = trailer_start.size() + 16 + 1;
static_assert(trailer_bytes == 32);

std::string trailer(u64 hash) { return fmt::format("{}{}\n", trailer_start, hex_digits(hash)); }

enum class Trailer { absent, right, wrong };

/// Compares the trailer of a file with its content.
Trailer check_trailer(std::ifstream& file, u64 file_bytes) {
  if (file_bytes < trailer_bytes) return Trailer::absent;
  std::string found(trailer_bytes, '\0');
  file.seekg(static_cast<std::streamoff>(file_bytes - trailer_bytes));
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  if (!file) return Trailer::wrong;  // the bytes are there, but cannot be read
  if (!found.starts_with(trailer_start)) return Trailer::absent;
  file.seekg(0);
  std::string block(std::size_t{1} << 20, '\0');
  u64 hash = fnv1a({});
  for (u64 left = file_bytes - trailer_bytes; left > 0;) {
    const u64 count = std::min<u64>(left, block.size());
    file.read(block.data(), static_cast<std::streamsize>(count));
    if (!file) return Trailer::wrong;
    hash = fnv1a(std::string_view(block).substr(0, count), hash);
    left -= count;
  }
  return found == trailer(hash) ? Trailer::right : Trailer::wrong;
}

Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

/// Strings that HDF5 allocated on reading, freed by the rule of its API.
struct TextBuffer {
  const Hdf5Handle& type;
  Hdf5Handle space;
  std::vector<char*> texts;
  TextBuffer(const Hdf5Handle& text_type_handle, Hdf5Handle space_handle, u64 count)
      : type(text_type_handle), space(std::move(space_handle)), texts(count, nullptr) {}
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;
  ~TextBuffer() {
    if (!texts.empty()) H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, texts.data());
  }
  [[nodiscard]] std::string at(u64 index) const { return texts[index] == nullptr ? "" : texts[index]; }
};

}  // namespace

void start_hdf5() {
  // HDF5 closes what is open when the program ends, and crashes if that fails as it did before. Here all is closed by
  // hand.
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5_reason() {
  std::string reason;
  const auto take_first = [](unsigned position, const H5E_error2_t* error, void* out) -> herr_t {
    if (position == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason.empty() ? "no reason given" : reason;
}

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

Hdf5Handle::~Hdf5Handle() { close(); }

int Hdf5Handle::close() {
  const Close close_function = std::exchange(close_, nullptr);
  return close_function != nullptr && id_ >= 0 ? close_function(id_) : 0;
}

/// The memory of a file under construction. H5Fget_file_image would be the simpler way to it, but for files with
/// checksums it gives (in 1.10) a superblock whose checksum is wrong until the file is closed; so the memory is kept
/// at closing instead, by the callbacks that HDF5 has for whoever wants to own it.
struct Hdf5Writer::Image {
  void* bytes = nullptr;
  std::size_t size = 0;

  Image() = default;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() { std::free(bytes); }

  [[nodiscard]] H5FD_file_image_callbacks_t callbacks() {
    H5FD_file_image_callbacks_t result = {};
    result.image_malloc = [](std::size_t bytes_wanted, H5FD_file_image_op_t, void*) {
      return std::malloc(bytes_wanted);
    };
    result.image_memcpy = [](void* to, const void* from, std::size_t count, H5FD_file_image_op_t, void*) {
      return std::memcpy(to, from, count);
    };
    result.image_realloc = [](void* old, std::size_t bytes_wanted, H5FD_file_image_op_t, void* self) {
      void* grown = std::realloc(old, bytes_wanted);
      if (grown != nullptr) {
        static_cast<Image*>(self)->bytes = grown;
        static_cast<Image*>(self)->size = bytes_wanted;
      }
      return grown;
    };
    result.image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; };  // ~Image does
    result.udata_copy = [](void* self) { return self; };
    result.udata_free = [](void*) -> herr_t { return 0; };
    result.udata = this;
    return result;
  }

  /// The file without the spare room behind it. Valid once the file is closed. The superblock (version 2, chosen by the
  /// bounds of the constructor) holds the end-of-file address at byte 28, little-endian.
  [[nodiscard]] std::string_view file() const {
    constexpr std::size_t version_at = 8, end_at = 28, end_bytes = 8;
    WEFT_ASSERT(size >= end_at + end_bytes);
    const auto* content = static_cast<const unsigned char*>(bytes);
    WEFT_ASSERT(content[version_at] == 2);
    u64 end = 0;
    for (std::size_t byte = end_bytes; byte-- > 0;) end = end << 8 | content[end_at + byte];
    WEFT_ASSERT(end <= size);
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(end)};
  }
};

Hdf5Writer::~Hdf5Writer() = default;

Hdf5Writer::Hdf5Writer(std::string path) : path_(std::move(path)), image_(std::make_unique<Image>()) {
  start_hdf5();
  const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS), "set-up"), H5Pclose);
  constexpr std::size_t growth_bytes = 1 << 20;
  check(H5Pset_fapl_core(access.id(), growth_bytes, false), "set-up");
  auto callbacks = image_->callbacks();
  check(H5Pset_file_image_callbacks(access.id(), &callbacks), "set-up");
  // From 1.8 on the format has checksums on its own structures, and every reader in use knows it.
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18), "set-up");
  const Hdf5Handle creation(check(H5Pcreate(H5P_FILE_CREATE), "set-up"), H5Pclose);
  check(H5Pset_obj_track_times(creation.id(), false), "set-up");  // equal results give equal files
  // No file of this name is made, but HDF5 takes open files of one name for one file.
  const std::string name = fmt::format("weft-in-memory-{}", reinterpret_cast<std::uintptr_t>(image_.get()));
  file_ = Hdf5Handle(check(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), "create"), H5Fclose);
}

i64 Hdf5Writer::check(i64 status, const std::string& what) const {
  if (status >= 0) return status;
  throw SystemError(fmt::format("cannot build the result file '{}' ({}: hdf5 says '{}'); free memory or report this",
                                path_, what, hdf5_reason()));
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle space(check(H5Screate(H5S_SCALAR), name), H5Sclose);
  const Hdf5Handle attribute(check(H5Acreate_by_name(file_.id(), object.c_str(), name.c_str(), type.id(), space.id(),
                                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   name),
                             H5Aclose);
  const char* text = value.c_str();
  check(H5Awrite(attribute.id(), type.id(), &text), name);
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, u64 value) {
  const Hdf5Handle space(check(H5Screate(H5S_SCALAR), name), H5Sclose);
  const Hdf5Handle attribute(check(H5Acreate_by_name(file_.id(), object.c_str(), name.c_str(), H5T_STD_U64LE,
                                                     space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   name),
                             H5Aclose);
  check(H5Awrite(attribute.id(), H5T_NATIVE_UINT64, &value), name);
}

void Hdf5Writer::ensure_group(const std::string& dataset_path) {
  for (std::size_t slash = dataset_path.find('/', 1); slash != std::string::npos;
       slash = dataset_path.find('/', slash + 1)) {
    const std::string group = dataset_path.substr(0, slash);
    if (check(H5Lexists(file_.id(), group.c_str(), H5P_DEFAULT), group) > 0) continue;
    const Hdf5Handle creation(check(H5Pcreate(H5P_GROUP_CREATE), group), H5Pclose);
    check(H5Pset_obj_track_times(creation.id(), false), group);
    const Hdf5Handle handle(
        check(H5Gcreate2(file_.id(), group.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), group), H5Gclose);
  }
}

void Hdf5Writer::dataset(const std::string& path, i64 type, u64 rows, bool single, const void* data,
                         const std::string& unit) {
  ensure_group(path);
  const hsize_t length = rows;
  const Hdf5Handle space(check(single ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, nullptr), path), H5Sclose);
  const Hdf5Handle creation(check(H5Pcreate(H5P_DATASET_CREATE), path), H5Pclose);
  check(H5Pset_obj_track_times(creation.id(), false), path);
  const bool numbers = H5Tget_class(type) != H5T_STRING;
  if (!single && rows > 0 && numbers) {
    const hsize_t chunk = std::min(rows, rows_per_chunk);
    check(H5Pset_chunk(creation.id(), 1, &chunk), path);
    if (rows >= fewest_compressed_rows && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      check(H5Pset_shuffle(creation.id()), path);
      check(H5Pset_deflate(creation.id(), 4), path);
    }
    check(H5Pset_fletcher32(creation.id()), path);
  }
  const Hdf5Handle set(
      check(H5Dcreate2(file_.id(), path.c_str(), type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), path),
      H5Dclose);
  if (rows > 0) check(H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path);
  if (!unit.empty()) attribute(path, "unit", unit);
}

void Hdf5Writer::scalar(const std::string& path, u64 value, const std::string& unit) {
  dataset(path, H5T_NATIVE_UINT64, 1, true, &value, unit);
}

void Hdf5Writer::scalar(const std::string& path, double value, const std::string& unit) {
  dataset(path, H5T_NATIVE_DOUBLE, 1, true, &value, unit);
}

void Hdf5Writer::scalar(const std::string& path, const std::string& value, const std::string& unit) {
  const Hdf5Handle type = text_type();
  const char* text = value.c_str();
  dataset(path, type.id(), 1, true, &text, unit);
}

void Hdf5Writer::column(const std::string& path, const std::vector<u64>& values, const std::string& unit) {
  dataset(path, H5T_NATIVE_UINT64, values.size(), false, values.data(), unit);
}

void Hdf5Writer::column(const std::string& path, const std::vector<double>& values, const std::string& unit) {
  dataset(path, H5T_NATIVE_DOUBLE, values.size(), false, values.data(), unit);
}

void Hdf5Writer::column(const std::string& path, const std::vector<std::string>& values, const std::string& unit) {
  const Hdf5Handle type = text_type();
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  dataset(path, type.id(), texts.size(), false, texts.data(), unit);
}

void Hdf5Writer::save() {
  check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "flush");
  check(file_.close(), "close");
  std::string content(image_->file());
  content += trailer(fnv1a(content));
  write_file_atomically(path_, content);
}

Hdf5Reader::~Hdf5Reader() = default;

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)) {
  start_hdf5();
  std::error_code error;
  const auto kind = std::filesystem::status(path_, error).type();
  if (kind == std::filesystem::file_type::directory) fail("it is a directory");
  // To open a pipe would wait for a writer, and HDF5 reads here and there.
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
    fail("it is no regular file");
  errno = 0;
  std::ifstream probe(path_, std::ios::binary);
  if (!probe) fail(errno != 0 ? std::strerror(errno) : "it cannot be opened");
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::string start(signature.size(), '\0');
  probe.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (probe.gcount() == 0) fail("it is empty");
  if (start != signature) fail("it is not an HDF5 file");
  const u64 file_bytes = std::filesystem::file_size(path_, error);
  if (error) fail(error.message());
  const Trailer checksum = check_trailer(probe, file_bytes);
  if (checksum == Trailer::wrong) fail("damaged: its checksum does not match");
  heaps_ = std::make_unique<Hdf5Heaps>(path_);
  if (!heaps_->problem().empty()) fail(heaps_->problem());
  const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS), "set-up"), H5Pclose);
  check(H5Pset_file_locking(access.id(), false, true), "set-up");  // some network file systems have no locks
  file_ = Hdf5Handle(check(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.id()), "damaged or cut short"), H5Fclose);
  haddr_t end = 0;
  check(H5Fget_eoa(file_.id(), &end), "no end of file address");
  if (checksum == Trailer::absent && end != file_bytes) fail("damaged or cut short: its end is not where it should be");
}

void Hdf5Reader::fail(const std::string& problem) const {
  throw InputError(fmt::format(
      "'{}' is not a readable weft result ({}); expected an HDF5 file that 'weft run --out' wrote", path_, problem));
}

i64 Hdf5Reader::check(i64 status, const std::string& what) const {
  if (status < 0) fail(fmt::format("{}: hdf5 says '{}'", what, hdf5_reason()));
  return status;
}

bool Hdf5Reader::has_attribute(const std::string& name) const { return H5Aexists(file_.id(), name.c_str()) > 0; }

bool Hdf5Reader::has_dataset(const std::string& path) const {
  // Group by group: HDF5 takes a missing one on the way for an error.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (check(H5Lexists(file_.id(), path.substr(0, end).c_str(), H5P_DEFAULT), path) == 0) return false;
    if (end == std::string::npos) return true;
  }
}

void Hdf5Reader::attribute(const std::string& name, std::string& value) const {
  const std::string what = fmt::format("attribute '{}'", name);
  if (!has_attribute(name)) fail(what + " is missing");
  const Hdf5Handle attribute(check(H5Aopen(file_.id(), name.c_str(), H5P_DEFAULT), what), H5Aclose);
  Hdf5Handle space(check(H5Aget_space(attribute.id()), what), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) fail(what + " is not a single value");
  const Hdf5Handle type = text_type();
  TextBuffer buffer(type, std::move(space), 1);
  check(H5Aread(attribute.id(), type.id(), buffer.texts.data()), what + " is no text");
  value = buffer.at(0);
}

void Hdf5Reader::attribute(const std::string& name, u64& value) const {
  const std::string what = fmt::format("attribute '{}'", name);
  if (!has_attribute(name)) fail(what + " is missing");
  const Hdf5Handle attribute(check(H5Aopen(file_.id(), name.c_str(), H5P_DEFAULT), what), H5Aclose);
  const Hdf5Handle space(check(H5Aget_space(attribute.id()), what), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) fail(what + " is not a single value");
  check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value), what + " is no number");
}

Hdf5Handle Hdf5Reader::open_dataset(const std::string& path) const {
  return {
      check(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), fmt::format("dataset '{}' is missing or damaged", path)),
      H5Dclose};
}

u64 Hdf5Reader::rows(const Hdf5Handle& dataset, const std::string& path, int rank) const {
  const Hdf5Handle space(check(H5Dget_space(dataset.id()), path), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.id()) != rank) {
    fail(fmt::format("dataset '{}' does not have {} dimensions", path, rank));
  }
  const i64 count = check(H5Sget_simple_extent_npoints(space.id()), path);
  if (static_cast<u64>(count) > most_rows) fail(fmt::format("dataset '{}' claims {} rows", path, count));
  return static_cast<u64>(count);
}

void Hdf5Reader::check_texts(const Hdf5Handle& dataset, const std::string& path, u64 count) const {
  const Hdf5Handle type(check(H5Dget_type(dataset.id()), path), H5Tclose);
  const haddr_t offset = H5Dget_offset(dataset.id());
  if (H5Tis_variable_str(type.id()) <= 0 || offset == HADDR_UNDEF || !heaps_->holds(offset, count))
    fail(fmt::format("dataset '{}' is damaged: its texts are not where it says", path));
}

void Hdf5Reader::scalar(const std::string& path, u64& value) const {
  const Hdf5Handle set = open_dataset(path);
  if (rows(set, path, 0) != 1) fail(fmt::format("dataset '{}' has no value", path));
  check(H5Dread(set.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), path);
}

void Hdf5Reader::scalar(const std::string& path, double& value) const {
  const Hdf5Handle set = open_dataset(path);
  if (rows(set, path, 0) != 1) fail(fmt::format("dataset '{}' has no value", path));
  check(H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), path);
}

void Hdf5Reader::scalar(const std::string& path, std::string& value) const {
  const Hdf5Handle set = open_dataset(path);
  if (rows(set, path, 0) != 1) fail(fmt::format("dataset '{}' has no value", path));
  check_texts(set, path, 1);
  const Hdf5Handle type = text_type();
  TextBuffer buffer(type, Hdf5Handle(check(H5Dget_space(set.id()), path), H5Sclose), 1);
  check(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.texts.data()), path);
  value = buffer.at(0);
}

void Hdf5Reader::column(const std::string& path, std::vector<u64>& values) const {
  const Hdf5Handle set = open_dataset(path);
  values.assign(rows(set, path, 1), 0);
  if (!values.empty()) check(H5Dread(set.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path);
}

void Hdf5Reader::column(const std::string& path, std::vector<double>& values) const {
  const Hdf5Handle set = open_dataset(path);
  values.assign(rows(set, path, 1), 0);
  if (!values.empty()) check(H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path);
}

void Hdf5Reader::column(const std::string& path, std::vector<std::string>& values) const {
  const Hdf5Handle set = open_dataset(path);
  const u64 count = rows(set, path, 1);
  values.clear();
  if (count == 0) return;
  check_texts(set, path, count);
  const Hdf5Handle type = text_type();
  TextBuffer buffer(type, Hdf5Handle(check(H5Dget_space(set.id()), path), H5Sclose), count);
  check(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.texts.data()), path);
  for (u64 row = 0; row < count; ++row) values.push_back(buffer.at(row));
}

}  // namespace weft::tools
