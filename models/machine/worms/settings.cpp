// The rows, their values in ticks, and the thresholds of STOP and GO.
#include "models/machine/worms/settings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "models/core/input_rows.hpp"
#include "models/machine/worms/vc_settings.hpp"
#include "models/nic/settings.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/routes.hpp"

namespace weft::models::worms {
namespace {

/// Ticks from the first cell of a probe leaving to its last cell being at the node, on the longest route of an empty
/// network (docs/wormhole.md).
Tick lone_travel(const Topology& topology, const RouterSettings& settings, const WormSettings& s) {
  Tick link = 0;
  for (u32 c = 0; c < topology.link_classes().size(); ++c) {
    if (c != Topology::node_link_class()) link = std::max<Tick>(link, settings.link_ticks_of(c));
  }
  const Tick node_link = settings.link_ticks_of(Topology::node_link_class());
  const Tick hops = topology.diameter() - (topology.direct() ? 0 : 2);
  return 2 * node_link + (hops + 1) * (s.routing_ticks + settings.switch_ticks) + hops * link +
         (s.nics.probe_cells - 1) * s.cell_ticks;
}

/// NICs choose routes by their numbers.
void check_routes_have_numbers(const RouterSettings& settings, const endpoint::NicSettings& nics) {
  if (!nics.active()) return;
  const std::string routing = settings.own.text("routing");
  const RouterKind& kind = router_kind(routing);
  const std::string given = settings.own.text("routing_mode"), mode = given == "auto" ? default_mode(kind) : given;
  if (routes_have_numbers(kind, mode)) return;
  throw ConfigError(
      fmt::format("nic.dispersion = \"{}\" needs routes that NICs can choose from, and those of router.routing = "
                  "\"{}\" (mode {}) are not; use routing = \"random\" in trees, \"source-route\" elsewhere, or "
                  "dispersion = \"none\"",
                  nics.scheme, routing, mode));
}

/// All links take the same time for a cell, or the model's arithmetic does not hold.
void check_rates(const Topology& topology, const RouterSettings& settings) {
  if (!topology.link_rates().empty()) {
    throw ConfigError(fmt::format(
        "the links of {} are not equally fast (wormhole switches are for links that are); use router.kind = "
        "\"switch\" or \"infiniband\", or topology.link_rates = \"equal\"",
        topology.name()));
  }
  const std::vector<std::string> classes = topology.link_classes();
  for (u32 c = 1; c < classes.size(); ++c) {
    if (settings.cell_ticks_of(c) == settings.cell_ticks_of(0)) continue;
    throw ConfigError(fmt::format(
        "link.{}.phits_per_cycle makes a cell last {} ticks, but {} ticks on other links (wormhole switches "
        "are for links that are equally fast); remove it",
        classes[c], settings.cell_ticks_of(c), settings.cell_ticks_of(0)));
  }
}

/// Cells that may still come after an input has said STOP, with the longest link.
u32 cells_after_stop(const Topology& topology, const RouterSettings& settings, Tick cell_ticks) {
  Tick longest = 0;
  for (u32 c = 0; c < topology.link_classes().size(); ++c) {
    const Tick crossing = c == Topology::node_link_class() ? 0 : settings.switch_ticks;
    longest = std::max(longest, 2 * Tick{settings.link_ticks_of(c)} + crossing);
  }
  return static_cast<u32>((longest + cell_ticks - 1) / cell_ticks) + 1;
}

/// `s.stop_cells` and `go_cells` as the user gave them.
void resolve_thresholds(WormSettings& s, i64 go_cells, u32 after_stop) {
  const auto check = [](bool fits, const std::string& problem, const std::string& advice) {
    if (!fits) throw ConfigError(problem + "; " + advice);
  };
  const u32 least = (s.stop_cells != 0 ? s.stop_cells : 1) + after_stop;
  check(s.buffer_cells >= least,
        fmt::format("router.buffer_cells = {} is too few for router.flow_control = \"stop-go\" (up to {} cells come "
                    "after a STOP on the longest link{})",
                    s.buffer_cells, after_stop,
                    s.stop_cells != 0 ? fmt::format(", which is said at router.stop_cells = {}", s.stop_cells) : ""),
        fmt::format("use at least buffer_cells = {}", least));
  if (s.stop_cells == 0) s.stop_cells = s.buffer_cells - after_stop;
  s.go_cells = go_cells < 0 ? s.stop_cells / 2 : static_cast<u32>(go_cells);
  check(s.go_cells < s.stop_cells,
        fmt::format("router.go_cells = {} is not less than router.stop_cells = {}{}", s.go_cells, s.stop_cells,
                    s.stop_cells + after_stop == s.buffer_cells ? " (the most that buffer_cells allow)" : ""),
        fmt::format("use go_cells = {}, or more buffer_cells", s.stop_cells / 2));
}

}  // namespace

std::vector<Setting> setting_rows() {
  std::vector<Setting> rows;
  for (Setting& row : std::vector<Setting>{buffer_row(), arbiter::scheduling_row(), routing_time_row()})
    rows.push_back(std::move(row));
  rows.push_back(
      row::choice("router.flow_control", "credits", {"credits", "stop-go"},
                  "what holds cells back: credits, one for each cell that the buffer behind a link has free space "
                  "for; stop-go, words that an input sends back when its buffer fills and when it empties."));
  rows.push_back(row::integer("router.stop_cells", "cells", 0, {0, 1 << 20},
                              "stop-go: an input with so many cells says STOP; 0: as many as the buffer allows on the "
                              "longest link.")
                     .only_with("router.flow_control", {"stop-go"}));
  rows.push_back(
      row::integer("router.go_cells", "cells", -1, {-1, 1 << 20},
                   "stop-go: an input that has said STOP says GO when it has no more; -1: half of stop_cells.")
          .only_with("router.flow_control", {"stop-go"}));
  for (Setting& row : vc_rows()) rows.push_back(std::move(row));
  for (Setting& row : endpoint::setting_rows()) rows.push_back(std::move(row));
  return rows;
}

WormSettings worm_settings(const Topology& topology, const RouterSettings& settings) {
  if (settings.virtual_channels == 1) check_rates(topology, settings);
  WormSettings s;
  s.node_packets = static_cast<u32>(settings.own.integer("injection_queue_packets"));
  s.buffer_cells = static_cast<u32>(settings.own.integer("buffer_cells"));
  s.flow_control = meaning_of<FlowControl>(settings.own.text("flow_control"),
                                           {{"credits", FlowControl::credits}, {"stop-go", FlowControl::stop_go}});
  s.scheduling = arbiter::scheduling_of(settings);
  WEFT_ASSERT(s.scheduling != arbiter::Scheduling::vl_arbitration);  // check_wormhole
  s.routing_ticks = static_cast<Tick>(settings.own.integer("routing_cycles")) * settings.cycle_ticks;
  s.cell_ticks = settings.cell_ticks_of(0);
  s.stop_cells = static_cast<u32>(settings.own.integer("stop_cells"));
  s.nics = endpoint::nic_settings(settings);
  check_routes_have_numbers(settings, s.nics);
  if (s.nics.probe_ticks == 0) {
    s.nics.probe_ticks = lone_travel(topology, settings, s) + Tick{settings.packet_phits} * s.cell_ticks / 10;
  }
  const i64 go_cells = settings.own.integer("go_cells");
  if (s.flow_control == FlowControl::stop_go) {
    resolve_thresholds(s, go_cells, cells_after_stop(topology, settings, s.cell_ticks));
  } else if (s.stop_cells != 0 || go_cells >= 0) {
    throw ConfigError(fmt::format(
        "router.{} has no effect with router.flow_control = \"credits\"; remove it, or use flow_control = \"stop-go\"",
        s.stop_cells != 0 ? "stop_cells" : "go_cells"));
  }
  return s;
}

}  // namespace weft::models::worms
