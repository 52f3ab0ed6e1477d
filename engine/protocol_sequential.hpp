// The protocol of one rank alone: tick after tick, nobody to agree with.
#pragma once

#include "engine/protocol.hpp"

namespace weft::engine {

class SequentialProtocol {
 public:
  template <class Part>
  static Tick run(Part& part, Tick until) {
    for (;;) {
      const Tick next = part.next();
      if (next >= until) return next;
      part.run_tick(next);
      ++part.count().windows;
    }
  }
};

}  // namespace weft::engine
