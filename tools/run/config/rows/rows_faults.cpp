// Rows of [faults]: what has failed before the run begins, and what fails and comes back during it.
#include "tools/run/config/check/effect_rules.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools::rows {

namespace {

std::optional<NoEffect> nothing_happens(const Config& config, const KindsInUse&) {
  if (has_live_faults(config)) return {};
  return NoEffect{"where nothing fails during the run",
                  "remove it, or give [[faults.event]], faults.file or [[faults.process]]"};
}

}  // namespace

EffectRules effects_of_faults() {
  return {
      {"faults.seed",
       [](const Config& config, const KindsInUse&) -> std::optional<NoEffect> {
         if (config.integer("faults.random_links") != 0 || config.integer("faults.random_nodes") != 0) return {};
         if (has_live_faults(config)) return {};
         return NoEffect{"without faults.random_links, random_nodes or what happens during the run",
                         "remove it, or give one of them"};
       }},
      {"faults.detection_ns", nothing_happens},
      {"faults.sweep_ns", nothing_happens},
      {"faults.path_timeout_ns",
       [](const Config& config, const KindsInUse& kinds) -> std::optional<NoEffect> {
         if (const auto nothing = nothing_happens(config, kinds)) return nothing;
         if (config.text("nic.dispersion") != "none") return {};
         return NoEffect{"where NICs do not choose paths (nic.dispersion)", "remove it, or use NICs that choose paths"};
       }},
      {"faults.cut_off", nothing_happens},
      {"faults.lost", nothing_happens}};
}

std::vector<Setting> faults() {
  constexpr i64 most = 4'294'967'295;
  return {
      row::integers(
          "faults.links", "", {0, most},
          "Failed links, each as two numbers: a router and the port there that the link is on; either end will "
          "do. [0, 2, 5, 0]: the link on port 2 of router 0 and that on port 0 of router 5. If a node is on the "
          "port, the node has failed. `weft topology --export` writes routers and ports."),
      row::integers("faults.routers", "", {0, most},
                    "Failed routers: all their links have failed, and the nodes in them or on them."),
      row::integers("faults.nodes", "", {0, most},
                    "Failed nodes: they send nothing, and packets to them are dropped at their source. The router of a "
                    "node goes on working."),
      row::integer("faults.random_links", "links", 0, {0, most},
                   "So many links between routers, drawn from those that have not failed, fail besides."),
      row::integer("faults.random_nodes", "nodes", 0, {0, most},
                   "So many nodes, drawn from those that have not failed, fail besides."),
      row::integer(
          "faults.seed", "", 1, {0},
          "Seed of faults.random_links, random_nodes, processes and error rates, apart from simulation.seed: runs with "
          "several seeds see the same faults."),
      row::text(
          "faults.event", "",
          "What happens to parts of the network during the run, most often as [[faults.event]] tables: at_ns or "
          "at_cycle; link = \"r3:2\" (router and port) or [3, 7] (the routers at its ends), router or node; state "
          "= \"down\" or \"up\", or error_rate (the part of the packets that a link loses), or rate_factor (the part "
          "of its rate that a link has from then on); one_way = true: what leaves that router alone. As text, with ; "
          "between several: \"20us link r3:2 down; 40us link r3:2 up\"."),
      row::path("faults.file",
                "Such events in a file, one in a line: 20us,link,r3:2,down (# begins a comment); or in JSON, a list of "
                "objects "
                "with the keys of [[faults.event]]."),
      row::text("faults.process", "",
                "Failures and repairs that are drawn with faults.seed for each part of a class alone, most often as "
                "[[faults.process]] tables: part = \"links\" (between routers), \"routers\" or \"nodes\"; mtbf_ns, the "
                "mean time until a failure; mttr_ns, the mean time to repair, exponential; law = \"exponential\" or "
                "\"weibull\" with its shape. As text: \"links mtbf 1000h mttr 2h\"."),
      row::real("faults.detection_ns", "ns", 0.0, {0.0},
                "Time until the routers at the ends of a link, or around a router, know that it has failed or works "
                "again; until then packets are sent, and lost. What works again before is never missed."),
      row::real(
          "faults.sweep_ns", "ns", 0.0, {0.0},
          "Time from then on until all routers know of it; until then they send packets where no way may lead on."),
      row::real("faults.path_timeout_ns", "ns", 0.0, {0.0},
                "NICs that choose paths (nic.dispersion) give up those over a link so long after it failed, though no "
                "router has told them, and take them again when all routers know that it works; 0: they wait to be "
                "told."),
      row::choice("faults.cut_off", "drop", {"drop", "wait", "stop"},
                  "Packets that have no path left that is known to work: drop: are lost; wait: for a repair; stop: end "
                  "the run with exit code 4."),
      row::choice(
          "faults.lost", "fail-task", {"fail-task", "resend"},
          "Messages of tasks of which a packet is lost: fail-task: never arrive; a run whose tasks wait for one "
          "ends with exit code 4. resend: the sender's NIC sends the packet again, faults.resend_ns after it was "
          "lost, before other packets."),
      row::real("faults.resend_ns", "ns", 100000.0, {0.0},
                "Time-out of NICs after which a lost packet is sent again; at least a cycle.")
          .only_with("faults.lost", {"resend"}),
  };
}

}  // namespace weft::tools::rows
