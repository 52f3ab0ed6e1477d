// The choice among the channels of a class.
#include "models/routing/channel_classes.hpp"

#include <array>

namespace weft::models {

u32 emptiest_open(const RouterView& router, const OutputSet& set, u64 bits) {
  constexpr u32 most_words = 4;  // of a set of outputs of a plain router
  std::array<u64, most_words> open{};
  for (u32 w = 0; w < set.words(); ++w) open[w] = set.word(w) & router.free_word(w);
  return router.emptiest(OutputSet(open.data(), set.words()), bits);
}

}  // namespace weft::models
