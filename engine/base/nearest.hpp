// The valid choice nearest to what the user wrote: the suggestion at the end of an error message.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft {

/// The candidate that `word` means: the same but for case and joints ("FatTree", "fat-tree"), or what a word of another
/// simulator is here (synonyms.hpp). Else that with the least edit distance (Levenshtein); the first of several; "" if
/// there is none.
[[nodiscard]] std::string nearest(const std::string& word, const std::vector<std::string>& candidates);
/// The nearest candidate to `word`, but "" if it neither means that nor is at most `most` edits away.
[[nodiscard]] std::string nearest(const std::string& word, const std::vector<std::string>& candidates,
                                  std::size_t most);

/// Product of `values` (each >= 0), or `limit + 1` where it is more than `limit`; never overflows.
[[nodiscard]] u64 product_up_to(const std::vector<i64>& values, u64 limit);

/// `values` with each raised to at least 1 and then, while the product is more than `limit`, the largest cut down.
[[nodiscard]] std::vector<i64> nearest_factors(std::vector<i64> values, u64 limit);

/// A list as TOML writes it: "[8, 8]"; of more than 24 values the first and how many there are.
[[nodiscard]] std::string list_text(const std::vector<i64>& values);

}  // namespace weft
