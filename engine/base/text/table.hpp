// Tables and labelled lines as text for the terminal; those for other programs are in csv.hpp.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// A table as rows of cells; the first row has the names. Rows may differ in length.
using TextTable = std::vector<std::vector<std::string>>;

/// Columns one below the other, cells to the right, two blanks between them and `indent` in front of each line. Widths
/// are in characters of UTF-8 text.
[[nodiscard]] std::string aligned(const TextTable& table, std::size_t indent = 0);

/// "label       text\n", texts of all lines one below the other.
[[nodiscard]] std::string labelled(const std::string& label, const std::string& text);

}  // namespace weft
