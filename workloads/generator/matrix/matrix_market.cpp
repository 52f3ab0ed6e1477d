// The head of a file, and its entries; see the header.
#include "workloads/generator/matrix/matrix_market.hpp"

#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/text/line_scanner.hpp"

namespace weft::workloads {
namespace {

constexpr const char* banner = "'%%MatrixMarket matrix coordinate real general'";

std::string lower_case(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && text[at + count] >= '0' && text[at + count] <= '9') ++count;
  return count;
}

/// A decimal number as C or Fortran print it: "-1.5e-3", "1.D+00", "nan".
bool is_number(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  std::size_t digits = digits_at(text, 0), at = digits;
  if (at < text.size() && text[at] == '.') {
    const std::size_t behind = digits_at(text, at + 1);
    digits += behind;
    at += 1 + behind;
  }
  if (digits == 0) {
    const std::string word = lower_case(text);
    return word == "nan" || word == "inf" || word == "infinity";
  }
  if (at == text.size()) return true;
  if (std::string_view("eEdD").find(text[at]) == std::string_view::npos) return false;
  ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  return digits_at(text, at) > 0 && at + digits_at(text, at) == text.size();
}

bool is_integer(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && digits_at(text, 0) == text.size();
}

/// What a word of the banner says, or the names that are known.
template <class Value, std::size_t count>
Value one_of(const LineReader& lines, std::string_view word, const char* what,
             const std::array<std::pair<const char*, Value>, count>& known) {
  std::string names;
  for (const auto& [name, value] : known) {
    if (lower_case(word) == name) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  lines.reject(fmt::format("unknown {} of a Matrix Market file", what), word, "one of " + names);
}

}  // namespace

MatrixMarketReader::MatrixMarketReader(std::unique_ptr<ByteSource> source) : lines_(std::move(source)) {
  read_banner();
  read_sizes();
}

void MatrixMarketReader::read_banner() {
  std::string_view line;
  if (!lines_.next(line)) throw InputError(fmt::format("{}: the file is empty; expected {}", name(), banner));
  const std::string_view whole = line;
  if (next_word(line) != "%%MatrixMarket") lines_.reject("no Matrix Market file", whole, banner);
  if (lower_case(next_word(line)) != "matrix") lines_.reject("no matrix", whole, banner);
  const std::string_view format = next_word(line);
  if (lower_case(format) == "array")
    lines_.reject("a dense matrix, in which every task needs all of x", format, "a sparse one, 'coordinate'");
  if (lower_case(format) != "coordinate") lines_.reject("unknown format of a matrix", format, "coordinate");
  field_ = one_of(lines_, next_word(line), "kind of values",
                  std::array{std::pair{"real", MatrixField::real}, std::pair{"double", MatrixField::real},
                             std::pair{"integer", MatrixField::integer}, std::pair{"complex", MatrixField::complex},
                             std::pair{"pattern", MatrixField::pattern}});
  const std::string_view symmetry = next_word(line);
  symmetry_ = one_of(
      lines_, symmetry, "symmetry",
      std::array{std::pair{"general", MatrixSymmetry::general}, std::pair{"symmetric", MatrixSymmetry::symmetric},
                 std::pair{"skew-symmetric", MatrixSymmetry::skew_symmetric},
                 std::pair{"hermitian", MatrixSymmetry::hermitian}});
  if (symmetry_ == MatrixSymmetry::hermitian && field_ != MatrixField::complex)
    lines_.reject("a Hermitian matrix without complex values", whole, "'complex hermitian' or 'symmetric'");
  if (symmetry_ == MatrixSymmetry::skew_symmetric && field_ == MatrixField::pattern)
    lines_.reject("a skew-symmetric matrix without values", whole, "'pattern symmetric' or 'real skew-symmetric'");
  if (!next_word(line).empty()) lines_.reject("more words than a banner has", whole, banner);
}

u64 MatrixMarketReader::index(std::string_view& line, const char* what, u64 most) {
  const std::string_view word = next_word(line);
  u64 number = 0;
  if (!whole_number(word, most, number) || number == 0)
    lines_.reject(fmt::format("no {}", what), word, fmt::format("a number from 1 to {}", most));
  return number;
}

void MatrixMarketReader::read_sizes() {
  std::string_view line;
  if (!lines_.next_but("%", line)) {
    throw InputError(
        fmt::format("{}: ends after line {}, before the sizes of the matrix; expected 'ROWS COLUMNS ENTRIES'", name(),
                    lines_.number()));
  }
  rows_ = index(line, "number of rows", most_matrix_lines);
  columns_ = index(line, "number of columns", most_matrix_lines);
  const std::string_view word = next_word(line);
  if (!whole_number(word, most_matrix_entries, entries_)) {
    lines_.reject("no number of entries", word, fmt::format("a number from 0 to {}", most_matrix_entries));
  }
  if (!next_word(line).empty()) lines_.reject("more than three sizes", line, "'ROWS COLUMNS ENTRIES'");
  if (entries_ > rows_ * columns_) {
    lines_.reject("more entries than the matrix has places", word, fmt::format("at most {}", rows_ * columns_));
  }
  if (is_symmetric() && rows_ != columns_) {
    lines_.reject("a symmetric matrix that is not square", fmt::format("{} {}", rows_, columns_),
                  "as many rows as columns");
  }
}

void MatrixMarketReader::skip_values(std::string_view line) {
  const u32 values = field_ == MatrixField::pattern ? 0 : field_ == MatrixField::complex ? 2 : 1;
  for (u32 value = 0; value < values; ++value) {
    const std::string_view word = next_word(line);
    if (field_ == MatrixField::integer ? !is_integer(word) : !is_number(word)) {
      lines_.reject("no value", word,
                    field_ == MatrixField::integer   ? "a whole number"
                    : field_ == MatrixField::complex ? "a real and an imaginary part"
                                                     : "a number like 1.5e-3");
    }
  }
  if (const std::string_view more = next_word(line); !more.empty())
    lines_.reject("more than an entry on a line", more, "'ROW COLUMN', and its value if the banner says so");
}

bool MatrixMarketReader::next(u32& row, u32& column) {
  std::string_view line;
  if (!lines_.next_but("%", line)) {
    if (read_ == entries_) return false;
    throw InputError(fmt::format("{}: ends after {} of {} entries (line {}); is it whole?", name(), read_, entries_,
                                 lines_.number()));
  }
  if (read_ == entries_)
    lines_.reject(fmt::format("more entries than the {} that the head says", entries_), line, "the end of the file");
  ++read_;
  const std::string_view whole = line;
  const u64 i = index(line, "row", rows_), j = index(line, "column", columns_);
  if (is_symmetric() && j > i)
    lines_.reject("an entry above the diagonal of a symmetric matrix", whole, "those on and below it only");
  if (symmetry_ == MatrixSymmetry::skew_symmetric && i == j)
    lines_.reject("an entry on the diagonal of a skew-symmetric matrix", whole, "those below it only");
  skip_values(line);
  row = static_cast<u32>(i - 1);
  column = static_cast<u32>(j - 1);
  return true;
}

}  // namespace weft::workloads
