// The row, and its meaning.
#include "models/arbiter/scheduling.hpp"

#include "engine/meaning.hpp"

namespace weft::models::arbiter {

Setting scheduling_row() {
  return row::choice(
      "router.scheduling", "islip", {"islip", "age", "random", "vl-arbitration"},
      "who gets an output: islip, round robin by pointers that move when a grant is accepted; age, the "
      "oldest packet; random, by lot (parallel iterative matching); vl-arbitration, of infiniband, which "
      "has no other: virtual lanes by weights.");
}

Scheduling scheduling_of(const RouterSettings& settings) {
  return meaning_of<Scheduling>(settings.own.text("scheduling"), {{"islip", Scheduling::islip},
                                                                  {"age", Scheduling::age},
                                                                  {"random", Scheduling::random},
                                                                  {"vl-arbitration", Scheduling::vl_arbitration}});
}

}  // namespace weft::models::arbiter
