// A packet of a message that a network with parts that fail has lost.
#pragma once

#include "engine/base/types.hpp"
#include "workloads/program/message.hpp"

namespace weft::workloads {

/// Plain bytes: ranks tell each other.
struct LostPacket {
  Tick at = 0;           ///< when it was lost; of one that is sent again, when that is to be
  u32 source = 0;        ///< node that sent it
  u32 cells = 1;         ///< on machines with packets of any length
  bool cut_off = false;  ///< there was no path to its destination
  ProgramPacket packet = {};
};

}  // namespace weft::workloads
