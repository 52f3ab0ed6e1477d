// The table of FSIN's options, and the reader of fsin.conf.
#include "tools/import/insee/options.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/words.hpp"

namespace weft::tools::insee {

const std::vector<NamedOption>& options() {
  using enum OptionState;
  static const std::vector<NamedOption> all{
      {{"rseed", "rnds"}, "17", same, "simulation.seed", "another generator, so another history"},
      {{"topo"},
       "torus",
       same,
       "topology.kind, topology.*",
       "slimtree, rrg, exa, gdbg, kautz and the dragonflies nautilus, helix and other are refused"},
      {{"nways"}, "2", same, "topology.unidirectional", "1: true"},
      {{"sk_xy"}, "0", same, "topology.twist", ""},
      {{"sk_xz"}, "0", same, "topology.twist", ""},
      {{"sk_yx"}, "0", same, "topology.twist", ""},
      {{"sk_yz"}, "0", same, "topology.twist", ""},
      {{"sk_zx"}, "0", same, "topology.twist", "FSIN takes it with the wrong sign"},
      {{"sk_zy"}, "0", same, "topology.twist", ""},
      {{"faults"}, "0", same, "faults.random_links", "drawn otherwise"},
      {{"nchan"}, "2", same, "router.virtual_channels", ""},
      {{"vc"}, "bubble", same, "router.kind", "graph-node, graph-port... of trees and dragonflies: their own router"},
      {{"rmode"}, "smart", same, "router.routing", "doubleadap, hexaadap and bimodal are refused"},
      {{"routing"},
       "dim",
       nearest,
       "router.routing",
       "of trees, dragonflies and indirect cubes; arith is static-by-channel, static (a table) the nearest there; on "
       "grids always dimension order (dir is refused)"},
      {{"ninj"},
       "1",
       same,
       "router.injection_queues",
       "one for each direction at least where imode says the direction"},
      {{"imode"}, "shortest", same, "router.injection", "FSIN's dor takes the last dimension, not the first"},
      {{"tql"}, "4", same, "router.queue_packets", ""},
      {{"iql"}, "4", same, "router.injection_queue_packets", ""},
      {{"bsize", "bub"}, "2", same, "router.bubble_packets", "one value for all dimensions"},
      {{"amode"}, "rr", same, "router.arbitration", ""},
      {{"cmode"}, "multiple", same, "router.consumption", "of direct networks"},
      {{"intransit_pr", "ipr"}, "0", same, "router.ipr_fraction", ""},
      {{"bub_to_adap", "lbr"}, "0", same, "router.lbr_packets", ""},
      {{"global_cc"}, "100", same, "congestion.gcc_packets", "of FSIN's capacity, which is twice the network's"},
      {{"update_period"}, "0", same, "congestion.gcc_period_cycles", "times the diameter in tori and meshes"},
      {{"plength"}, "16_4", same, "packet.phits, packet.phit_bytes", ""},
      {{"tpattern"},
       "uniform",
       same,
       "workload.pattern",
       "tornado is FSIN's code, a shift by (n_x - 1) / 2; local goes by distance, bisect is random-permutation: the "
       "nearest; histogram, which FSIN does not read, is refused"},
      {{"load"}, "0.05", same, "workload.offered_load, workload.burst_load", "at most 1, but in bursts"},
      {{"shotmode"}, "0", same, "workload.kind = \"burst\"", ""},
      {{"shotsize"}, "1", same, "workload.burst_packets", "0: nodes - 1"},
      {{"trigger_rate"}, "0", same, "workload.trigger_fraction", "above 0: workload.kind = \"reactive\""},
      {{"triggered"}, "1_1", same, "workload.trigger_least, workload.trigger_most", ""},
      {{"tracefile"}, "/dev/null", same, "workload.path, workload.population_path", ""},
      {{"trace_cpu_units", "cpu_units"}, "ns", same, "workload.cpu_scale", ""},
      {{"link_bandwidth", "bandwidth", "bw"}, "10000", same, "link.rate_gbps", "with traces"},
      {{"placement"}, "consecutive", same, "placement.policy, job.instances", "icube is refused"},
      {{"bg_load", "background", "bg"},
       "0",
       same,
       "[[job]] with repeat = \"until-others-end\"",
       "needs the number of tasks in placement"},
      {{"warm_up_period"}, "5000", same, "measure.warmup_cycles", ""},
      {{"conv_period"}, "1000", same, "measure.interval_cycles", ""},
      {{"conv_thres"}, "0.05", same, "measure.tolerance_fraction", ""},
      {{"max_conv_time"}, "25000", same, "measure.max_warmup_cycles", "plus warm_up_period"},
      {{"nsamples", "numshots"}, "10", same, "measure.batches, workload.bursts", ""},
      {{"sample_size"}, "1000", same, "measure.batch_cycles", ""},
      {{"pinterval"}, "1000", same, "statistics.series_cycles", "if it is given, and pheaders is not 0"},
      {{"pheaders"}, "2047", nearest, "statistics.series_cycles", "the series has all figures"},
      {{"plevel"}, "0", nearest, "statistics.pairs, ports, distances, events", "bits 1, 2 and 8, 4, 16"},
      {{"longmessages"}, "8", left_out, "", "messages of several packets: none of independent sources here"},
      {{"lng_msg_ratio"}, "0.1", left_out, "", "as longmessages"},
      {{"par_inj"}, "1", left_out, "", "injection queues always take packets at the same time"},
      {{"extract"}, "0", left_out, "", "no packet leaves the head of an injection queue undelivered"},
      {{"drop_packets", "drop"}, "0", left_out, "", "sources wait for room, or queue without bound"},
      {{"timeout_upper_limit"}, "-1", left_out, "", "no congestion control by time-outs"},
      {{"timeout_lower_limit"}, "-1", left_out, "", "as timeout_upper_limit"},
      {{"min_batch_pkt"}, "0", left_out, "", "batches count however many packets they have"},
      {{"vc_inj"}, "zero", left_out, "", "of graph routers"},
      {{"cam_policy"}, "", left_out, "", "of graph routers; weft fabric route fills tables"},
      {{"bheaders"}, "8191", left_out, "", "results have all figures"},
      {{"monitored"}, "1", left_out, "", "statistics.event_nodes follows a node"},
      {{"output"}, "", left_out, "", "weft run --out says where results go"},
      {{"fsin_cycle_relation"}, "10", left_out, "", "weft cosim couples simulators of nodes (cosim.slice_ns)"},
      {{"simics_cycle_relation"}, "100", left_out, "", "as fsin_cycle_relation"},
      {{"serv_addr"}, "8082", left_out, "", "as fsin_cycle_relation"},
      {{"num_wait_periods", "num_periodos_espera"}, "0", left_out, "", "as fsin_cycle_relation"},
  };
  return all;
}

Values::Values(std::string_view text, const std::string& file) : OptionValues(options(), "FSIN", "insee", file) {
  u64 number = 0;
  for_each_line(text, [&](std::string_view whole) {
    const std::string_view line = trimmed(whole);
    ++number;
    if (line.empty() || line.front() == '#') return;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      throw ConfigError(
          fmt::format("{}:{}: {} is no option (lines are option=value, or begin with #); write for example "
                      "topo=torus_8_8",
                      shown(file), number, shown(std::string(line))));
    }
    const std::string name(trimmed(line.substr(0, equals)));
    if (name == "nodes_x" || name == "nodes_y" || name == "nodes_z") {
      throw ConfigError(
          fmt::format("{}:{}: {} is of older versions of FSIN (sizes stand behind the topology); write for example "
                      "topo=torus_8_8",
                      shown(file), number, name));
    }
    give(name, std::string(trimmed(line.substr(equals + 1))), number);
  });
}

std::vector<std::string> Values::parts(const std::string& name) const { return listed_words(text(name), " _"); }

i64 Values::part(const std::string& name, std::size_t place, i64 fallback) const {
  const std::vector<std::string> all = parts(name);
  return place < all.size() ? integer_of(name, all[place]) : fallback;
}

}  // namespace weft::tools::insee
