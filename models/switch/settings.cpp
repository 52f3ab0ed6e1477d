// The rows, and their values in ticks.
#include "models/switch/settings.hpp"

namespace weft::models::cells {

std::vector<Setting> setting_rows() {
  return {
      row::text("router.routing", "auto",
                "whose routes the switch takes: a kind of router (dally, multistage, dragonfly, forwarding-table...), "
                "with its keys; auto: dally on grids, otherwise what the topology is made for."),
      row::text("router.routing_mode", "auto",
                "a request mode of that kind; auto: its first that keeps no room in rings."),
      row::integer("router.buffer_cells", "cells", 64, {1, 1 << 20},
                   "buffer of each virtual channel of each input; a packet must fit in."),
      row::choice("router.queues", "voq", {"voq", "fifo"},
                  "voq: at each input a queue for each output and virtual channel there; fifo: one for each channel of "
                  "the link in, so that its first packet holds up all others."),
      row::choice("router.scheduling", "islip", {"islip", "age", "random"},
                  "who gets an output: islip, round robin by pointers that move when a grant is accepted; age, the "
                  "oldest packet; random, by lot (parallel iterative matching)."),
      row::integer("router.iterations", "", 1, {1, 64}, "rounds of grants and acceptances in a cycle."),
      row::choice("router.switching", "cut-through", {"cut-through", "store-and-forward"},
                  "whether a packet goes on as soon as its first cell is routed, or only when it is whole."),
      row::integer("router.routing_cycles", "cycles", 1, {0, 1'000'000},
                   "from a packet's first cell coming in to its being routed.")};
}

SwitchSettings switch_settings(const RouterSettings& settings) {
  SwitchSettings s;
  s.node_packets = static_cast<u32>(settings.own.integer("injection_queue_packets"));
  s.buffer_cells = static_cast<u32>(settings.own.integer("buffer_cells"));
  s.queues = settings.own.text("queues") == "fifo" ? Queues::fifo : Queues::voq;
  const std::string scheduling = settings.own.text("scheduling");
  s.scheduling = scheduling == "age"      ? Scheduling::age
                 : scheduling == "random" ? Scheduling::random
                                          : Scheduling::islip;
  s.iterations = static_cast<u32>(settings.own.integer("iterations"));
  s.store_and_forward = settings.own.text("switching") == "store-and-forward";
  s.routing_ticks = static_cast<Tick>(settings.own.integer("routing_cycles")) * settings.cycle_ticks;
  return s;
}

}  // namespace weft::models::cells
