// JSON with the line of each value, so that messages can name it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools::sst {

struct Json {
  enum class Kind : u8 { null, boolean, number, text, list, object } kind = Kind::null;
  std::string text;                                   ///< of texts; of numbers and booleans as the file has them
  std::vector<std::pair<std::string, Json>> members;  ///< of objects; of lists with empty names
  u64 line = 0;

  /// The member of that name, null if there is none.
  [[nodiscard]] const Json* find(std::string_view name) const;
  [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
};

/// Throws ConfigError with file and line for what is no JSON.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& file);

}  // namespace weft::tools::sst
