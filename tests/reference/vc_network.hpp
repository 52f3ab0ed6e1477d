// What the plain simulator of wormhole switches with several virtual channels (docs/wormhole.md) is given, besides
// packets and routes, which are those of cell_network.hpp.
#pragma once

#include "tests/reference/cell_network.hpp"

namespace weft::reference {

struct VcWormNetwork {
  CellWiring switches;
  u32 channels = 2;
  u32 buffer_cells = 8;  ///< of each channel of each input
  Schedule schedule = Schedule::islip;
  u32 iterations = 1;   ///< 0: until one finds no pair
  Tick routing = 0;     ///< R
  Tick allocation = 0;  ///< V
  Tick crossing = 0;    ///< S
  Tick credit = 0;      ///< K
  bool release_on_credit = false;
  u32 input_speedup = 1;  ///< F
  u32 speedup = 1;        ///< k
  u32 output_cells = 0;   ///< W; 0: none
};

}  // namespace weft::reference
