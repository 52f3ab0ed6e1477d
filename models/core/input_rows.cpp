// The rows.
#include "models/core/input_rows.hpp"

namespace weft::models {

Setting buffer_row() {
  return row::integer("router.buffer_cells", "cells", 64, {1, 1 << 20},
                      "buffer of each virtual channel of each input, or (router.buffers = \"shared\") of each input; a "
                      "packet must fit in, in wormhole switches need not.");
}

Setting routing_time_row() {
  return row::integer("router.routing_cycles", "cycles", 1, {0, 1'000'000},
                      "from a packet's first cell coming in to its being routed.");
}

}  // namespace weft::models
