// Words of a line, and numbers from words.
#include "engine/base/text/text_line.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/text/line_place.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"

namespace weft {

TextLine::TextLine(const std::string& file, u64 number, std::string_view text, const LineForm& form)
    : file_(&file), number_(number) {
  const std::size_t mark = text.find(form.comment);
  text_ = trimmed(text.substr(0, mark));
  if (mark != std::string_view::npos) comment_ = trimmed(text.substr(mark + 1));
  split_words(text_, form.separators, words_);
}

void TextLine::fail(const std::string& problem) const { fail_at_line(*file_, number_, problem); }

void TextLine::expect_words(std::size_t count, const std::string& form) const {
  if (words_.size() == count) return;
  fail(fmt::format("{} words where {} were expected; write `{}`, and # before comments", words_.size(), count, form));
}

u64 TextLine::whole(std::size_t ix, u64 most, const std::string& what) const {
  const std::string_view text = words_[ix];
  const std::optional<u64> value = parsed<u64>(text);
  if (!value && !is_too_large<u64>(text))
    fail(fmt::format("'{}' is no {} (a whole number that is not negative); correct it", shown(text, 24), what));
  if (!value || *value > most)
    fail(fmt::format("{} {} is too large (at most {}); correct it", what, shown(text, 24), most));
  return *value;
}

double TextLine::weight(std::size_t ix, const std::string& what) const {
  const std::string_view text = words_[ix];
  const std::optional<double> value = parsed<double>(text);
  constexpr double most = 1e100;  // sums stay finite
  if (!value) fail(fmt::format("'{}' is no {} (a number); correct it", shown(text, 24), what));
  if (*value < 0) fail(fmt::format("{} {} is negative; use 0 or more", what, shown(text, 24)));
  if (*value > most) fail(fmt::format("{} {} is too large (at most {}); correct it", what, shown(text, 24), most));
  return *value;
}

bool TextLines::next() {
  const bool more = !rest_.empty();
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = TextLine(*name_, line_.number() + 1, rest_.substr(0, end), form_);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return more;
}

bool TextLines::next_with_words() {
  while (next()) {
    if (line_.words() > 0) return true;
  }
  return false;
}

}  // namespace weft
