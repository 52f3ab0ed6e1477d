// A thin layer over the HDF5 C API: handles that close themselves and errors that name the file and HDF5's reason.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::files {

class Hdf5Heaps;

/// Call before HDF5 is used: errors become exceptions instead of prints, and nothing is left for HDF5 to do at exit.
void start_hdf5();
/// To be held while HDF5 is used by ranks that may be threads: the library is not made for several at once. The thread
/// that has it may take it again.
[[nodiscard]] std::unique_lock<std::recursive_mutex> hold_hdf5();
/// The most specific message of HDF5's error stack.
[[nodiscard]] std::string hdf5_reason();

/// An HDF5 identifier that is closed once. Holds the plain integer so that HDF5's headers (which bring MPI's) stay out.
class Hdf5Handle {
 public:
  using Close = int (*)(i64);
  Hdf5Handle() = default;
  Hdf5Handle(i64 id, Close close_function) : id_(id), close_(close_function) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  ~Hdf5Handle();
  [[nodiscard]] i64 id() const { return id_; }
  int close();  ///< at once, for HDF5's status: negative if it failed

 private:
  i64 id_ = -1;
  Close close_ = nullptr;
};

/// Texts of any length in UTF-8, as files of Hdf5Writer have them.
[[nodiscard]] Hdf5Handle hdf5_text_type();

/// An HDF5 file built in memory and put on disk in one go, so that a full disk never meets HDF5's cache (which would
/// fail again at exit) and the file appears whole or not at all. Serial: no rank but the caller is involved.
/// Objects are named by absolute paths; groups are made as needed. All members throw SystemError.
class Hdf5Writer {
 public:
  /// `path`: where `save` will put it.
  explicit Hdf5Writer(std::string path);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;
  /// Attribute of an existing object; "/" is the file itself.
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  void attribute(const std::string& object, const std::string& name, u64 value);
  /// A single value with its unit as attribute `unit`.
  void scalar(const std::string& path, u64 value, const std::string& unit);
  void scalar(const std::string& path, double value, const std::string& unit);
  void scalar(const std::string& path, const std::string& value, const std::string& unit);
  /// A one-dimensional dataset with its unit as attribute `unit`; numbers carry checksums (and are compressed if many).
  void column(const std::string& path, const std::vector<u64>& values, const std::string& unit);
  void column(const std::string& path, const std::vector<double>& values, const std::string& unit);
  void column(const std::string& path, const std::vector<std::string>& values, const std::string& unit);
  /// Writes the file to the path given, atomically; nothing can be added after it.
  void save();

 private:
  i64 check(i64 status, const std::string& what) const;
  void ensure_group(const std::string& dataset_path);
  void dataset(const std::string& path, i64 type, u64 rows, bool single, const void* data, const std::string& unit);

  struct Image;
  std::string path_;
  std::unique_ptr<Image> image_;  ///< what HDF5 keeps in memory; outlives the handle
  Hdf5Handle file_;
};

/// Reads files of Hdf5Writer's kind. Everything unexpected (no such file, not HDF5, truncated, missing or of another
/// type) is an InputError that names the file, the object and what was expected.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::string path);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;
  [[nodiscard]] bool has_attribute(const std::string& name) const;  ///< of the file itself
  [[nodiscard]] bool has_dataset(const std::string& path) const;
  void attribute(const std::string& name, std::string& value) const;
  void attribute(const std::string& name, u64& value) const;
  [[nodiscard]] std::string unit(const std::string& path) const;  ///< of a dataset; empty if it has none
  void scalar(const std::string& path, u64& value) const;
  void scalar(const std::string& path, double& value) const;
  void scalar(const std::string& path, std::string& value) const;
  void column(const std::string& path, std::vector<u64>& values) const;
  void column(const std::string& path, std::vector<double>& values) const;
  void column(const std::string& path, std::vector<std::string>& values) const;
  /// Throws the InputError that all members throw: "'FILE' is not a readable weft result (PROBLEM); ...".
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  i64 check(i64 status, const std::string& what) const;
  [[nodiscard]] std::string text_attribute(i64 object, const std::string& name, const std::string& what) const;
  [[nodiscard]] Hdf5Handle open_dataset(const std::string& path) const;
  [[nodiscard]] u64 rows(const Hdf5Handle& dataset, const std::string& path, int rank) const;
  /// Before texts are read: HDF5 does not check where they are.
  void check_texts(const Hdf5Handle& dataset, const std::string& path, u64 count) const;

  std::string path_;
  std::unique_ptr<Hdf5Heaps> heaps_;
  Hdf5Handle file_;
};

}  // namespace weft::files
