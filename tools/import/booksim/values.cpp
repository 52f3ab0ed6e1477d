// The reader of BookSim's config files.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/booksim/options.hpp"

namespace weft::tools::booksim {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Where a list at `open` ends, behind its closing brace; the end of the text if it does not.
std::size_t end_of_list(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '{' || text[at] == '(') ++depth;
    if ((text[at] == '}' || text[at] == ')') && --depth == 0) return at + 1;
  }
  return text.size();
}

/// Parts with commas between them that are in no brackets.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && (text[at] == '{' || text[at] == '(')) at = end_of_list(text, at);
    if (at < text.size() && text[at] != ',') continue;
    parts.emplace_back(trimmed(text.substr(begin, at - begin), blanks));
    begin = at + 1;
  }
  return parts;
}

/// The text with blanks in place of comments, so that places stay what they are.
std::string without_comments(std::string_view text) {
  std::string kept(text);
  for (std::size_t at = kept.find("//"); at != std::string::npos; at = kept.find("//", at)) {
    while (at < kept.size() && kept[at] != '\n') kept[at++] = ' ';
  }
  return kept;
}

}  // namespace

Call call_of(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return {std::string(trimmed(text, blanks)), {}};
  std::string_view inner = text.substr(open + 1);
  inner = inner.substr(0, std::min(inner.rfind(')'), inner.size()));
  return {std::string(trimmed(text.substr(0, open), blanks)), parts_of(inner)};
}

std::vector<std::string> elements_of(std::string_view text) {
  text = trimmed(text, blanks);
  if (!text.starts_with('{')) return {std::string(text)};
  text.remove_prefix(1);
  return parts_of(text.substr(0, std::min(text.rfind('}'), text.size())));
}

Values::Values(std::string_view text, const std::string& file) : OptionValues(options(), "BookSim", "booksim", file) {
  const std::string kept = without_comments(text);
  u64 line = 1;
  for (std::size_t begin = 0; begin < kept.size();) {
    const std::size_t start = kept.find_first_not_of(blanks, begin);
    if (start == std::string::npos) return;
    line += static_cast<u64>(
        std::count(kept.begin() + static_cast<i64>(begin), kept.begin() + static_cast<i64>(start), '\n'));
    const std::size_t end = kept.find(';', start);
    if (end == std::string::npos) {
      throw ConfigError(
          fmt::format("{}:{}: {} does not end with a semicolon (is the file whole?); write for example "
                      "num_vcs = 8;",
                      shown(file), line, shown(trimmed(kept.substr(start, 60), blanks))));
    }
    assignment(std::string_view(kept).substr(start, end - start), line);
    line += static_cast<u64>(
        std::count(kept.begin() + static_cast<i64>(start), kept.begin() + static_cast<i64>(end), '\n'));
    begin = end + 1;
  }
}

void Values::assignment(std::string_view piece, u64 line) {
  const std::size_t equals = piece.find('=');
  const std::string name(trimmed(piece.substr(0, std::min(equals, piece.size())), blanks));
  if (equals == std::string_view::npos || name.empty() || name.find_first_of(" \t\n{}()") != std::string::npos) {
    throw ConfigError(
        fmt::format("{}:{}: {} is no option (those are NAME = VALUE; with // before comments); write for "
                    "example num_vcs = 8;",
                    shown(file()), line, shown(piece)));
  }
  const std::string text(trimmed(piece.substr(equals + 1), blanks));
  if (knows(name))
    give(name, text, line);
  else
    unknown_.push_back({name, text, line});
}

std::string Values::first(const std::string& name) const {
  const std::vector<std::string> all = each(name);
  return all.empty() ? "" : all.front();
}

}  // namespace weft::tools::booksim
