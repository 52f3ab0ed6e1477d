// Tables as text: aligned for the terminal, separated by commas for other programs.
#pragma once

#include <string>
#include <vector>

namespace weft::tools {

/// A table as rows of cells; the first row has the names. Rows may differ in length.
using TextTable = std::vector<std::vector<std::string>>;

/// Columns one below the other, cells to the right, two blanks between them and `indent` in front of each line. Widths
/// are in characters of UTF-8 text.
[[nodiscard]] std::string aligned(const TextTable& table, std::size_t indent = 0);

/// "label       text\n", texts of all lines one below the other.
[[nodiscard]] std::string labelled(const std::string& label, const std::string& text);

/// A cell of RFC 4180: in quotation marks where it has a comma, a quotation mark or a line break. What is no number and
/// begins like a formula of a spreadsheet (= + - @, tab, carriage return) gets a ' in front.
[[nodiscard]] std::string csv_cell(const std::string& value);

}  // namespace weft::tools
