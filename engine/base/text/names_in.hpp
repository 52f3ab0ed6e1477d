// Lists of names in one text.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// "a, b" as names: blanks around them do not count, and empty ones are left out.
[[nodiscard]] inline std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::size_t first = list.find_first_not_of(' ', at);
    std::size_t last = comma;
    while (last > first && list[last - 1] == ' ') --last;
    if (first < last) names.push_back(list.substr(first, last - first));
    at = comma + 1;
  }
  return names;
}

}  // namespace weft
