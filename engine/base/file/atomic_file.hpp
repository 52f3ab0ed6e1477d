// Writing a file so that it is there whole or not at all: a result that cost hours must not end as half a file.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/file/output_path.hpp"

namespace weft::files {

/// A file that is at its path once it is whole: written to a temporary name in the same directory, fsync'ed, renamed.
/// What may stand at the path, see output_path.hpp. All members throw SystemError; unless commit has returned, an
/// existing file is untouched and no temporary file is left (an allowed stream has got what was written).
class AtomicFile {
 public:
  explicit AtomicFile(std::string path, Streams streams = Streams::refused);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  void write(std::string_view content);
  void commit();

 private:
  std::string path_;  ///< as the user named it
  OutputTarget target_;
  std::string temporary_;  ///< empty: none
  Descriptor file_;
};

/// Puts `content` at `path` by an AtomicFile.
void write_file_atomically(const std::string& path, std::string_view content, Streams streams = Streams::refused);

}  // namespace weft::files
