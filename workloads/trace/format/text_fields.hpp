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

}  // namespace weft::workloads
