// A kind of router as it registers itself: what it is, which topologies it fits, how it may be set, and how it is made.
// The config table, `weft describe`, validation and the tests of every router read nothing else.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "models/routing/channel_graph.hpp"
#include "models/routing/routing.hpp"
#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// A routing algorithm of a kind of routers: a value of router.routing.
struct RouterMode {
  std::string name;
  std::string help;
  bool shortest_paths = true;        ///< packets take as many links as Topology::distance or a Lattice's record says
  bool keeps_bubbles = false;        ///< free of deadlock only where free space is kept in rings
  std::string also = {};             ///< what switches that take its routes may call it besides (router.routing)
  bool by_occupancy = false;         ///< its Routing `decides`: only routers that ask it can take its routes
  bool routes_have_numbers = false;  ///< sources can choose (Routing::routes, take)
  bool asks_neighbours = false;      ///< goes by what waits at neighbouring switches, too
  u32 value = 0;                     ///< an enumerator of the kind's own (row_of, mode_of)

  /// Its row with the enumerator that stands for it.
  template <class Mode>
  [[nodiscard]] static RouterMode row_of(Mode value, RouterMode row) {
    row.value = static_cast<u32>(value);
    return row;
  }
};

/// A key of routers that only some modes go by, whichever kind of routers takes their routes.
struct KeyOfModes {
  bool RouterMode::*modes;
  std::string what;  ///< what those do: "choose by what waits"
};
/// By key.
using KeysOfModes = Registry<KeyOfModes>;

/// A key of all routers that a kind makes no use of.
struct IgnoredKey {
  std::string key;  ///< "router.queue_packets"
  std::string why;  ///< "buffers are in cells: router.buffer_cells"
};

/// The settings of [router] as the user wants them, to be checked before anything is built.
struct RouterChoice {
  Parameters keys;       ///< all of [router], by name
  std::string mode;      ///< the routing algorithm, `auto` resolved
  std::string topology;  ///< topology.kind
  Parameters shape;      ///< all of [topology]
  [[nodiscard]] bool unsafe() const { return keys.flag("unsafe"); }
};

/// A default of a kind, in place of the setting's own.
struct DefaultValue {
  std::string key;  ///< "link.latency_cycles"
  SettingValue value;
};

/// The routes of routers that are no plain ones, and how packets take them: for the search for deadlock at set-up.
struct SearchedRoutes {
  std::unique_ptr<Routing> routing;
  TakesCandidate takes = TakesCandidate::any;
  std::string key;  ///< that says whose routes they are: "router.routing"
  /// Routings of further traffic classes, which have channels of their own.
  std::vector<std::unique_ptr<Routing>> of_other_classes = {};
};

/// How long packets may be idle at places though no other is in their way, in ticks: what the watchdog allows for.
struct IdleAllowance {
  Tick at_router = 0;  ///< at each, besides router.switch_latency_cycles
  Tick at_source = 0;  ///< from one packet to the next
  Tick on_link = 0;    ///< that a packet takes for a link, if that may be more than its length
  u32 journeys = 1;    ///< through the network that must be over before a packet is, its own among them
};

/// Time as a kind counts it whatever [link] and simulation.tick_ps say.
struct OwnTime {
  u64 ticks_per_cycle = 1;
  Tick link_ticks = 1;  ///< the least latency between two routers
  double cycle_ns = 0;
};

/// In place of a family: routers that fit all that have links (not linkless_family).
inline constexpr const char* any_family = "*";

