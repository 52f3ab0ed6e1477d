// Clusters as many were cabled: leaf switches under core switches, each core a folded Clos network of chips inside.
#pragma once

#include <string>

#include "models/subnet/subnet.hpp"

namespace weft::models {

struct LeafCoreShape {
  std::string name;
  u32 hosts = 0;         ///< spread evenly over the leaves
  u32 leaves = 0;        ///< leaf switches
  u32 leaf_uplinks = 0;  ///< links of a leaf to the cores together, equally many to each
  u32 cores = 0;
  u32 core_stages = 3;  ///< 3: line and spine chips; 5: cards of outer and inner chips, and fabric chips
  u32 core_cards = 0;   ///< line chips (3 stages) or cards (5 stages) of a core
  u32 chip_ports = 24;  ///< of the chips of the cores; half of them lead down, in the top stage all
  u32 cable_links = 1;  ///< links that lie in one cable, and so end at the same chip
  u64 lid_seed = 0;     ///< hosts have LIDs in a random order of this seed; 0: in their own order
  bool spread = false;  ///< cables of a leaf go to different chips; else to neighbouring sockets
};

/// Builds it. Cable k of leaf l to a core is the core's cable l * n + k, n of them from a leaf. Packed, cable q is in
/// socket q, chip by chip; spread, it is in a socket of chip q mod chips. Throws ConfigError where the numbers do not
/// fit together.
[[nodiscard]] Subnet leaf_core_subnet(const LeafCoreShape& shape);

}  // namespace weft::models
