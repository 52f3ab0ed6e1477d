// Credits as a window: a packet goes when there is a credit for each of its cells, and credits come back cell by cell.
#include "tools/run/setup/link_buffers.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/stop_look.hpp"
#include "models/machine/cells/settings.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/collect/collect.hpp"

namespace weft::tools {
namespace {

constexpr double worth_a_warning = 0.9;

/// What the links of a class have behind them. `class_number` 1: those that nodes send by, in whatever channel.
LinkBuffer buffer_of(const Context& context, u32 class_number, u32 channels) {
  const models::RouterSettings& router = context.router;
  LinkBuffer buffer;
  buffer.packet_cells = router.packet_phits;
  buffer.channels = class_number == models::Topology::node_link_class() ? router.virtual_channels : channels;
  buffer.cell_ticks = router.cell_ticks_of(class_number);
  buffer.round_trip = 2 * Tick{router.link_ticks_of(class_number)} + router.switch_ticks;
  if (models::machine_of(router.kind) != "switch") {
    buffer.cells = u64{router.queue_packets} * router.packet_phits;
    return buffer;
  }
  const models::cells::CellSettings own = models::cells::cell_settings(router);
  buffer.cells = own.buffer_cells;
  buffer.round_trip += own.routing_ticks;
  if (own.store_and_forward) buffer.round_trip += (buffer.packet_cells - 1) * buffer.cell_ticks;
  if (own.shared) {
    const u64 others = u64{router.virtual_channels} * own.classes - buffer.channels;
    buffer.kept = std::min<u64>(buffer.cells - buffer.packet_cells, others * own.reserved_cells);
    buffer.cells -= buffer.kept;
    buffer.channels = 1;
  }
  return buffer;
}

bool has_links_of(const models::Topology& topology, u32 class_number) {
  for (u32 router = 0; router < topology.routers(); ++router) {
    engine::look_for_stop(router);
    for (u32 port = 0; port < topology.ports(RouterId(router)); ++port) {
      if (topology.peer(RouterId(router), port).kind == models::Peer::Kind::none) continue;
      if (topology.link_class(RouterId(router), port) == class_number) return true;
    }
  }
  return false;
}

}  // namespace

double LinkBuffer::share() const {
  // Packet k + 1 waits for the credit of cell (k + 2) P - B - 1: cell `behind` of a packet that is `packets` before it.
  const u64 packets = (cells + packet_cells) / packet_cells - 1;
  const u64 behind = (packets + 1) * packet_cells - cells - 1;
  const Tick packet = packet_cells * cell_ticks;
  const double period = static_cast<double>(behind * cell_ticks + round_trip) / static_cast<double>(packets);
  return std::min(1.0, channels * static_cast<double>(packet) / std::max(period, static_cast<double>(packet)));
}

u64 LinkBuffer::enough_cells() const {
  LinkBuffer wanted = *this;
  u64 short_of = cells, enough = cells + 2 * packet_cells + round_trip / cell_ticks + 1;
  while (enough - short_of > 1) {
    wanted.cells = (short_of + enough) / 2;
    (wanted.share() < 1.0 ? short_of : enough) = wanted.cells;
  }
  return enough;
}

void check_link_buffers(Context& context, u32 channels) {
  const models::RouterKind& kind = models::router_kind(context.router.kind);
  const bool of_cells = models::machine_of(context.router.kind) == "switch";
  if (!of_cells && models::ignores(kind, "router.queue_packets")) return;
  const std::vector<std::string> classes = context.topology->link_classes();
  double least = worth_a_warning;
  std::string text;
  for (u32 c = 0; c < classes.size(); ++c) {
    const bool of_nodes = c == models::Topology::node_link_class(), inside = of_nodes && context.topology->direct();
    if (inside && !of_cells) continue;
    const LinkBuffer buffer = buffer_of(context, c, channels);
    const double share = buffer.share();
    if (share >= least || (!inside && !has_links_of(*context.topology, c))) continue;
    least = share;
    const u64 enough = of_cells ? buffer.enough_cells() + buffer.kept
                                : (buffer.enough_cells() + buffer.packet_cells - 1) / buffer.packet_cells;
    text = fmt::format(
        "buffers are shorter than the round trip of links{}: packets of {} phits in {} channel{} can use {} % of "
        "their time; use router.{} = {}",
        c == 0 ? "" : " of class " + classes[c], buffer.packet_cells, buffer.channels, buffer.channels == 1 ? "" : "s",
        significant(100 * share, 3), of_cells ? "buffer_cells" : "queue_packets", enough);
  }
  if (!text.empty()) warn(context, text);
}

}  // namespace weft::tools
