// Tables as text; see the header.
#include "tools/text/table.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace weft::tools {
namespace {

constexpr std::size_t label_columns = 12;

/// Bytes that begin a character.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string aligned(const TextTable& table, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t ix = 0; ix < row.size(); ++ix) widths[ix] = std::max(widths[ix], width(row[ix]));
  }
  std::string text;
  for (const auto& row : table) {
    for (std::size_t ix = 0; ix < row.size(); ++ix) {
      text.append((ix == 0 ? indent : 2) + widths[ix] - width(row[ix]), ' ');
      text += row[ix];
    }
    text += '\n';
  }
  return text;
}

std::string labelled(const std::string& label, const std::string& text) {
  std::string line = label;
  line.resize(std::max(label_columns, label.size() + 1), ' ');
  return line + text + "\n";
}

namespace {

/// Spreadsheets run what begins like this, in quotation marks too. A number is none of it.
bool is_formula(const std::string& text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  const char* const end = text.data() + text.size();
  const char* const begin = text.data() + (text.front() == '+' ? 1 : 0);
  double number = 0;
  const auto read = std::from_chars(begin, end, number);
  return begin == end || read.ec != std::errc() || read.ptr != end;
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

}  // namespace weft::tools
