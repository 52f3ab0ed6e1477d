// What is kept of a node of an ideal network: plain bytes of one size, so that a checkpoint is a copy of them.
#pragma once

#include <type_traits>

#include "engine/base/types.hpp"
#include "models/nic/endpoints.hpp"

namespace weft::models::ideal {

struct NicState {
  Tick next_send = 0;              ///< when the NIC is through with what it has taken so far
  endpoint::FreeSpace free_space;  ///< of its queue
  u32 global = 0;
  u32 work = 0;    ///< packets that have left
  u32 queued = 0;  ///< packets that wait for those before them
  u32 unused = 0;
};
static_assert(sizeof(NicState) <= 64 && std::is_trivially_copyable_v<NicState>);

}  // namespace weft::models::ideal
