// What can wait for an output is at most what the buffers of all other inputs of its switch hold, the packet apart that
// leaves: its own cells do not count.
#include "tools/run/setup/marking_thresholds.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/stop_look.hpp"
#include "models/machine/cells/settings.hpp"
#include "models/nic/congestion_scheme.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/collect/collect.hpp"

namespace weft::tools {
namespace {

using models::Topology;

/// Ports of the router that has most, its node's included where that sits inside.
u32 most_inputs(const Topology& topology) {
  u32 most = 0;
  for (u32 router = 0; router < topology.routers(); ++router) {
    engine::look_for_stop(router);
    u32 inputs = topology.direct() ? 1 : 0;
    for (u32 port = 0; port < topology.ports(RouterId(router)); ++port)
      inputs += topology.peer(RouterId(router), port).kind != models::Peer::Kind::none ? 1 : 0;
    most = std::max(most, inputs);
  }
  return most;
}

}  // namespace

void check_marking_thresholds(Context& context) {
  const models::endpoint::CongestionKind* const kind =
      models::endpoint::CongestionRegistry::instance().find(context.config.text("congestion.kind"));
  if (kind == nullptr || !kind->marks || models::machine_of(context.router.kind) != "switch") return;
  const models::cells::CellSettings own = models::cells::cell_settings(context.router);
  const u64 inputs = std::max(2U, most_inputs(*context.topology)) - 1;
  const u64 buffers = inputs * (own.shared ? 1 : context.router.virtual_channels * own.classes);
  const u64 most = buffers * own.buffer_cells - 1;
  const auto value = [&](const char* key) {
    const bool has = std::ranges::any_of(kind->settings, [&](const Setting& row) { return row.key == key; });
    return has ? static_cast<u64>(context.config.integer(key)) : 0;
  };
  const u64 least = value("congestion.min_cells"), all = value("congestion.max_cells");
  const std::string can =
      fmt::format("at most {} cells can wait for an output, in the buffers of {} inputs", most, inputs);
  // Credits on their way keep buffers from being full: half of them is.
  const auto enough = [&](u64 cells) { return 2 * (cells + context.router.packet_phits) / buffers + 1; };
  if (least >= most) {
    warn(context,
         fmt::format("no packet is ever marked: congestion.min_cells = {}, but {}; use min_cells = {} or less, "
                     "or router.buffer_cells = {}",
                     least, can, most / 2, enough(least)));
  } else if (all > most) {
    const double share = static_cast<double>(most - least) / static_cast<double>(all - least);
    warn(context, fmt::format("no queue reaches congestion.max_cells = {}: {}, where packets are marked with {} of "
                              "congestion.max_probability; use max_cells = {} or less, or router.buffer_cells = {}",
                              all, can, percent(share), most, enough(all)));
  }
}

}  // namespace weft::tools
