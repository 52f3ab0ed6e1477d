// The lines of what fabric tools print, which goes up to gigabytes, without the messages of programs between them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/text/line_reader.hpp"
#include "engine/base/text/line_scanner.hpp"

namespace weft::tools {

class FabricLines {
 public:
  /// A line that is longer is no line of any file that is read here.
  static constexpr std::size_t longest = 64 * 1024;

  explicit FabricLines(std::unique_ptr<ByteSource> source) : lines_(std::move(source), longest) {}

  /// Throws InputError once more than `bytes` have been read, decompressed ones: no file of `what` is that large.
  void limit(u64 bytes, const std::string& what) { lines_.limit(bytes, what); }

  /// The next line that is no message of a program, without its end and blanks around it; valid until the next call.
  /// False at the end of the file. Throws InputError for what is no text.
  bool next(std::string_view& line);
  /// Lines that were messages: what a tool says on its standard error, written into the file with its output.
  struct Skipped {
    u64 lines = 0, first = 0;  ///< number of the first
    std::string text;          ///< its beginning
  };
  [[nodiscard]] const Skipped& skipped() const { return skipped_; }
  /// Number of the line that next() gave last, from 1.
  [[nodiscard]] u64 number() const { return lines_.number(); }
  /// "FILE:LINE" for messages.
  [[nodiscard]] std::string place() const { return lines_.place(); }
  [[nodiscard]] std::string place(u64 line) const { return lines_.place(line); }
  [[nodiscard]] const std::string& file() const { return lines_.name(); }

  /// Throws InputError "FILE:LINE: problem (why); advice" about the line read last.
  [[noreturn]] void fail(const std::string& problem) const { lines_.fail(problem); }

 private:
  LineReader lines_;
  Skipped skipped_;
};

/// Whether a line is what programs of InfiniBand, or those that fetch their output, write to their standard error:
/// "ibwarn: [1234] mad_rpc: ...", "src/query_smp.c:195; umad ...", "-W- ...", "Warning: Permanently added ...".
[[nodiscard]] bool is_message(std::string_view line);

/// All of a file, decompressed, if it has no more than `most` bytes; throws InputError if it has.
[[nodiscard]] std::string whole_text(ByteSource& source, u64 most);

}  // namespace weft::tools
