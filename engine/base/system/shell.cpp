// Quoting for bash and for the options that sbatch reads from a script.
#include "engine/base/system/shell.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace weft::process {

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

bool is_plain_word(const std::string& word) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.,:/@%=";
  return !word.empty() && word.find_first_not_of(plain) == std::string::npos;
}

std::string sbatch_quoted(const std::string& word) {
  WEFT_ASSERT(!has_control_character(word));
  if (is_plain_word(word)) return word;
  // sbatch knows a backslash before any character, inside of quotes too, and nothing else.
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

bool has_control_character(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

}  // namespace weft::process
