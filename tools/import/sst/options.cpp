// All parameters of merlin, ember and firefly that are known here, and what each becomes.
#include "tools/import/sst/options.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "engine/base/text/words.hpp"

namespace weft::tools::sst {

const std::vector<ForeignOption>& options() {
  using enum OptionState;
  static const std::vector<ForeignOption> all{
      // merlin.hr_router
      {"id, num_ports", same, "topology.kind", ""},
      {"topology", same, "topology.kind",
       "torus, mesh, fattree, dragonfly, hyperx, singlerouter; others: a fabric file"},
      {"link_bw", same, "link.rate_gbps", ""},
      {"flit_size", same, "packet.phit_bytes", ""},
      {"xbar_bw", same, "router.speedup", "whole multiples of link_bw; others are rounded up"},
      {"input_latency", same, "router.routing_cycles", "rounded to cycles"},
      {"output_latency", same, "router.switch_latency_cycles", "rounded to cycles"},
      {"input_buf_size", same, "router.buffer_cells", "of each virtual channel"},
      {"output_buf_size", nearest, "router.output_buffer_cells",
       "a packet needs room behind the link before it takes it"},
      {"num_vns, merlin.hr_router:num_vcs", same, "router.traffic_classes", ""},
      {"xbar_arb", nearest, "router.scheduling", "lru, rr: islip; age: age; rand: random"},
      {"vn_remap, vn_remap_shm, vn_remap_shm_size", same, "job.traffic_class", ""},
      {"output_arb, portcontrol.output_arb, portcontrol:output_arb", nearest, "router.class_priority",
       "classes take turns"},
      {"qos_settings, portcontrol.arbitration.qos_settings, portcontrol:arbitration:qos_settings", left_out, "",
       "classes take turns, or have strict priority"},
      {"oql_track_port, oql_track_remote", nearest, "router.routing",
       "what waits counts for a port, and is taken back with credits"},
      {"network_inspectors, debug, dlink_thresh", left_out, "", "see [statistics]"},
      // topologies
      {"shape", same, "topology.dims", "fattree: topology.m, topology.w"},
      {"width", same, "topology.widths", "of a torus or mesh above 1: a fabric file"},
      {"local_ports", same, "topology.nodes_per_router", "of a torus or mesh above 1: a fabric file"},
      {"hosts_per_router", same, "topology.nodes_per_router", ""},
      {"routers_per_group", same, "topology.routers_per_group", ""},
      {"intergroup_per_router, intergroup_links", same, "topology.global_links", "of a router"},
      {"num_groups", same, "topology.groups", ""},
      {"global_routes", same, "topology.arrangement", ""},
      {"global_link_map", nearest, "topology.arrangement", "the map that merlin makes itself"},
      {"algorithm", same, "router.routing, router.class_modes", "minimal, valiant, ugal-l, min-adaptive, d-mod-k..."},
      {"routing_alg", same, "router.routing", "deterministic: d-mod-k; adaptive: adaptive-up"},
      {"adaptive_threshold", nearest, "router.routing", "UGAL and fat trees compare occupancies"},
      {"num_dims, dimensions", same, "topology.dims", ""},
      {"q, d, topo, network_radix, total_radix, total_routers, total_endnodes, edge, name, GF, vec_len, pfq, sn_q, "
       "sn_type, "
       "config_failed_links, failed_links, routing_mode, topology_file, graph_num_vertices",
       same, "topology.path", "of PolarFly, PolarStar and any topology: its links are in the fabric file"},
      // links
      {"latency of links", same, "link.latency_cycles", "rounded to cycles"},
      // merlin.linkcontrol
      {"merlin.linkcontrol:link_bw, merlin.reorderlinkcontrol:link_bw", same, "link.node.phits_per_cycle",
       "the slower one of NIC and router counts"},
      {"merlin.linkcontrol:input_buf_size, merlin.reorderlinkcontrol:input_buf_size", nearest, "",
       "nodes take in what comes at once"},
      {"merlin.linkcontrol:output_buf_size, merlin.reorderlinkcontrol:output_buf_size", same,
       "router.injection_queue_packets", ""},
      {"in_buf_size, out_buf_size, buffer_size, buffer_length", nearest, "router.injection_queue_packets", ""},
      {"job_id, jobId", same, "[[job]]", ""},
      {"job_size, num_peers, logical_nid, use_nid_remap, nid_map_name, peers, nid, netId, netMapId, netMapSize, "
       "netMapName, "
       "numNodes, coreId, numCores, nicsPerNode, num_vNics, remap, group_offset, group_peers, EP_id, networkIF",
       same, "placement.path", ""},
      {"checkerboard, checkerboard_alg, linkcontrol_type, linkcontrol, rtr_port, port_name, module", nearest, "",
       "of the NIC's own kind"},
      // endpoints
      {"num_messages", nearest, "workload.burst_packets", "to each node; those to itself go to the others"},
      {"message_size", same, "packet.phits", "a packet"},
      {"send_untimed_bcast, send_untimed_data", same, "", "takes no time"},
      {"offered_load", same, "workload.offered_load", "of several the first"},
      {"pattern, pattern_gen", same, "workload.pattern", ""},
      {"warmup_time", same, "measure.warmup_cycles", ""},
      {"collect_time", same, "measure.batch_cycles", "in 10 batches"},
      {"drain_time", same, "", "a run measures one load"},
      {"packet_size, packetSize", same, "packet.phits", ""},
      {"packets_to_send", same, "workload.burst_packets", ""},
      {"message_rate, delay_between_packets", nearest, "workload.kind = burst",
       "packets follow one another as fast as the link takes them"},
      {"PacketDest.pattern, PacketDest.RangeMin, PacketDest.RangeMax, PacketDest.Mean, PacketDest.Seed", nearest,
       "workload.pattern", "uniform over all other nodes, whatever the range"},
      {"PacketSize.pattern, PacketSize.RangeMin, PacketSize.RangeMax, PacketSize.Mean, PacketSize.Seed", nearest,
       "workload.packet_cells", "even over the range, in whole flits"},
      {"PacketDelay.pattern, PacketDelay.RangeMin, PacketDelay.RangeMax, PacketDelay.Mean, PacketDelay.Seed", nearest,
       "workload.kind = burst", "packets follow one another as fast as the link takes them"},
      {"target_nids, delay_start", nearest, "workload.name", "incast to the first one"},
      {"shift", same, "workload.shift_nodes", ""},
      // ember
      {"motif_count, motifN.name, motifN.api", same, "workload.kind", ""},
      {"motifN.arg.X", same, "workload.*", "as the motif has it; those that nothing here comes from are left out"},
      {"api.0.module, api.1.module, api.2.module, os.module, os.name, distribModule, buffersize, spyplotmode, "
       "motifLog, verbose, "
       "verboseMask, verboseLevel, jobName, rankmapper, mapFile",
       nearest, "", "of ember's own parts"},
      // firefly
      {"defaultEnterLatency, defaultReturnLatency", nearest, "workload.overhead_ns", "both are part of it, in ps"},
      {"txSetupModParams.base, txSetupModParams.range.N, rxSetupModParams.base, rxSetupModParams.range.N", nearest,
       "workload.overhead_ns", "the mean of both is part of it"},
      {"txMemcpyMod, rxMemcpyMod, txSetupMod, rxSetupMod, txMemcpyModParams.op, rxMemcpyModParams.op", same,
       "workload.overhead_ns, byte_overhead_ns", "a copy that is multiplied by the size (Mult) costs each byte"},
      {"txMemcpyModParams.base, txMemcpyModParams.range.N, rxMemcpyModParams.base, rxMemcpyModParams.range.N", nearest,
       "workload.byte_overhead_ns", "the mean of both; none where messages are longer than shortMsgLength"},
      {"matchDelay_ns, rxMatchDelay_ns, txDelay_ns, nic2host_lat, hostReadDelay_ns", nearest, "workload.overhead_ns",
       "the mean of what sender and receiver wait is part of it"},
      {"shortMsgLength", same, "workload.rendezvous_bytes", ""},
      {"regRegionBaseDelay_ns, regRegionPerPageDelay_ns, regRegionXoverLength", nearest, "workload.overhead_ns",
       "part of it, or an operation of a graph, where messages are longer than shortMsgLength"},
      {"txFiniMod, rxFiniMod, rxPostMod", left_out, "", "costs after a message"},
      {"sendStateDelay_ps, recvStateDelay_ps, waitallStateDelay_ps, waitanyStateDelay_ps, sendAckDelay_ns", nearest,
       "workload.overhead_ns", "sendStateDelay and recvStateDelay are part of it"},
      {"smallCollectiveVN, smallCollectiveSize, rendezvousVN, ackVN, numVNs, getHdrVN, getRespLargeVN, getRespSmallVN, "
       "getRespSize",
       nearest, "job.traffic_class", "all messages of a job have one class"},
      {"defaultModule, verboseLevel, nicModule, maxRecvMachineQsize, maxSendMachineQsize, packetOverhead, "
       "numSendMachines, numRecvNicUnits, messageSendAlignment, nicAllocationPolicy, maxActiveRecvStreams, "
       "maxPendingRecvPkts, dmaBW_GBs, dmaContentionMult, useSimpleMemoryModel, tracedPkt, tracedNode, tracedNet",
       nearest, "", "NICs have no limits of their own"},
  };
  return all;
}

namespace {

/// "motif3.arg.nx" as "motifN.arg.X"; what stands before a colon, or before the last parts of hermes' names, is left
/// away.
std::string plain_name(std::string_view name) {
  if (name.starts_with("motif") && name.size() > 5 && name[5] >= '0' && name[5] <= '9') {
    const std::size_t dot = name.find('.');
    const std::string_view rest = dot == std::string_view::npos ? "" : name.substr(dot);
    return rest.starts_with(".arg.") ? "motifN.arg.X" : rest.empty() ? "motifN.name" : fmt::format("motifN{}", rest);
  }
  for (const std::string_view prefix : {"hermesParams.ctrlMsg.",
                                        "hermesParams.functionSM.",
                                        "hermesParams.",
                                        "functionSM.",
                                        "functionsm.",
                                        "ctrlMsg.",
                                        "ctrl.",
                                        "nic.",
                                        "pqs.",
                                        "torus:",
                                        "mesh:",
                                        "fattree:",
                                        "dragonfly:",
                                        "hyperx:",
                                        "torus.",
                                        "mesh.",
                                        "fattree.",
                                        "dragonfly.",
                                        "hyperx.",
                                        "portcontrol:",
                                        "portcontrol."}) {
    if (name.starts_with(prefix)) return plain_name(name.substr(prefix.size()));
  }
  std::string plain(name);
  std::ranges::replace(plain, ':', '.');
  return plain;
}

}  // namespace

const ForeignOption* option_of(std::string_view type, std::string_view name) {
  const std::string plain = plain_name(name);
  if (const ForeignOption* const own = option_named(options(), fmt::format("{}:{}", type, plain))) return own;
  return option_named(options(), plain);
}

std::string option_near(const std::string& name) {
  std::vector<std::string> known;
  for (const ForeignOption& option : options()) {
    for (const std::string& one : listed_words(option.names)) known.push_back(one.substr(one.find(':') + 1));
  }
  return nearest(plain_name(name), known, 2);
}

}  // namespace weft::tools::sst
