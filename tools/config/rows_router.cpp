// Rows of [router] and [packet]: the microarchitecture of the routers, and packet sizes.
#include "tools/config/settings.hpp"

namespace weft::tools::rows {

std::vector<Setting> router_and_packet() {
  return {
      row::choice("router.kind", "auto", {"auto", "bubble", "multistage"},
                  "Router model. auto: bubble for meshes and tori, multistage for trees and crossbars."),
      row::choice(
          "router.request", "auto", {"auto", "oblivious", "random", "shortest", "smart", "static", "adaptive"},
          "Routing: which outputs a packet asks for; `weft describe routers` explains the modes. auto: shortest "
          "for bubble, adaptive for multistage."),
      row::integer("router.virtual_channels", "", 3, {1, 16},
                   "Virtual channels of each link. Bubble: channel 0 is the escape channel, the others are adaptive."),
      row::integer("router.queue_packets", "packets", 4, {1, 255},
                   "Room of the transit queue of each virtual channel."),
      row::choice(
          "router.arbitration", "random", {"round-robin", "random", "fifo", "longest", "age"},
          "Which of the packets that ask for an output gets it: the next in turn, any, the earliest request, the "
          "longest queue, or the packet injected earliest."),
      row::choice("router.credit_ties", "uniform", {"uniform", "first-counts-twice"},
                  "Multistage: how ties between channels with equal credits are broken. first-counts-twice: INSEE's "
                  "arithmetic, in which the first of them is drawn twice as often; for comparisons."),
      row::integer("router.switch_latency_cycles", "cycles", 0, {0, 1'000'000},
                   "Cycles a header spends in a router beyond the one that a hop takes."),
      row::integer("router.bubble_packets", "packets", 2, {0, 255},
                   "Bubble: room that a packet must find in this router's escape queue to enter a ring.")
          .because("fewer than 2 packets can deadlock and need router.unsafe"),
      row::boolean("router.unsafe", false, "Allow settings that can deadlock, on purpose."),
      row::integer("router.injection_queues", "queues", 1, {1, 64}, "Injection queues of each node."),
      row::integer(
          "router.injection_queue_packets", "packets", 8, {1, 255},
          "Room of the NIC behind each injection port; the port itself has a queue of queue_packets like any input."),
      row::choice(
          "router.injection", "shortest", {"shortest", "dor", "dor-shortest", "shortest-profitable", "longest-path"},
          "Which injection queue takes a new packet: the shortest; that of its first direction in dimension order; "
          "the same or the shortest if that one is full; the shortest of its profitable directions; that of the "
          "direction with most hops to go."),
      row::choice("router.consumption", "single", {"single", "multiple"},
                  "Mesh, torus: a node takes one packet at a time, or one from every input queue."),
      row::real(
          "router.ipr_fraction", "", 0.0, {0.0, 1.0},
          "In-transit priority restriction: probability per cycle and output that injection queues are left out of "
          "arbitration while a transit queue wants the output."),
      row::integer("router.lbr_packets", "packets", 0, {0, 255},
                   "Local buffer restriction: room that a new packet must find in this router's queue of the adaptive "
                   "channel that it enters; 0 = none."),

      row::integer("packet.phits", "phits", 16, {1, 4096}, "Length of a packet; a link moves a phit per cycle."),
      row::integer("packet.phit_bytes", "bytes", 4, {1, 65'536},
                   "Bytes of a phit: says how many packets a message takes, and the length of a cycle at a link rate."),
  };
}

}  // namespace weft::tools::rows
