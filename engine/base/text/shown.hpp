// Text of a user as messages show it, so that what somebody wrote into a file or a name can neither break a line, nor
// speak to the terminal, nor bury the message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft {

/// Characters of a value that a message shows at most.
constexpr std::size_t shown_characters = 200;

/// `text` on one line: line breaks, other control characters, invisible ones that turn text around and bytes that are
/// no UTF-8 are written as \n, \x1b, \u202e; of more than `most` characters the middle is left out, for "...".
[[nodiscard]] std::string shown(std::string_view text, std::size_t most = shown_characters);

/// Whether all of `text` is well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace weft
