// The lines of a text file, compressed or not, one at a time: what fabric tools print goes up to gigabytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/words.hpp"
#include "engine/base/types.hpp"

namespace weft::tools {

class LineReader {
 public:
  /// A line that is longer is no line of any file that is read here.
  static constexpr std::size_t longest = 64 * 1024;

  explicit LineReader(std::unique_ptr<ByteSource> source);

  /// Throws InputError once more than `bytes` have been read, decompressed ones: no file of `what` is that large.
  void limit(u64 bytes, const std::string& what);

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
  [[nodiscard]] u64 number() const { return number_; }
  /// "FILE:LINE" for messages.
  [[nodiscard]] std::string place() const { return place(number_); }
  [[nodiscard]] std::string place(u64 line) const;
  [[nodiscard]] const std::string& file() const { return source_->name(); }

  /// Throws InputError "FILE:LINE: problem (why); advice" about the line read last.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  void refill();
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0, filled_ = 0;
  bool at_end_ = false;
  u64 number_ = 0;
  Skipped skipped_;
  u64 read_ = 0, most_ = UINT64_MAX;  ///< bytes
  std::string limited_;               ///< what most_ is the size of
};

/// Whether a line is what programs of InfiniBand, or those that fetch their output, write to their standard error:
/// "ibwarn: [1234] mad_rpc: ...", "src/query_smp.c:195; umad ...", "-W- ...", "Warning: Permanently added ...".
[[nodiscard]] bool is_message(std::string_view line);

/// The words of a line, eaten from its front. Each function says whether it was there and leaves the line alone if not.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  void skip_blanks();
  bool take(char character);
  bool take(std::string_view word);
  /// A number in decimal, or in hexadecimal with 0x; up to 64 bits.
  bool number(u64& value);
  bool decimal(u64& value);
  /// Digits in hexadecimal, with 0x or without.
  bool hexadecimal(u64& value);
  /// Everything up to the character, which is taken too.
  bool up_to(char character, std::string_view& text);
  /// Up to the next blank.
  std::string_view word();
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// All of a file, decompressed, if it has no more than `most` bytes; throws InputError if it has.
[[nodiscard]] std::string whole_text(ByteSource& source, u64 most);

}  // namespace weft::tools
