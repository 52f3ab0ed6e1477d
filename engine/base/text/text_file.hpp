// Small text files as a whole: configs, studies, placements, partitions. A read error is an error here, never the end
// of the file, and neither a device nor a file without end fills the memory.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft {

/// Like read(2), which is what is called unless a test gives something else.
using ReadCall = ssize_t (*)(int descriptor, void* to, std::size_t room);

/// How long a pipe may be without a writer: a process that was started beside this one may not have opened it yet.
inline constexpr u32 writer_wait_ms = 2000;

/// Opens a file or pipe for reading; -1 with errno if that is impossible. A pipe without a writer for `wait_ms` is no
/// wait for ever: errno is ENXIO then, for which `open_problem` has words.
[[nodiscard]] int open_to_read(const std::string& path, u32 wait_ms = writer_wait_ms);
/// What errno means after open_to_read.
[[nodiscard]] std::string open_problem(int error);

/// What came of reading a file.
struct FileText {
  enum class Status : u8 { whole, unfit, broken };
  Status status = Status::whole;
  std::string text;     ///< if whole
  std::string problem;  ///< if not: "No such file or directory", "it is a directory"
  std::string advice;   ///< if not: what to do
};

/// Reads a regular file or a pipe to its end, but no more than `most_bytes`. unfit: it is not there, not readable,
/// larger, or neither file nor pipe; broken: the machine failed in between. Throws std::bad_alloc only.
[[nodiscard]] FileText file_text(const std::string& path, u64 most_bytes, ReadCall read = nullptr,
                                 u32 wait_ms = writer_wait_ms);

/// The text, or "PATH: cannot read the WHAT (why); advice" as a UserError (ConfigError, InputError) for what the user
/// can mend, as a SystemError for a read error.
template <class UserError>
[[nodiscard]] std::string read_text_file(const std::string& path, u64 most_bytes, const std::string& what,
                                         ReadCall read = nullptr);

/// Calls `line(text)` for every line, without its line feed; what follows the last line feed is a line if not empty.
template <class Line>
void for_each_line(std::string_view text, Line&& line) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

extern template std::string read_text_file<ConfigError>(const std::string&, u64, const std::string&, ReadCall);
extern template std::string read_text_file<InputError>(const std::string&, u64, const std::string&, ReadCall);

}  // namespace weft
