// The one rule for every file that the program writes, so that no output can destroy what it should not.
//
// An output is a regular file or a new name. Symbolic links at it are followed: the file that they mean is replaced,
// not the link. It is no file that the same command reads, none of its other outputs, and not the file that its
// standard output goes to, whatever their names are: files are compared by device and inode, and those that do not
// exist yet by their directory's and their name. New content is written to a temporary file beside it, created
// exclusively under a name that cannot be foreseen, and renamed.
//
// The one exception: a summary (`--json FILE`) may go to a device, pipe or terminal, which is then written to as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::files {

/// Whether an output may be a device, pipe or terminal.
enum class Streams { refused, allowed };

/// What an output path means.
struct OutputTarget {
  std::string path;     ///< of the file itself, links followed; of a stream as given
  bool exists = false;  ///< a regular file or stream is there
  bool stream = false;  ///< a device, pipe or terminal
  u32 permissions = 0;  ///< of an existing file
};

/// Follows links. Throws ConfigError for what is there and no regular file (nor an allowed stream); SystemError for a
/// directory, a name without a directory and other paths that cannot be written.
[[nodiscard]] OutputTarget output_target(const std::string& path, Streams streams = Streams::refused);

/// What a file holds, by the endings that its name may have.
struct FileFormat {
  const char* name;                  ///< "HDF5"
  const char* usual;                 ///< ".h5"
  std::vector<std::string> endings;  ///< that it may have; none: it is text, and may have any that is of no other
};
[[nodiscard]] FileFormat hdf5_format();
[[nodiscard]] FileFormat page_format();
[[nodiscard]] FileFormat figure_format();
[[nodiscard]] FileFormat csv_format();
[[nodiscard]] FileFormat json_format();
[[nodiscard]] FileFormat program_format();
[[nodiscard]] FileFormat text_format();
/// Throws ConfigError for a name that says that the file is of another format: "--out x.pdf" of an HTML page. A name
/// without an ending passes, and "-" and empty ones.
void check_ending(const std::string& what, const std::string& path, const FileFormat& format);

/// Directory in which `path` is; never empty.
[[nodiscard]] std::string directory_of(const std::string& path);
/// Makes a rename in the directory of `path` last. The content is safe already, so a file system that cannot do this is
/// no error.
void synchronise_directory(const std::string& path);

/// Throws SystemError: "cannot write 'PATH' (WHAT: reason of `error`); ..." with what to do about it.
[[noreturn]] void fail_output(const std::string& path, const std::string& what, int error);

/// An open file descriptor; `close` reports what the destructor cannot.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { static_cast<void>(close()); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] bool close();  ///< true if it went well or there was nothing to close
  int release();

 private:
  int fd_ = -1;
};

/// Creates a new file STEM + 8 random hex digits + ENDING for reading and writing: never opens what is there, nor
/// follows a link. Invalid, with errno set, if that is impossible; else `name` is its name.
[[nodiscard]] Descriptor create_exclusively(const std::string& stem, std::string_view ending, std::string& name);

/// The files of one command: what it reads, then what it writes.
class CommandFiles {
 public:
  /// `what` as in "it is the trace". What cannot be looked at passes: its reader will say so. An empty path passes. A
  /// file that is not there is noted too: an output that made one would be read as the input.
  void reads(const std::string& what, const std::string& path);
  /// Fails before work is done for nothing. `what`: option or key that names the path; `replaceable`: the `what` of an
  /// input that may be replaced all the same. Throws ConfigError if the path breaks the rule above, SystemError if it
  /// cannot be written now. An empty path passes, and "-" where streams are allowed.
  void writes(const std::string& what, const std::string& path, Streams streams = Streams::refused,
              const std::string& replaceable = {});
  /// Checks a path like the other `writes`, and its ending like check_ending.
  void writes(const std::string& what, const std::string& path, const FileFormat& format,
              Streams streams = Streams::refused);

 private:
  /// A file, however it is named. One that does not exist yet is its directory and its name in it.
  struct Identity {
    u64 device = 0, inode = 0;
    std::string name;
    bool operator==(const Identity&) const = default;
  };
  struct Known {
    std::string what;
    Identity identity;
  };
  [[nodiscard]] static Identity identity_of(const std::string& path, bool exists);

  std::vector<Known> inputs_, outputs_;
};

}  // namespace weft::files
