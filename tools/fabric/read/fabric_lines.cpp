// Messages of programs among lines; see the header.
#include "tools/fabric/read/fabric_lines.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::tools {

bool is_message(std::string_view line) {
  if (line.size() > 4 && line[0] == '-' && line[2] == '-' && line[3] == ' ' &&
      std::string_view("EWI").find(line[1]) != std::string_view::npos)
    return true;  // ibdiagnet
  for (const std::string_view start : {"Warning: ", "warning: ", "WARNING: ", "libibumad: ", "libibmad: "}) {
    if (line.starts_with(start)) return true;
  }
  // "WORD: [PROCESS] ", "WORD: iberror: ", "FILE.c:NUMBER; ".
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view word = line.substr(0, colon);
  // Programs have names in small letters; "CA: [7] rack:" is no message.
  const bool program = (word.front() >= 'a' && word.front() <= 'z') || word.front() == '/' || word.front() == '.';
  if (!program || word.find_first_of(" \t\"'=[(") != std::string_view::npos) return false;
  LineScanner behind(line.substr(colon + 1));
  u64 number = 0;
  if (word.ends_with(".c")) return behind.decimal(number) && (behind.take(';') || behind.take(':'));
  behind.skip_blanks();
  if (behind.take("iberror: ")) return true;
  return behind.take('[') && behind.decimal(number) && behind.take(']') && behind.take(' ');
}

bool FabricLines::next(std::string_view& line) {
  while (lines_.next(line)) {
    if (!is_message(line)) return true;
    if (skipped_.lines++ == 0) {
      skipped_.first = number();
      skipped_.text = std::string(line.substr(0, 200));
    }
  }
  return false;
}

std::string whole_text(ByteSource& source, u64 most) {
  std::string text = read_head(source, most + 1);
  if (text.size() <= most) return text;
  throw InputError(
      fmt::format("'{}' has more than {} MiB (no fabric of this form is that large); check which file it is",
                  source.name(), most >> 20));
}

}  // namespace weft::tools
