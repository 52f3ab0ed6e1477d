// Reads HDF5 files, which may be damaged; see hdf5_file.hpp.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <hdf5.h>
#include <string_view>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/file/hdf5_heap.hpp"
#include "engine/base/file/hdf5_trailer.hpp"

namespace weft::files {
namespace {

constexpr u64 most_rows = u64{1} << 28;  // more than any result has: a damaged length must not ask for all memory

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
  const Hdf5Trailer checksum = check_hdf5_trailer(probe, file_bytes);
  if (checksum == Hdf5Trailer::wrong) fail("damaged: its checksum does not match");
  heaps_ = std::make_unique<Hdf5Heaps>(path_);
  if (!heaps_->problem().empty()) fail(heaps_->problem());
  const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS), "set-up"), H5Pclose);
  check(H5Pset_file_locking(access.id(), false, true), "set-up");  // some network file systems have no locks
  file_ = Hdf5Handle(check(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.id()), "damaged or cut short"), H5Fclose);
  haddr_t end = 0;
  check(H5Fget_eoa(file_.id(), &end), "no end of file address");
  if (checksum == Hdf5Trailer::absent && end != file_bytes)
    fail("damaged or cut short: its end is not where it should be");
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
  value = text_attribute(file_.id(), name, what);
}

std::string Hdf5Reader::unit(const std::string& path) const {
  const Hdf5Handle dataset = open_dataset(path);
  if (H5Aexists(dataset.id(), "unit") <= 0) return {};
  return text_attribute(dataset.id(), "unit", fmt::format("the unit of '{}'", path));
}

std::string Hdf5Reader::text_attribute(i64 object, const std::string& name, const std::string& what) const {
  const Hdf5Handle attribute(check(H5Aopen(object, name.c_str(), H5P_DEFAULT), what), H5Aclose);
  Hdf5Handle space(check(H5Aget_space(attribute.id()), what), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) fail(what + " is not a single value");
  const Hdf5Handle type = hdf5_text_type();
  TextBuffer buffer(type, std::move(space), 1);
  check(H5Aread(attribute.id(), type.id(), buffer.texts.data()), what + " is no text");
  return buffer.at(0);
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
  const Hdf5Handle type = hdf5_text_type();
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
  const Hdf5Handle type = hdf5_text_type();
  TextBuffer buffer(type, Hdf5Handle(check(H5Dget_space(set.id()), path), H5Sclose), count);
  check(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.texts.data()), path);
  for (u64 row = 0; row < count; ++row) values.push_back(buffer.at(row));
}

}  // namespace weft::files
