// The choices that plain routings have in common.
#include "models/routing/routing.hpp"

namespace weft::models {

u32 RouterView::random_with_space(const OutputSet& set, u64 bits) const {
  u32 count = 0;
  for (u32 w = 0; w < set.words(); ++w) count += static_cast<u32>(std::popcount(set.word(w) & space_word(w)));
  if (count == 0) return none;
  u32 nth = engine::scale_to(bits, count);
  for (u32 w = 0;; ++w) {
    u64 here = set.word(w) & space_word(w);
    const u32 some = static_cast<u32>(std::popcount(here));
    if (nth >= some) {
      nth -= some;
      continue;
    }
    for (; nth > 0; --nth) here &= here - 1;
    return 64 * w + static_cast<u32>(std::countr_zero(here));
  }
}

u32 RouterView::emptiest(const OutputSet& set) const {
  u32 best = none, least = ~u32{0};
  for (u32 w = 0; w < set.words(); ++w) {
    for (u64 left = set.word(w) & space_word(w); left != 0; left &= left - 1) {
      const u32 o = 64 * w + static_cast<u32>(std::countr_zero(left));
      const u32 ticks = occupied_ticks(o);
      if (ticks >= least) continue;
      least = ticks;
      best = o;
    }
  }
  return best;
}

u32 RouterView::emptiest(const OutputSet& set, u64 bits) const {
  u32 best = none, least = ~u32{0}, ties = 0;
  for (u32 w = 0; w < set.words(); ++w) {
    for (u64 left = set.word(w) & space_word(w); left != 0; left &= left - 1) {
      const u32 o = 64 * w + static_cast<u32>(std::countr_zero(left));
      const u32 ticks = occupied_ticks(o);
      if (ticks > least) continue;
      ties = ticks < least ? 1 : ties + 1;
      least = ticks;
      // The k-th of equals replaces those before it with chance 1/k: each has the same in the end.
      if (ties == 1 || engine::scale_to(engine::remix(bits, o), ties) == 0) best = o;
    }
  }
  return best;
}

bool RouterView::may_escape(const Candidates& c) const {
  if (c.escape == none || !far_space(c.escape, c.escape_far_packets)) return false;
  return c.escape_near_packets == 0 || local_space_ticks(c.escape_near_queue) >= c.escape_near_packets * packet_ticks();
}

u32 Routing::request(const RouterView& router, const Candidates& candidates, u32& /*memory*/, u64 bits) const {
  const u32 choice = router.random_with_space(candidates.outputs, bits);
  if (choice != RouterView::none) return choice;
  return router.may_escape(candidates) ? candidates.escape : RouterView::none;
}

}  // namespace weft::models
