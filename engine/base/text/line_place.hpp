// Where a reader of a text file stands, and the two forms in which all of them say what is wrong there.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/types.hpp"

namespace weft {

/// "FILE:LINE" for messages; `line` counts from 1.
[[nodiscard]] std::string place_of_line(const std::string& file, u64 line);
/// Throws InputError "FILE:LINE: problem", which ends with an advice: "... (why); do this".
[[noreturn]] void fail_at_line(const std::string& file, u64 line, const std::string& problem);
/// Throws InputError "FILE:LINE: problem (got '...'); expected ..."; an empty `got` reads "nothing".
[[noreturn]] void reject_at_line(const std::string& file, u64 line, const std::string& problem, std::string_view got,
                                 const std::string& expected);

}  // namespace weft
