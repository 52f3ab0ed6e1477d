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

Setting iterations_row() {
  return row::integer(
             "router.iterations", "", std::nullopt, {1, 64},
             "rounds of grants and acceptances in a cycle; not given: until one finds no pair, so that no input "
             "and output are left that could have been matched.")
      .only_with("router.scheduling", {"islip", "random"});
}

Setting speedup_row() {
  return row::integer(
      "router.speedup", "", 1, {1, 16},
      "how many times as fast as the link out cells cross a switch; more than 1 needs output buffers, and "
      "a cell time of as many ticks (simulation.tick_ps).");
}

Setting output_buffer_row() {
  return row::integer("router.output_buffer_cells", "cells", 0, {0, 1 << 20},
                      "buffer of each output, for cells that have crossed the switch and wait for the link; 0: none.");
}

}  // namespace weft::models
