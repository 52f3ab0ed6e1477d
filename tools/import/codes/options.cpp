// All options of CODES that are known here, and what each becomes.
#include "tools/import/codes/options.hpp"

#include <algorithm>

#include "engine/base/nearest.hpp"
#include "engine/base/text/words.hpp"

namespace weft::tools::codes {

const std::vector<ForeignOption>& options() {
  using enum OptionState;
  static const std::vector<ForeignOption> all{
      // LPGROUPS
      {"repetitions", same, "topology.kind", "checked against the sizes in PARAMS"},
      {"modelnet_X", same, "topology.kind", "X: torus, dragonfly, slimfly...; nodes of a repetition"},
      {"modelnet_X_router, fattree_switch", same, "topology.kind", "checked against the sizes in PARAMS"},
      {"nw-lp, server", same, "node.tasks", "processes of a repetition; of a node that many less"},
      // ROSS and model-net
      {"message_size, pe_mem_factor", same, "", "memory of ROSS for its events, which no figure depends on"},
      {"modelnet_order, modelnet", same, "topology.kind", ""},
      {"modelnet_scheduler", same, "workload.flow_order", "fcfs: in-turn, round-robin: fair; priority: in-turn"},
      {"prio-sched-num-prios, prio-sched-sub-sched", left_out, "", "messages of a node have no priorities"},
      {"packet_size", same, "packet.phits, packet.phit_bytes", "cells are small enough for router_delay"},
      {"chunk_size", same, "link.latency_cycles, router.switching", "chunks are stored and forwarded at each hop"},
      {"codes_noop_bypass, intra_bandwidth", nearest, "node.path_gbps", "between processes of a node, in GiB/s"},
      {"node_eager_limit", left_out, "", "processes of a node send each other messages of any length alike"},
      // simplenet, simplep2p, loggp
      {"net_startup_ns", same, "ideal.latency_ns", ""},
      {"net_bw_mbps", same, "ideal.byte_gap_ns", "2^20 bytes a second"},
      {"net_latency_ns_file, net_startup_ns_file", nearest, "ideal.latency_ns", "the mean of all pairs"},
      {"net_bw_mbps_file", nearest, "ideal.byte_gap_ns", "the mean of all pairs"},
      {"net_config_file", nearest, "ideal.*", "L, o, g and G of the longest message in the table"},
      // links and buffers
      {"link_bandwidth, local_bandwidth", same, "link.rate_gbps", "GiB/s there, 10^9 bit/s here"},
      {"global_bandwidth", same, "link.global.phits_per_cycle", "as a multiple of the others"},
      {"cn_bandwidth", same, "link.node.phits_per_cycle", "as a multiple of the others"},
      {"vc_size, local_vc_size, buffer_size", same, "router.buffer_cells", "bytes of each virtual channel"},
      {"global_vc_size, cn_vc_size", nearest, "router.buffer_cells", "all channels have buffers of one size"},
      {"num_vc, num_vcs, num_vcs_override", nearest, "router.virtual_channels", "no less than routing needs"},
      {"router_delay", same, "router.routing_cycles", "rounded to cycles"},
      {"link_delay", same, "link.latency_cycles", "besides the time of a chunk"},
      {"local_delay, global_delay, cn_delay", nearest, "link.*.latency_cycles", "in place of the time of a chunk"},
      {"credit_size, credit_delay, local_credit_delay, global_credit_delay, cn_credit_delay, auto_credit_delay",
       nearest, "", "a credit takes the latency of its link"},
      {"mean_process", left_out, "", "of older versions, which drew times of flits"},
      // torus and express mesh
      {"n_dims, dim_length", same, "topology.dims", ""},
      {"gap", same, "topology.kind", "1: hyperx; others: a fabric file"},
      {"num_cn", same, "topology.nodes_per_router", ""},
      // dragonflies
      {"num_routers", same, "topology.routers_per_group", "slimfly: topology.q"},
      {"num_groups", same, "topology.groups", ""},
      {"num_cns_per_router", same, "topology.nodes_per_router", ""},
      {"num_global_channels, num_global_connections", same, "topology.global_links", ""},
      {"num_router_rows, num_router_cols", same, "topology.path", "groups of two dimensions: a fabric file"},
      {"num_row_chans, num_col_chans", same, "topology.path", "cables side by side"},
      {"num_router_spine", same, "topology.spines", ""},
      {"num_router_leaf", same, "topology.leaves", ""},
      {"num_level_chans", same, "topology.parallel_links", ""},
      {"intra-group-connections, inter-group-connections", same, "topology.kind, topology.path",
       "give the files too; else the links are those of CODES' own generators"},
      {"link-failure-file", nearest, "faults.links", "give the file too"},
      {"num_planes", same, "topology.planes", ""},
      {"num_rails", same, "node.nics", "of fat trees and slim flies a plane each"},
      {"rail_select, rail_routing", nearest, "node.nic_policy", "dedicated, none: task; others: round-robin"},
      {"rail_select_limit", left_out, "", "short messages go by the same rule as long ones"},
      {"num_injection_queues", nearest, "node.nics", "a NIC has one queue of messages"},
      {"node_copy_queues", nearest, "", "processors of a node copy side by side"},
      // routing
      {"routing", same, "router.routing", "minimal, valiant, ugal-l, par, fpar, adaptive-up..."},
      {"adaptive_threshold, minimal-bias, route_scoring_metric, global_k_picks, csf_ratio", nearest, "router.routing",
       "UGAL takes the shortest path unless twice as much waits for it, by occupancy in cells"},
      {"df-dally-vc", same, "router.virtual_channels", "a higher channel behind each global link"},
      {"num_qos_levels", same, "router.traffic_classes", ""},
      {"qos_bandwidth", nearest, "router.class_shares", "of sources; switches serve classes in turn"},
      {"max_qos_monitor", left_out, "", "classes are not monitored over windows"},
      {"queue_threshold", left_out, "", "packets keep their class"},
      {"congestion_control_enabled", left_out, "", "see [congestion] for what there is"},
      {"cc_router_lp_name, cc_terminal_lp_name, cc_radix, cc_measurement_period, "
       "cc_congestion_pattern_set_filepath, cc_decongestion_pattern_set_filepath",
       left_out, "", "as congestion_control_enabled"},
      // fat trees and slim flies
      {"ft_type", same, "topology.parallel", ""},
      {"num_levels, switch_count, switch_radix", same, "topology.m, topology.w, topology.parallel", ""},
      {"tapering", same, "topology.w", "ports down for each port up, at leaf switches"},
      {"terminal_radix", same, "topology.w", "links of a node"},
      {"routing_folder, dot_file", nearest, "router.routing", "static routes are d-mod-k; tables: docs/fabrics.md"},
      {"dump_topo", same, "", "weft topology --export"},
      {"num_terminals", same, "topology.nodes_per_router", ""},
      {"local_channels, global_channels", same, "topology.q", "checked against num_routers"},
      {"generator_set_X, generator_set_X_prime", same, "topology.q", "weft has its own for each q"},
      {"sf_type", nearest, "topology.planes", "1, Fit Fly: planes of the same Slim Fly, not of mirrored ones"},
      // costs of messages
      {"soft_delay", same, "workload.overhead_ns", "with nic_delay"},
      {"nic_delay", nearest, "workload.overhead_ns", "with soft_delay"},
      {"nic_seq_delay", nearest, "workload.gap_ns", ""},
      {"eager_limit", same, "workload.rendezvous_bytes", ""},
      {"copy_per_byte", nearest, "workload.byte_overhead_ns", "of all messages, not of eager ones alone"},
      {"rdma_delay", nearest, "", "a rendezvous takes the latency of its messages"},
      // statistics and what simulates less
      {"cn_sample_file, rt_sample_file, save_packet_latency_path", nearest, "statistics.*",
       "weft run --set statistics.series_cycles=..., statistics.pairs=true"},
      {"notification_on_hops_greater_than", nearest, "statistics.distances", ""},
      {"counting_bool, counting_start, counting_windows, counting_interval, num_apps, offset", nearest, "statistics.*",
       "counters in windows: statistics.series_cycles"},
      {"enable, director_mode, fixed_switch_timestamps, packet_latency_predictor, ignore_until, torch_jit_mode, "
       "torch_jit_model_path, network_treatment_on_switch, director_num_gvt, director_num_ns, num_iters_to_collect",
       nearest, "", "of surrogates and their directors: all is simulated packet by packet"},
      // other sections and files
      {"num_reqs", same, "workload.repetitions", "of server_pings"},
      {"payload_sz", same, "workload.message_bytes", "of server_pings"},
      {"a line of a workload file", same, "[[job]]", "synthetic, a trace, or a program of Union"},
      {"a line of an allocation file", same, "placement.path", "in STEM.alloc"},
  };
  return all;
}

std::string option_near(const std::string& name) {
  std::vector<std::string> known;
  for (const ForeignOption& option : options()) {
    if (option.names.starts_with("a line")) continue;
    for (const std::string& one : listed_words(option.names)) known.push_back(one);
  }
  return nearest(name, known, 3);
}

}  // namespace weft::tools::codes
