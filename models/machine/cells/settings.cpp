// The rows, and their values in ticks.
#include "models/machine/cells/settings.hpp"

#include <algorithm>

#include "engine/base/meaning.hpp"
#include "engine/base/text/words.hpp"
#include "models/core/input_rows.hpp"
#include "models/core/statistics.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/routes.hpp"

namespace weft::models::cells {

namespace {

std::vector<Setting> rows_of_switches() {
  return {
      buffer_row(),
      row::choice("router.buffers", "channel", {"channel", "shared"},
                  "channel: each virtual channel of an input has a buffer of its own; shared: they have one, with "
                  "router.reserved_cells for each alone."),
      row::integer("router.reserved_cells", "cells", std::nullopt, {1, 1 << 20},
                   "of a shared buffer, for each virtual channel alone; not given: packet.phits, the least.")
          .only_with("router.buffers", {"shared"}),
      row::choice("router.queues", "voq", {"voq", "fifo"},
                  "voq: at each input a queue for each output and virtual channel there; fifo: one for each channel of "
                  "the link in, so that its first packet holds up all others."),
      arbiter::scheduling_row(),
      iterations_row(),
      row::choice("router.switching", "cut-through", {"cut-through", "store-and-forward"},
                  "whether a packet goes on as soon as its first cell is routed, or only when all of it has arrived."),
      routing_time_row(),
      speedup_row(),
      output_buffer_row(),
      row::integer("router.traffic_classes", "", 1, {1, most_traffic_classes},
                   "classes of packets; each has router.virtual_channels channels of each link for itself."),
      row::integers("router.class_shares", "", {0, 1'000'000},
                    "a weight for each class: packets are drawn with these; not given: equal.")
          .only_with("router.traffic_classes"),
      row::integers(
          "router.class_bytes", "bytes", {0, i64{1} << 40},
          "of programs: messages of at most so many bytes are of class 0, 1..., longer ones of the last; one "
          "less than there are classes, ascending. Not given: as router.class_shares and job.traffic_class say.")
          .only_with("router.traffic_classes"),
      row::text("router.class_modes", "",
                "the mode of router.routing for each class, separated by commas (\"adaptive, basic\"); empty: "
                "that of router.routing for all.")
          .only_with("router.traffic_classes"),
      row::choice("router.class_priority", "none", {"none", "strict"},
                  "none: all classes alike; strict: at nodes and in crossbars, class 0 goes before 1 before 2...")
          .only_with("router.traffic_classes"),
      row::choice("router.adaptive_choice", "space", {"space", "round-robin"},
                  "among the outputs that a packet with several may take: the channel with most free space, those of "
                  "equally much in turn; round-robin: all that have enough in turn."),
      row::choice(
          "router.route_per", "packet", {"packet", "flow"},
          "what the random choices of the routes are drawn for: each packet, or once for all packets from one node to "
          "another (they take one path then unless that goes by output occupancy)."),
      row::integer(
          "router.reduction_cycles", "cycles", 1, {0, 1'000'000},
          "of in-network reduction: from a packet's last cell being in a switch to when what is made of it may "
          "go on.")
          .only_with("workload.algorithm", {"in-network"}),
      row::integer("router.reduction_packets", "packets", 16'384, {1, 1 << 28},
                   "of in-network reduction: those of a job of which a switch holds sums at a time, at most.")
          .only_with("workload.algorithm", {"in-network"}),
      row::integer("router.notice_cells", "cells", std::nullopt, {1, 1 << 20},
                   "of routes that ask what waits at neighbouring switches (ugal-g): neighbours are notified in steps "
                   "of so many cells; not given: packet.phits.")};
}

[[maybe_unused]] const bool notice_is_of_modes =
    KeysOfModes::instance().add("router.notice_cells", {&RouterMode::asks_neighbours, "ask neighbours"});

/// The mode of the routing for all classes. With TS-DOR whose two orders of dimensions have no channels of their own,
/// the lower half of the classes is for packets of card 0, the upper one for those of card 1 (F. Andujar et al., CPE
/// 2018, 3.1: "two of them ... are used to inject PE0-sourced packets, and the remaining two ... PE1-sourced packets").
std::vector<std::string> usual_modes(const std::string& mode, const RouterSettings& settings, u32 classes) {
  std::vector<std::string> modes(classes, mode);
  if (mode != "ts-dor" || classes < 2 || settings.virtual_channels >= 4) return modes;
  for (u32 c = 0; c < classes; ++c) modes[c] = c < classes / 2 ? "ts-dor-up" : "ts-dor-down";
  return modes;
}

}  // namespace

std::vector<Setting> setting_rows() { return rows_of_switches(); }

u32 counted_classes(const RouterSettings& settings) {
  const i64 classes = settings.own.integer("traffic_classes");
  if (classes > 1) return static_cast<u32>(classes);
  if (settings.own.text("scheduling") != "vl-arbitration") return 1;
  const std::size_t levels = settings.own.integers("sl_shares").size();
  return levels <= most_traffic_classes ? static_cast<u32>(std::max<std::size_t>(1, levels)) : 1;
}

CellSettings cell_settings(const RouterSettings& settings) {
  CellSettings s;
  s.node_packets = static_cast<u32>(settings.own.integer("injection_queue_packets"));
  s.buffer_cells = static_cast<u32>(settings.own.integer("buffer_cells"));
  s.shared = means(settings.own.text("buffers"), "shared", "channel");
  s.reserved_cells = settings.own.has("reserved_cells") ? static_cast<u32>(settings.own.integer("reserved_cells"))
                                                        : settings.packet_phits;
  s.queues = meaning_of<Queues>(settings.own.text("queues"), {{"voq", Queues::voq}, {"fifo", Queues::fifo}});
  s.scheduling = arbiter::scheduling_of(settings);
  if (s.scheduling == arbiter::Scheduling::vl_arbitration)
    s.vl_tables = arbiter::vl_tables(settings.own, settings.virtual_channels);
  if (settings.own.has("iterations")) s.iterations = static_cast<u32>(settings.own.integer("iterations"));
  s.store_and_forward = means(settings.own.text("switching"), "store-and-forward", "cut-through");
  s.routing_ticks = static_cast<Tick>(settings.own.integer("routing_cycles")) * settings.cycle_ticks;
  s.speedup = static_cast<u32>(settings.own.integer("speedup"));
  s.output_cells = static_cast<u32>(settings.own.integer("output_buffer_cells"));
  const std::vector<i64> shares = settings.own.integers("class_shares");
  s.classes = static_cast<u32>(settings.own.integer("traffic_classes"));
  s.count_classes = counted_classes(settings) > 1;
  s.class_shares.assign(s.classes, 1);
  if (!shares.empty()) s.class_shares.assign(shares.begin(), shares.end());
  s.class_modes = listed_words(settings.own.text("class_modes"));
  if (s.class_modes.empty()) s.class_modes = usual_modes(settings.own.text("routing_mode"), settings, s.classes);
  s.choice_in_turn = means(settings.own.text("adaptive_choice"), "round-robin", "space");
  s.by_flow = means(settings.own.text("route_per"), "flow", "packet");
  s.reduction_ticks = static_cast<Tick>(settings.own.integer("reduction_cycles")) * settings.cycle_ticks;
  s.notice_cells =
      settings.own.has("notice_cells") ? static_cast<u32>(settings.own.integer("notice_cells")) : settings.packet_phits;
  s.transit_priority = settings.transit_priority;
  s.strict = means(settings.own.text("class_priority"), "strict", "none") && s.classes > 1;
  return s;
}

}  // namespace weft::models::cells
