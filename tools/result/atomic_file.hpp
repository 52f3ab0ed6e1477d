// Writing a file so that it is there whole or not at all: a result that cost hours must not end as half a file.
#pragma once

#include <string>
#include <string_view>

namespace weft::tools {

/// Puts `content` at `path`: written to a temporary name in the same directory, fsync'ed, renamed. A symbolic link is
/// followed; a device or pipe is written to directly, since it cannot be replaced. Throws SystemError; then an existing
/// file is untouched and no temporary file is left.
void write_file_atomically(const std::string& path, std::string_view content);

/// Fails before a long run instead of after it: throws SystemError unless `path` can be written by
/// write_file_atomically now (its directory exists, takes a new file, and `path` is not a directory). "-" passes.
void check_writable(const std::string& path);

}  // namespace weft::tools
