// Set-up of the bubble policy: masks of channels.
#include "models/machine/packets/bubble.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/packets/block_bytes.hpp"
#include "models/routing/insee_paper.hpp"
#include "models/routing/kind/lattice_bubble.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

BubbleRequest bubble_request(BubbleMode mode) {
  switch (mode) {
    case BubbleMode::shortest:
      return BubbleRequest::shortest;
    case BubbleMode::oblivious:
      return BubbleRequest::oblivious;
    case BubbleMode::random:
      return BubbleRequest::random;
    case BubbleMode::smart:
      return BubbleRequest::smart;
    case BubbleMode::double_order:
    case BubbleMode::hexa:
      break;
  }
  throw Bug("a mode of bubble routers without a loop of its own");
}

}  // namespace

template <u32 Dimensions, u32 Channels>
SizedBubblePolicy<Dimensions, Channels>::SizedBubblePolicy(const Topology& topology, const RouterSettings& settings)
    : settings_(settings) {
  const CubeGeometry& cube = grid_geometry(topology);
  dimensions_ = static_cast<u32>(cube.dims.size());
  bubble_packets_ = bubble_that_fits(topology, settings);
  request_ = bubble_request(mode_of<BubbleMode>("bubble", settings.mode));
  WEFT_ASSERT((Dimensions == 0 || Dimensions == dimensions_) &&
              (Channels == 0 || Channels == settings.virtual_channels));
  const u32 channels = settings.virtual_channels, outputs = 2 * dimensions_ * channels;
  if (outputs + 1 > engine::BitSet<words>::capacity ||
      outputs + settings.injection_queues > engine::BitSet<words>::capacity) {
    throw ConfigError(
        fmt::format("router.virtual_channels = {} is too many for {} dimensions (a cube router holds at most 64 "
                    "channels and injection queues); use at most {}",
                    channels, dimensions_, (64 - std::max(settings.injection_queues, 1U)) / (2 * dimensions_)));
  }
  addresses_ = CubeAddresses(cube);
  escape_always_ =
      request_ == BubbleRequest::oblivious || request_ == BubbleRequest::smart || settings.local_buffer_packets > 0;
  if (request_ == BubbleRequest::shortest && settings.local_buffer_packets == 0 && keys_fit(settings)) {
    choices_ = std::make_unique<ShortestChoices<Dimensions, Channels>>(dimensions_, settings);
  }
  for (u32 port = 0; port < 2 * dimensions_; ++port) {
    const u64 all = (u64{1} << channels) - 1;
    const bool oblivious = request_ == BubbleRequest::oblivious;
    adaptive_[port] = oblivious ? 0 : (all & ~u64{1}) << (port * channels);
    escape_[port] = (oblivious ? all : 1) << (port * channels);
    all_escape_ |= escape_[port];
  }
}

template <u32 Dimensions, u32 Channels>
Peer SizedBubblePolicy<Dimensions, Channels>::wanted_by(const Route& route, u32 router,
                                                        const Topology& topology) const {
  if (route.directions == 0) return {Peer::Kind::node, router, 0};
  const u32 output = escape_output(route);
  Peer peer = topology.peer(RouterId(router), output / virtual_channels());
  peer.port = output;
  return peer;
}

template class SizedBubblePolicy<0, 0>;
template class SizedBubblePolicy<2, 3>;
template class SizedBubblePolicy<3, 3>;

u32 bubble_that_fits(const Topology& topology, const RouterSettings& settings) {
  const auto* const grid = dynamic_cast<const Grid*>(&topology.whole());
  const bool rings = grid == nullptr || grid->geometry().rings != 0;
  const u64 on_wire = settings.packets_on_wire();
  const u32 asked = settings.bubble_packets();
  if (asked < 2 || on_wire < 2 || !rings) return asked;
  const u64 bubble = asked + on_wire - 1;
  if (bubble > settings.queue_packets && !settings.own.flag("unsafe")) {
    throw ConfigError(fmt::format(
        "router.queue_packets = {} is too short for links so long: up to {} packets are on the wire to a queue, and "
        "rings of bubble routers deadlock unless there is free space for {}; use router.queue_packets = {}, longer "
        "packets or shorter links",
        settings.queue_packets, on_wire, bubble, bubble));
  }
  return static_cast<u32>(bubble);
}

