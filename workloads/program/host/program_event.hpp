// What ProgramHost schedules for itself, and what nodes of ideal networks tell each other.
#pragma once

#include "engine/base/types.hpp"
#include "workloads/program/message.hpp"

namespace weft::workloads {

/// Something that happens at a node.
struct ProgramEvent {
  enum class Kind : u8 {
    wake,             ///< at a task
    start,            ///< of a task's program
    sent,             ///< the last packet of the message of operation `message.operation` was handed over
    acknowledged,     ///< the receive of message `message.number` is complete
    local,            ///< a message arrives through memory
    handed_over,      ///< to a NIC that is not the first of its node: task `message.source` is sent `message` by it
    packet_received,  ///< from such a NIC: it has received a packet of `message`
    met,              ///< the meeting of operation `message.operation` is over
    resend            ///< the NIC sends packets again that were lost
  };
  u32 entity = 0;
  u8 slot = 0;  ///< of the task at the node
  Kind kind = Kind::wake;
  u16 unused = 0;
  Message message = {};
};

/// On the ideal network, to the sender of a message: its receive is complete. Or a chunk from the switch of a group.
struct ProgramSignal {
  u32 entity = 0;
  u8 slot = 0;
  u8 nic = 0;
  u16 unused = 0;
  u32 number = 0;  ///< of the message, or of the chunk
  u32 group = no_group;
  u64 bytes = 0;
  static constexpr u32 no_group = ~u32{0};
};

}  // namespace weft::workloads
