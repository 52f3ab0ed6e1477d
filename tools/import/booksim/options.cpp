// The table of BookSim's options. What they mean is in its manual, booksim_config.cpp, and Jiang et al., "A detailed
// and flexible cycle-accurate Network-on-Chip simulator", ISPASS 2013.
#include "tools/import/booksim/options.hpp"

namespace weft::tools::booksim {
namespace {

/// Options that say what is printed, or follows single flits.
constexpr const char* of_output = "results have all figures (weft run --json, --out; [statistics])";
constexpr const char* of_power = "no power model";
constexpr const char* of_allocation = "weft's allocators are those of router.scheduling";
constexpr const char* of_subnets = "one network ([planes] has several)";

std::vector<NamedOption> all_options() {
  using enum OptionState;
  const char* const vcs_of_types = "requests and replies have channels of their own by router.traffic_classes";
  std::vector<NamedOption> all{
      {{"topology"}, "torus", same, "topology.kind", "qtree, tree4: thin-tree; cmesh: the nearest"},
      {{"k"}, "8", same, "topology.*", ""},
      {{"n"}, "2", same, "topology.*", ""},
      {{"c"}, "1", same, "topology.nodes_per_*", ""},
      {{"x"}, "8", same, "topology.dims", "k, in networks that are square"},
      {{"y"}, "8", same, "topology.dims", "as x"},
      {{"xr"}, "1", same, "topology.nodes_per_*", "which nodes of the plane share a router: in the patterns"},
      {{"yr"}, "1", same, "topology.nodes_per_*", "as xr"},
      {{"limit"}, "0", left_out, "", "all nodes send"},
      {{"routing_function"}, "none", same, "router.routing", ""},
      {{"use_noc_latency"}, "1", same, "link.latency_cycles", "links that are longer than others: the mean"},
      {{"channel_file"}, "", left_out, "", "no layout on a chip"},
      {{"link_failures"}, "0", same, "faults.random_links", "drawn otherwise"},
      {{"fail_seed"}, "0", same, "faults.seed", ""},
      {{"express_channels"}, "0", left_out, "", "no express links in concentrated meshes"},
      {{"in_ports"}, "5", same, "topology.nodes", "of a single switch"},
      {{"out_ports"}, "5", same, "topology.nodes", "of a single switch"},
      {{"network_file"}, "", same, "topology.text", "in the config itself"},
      {{"subnets", "physical_subnetworks"}, "1", left_out, "", of_subnets},
      {{"router"}, "iq", same, "router.kind", "chaos, event, chipper: the nearest is a switch with credits"},
      {{"output_delay"}, "0", left_out, "", "BookSim does not use it"},
      {{"credit_delay"}, "0", nearest, "", "credits take the link's latency"},
      {{"internal_speedup"}, "1.0", nearest, "router.speedup", "whole numbers"},
      {{"output_buffer_size"}, "-1", same, "router.output_buffer_cells", ""},
      {{"noq"}, "0", nearest, "router.queues", "1: voq, 0 too: switches of cells have a queue for each output"},
      {{"speculative"}, "0", same, "router.routing_cycles", "a cycle less"},
      {{"num_vcs"}, "16", same, "router.virtual_channels", ""},
      {{"vc_buf_size"}, "8", same, "router.buffer_cells", ""},
      {{"buf_size"}, "-1", same, "router.buffer_cells", "with router.buffers = \"shared\""},
      {{"buffer_policy"}, "private", nearest, "router.buffers", "private: channel; others: shared"},
      {{"wait_for_tail_credit"}, "0", nearest, "", "a channel is free again when the tail has left it"},
      {{"hold_switch_for_packet"}, "0", nearest, "", "a packet holds the crossbar until its last flit, always"},
      {{"input_speedup"}, "1", nearest, "router.speedup", "the crossbar's, of inputs and outputs"},
      {{"output_speedup"}, "1", nearest, "router.speedup", "as input_speedup"},
      {{"routing_delay"}, "1", same, "router.routing_cycles", "with the other stages of the pipeline"},
      {{"vc_alloc_delay"}, "1", same, "router.routing_cycles", "as routing_delay"},
      {{"sw_alloc_delay"}, "1", same, "router.routing_cycles", "as routing_delay"},
      {{"st_prepare_delay"}, "0", same, "router.routing_cycles", "as routing_delay"},
      {{"st_final_delay"}, "1", same, "router.switch_latency_cycles", ""},
      {{"vct"}, "0", left_out, "", "of event routers"},
      {{"vc_allocator"}, "islip", nearest, "router.scheduling", "one allocator gives output and channel"},
      {{"sw_allocator"},
       "islip",
       nearest,
       "router.scheduling",
       "islip and the separable ones: islip; wavefront: wavefront"},
      {{"arb_type", "vc_alloc_arb_type", "sw_alloc_arb_type"}, "round_robin", same, "router.scheduling", ""},
      {{"alloc_iters"}, "1", same, "router.iterations", ""},
      {{"vc_alloc_iters"}, "0", left_out, "", of_allocation},
      {{"sw_alloc_iters"}, "0", same, "router.iterations", ""},
      {{"classes"}, "1", nearest, "", "the first class alone: one synthetic source a node"},
      {{"traffic"}, "uniform", same, "workload.pattern", "those that weft has not: a matrix in a file"},
      {{"class_priority"}, "0", left_out, "", "with several classes"},
      {{"hotspot_nodes"}, "", same, "workload.pattern", "traffic = hotspot"},
      {{"hotspot_rates"}, "", same, "workload.pattern", "traffic = hotspot"},
      {{"perm_seed"}, "0", same, "simulation.seed", "drawn otherwise"},
      {{"injection_rate"}, "0.1", same, "workload.offered_load", "in flits: times the length of packets"},
      {{"injection_rate_uses_flits"}, "0", same, "workload.offered_load", ""},
      {{"packet_size", "const_flits_per_packet"}, "1", same, "packet.phits", "several lengths: workload.packet_length"},
      {{"packet_size_rate"}, "1", same, "workload.packet_length", ""},
      {{"injection_process"}, "bernoulli", same, "workload.arrivals", "on_off: on-off"},
      {{"burst_alpha"}, "0.5", same, "workload.on_cycles, workload.off_cycles", ""},
      {{"burst_beta"}, "0.5", same, "workload.on_cycles, workload.off_cycles", ""},
      {{"burst_r1"}, "-1.0", same, "workload.on_cycles, workload.off_cycles", ""},
      {{"priority"}, "none", nearest, "router.scheduling", "age: age; others: the nearest is islip"},
      {{"batch_size"}, "1000", same, "workload.burst_packets", "of sim_type = batch"},
      {{"batch_count"}, "1", same, "workload.bursts", "of sim_type = batch"},
      {{"max_outstanding_requests"}, "0", left_out, "", "sources do not wait for replies"},
      {{"use_read_write"}, "0", nearest, "workload.trigger_to = \"source\"", "with workload.kind = \"reactive\""},
      {{"write_fraction"}, "0.5", same, "workload.length_weights", ""},
      {{"sim_type"}, "latency", same, "simulation.stop", "one run gives latency and throughput"},
      {{"warmup_periods"}, "3", same, "measure.warmup_cycles", "periods of sample_period"},
      {{"sample_period"}, "1000", same, "measure.batch_cycles, interval_cycles", ""},
      {{"max_samples"}, "10", same, "measure.batches", ""},
      {{"latency_thres"}, "500.0", left_out, "", "the result says whether the network is saturated"},
      {{"warmup_thres"}, "0.05", nearest, "", "accepted loads decide alone: acc_warmup_thres"},
      {{"acc_warmup_thres"}, "0.05", same, "measure.tolerance_fraction", ""},
      {{"stopping_thres"}, "0.05", left_out, "", "as many samples as max_samples says"},
      {{"acc_stopping_thres"}, "0.05", left_out, "", "as stopping_thres"},
      {{"sim_count"}, "1", same, "measure.seeds", ""},
      {{"include_queuing"}, "1", left_out, "", "the result has latencies from generation and from injection"},
      {{"seed"}, "0", same, "simulation.seed", "another generator, so another history"},
      {{"deadlock_warn_timeout"}, "256", left_out, "", "a deadlock ends the run and is explained"},
  };
  for (const char* const type : {"read_request", "write_request", "read_reply", "write_reply"}) {
    const std::string name = type;
    all.push_back({{name + "_begin_vc"}, "", nearest, "router.traffic_classes", vcs_of_types});
    all.push_back({{name + "_end_vc"}, "", nearest, "router.traffic_classes", vcs_of_types});
    all.push_back({{name + "_subnet"}, "0", left_out, "", of_subnets});
    all.push_back({{name + "_size"},
                   "1",
                   same,
                   name.ends_with("reply") ? "workload.reply_phits" : "workload.lengths_phits",
                   "with use_read_write; the mean of both kinds of replies"});
  }
  const auto left = [&](std::vector<const char*> names, const char* fallback, const char* why) {
    for (const char* const name : names) all.push_back({{name}, fallback, left_out, "", why});
  };
  left({"print_activity", "print_csv_results", "print_vc_stats", "pair_stats", "viewer_trace", "drain_measured_only",
        "flow_out"},
       "0", of_output);
  left(
      {"watch_file", "watch_flits", "watch_packets", "watch_transactions", "watch_out", "stats_out", "sent_packets_out",
       "active_packets_out", "injected_flits_out", "ejected_flits_out", "received_flits_out", "sent_flits_out",
       "stored_flits_out", "outstanding_credits_out", "used_credits_out", "free_credits_out", "max_credits_out"},
      "", of_output);
  left({"measure_stats"}, "1", of_output);
  left({"sim_power", "channel_sweep"}, "0", of_power);
  left({"power_output_file", "tech_file", "channel_width"}, "", of_power);
  left({"private_bufs", "private_buf_size", "private_buf_start_vc", "private_buf_end_vc", "shared_buf_size",
        "max_held_slots", "feedback_aging_scale", "feedback_offset"},
       "", "shared buffers have router.reserved_cells for each channel");
  left({"vc_busy_when_full", "vc_prioritize_empty", "vc_priority_donation", "vc_shuffle_requests", "spec_use_prio",
        "spec_check_elig", "spec_check_cred", "spec_mask_by_reqs"},
       "0", of_allocation);
  left({"spec_sw_allocator"}, "prio", of_allocation);
  left({"replies_inherit_priority", "background_excludes", "combined_patterns", "combined_rates"}, "",
       "not built here");
  return all;
}

}  // namespace

const std::vector<NamedOption>& options() {
  static const std::vector<NamedOption> all = all_options();
  return all;
}

}  // namespace weft::tools::booksim
