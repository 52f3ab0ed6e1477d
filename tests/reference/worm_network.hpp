// What the plain simulator of docs/wormhole.md is given, besides packets and routes, which are those of
// cell_network.hpp with one channel a link.
#pragma once

#include "tests/reference/cell_network.hpp"
#include "tests/reference/worm_nic.hpp"

namespace weft::reference {

struct WormNetwork {
  CellWiring switches;    ///< all links have the same C
  u32 buffer_cells = 64;  ///< of each input
  bool stop_go = false;   ///< else a credit for each cell
  u32 stop_cells = 0, go_cells = 0;
  Schedule schedule = Schedule::islip;
  Tick routing = 0;                   ///< R
  Tick crossing = 0;                  ///< S
  std::optional<NicRules> nics = {};  ///< that choose routes
};

}  // namespace weft::reference
