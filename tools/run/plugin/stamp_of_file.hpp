// The stamp of a plug-in, read from its file before any of its code runs.
#pragma once

#include <string>

namespace weft::tools::plugin {

/// What a file says of itself.
struct FileStamp {
  bool is_library = false;  ///< an ELF shared object of this machine's word size and byte order
  bool whole = true;        ///< all that it wants to have loaded is there
  std::string stamp;        ///< text of the note of tools/run/plugin/stamp.hpp; empty: there is none
};

/// Reads the notes of a file. Throws ConfigError if it cannot be read.
[[nodiscard]] FileStamp stamp_of_file(const std::string& path);

/// The stamp of this program.
[[nodiscard]] std::string own_stamp();

/// In what two stamps differ, as words for a message: "weft 0.1.0 (here 0.2.0), compiler gcc 11 (here gcc 12)"; empty
/// if in nothing.
[[nodiscard]] std::string stamp_difference(const std::string& stamp, const std::string& own);

}  // namespace weft::tools::plugin
