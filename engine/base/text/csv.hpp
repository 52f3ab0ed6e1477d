// Comma-separated values: the one writer of all tables for other programs.
#pragma once

#include <concepts>
#include <string>

#include "engine/base/types.hpp"

namespace weft {

/// A cell of RFC 4180: in quotation marks where it has a comma, a quotation mark or a line break. What is no number and
/// begins like a formula of a spreadsheet (= + - @, tab, carriage return) gets a ' in front.
[[nodiscard]] std::string csv_cell(const std::string& value);

/// Rows of cells, each row ended by a line feed.
class CsvText {
 public:
  void cell(const std::string& text);
  void cell(std::unsigned_integral auto number) { append(std::to_string(number)); }
  /// Empty if not finite; as many significant digits, or 0: so few that the number reads back as it is.
  void cell(double number, int digits = 0);
  void end_row();
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  /// What was written since the last call; between rows.
  [[nodiscard]] std::string take();

 private:
  void append(const std::string& cell);

  std::string text_;
  bool begun_ = false;  ///< the row has a cell
};

}  // namespace weft
