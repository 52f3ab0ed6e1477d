// Words of a line, and numbers from words.
#include "engine/base/text/number_lines.hpp"

#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"

namespace weft {

NumberLine::NumberLine(const std::string& file, u64 number, std::string_view text) : file_(file), number_(number) {
  constexpr std::string_view separators = " \t\r,";
  text = text.substr(0, text.find('#'));
  for (std::size_t begin = text.find_first_not_of(separators); begin != std::string_view::npos;
       begin = text.find_first_not_of(separators)) {
    text.remove_prefix(begin);
    words_.push_back(text.substr(0, text.find_first_of(separators)));
    text.remove_prefix(words_.back().size());
  }
}

void NumberLine::fail(const std::string& problem) const {
  throw InputError(fmt::format("{}:{}: {}", shown(file_), number_, problem));
}

void NumberLine::expect_words(std::size_t count, const std::string& form) const {
  if (words_.size() == count) return;
  fail(fmt::format("{} words where {} were expected; write `{}`, and # before comments", words_.size(), count, form));
}

u64 NumberLine::whole(std::size_t ix, u64 most, const std::string& what) const {
  const std::string_view text = words_[ix];
  const std::optional<u64> value = parsed<u64>(text);
  if (!value && !is_too_large<u64>(text))
    fail(fmt::format("'{}' is no {} (a whole number that is not negative); correct it", shown(text, 24), what));
  if (!value || *value > most)
    fail(fmt::format("{} {} is too large (at most {}); correct it", what, shown(text, 24), most));
  return *value;
}

double NumberLine::weight(std::size_t ix, const std::string& what) const {
  const std::string_view text = words_[ix];
  const std::optional<double> value = parsed<double>(text);
  constexpr double most = 1e100;  // sums stay finite
  if (!value) fail(fmt::format("'{}' is no {} (a number); correct it", shown(text, 24), what));
  if (*value < 0) fail(fmt::format("{} {} is negative; use 0 or more", what, shown(text, 24)));
  if (*value > most) fail(fmt::format("{} {} is too large (at most {}); correct it", what, shown(text, 24), most));
  return *value;
}

}  // namespace weft
