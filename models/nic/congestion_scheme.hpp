// A scheme of congestion control as a part: when a source may send, which packets switches mark, and what sources make
// of the answers. Each registers itself in a file of its own; docs/adding-a-congestion-control.md adds one.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "engine/random.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models::endpoint {

/// What a scheme knows of a flow at its source, in bytes that checkpoints copy: all 0 for a flow that it has not met or
/// has forgotten.
struct FlowState {
  alignas(8) std::array<std::byte, 40> bytes{};
  /// The bytes as a struct of the scheme's own, for which all 0 must mean the same.
  template <class State>
  [[nodiscard]] State& as() {
    static_assert(std::is_trivially_copyable_v<State> && sizeof(State) <= sizeof(bytes) && alignof(State) <= 8);
    return *reinterpret_cast<State*>(bytes.data());
  }
  template <class State>
  [[nodiscard]] const State& as() const {
    return const_cast<FlowState*>(this)->as<State>();
  }
};

/// A packet that a source sends.
struct SentPacket {
  u32 cells;
  Tick busy;  ///< ticks that it keeps the node's link
  Tick now;
};

/// What comes back to a source when a packet has been delivered.
struct Echo {
  u32 cells;
  bool marked;  ///< a switch has marked it, and the destination says so: CongestionScheme::quiet_ticks
  u32 links;    ///< that the answer has taken, nodes' links included
  Tick delay;   ///< since the packet was sent; 0 unless CongestionKind::measures_delay
  Tick now;
};

/// A packet that leaves a switch.
struct LeavingPacket {
  u32 cells;
  u32 waiting;  ///< cells of other packets that wait for the same output
  bool moves;   ///< the output leads to a node, or has credits for a longest packet more
  u32 switch_number, output;
  Tick now;
  u64 seed;
  /// A random draw for this switch, output and tick, in units of 2^-32.
  [[nodiscard]] u64 draw() const {
    return engine::random_bits(seed, switch_number, now << 16 | output, engine::Use::marking) >> 32;
  }
};

/// One object serves all flows of a process; what differs between flows is in their states. A flow is all packets from
/// a node to another.
class CongestionScheme {
 public:
  virtual ~CongestionScheme() = default;

  // At the source.

  /// Cells of a flow that may be in flight, at least a longest packet; only asked if CongestionKind::has_windows.
  [[nodiscard]] virtual u32 window_cells(const FlowState& /*flow*/) const { return ~u32{0}; }
  /// A packet is sent. Returns the ticks until the flow may send its next, at least packet.busy.
  [[nodiscard]] virtual Tick sent(FlowState& /*flow*/, const SentPacket& packet) const { return packet.busy; }
  virtual void answered(FlowState& /*flow*/, const Echo& /*echo*/) const {}
  /// Whether the flow may be forgotten once nothing of it is in flight: the scheme would treat it as a new one.
  [[nodiscard]] virtual bool idle(FlowState& /*flow*/, Tick /*now*/) const { return true; }
  /// The longest that `sent` returns for a packet that takes the link `busy` ticks.
  [[nodiscard]] virtual Tick longest_gap(Tick busy) const { return busy; }

  // In switches and at the destination; only if CongestionKind::marks.

  [[nodiscard]] virtual bool marks(const LeavingPacket& /*packet*/) const { return false; }
  /// A destination notifies a source of marked packets once in so many ticks.
  [[nodiscard]] virtual Tick quiet_ticks() const { return 0; }
};

/// What a scheme is made from.
struct CongestionContext {
  const Parameters& keys;  ///< of [congestion]
  Tick cycle_ticks;
  u32 longest_packet;  ///< cells
};

struct CongestionKind {
  static constexpr ChoiceKey choice{"congestion.kind"};

  std::string help;
  std::vector<Setting> settings = {};  ///< its own keys, "congestion.target_cycles"...
  /// What is wrong with a choice of [congestion], if anything is.
  std::function<std::optional<Complaint>(const Parameters&)> check = {};
  /// None: flows are not controlled.
  std::function<std::unique_ptr<CongestionScheme>(const CongestionContext&)> make = {};
  bool marks = false;           ///< switches mark packets
  bool has_windows = false;     ///< its own, per flow, beside congestion.window_cells
  bool needs_window = false;    ///< congestion.window_cells must be given
  bool measures_delay = false;  ///< Echo::delay
  bool needs_count = false;     ///< congestion.gcc_packets must be given
  bool of_all_routers = false;  ///< it fits every kind, not only those with RouterKind::controls_congestion
};
using CongestionRegistry = Registry<CongestionKind>;

}  // namespace weft::models::endpoint