struct RouterKind {
  std::string help;                   ///< a few sentences: what it is made for, and what keeps it free of deadlock
  std::vector<std::string> families;  ///< families of topologies that it fits (TopologyKind::family), or any_family
  std::vector<RouterMode> modes;      ///< the first is what router.routing = "auto" stands for
  std::vector<Setting>
      settings;  ///< its own keys, "router.bubble_packets"...; for the same key of several kinds the same row
  /// What is wrong with a choice, if anything is; never mind what holds for all routers.
  std::function<std::optional<Complaint>(const RouterChoice&)> check;
  /// Plain routers: the routing, for the loop that all of them share. Empty if the kind has only loops of its own.
  std::function<std::unique_ptr<Routing>(const Topology&, const RouterSettings&)> routing;
  /// Routers with loops of their own: whether those fit the network; else its `routing` is taken. Empty: they always
  /// do.
  std::function<bool(const Topology&, const RouterSettings&)> has_loop;
  /// Bytes that the network's blocks take in the kind's own loops, all processes together, with packets of so many
  /// bytes. Throws ConfigError if they cannot hold or address the network. Empty: the kind has no loops of its own.
  std::function<u64(const Topology&, const RouterSettings&, u32 packet_bytes)> bytes;
  /// Packets go on only when they are whole (store and forward): each hop takes the rest of a packet's length longer.
  bool whole_packets = false;
  /// What becomes of packets that such routers drop even in networks without faults ("waited too long"); empty: they
  /// never do.
  std::string drops = {};
  /// Plain routers: packets keep to the routes of `routing` with faults too; those of other kinds look for another path
  /// where a link has failed.
  bool keeps_routes_with_faults = false;
  /// Fills in what keys of its own leave to the topology, whose kind is given.
  std::function<void(RouterSettings&, const std::string& topology)> resolve = {};
  std::vector<IgnoredKey> ignores = {};  ///< may not be given
  std::string machine = {};   ///< the kind whose event loops it runs in; empty: its own, or that of plain routers
  bool takes_routes = false;  ///< router.routing is a mode of another kind, or that kind, whose routes it takes
  bool controls_congestion = false;  ///< takes the keys of [congestion]
  bool any_length = false;           ///< packets may have any length up to packet.phits
  bool any_rate = false;             ///< links may carry more or less than a phit a cycle
  /// Kinds with loops of their own that know parts which fail and come back during the run, as the loop of plain
  /// routers does (RouterSettings::live_faults).
  bool live_faults = false;
  bool live_rates = false;  ///< likewise of links that change their rate
  /// Kinds that are products: what settings of any table are in networks of that kind of topology, unless the config
  /// says otherwise.
  std::function<std::vector<DefaultValue>(const std::string& topology)> defaults = {};
  /// Kinds with loops of their own that ask a Routing all the same, and ignore the conditions of its candidates.
  std::function<SearchedRoutes(const Topology&, const RouterSettings&)> searched_routes = {};
  /// Kinds with a time of their own, from the values of their keys; empty: time is that of links.
  std::function<OwnTime(const Parameters& own)> time = {};
  /// What holds up packets besides links and switch latency; empty: nothing does.
  std::function<IdleAllowance(const Topology&, const RouterSettings&)> idle = {};
};
using RouterRegistry = Registry<RouterKind>;

/// The kind of this name. A Bug if there is none: names were validated.
[[nodiscard]] const RouterKind& router_kind(const std::string& name);
/// Whether routers of a kind are made for topologies of a family.
[[nodiscard]] bool fits_family(const RouterKind& kind, const std::string& family);
/// The row of a routing algorithm in its kind's list; the first for an empty name. A Bug if there is none: modes were
/// validated.
[[nodiscard]] const RouterMode& mode_row(const RouterKind& kind, const std::string& mode);
/// The enumerator in the row of a routing algorithm (RouterMode::row_of). A Bug as mode_row.
template <class Mode>
[[nodiscard]] Mode mode_of(const std::string& kind, const std::string& mode) {
  return static_cast<Mode>(mode_row(router_kind(kind), mode).value);
}
/// Whether the routes of a mode are free of deadlock only where free space is kept in rings.
[[nodiscard]] bool keeps_bubbles(const RouterKind& kind, const std::string& mode);
/// Whether the routes of a mode go by output occupancy (Routing::decide).
[[nodiscard]] bool goes_by_occupancy(const RouterKind& kind, const std::string& mode);
/// Whether sources can choose among the routes of a mode by their numbers (Routing::routes, take).
[[nodiscard]] bool routes_have_numbers(const RouterKind& kind, const std::string& mode);
/// Whether routers of a kind make no use of a key of all routers ("router.queue_packets").
[[nodiscard]] bool ignores(const RouterKind& kind, const std::string& key);
/// Whether routers of a kind run in the loop of plain routers here.
[[nodiscard]] bool is_plain(const Topology& topology, const RouterSettings& settings);
/// The kind whose event loops routers of a kind run in.
[[nodiscard]] std::string machine_of(const std::string& kind);

}  // namespace weft::models
