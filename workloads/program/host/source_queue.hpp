// What becomes of packets that a NIC has no space for.
#pragma once

#include "engine/base/types.hpp"

namespace weft::workloads {

enum class SourceQueue : u8 {
  bounded,    ///< the packet waits, and its source generates no other meanwhile
  unbounded,  ///< packets wait at their source, which goes on generating
  lossy,      ///< the packet is lost
};

}  // namespace weft::workloads
