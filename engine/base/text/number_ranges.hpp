// Lists of whole numbers as text: "0-15,20", or "all".
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"

namespace weft {

struct NumberRanges {
  bool all = false;
  std::vector<std::pair<u64, u64>> ranges = {};  ///< both ends included, as they were written

  /// The numbers below `count`, in order, each once.
  [[nodiscard]] std::vector<u32> below(u32 count) const;
  /// The largest number; 0 of none.
  [[nodiscard]] u64 largest() const;
};

/// Nothing if it is no such text, or a number is beyond `most`.
[[nodiscard]] std::optional<NumberRanges> parse_number_ranges(std::string_view text, u64 most);

}  // namespace weft
