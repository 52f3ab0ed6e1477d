// Builds HDF5 files in memory; see hdf5_file.hpp.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <hdf5.h>
#include <string_view>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/file/hdf5_trailer.hpp"
#include "engine/base/hash.hpp"

namespace weft::files {
namespace {

constexpr u64 rows_per_chunk = 65536;
constexpr u64 fewest_compressed_rows = 1024;

}  // namespace

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
  const Hdf5Handle type = hdf5_text_type();
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
  const Hdf5Handle type = hdf5_text_type();
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
  const Hdf5Handle type = hdf5_text_type();
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  dataset(path, type.id(), texts.size(), false, texts.data(), unit);
}

void Hdf5Writer::save() {
  check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "flush");
  check(file_.close(), "close");
  std::string content(image_->file());
  content += hdf5_trailer(fnv1a(content));
  write_file_atomically(path_, content);
}

}  // namespace weft::files
