// Which shapes of a kind of topology have about so many nodes: for those who look for a network of a size.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"

namespace weft::models {

/// What is looked for.
struct SizeWish {
  u64 nodes = 0;
  u32 radix = 0;  ///< most ports of a router, those to nodes included; 0: any number
};

/// Candidates of a kind, as values of its keys. They may miss the wish, or be refused when they are made: who asks
/// looks at what comes out. As few as show the kind at its best: as much bandwidth inside as nodes can use.
struct ShapesNear {
  std::function<std::vector<Parameters>(const SizeWish&)> shapes;
};
using ShapesNearRegistry = Registry<ShapesNear>;

/// The last line of a topology's file.
inline bool add_shapes_near(const std::string& kind, std::function<std::vector<Parameters>(const SizeWish&)> shapes) {
  return ShapesNearRegistry::instance().add(kind, {std::move(shapes)});
}

/// The whole numbers round a positive number, `around` to both sides, none below 1.
inline std::vector<i64> numbers_near(double number, i64 around = 1) {
  std::vector<i64> found;
  const i64 centre = std::llround(number);
  for (i64 value = std::max<i64>(1, centre - around); value <= std::max<i64>(1, centre) + around; ++value)
    found.push_back(value);
  return found;
}

/// `least` and the two numbers after it, none below 1; and `full`, beyond these, where a radix gives it (else 0).
inline std::vector<i64> sides_near(i64 least, i64 full) {
  const i64 first = std::max<i64>(1, least);
  std::vector<i64> sides{first, first + 1, first + 2};
  if (full > first + 2) sides.push_back(full);
  return sides;
}

}  // namespace weft::models