namespace {

bool has_compiled_loop(BubbleMode mode) { return mode != BubbleMode::double_order && mode != BubbleMode::hexa; }

/// Whether a compiled loop of grids has all of it: not every mode, nor one-way rings, router.lbr_escape = false or
/// router.channel_rule = "paper".
bool has_loop(const Topology& topology, const RouterSettings& settings) {
  if (!restricts_escape(settings.own) || follows_paper(settings.own)) return false;
  const auto* const grid = dynamic_cast<const Grid*>(&topology.whole());
  return grid != nullptr && !grid->geometry().one_way &&
         has_compiled_loop(mode_of<BubbleMode>("bubble", settings.mode));
}

std::optional<Complaint> check_bubble(const RouterChoice& choice) {
  const bool several_orders = choice.mode == "double" || choice.mode == "hexa";
  const bool escapes_only = several_orders || choice.mode == "oblivious";
  if (choice.mode == "hexa") {
    const auto network = make_topology({choice.topology, choice.shape});
    const auto* const lattice = dynamic_cast<const Lattice*>(&network->whole());
    if (lattice != nullptr && lattice->dimensions() > 3) {
      return Complaint{
          "router.routing",
          fmt::format("= \"hexa\" does not fit networks of {} dimensions (each channel has an order of three)",
                      lattice->dimensions()),
          "use routing = \"double\""};
    }
  }
  constexpr i64 orders = 6;
  if (const i64 channels = choice.keys.integer("virtual_channels");
      choice.mode == "hexa" && (choice.unsafe() ? channels > orders : channels != orders)) {
    return Complaint{"router.virtual_channels", "does not fit routing = \"hexa\" (one channel for each of 6 orders)",
                     "use virtual_channels = 6"};
  }
  const i64 bubble = choice.keys.integer("bubble_packets"), queue = choice.keys.integer("queue_packets");
  const i64 restriction = choice.keys.integer("lbr_packets");
  if (!choice.unsafe()) {
    if (!escapes_only && choice.keys.integer("virtual_channels") < 2) {
      return Complaint{"router.virtual_channels",
                       fmt::format("deadlocks with routing = \"{}\" (adaptive packets need an escape channel beside "
                                   "their own)",
                                   choice.mode),
                       "use virtual_channels = 2 or routing = \"oblivious\""};
    }
    if (bubble < 2) {
      return Complaint{"router.bubble_packets", "can deadlock (a ring that fills up never moves again)",
                       "use bubble_packets = 2, or deadlock.unsafe = true to see it happen"};
    }
    if (queue < 2) {
      return Complaint{"router.queue_packets",
                       "is too short for bubble routers (entering a ring needs free space for 2 packets)",
                       "the nearest valid value is 2"};
    }
    if (queue < bubble) {
      return Complaint{
          "router.bubble_packets",
          fmt::format("lets no packet in (router.queue_packets = {}: a queue never has that much free space)", queue),
          fmt::format("the nearest valid value is {}", queue)};
    }
  }
  const bool paper = follows_paper(choice.keys);
  if (paper && choice.mode == "oblivious" && choice.keys.integer("virtual_channels") == 1) {
    return Complaint{"router.channel_rule", "has no effect with router.virtual_channels = 1", "remove it"};
  }
  if (paper && (several_orders || choice.mode == "smart")) {
    return Complaint{"router.channel_rule",
                     fmt::format("has no effect with routing = \"{}\" (the program does what the paper says, or the "
                                 "paper says nothing)",
                                 choice.mode),
                     "remove it, or use routing = \"oblivious\", \"random\" or \"shortest\""};
  }
  if (restriction > queue) {
    return Complaint{
        "router.lbr_packets",
        fmt::format("lets no packet in (router.queue_packets = {}: a queue never has that much free space)", queue),
        fmt::format("the nearest valid value is {}", queue)};
  }
  if (restriction > 0 && escapes_only) {
    return Complaint{"router.lbr_packets",
                     fmt::format("has no effect with routing = \"{}\" (it restricts adaptive channels)", choice.mode),
                     "use lbr_packets = 0 or an adaptive routing"};
  }
  return {};
}

[[maybe_unused]] const bool bubble_registered = RouterRegistry::instance().add(
    "bubble",
    {.help =
         "meshes and tori. Virtual channel 0 is the escape channel of dimension-order routing; entering one of its "
         "rings needs free space for router.bubble_packets packets, so that no ring ever fills up. The other channels "
         "are adaptive.",
     .families = {"grid", "twisted", "lattice", "triangular"},
     .modes =
         {RouterMode::row_of(
              BubbleMode::shortest,
              {"shortest",
               "the adaptive channel that leads closer with most free space at the neighbour, the first in order of "
               "dimension, direction and channel among equals; the escape channel if none has free space. The default.",
               true, true}),
          RouterMode::row_of(
              BubbleMode::oblivious,
              {"oblivious",
               "deterministic dimension order (DOR; oblivious is INSEE's name for it) on every channel. A packet keeps "
               "its "
               "channel as long as it goes straight on; at injection and at turns it draws one of all at random, so a "
               "cycle of channels closes only in a ring, where entering needs the bubble. The one that works with a "
               "single "
               "virtual channel.",
               true, true}),
          RouterMode::row_of(BubbleMode::random, {"random",
                                                  "any adaptive channel that leads closer and has free space at the "
                                                  "neighbour; the escape channel if there is "
                                                  "none.",
                                                  true, true}),
          RouterMode::row_of(BubbleMode::smart, {"smart",
                                                 "first the dimension and channel it has; each failed trial moves on "
                                                 "to the next dimension, after the last "
                                                 "one to the escape channel, then round again. One trial per cycle.",
                                                 true, true}),
          RouterMode::row_of(BubbleMode::double_order, {"double",
                                                        "every channel is an escape channel; channel v takes the "
                                                        "dimensions in the order v, v+1, ...; a new packet "
                                                        "draws its channel and keeps it.",
                                                        true, true}),
          RouterMode::row_of(
              BubbleMode::hexa,
              {"hexa", "the same in three dimensions with all six orders, one for each of 6 channels.", true, true})},
     .settings = {row::integer("router.bubble_packets", "packets", 2, {0, 255},
                               "free space that a packet must find in this router's escape queue to enter a ring.")
                      .because("fewer than 2 packets can deadlock and need deadlock.unsafe"),
                  row::boolean(
                      "router.lbr_escape", true,
                      "router.lbr_packets also restricts entering the escape channel (as INSEE's program does); "
                      "false: adaptive channels alone (as its paper says).")
                      .only_with("router.lbr_packets"),
                  channel_rule_row()},
     .check = check_bubble,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<LatticeBubble>(topology, settings);
     },
     .has_loop = has_loop,
     .bytes =
         [](const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
           return network_bytes_of(BubblePolicy(topology, settings), topology, settings, packet_bytes);
         }});

}  // namespace

}  // namespace weft::models
