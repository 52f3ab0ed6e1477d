// Basic vocabulary of the whole project: simulated time, fixed-width integers and tagged 32-bit ids.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace weft {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
__extension__ using u128 = unsigned __int128;

/// Simulated time in ticks; a tick is a network cycle or a number of picoseconds, said in the config.
using Tick = u64;

/// "Never": later than every tick that a run can reach.
inline constexpr Tick never = std::numeric_limits<Tick>::max();

/// A 32-bit index that cannot be mixed up with an index of another kind; invalid unless given a value.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  explicit constexpr Id(u32 value) : value_(value) {}
  [[nodiscard]] constexpr u32 value() const { return value_; }
  [[nodiscard]] constexpr bool valid() const { return value_ != invalid; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr u32 invalid = std::numeric_limits<u32>::max();
  u32 value_ = invalid;
};

using NodeId = Id<struct NodeTag>;      ///< an endpoint of the network: where a task runs
using RouterId = Id<struct RouterTag>;  ///< a router or switch of the topology
using TaskId = Id<struct TaskTag>;      ///< a process of the simulated application

}  // namespace weft
