// Seeds of the random cases that models are judged by.
#pragma once

#include <cstdlib>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models::testing {

/// Where each of four runs of seeds begins; WEFT_JUDGE_SEED=N moves all of them, for cases that nobody has seen.
[[nodiscard]] inline std::vector<u64> judged_seeds() {
  const char* const given = std::getenv("WEFT_JUDGE_SEED");
  const u64 first = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  return {first, first + 1'000, first + 2'000, first + 3'000};
}

}  // namespace weft::models::testing
