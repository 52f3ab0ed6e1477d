// Tables as text; see the header.
#include "engine/base/text/table.hpp"

#include <algorithm>

namespace weft {
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

}  // namespace weft
