// What is kept of a SpiNNaker router: plain bytes of one size, so that a checkpoint is a copy of them.
#pragma once

#include <cstddef>
#include <type_traits>

#include "engine/base/types.hpp"
#include "models/machine/spinnaker/directions.hpp"
#include "models/nic/endpoints.hpp"

namespace weft::models::spinnaker {

/// What a packet's RouteState::phase says; while a monitor core keeps it, with the input that it came through in the
/// upper four bits.
enum class Leg : u8 { normal, first, second };

/// Two lines of a cache; the packet in the engine and the queues follow.
struct RouterState {
  Tick since = 0;                  ///< when the packet in the engine came in
  Tick next_take = 0;              ///< when the engine may take the next one
  Tick wake = never;               ///< the earliest Wake that is scheduled
  endpoint::FreeSpace free_space;  ///< of the injection queue
  Tick busy_until[ends] = {};      ///< [output]
  u32 global = 0;
  u32 work = 0;           ///< packets put on links
  u8 credits[ends] = {};  ///< [output] packets that the far queue has free space for; none, ever, where there is no
                          ///< link
  u8 pending = 0;  ///< outputs that the packet in the engine has still to leave by, bit mask; 0: the engine is empty
  u8 count[ends] = {};  ///< [input] packets in the queue
  u8 awaited = 0;       ///< outputs whose credit may let it go on, bit mask
  u8 head[ends] = {};   ///< [input] slot of the first
  u8 turns = 0;         ///< of the arbiters, see MergeTree
  u8 waiting = 0;       ///< inputs with packets, bit mask
  u8 detours = 0;       ///< 1: the packet in the engine may go round
  u8 input = 0;         ///< that it came through
  u8 closed = 0;        ///< outputs that are known here not to lead on since something failed during the run, bit mask
  u8 unused[4] = {};
};
static_assert(sizeof(RouterState) == 128 && std::is_trivially_copyable_v<RouterState>);

/// The monitor core that puts dropped packets back; behind the queues, in networks that have such cores. Its packets
/// follow, each with the outputs that it has still to leave by in RouteState::spare.
struct MonitorState {
  u32 head = 0, count = 0;  ///< slot of the first packet it keeps, and how many
  u32 offered = 0;          ///< 1: the first one stands before the tree of arbiters
  u32 sending = 0;          ///< 1: the next one follows it, if the router is not blocked then
};
static_assert(sizeof(MonitorState) == 16 && std::is_trivially_copyable_v<MonitorState>);

/// Sizes of a router's block.
struct BlockShape {
  u32 queue = 0, injection = 0;  ///< packets
  std::size_t packet_bytes = 0;
  u32 kept = 0;  ///< packets of the monitor core; 0: there is none
  /// Where the monitor's state is.
  [[nodiscard]] std::size_t monitor_at() const {
    return (sizeof(RouterState) + packet_bytes * (1 + links * queue + injection) + 15) / 16 * 16;
  }
  [[nodiscard]] std::size_t bytes() const {
    const std::size_t queues = sizeof(RouterState) + packet_bytes * (1 + links * queue + injection);
    return ((kept == 0 ? queues : monitor_at() + sizeof(MonitorState) + packet_bytes * kept) + 63) / 64 * 64;
  }
};

}  // namespace weft::models::spinnaker
