// Quotes cells and ends rows; see the header.
#include "engine/base/text/csv.hpp"

#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/setting.hpp"
#include "engine/base/text/parsed.hpp"

namespace weft {
namespace {

/// Spreadsheets run what begins like this, in quotation marks too. A number is none of it.
bool is_formula(const std::string& text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  std::string_view number(text);
  if (number.front() == '+') number.remove_prefix(1);
  return !take_number<double>(number) || !number.empty();
}

}  // namespace

std::string csv_cell(const std::string& value) {
  const std::string text = (is_formula(value) ? "'" : "") + value;
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += c;
    cell += c;
  }
  return cell + '"';
}

void CsvText::append(const std::string& cell) {
  if (begun_) text_ += ',';
  text_ += cell;
  begun_ = true;
}

void CsvText::cell(const std::string& text) { append(csv_cell(text)); }

void CsvText::cell(double number, int digits) {
  if (!std::isfinite(number)) {
    append("");
  } else {
    append(digits > 0 ? fmt::format("{:.{}g}", number, digits) : real_text(number));
  }
}

void CsvText::end_row() {
  text_ += '\n';
  begun_ = false;
}

std::string CsvText::take() { return std::exchange(text_, {}); }

}  // namespace weft
