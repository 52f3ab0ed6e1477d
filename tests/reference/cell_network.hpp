// What the plain simulator of docs/switch.md is given and gives: a network of switches, packets, where they may go, and
// when they were delivered. Nothing of the model is used here.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"
#include "tests/reference/cell_arbiter.hpp"

namespace weft::reference {

/// An end of a link at a switch, both directions alike.
struct CellPort {
  enum class Far : u8 { nothing, port, node } far = Far::nothing;
  u32 id = 0;        ///< switch or node at the other end
  u32 port = 0;      ///< port of that switch
  Tick latency = 1;  ///< D, at least 1
  Tick cell = 1;     ///< C, ticks a cell takes, at least 1
};
using CellWiring = std::vector<std::vector<CellPort>>;  ///< [switch][port]; a node is behind one port of one switch

enum class Schedule : u8 { islip, age, random };

/// docs/congestion.md: shares in units of 2^-24, the probability of 2^-32.
struct CellMarking {
  u32 above = 0, surely_above = 1;  ///< waiting cells
  u64 probability = 0;
  Tick quiet = 1, timer = 1;
  u64 counter = 1, stages = 5, gain = 1, step = 1, fast_step = 1, least = 1;
  // Only InfiniBand, where there is a table.
  std::vector<u32> table = {};  ///< CCT: delays in per cent
  u32 increase = 1;             ///< of the index; `timer` lowers it
  u32 spared = 0;               ///< packets between marked ones, on average
  u32 least_cells = 1;          ///< of a packet that is marked
};

struct CellNetwork {
  CellWiring switches;
  u32 channels = 1;        ///< VCs that each traffic class has on every link
  u32 classes = 1;         ///< of traffic
  bool strict = false;     ///< lower classes go first
  u32 buffer_cells = 64;   ///< of each channel of each input; `shared`: of an input
  bool shared = false;     ///< one buffer for all channels of an input
  u32 reserved_cells = 0;  ///< of a shared one, for each channel alone
  u32 speedup = 1;         ///< k: cells that cross the switch while the link out carries one
  u32 output_cells = 0;    ///< W: buffer behind each output
  bool fifo = false;       ///< else VOQs
  Schedule schedule = Schedule::islip;
  u32 iterations = 1;           ///< 0: until one finds no pair
  bool choice_in_turn = false;  ///< of several ways any with enough credits, in turn
  bool transit_first = false;   ///< nodes are left out of what others ask for
  bool store_and_forward = false;
  Tick routing = 0;      ///< R
  Tick crossing = 0;     ///< S
  u32 notice_cells = 1;  ///< switches tell their neighbours what waits in whole steps of so many
  u32 window = 0;        ///< cells in flight of a flow; 0: any
  u32 longest = 1;       ///< cells of a packet
  std::optional<CellMarking> marking = {};
  std::optional<VlTables> lanes = {};  ///< InfiniBand: channels are virtual lanes, and outputs arbitrate

  /// Channels of a link: class c has c * channels and those behind it.
  [[nodiscard]] u32 link_channels() const { return classes * channels; }
};

/// Packets of a node that are generated in the same tick are so in the order of the list.
struct CellPacket {
  Tick generated_at = 0;
  u32 from = 0, to = 0;
  u32 cells = 1;
  u32 traffic_class = 0;
};

/// An output of a switch, and the VC of the link behind it.
struct Way {
  u32 port = 0, channel = 0;
  friend auto operator<=>(const Way&, const Way&) = default;
};
/// What a routing leaves a packet. A single way in all is no choice.
struct Ways {
  std::vector<Way> any;
  std::optional<Way> escape = {};  ///< open only as long as none of the others has credits

  [[nodiscard]] std::size_t count() const { return any.size() + (escape ? 1 : 0); }
  friend auto operator<=>(const Ways&, const Ways&) = default;
};
/// Where a packet is in a switch: port and VC that it came by.
struct Place {
  u32 at = 0, port = 0, channel = 0;
};

/// What a switch knows of its outputs when a packet is about to be routed, in cells. VCs are those of the packet's
/// class, from 0 on.
class Fullness {
 public:
  virtual ~Fullness() = default;
  /// Cells of packets in the switch that are routed to an output and not matched yet; of a packet that may take several
  /// outputs its share.
  [[nodiscard]] virtual u32 waiting(u32 port) const = 0;
  /// Cells taken in the buffer behind a VC of an output: those sent whose credits are not back.
  [[nodiscard]] virtual u32 taken(u32 port, u32 channel) const = 0;
  /// Both, of all VCs of all classes.
  [[nodiscard]] virtual u32 load(u32 port) const = 0;
  /// What waits for an output of the switch behind a port, by its updates that have come.
  [[nodiscard]] virtual u32 remote_waiting(u32 port, u32 far_port) const = 0;
};

/// Packets are named by their place in the list of packets. VCs are those of the packet's class, from 0 on.
struct CellRules {
  /// Called once for each packet in each switch but that of its destination.
  std::function<Ways(Place, u32 packet)> route;
  /// Called once for each packet in each switch but that of its destination, when `route` is about to be asked for the
  /// first time. Empty: nothing goes by output occupancy.
  std::function<void(Place, u32 packet, const Fullness&)> decide = {};
  /// VCs of the node's link that a new packet may take: the first, and how many. Empty: all.
  std::function<std::pair<u32, u32>(u32 packet)> source_channels = {};
  /// Likewise on the way to its node, where packets hold channels there, too.
  std::function<std::pair<u32, u32>(u32 packet)> sink_channels = {};
  /// A packet begins to leave a switch, that of its destination too. May be empty.
  std::function<void(Place, u32 packet, Way)> leaves = {};
  /// A number below another, for Schedule::random.
  std::function<u32(u32 below)> draw = {};
  /// Ports that the answer to a packet leaves switches by, that to the node of its source last.
  std::function<std::vector<u32>(u32 packet)> way_back = {};
  /// 32 random bits for what leaves a switch through a port in a tick.
  std::function<u64(u32 at, u32 port, Tick now)> marking_draw = {};
  /// When a tick is done. May be empty.
  std::function<void(Tick)> each_tick = {};
};

struct CellOutcome {
  std::vector<Tick> delivered;          ///< [packet]; `never` for those still in flight at the end
  std::vector<std::string> complaints;  ///< broken invariants, the first few
  Tick ended = 0;                       ///< ticks that were simulated
  [[nodiscard]] u64 count(Tick from, Tick below) const {
    u64 n = 0;
    for (const Tick t : delivered) n += t >= from && t < below ? 1 : 0;
    return n;
  }
};

}  // namespace weft::reference
