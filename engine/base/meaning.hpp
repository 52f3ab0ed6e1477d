// Words of settings as values of an enumeration: a word without a value is a mistake of the program, never one of them.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "engine/base/error.hpp"

namespace weft {

/// The value that `table` has for `word`; the first, which is the default, for a key that nobody has set (an empty
/// word). The words are those of the setting's row, so that users cannot give others; throws Bug for one that is not in
/// the table.
template <class Value>
[[nodiscard]] Value meaning_of(const std::string& word, std::initializer_list<std::pair<const char*, Value>> table) {
  if (word.empty()) return table.begin()->second;
  for (const auto& [name, value] : table) {
    if (word == name) return value;
  }
  throw Bug("no meaning for \"" + word + "\"");
}

/// Whether `word` is `yes`; throws Bug if it is not `no` either, which is the default.
[[nodiscard]] inline bool means(const std::string& word, const char* yes, const char* no) {
  return meaning_of<bool>(word, {{no, false}, {yes, true}});
}

}  // namespace weft
