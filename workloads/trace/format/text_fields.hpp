// Fields of a line of text, and numbers in them.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// What stands between blanks and tabs, in place of what `fields` held.
void split_at_blanks(std::string_view text, std::vector<std::string_view>& fields);
/// What stands between separators; nothing between two is an empty field.
void split_at(std::string_view text, char separator, std::vector<std::string_view>& fields);

/// A whole number that fills `text`; false if it is none, or needs more than 64 bits.
[[nodiscard]] bool parse_integer(std::string_view text, i64& value);
/// A finite decimal number that fills `text`.
[[nodiscard]] bool parse_decimal(std::string_view text, double& value);

}  // namespace weft::workloads
