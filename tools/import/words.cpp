// What BookSim, SST (merlin, ember, firefly), CODES, SimGrid and INSEE (FSIN) call what is here: kinds, patterns,
// motifs and keys. Errors and `weft describe` look them up. Options that an importer lists need no row: they are taken
// from its own list. Sources: the documentation of each, and the names in its configurations.
#include "engine/base/text/words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/base/synonyms.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools {
namespace {

struct Row {
  std::string_view words;  ///< that mean the same
  std::string_view whose;
  std::string_view here;  ///< values of the key that a table is of, or KEY=VALUE, or keys; what comes nearest first
  std::string_view comment = "";
};

constexpr std::string_view booksim = "BookSim", sst = "SST", codes = "CODES", simgrid = "SimGrid", insee = "INSEE";

constexpr std::array topologies{
    Row{"flatfly", booksim, "hyperx"},
    Row{"flattened-butterfly", "its papers", "hyperx"},
    Row{"dragonflynew", booksim, "dragonfly", "groups: as many as fit, but for topology.groups"},
    Row{"dragonfly_dally, dragonfly_custom, dflycustom", codes, "dragonfly"},
    Row{"megafly, dragonfly_plus", "its papers, CODES", "dragonfly-plus"},
    Row{"cmesh", booksim, "mesh, indirect-cube", "with several nodes a router"},
    Row{"fly, k-ary-n-fly", booksim, "unidirectional-min", "topology.wiring = \"butterfly\""},
    Row{"qtree, tree4", booksim, "tree, thin-tree"},
    Row{"anynet", booksim, "file"},
    Row{"fat_tree", "BookSim, SST, CODES, SimGrid, INSEE", "tree, xgft, pgft",
        "tree: k-ary n-tree (BookSim, INSEE); xgft: sizes for each level (SST); pgft: parallel links, too (SimGrid)"},
    Row{"k-ary-n-cube, kncube", booksim, "torus"},
    Row{"singlerouter", sst, "crossbar"},
    Row{"simplenet, simplep2p, loggp", codes, "ideal"},
    Row{"simplewan", codes, "file", "a link for each pair of sites"},
    Row{"cluster", simgrid, "ideal, crossbar", "weft import reads the platform"},
    Row{"fullzone, full", simgrid, "full-mesh"},
    Row{"ttorus", insee, "twisted-torus"},
    Row{"thintree", insee, "thin-tree"},
    Row{"icube, tricube", insee, "indirect-cube"},
    Row{"circpk", insee, "circulant"},
    Row{"spin", insee, "spinnaker"},
};

constexpr std::array routings{
    Row{"dim_order, dor_no_express, xy, xyz, dimension_order", "BookSim, SST", "dor, oblivious, minimal",
        "in order of dimensions: dor of switches, oblivious of bubble routers, minimal of hyperx"},
    Row{"min_adapt, ran_min, planar_adapt, adaptive_xy_yx", booksim, "min-adaptive, shortest, adaptive, random"},
    Row{"val, vdal", "BookSim, SST", "valiant, dal"},
    Row{"ugal, ugaln, prog-adaptive", "BookSim, SST, CODES", "ugal-l, par"},
    Row{"ugal-local", "its papers", "ugal-l"},
    Row{"ugal-global", "its papers", "ugal-g"},
    Row{"prog-adaptive-legacy, par4, progressive-adaptive", "SST, CODES", "par"},
    Row{"nonminimal, vlb", codes, "valiant"},
    Row{"nca", booksim, "random, static, d-mod-k"},
    Row{"anca", booksim, "adaptive-up, adaptive"},
    Row{"dest_tag", booksim, "destination-tag"},
    Row{"doal, dor-nd", sst, "dal, minimal"},
    Row{"deterministic", "SST, CODES", "d-mod-k, static"},
    Row{"doubleob", insee, "double"},
    Row{"hexaob", insee, "hexa"},
};

constexpr std::array patterns{
    Row{"bitcomp, complement", "BookSim, INSEE", "bit-complement"},
    Row{"bitrev, reversal, bitreversal", "BookSim, INSEE", "bit-reversal"},
    Row{"randperm", booksim, "random-permutation"},
    Row{"bad_dragon, badperm_dflynew, badperm_dragonfly, next_group, nearest_group, adv", "BookSim, CODES, INSEE",
        "next-group"},
    Row{"asymmetric", booksim, "matrix, semi",
        "to node i mod N/2 or N/2 beyond it, with the same chance: as a matrix with two entries a row"},
    Row{"taper64, diagonal", booksim, "matrix", "with a row for each source"},
    Row{"neighbor, nearest_neighbor", "BookSim, CODES", "shift, stencil",
        "shift: a step; stencil: a grid's neighbours"},
    Row{"rand, uniform_random, random_uniform", "CODES, INSEE", "uniform"},
    Row{"random_perm", codes, "random-permutation"},
    Row{"hotspot", "BookSim, SST, INSEE", "hot-spot"},
    Row{"perfect_shuffle", insee, "shuffle"},
    Row{"hotregion", insee, "hot-region"},
    Row{"sd", insee, "distribution"},
    Row{"rd", insee, "random-distribution"},
};

/// Motifs of Ember: as "Halo3D", "ember.Halo3DMotif" and "Halo3DMotif".
constexpr std::array motifs{
    Row{"Halo3D, Halo2D, Halo3D26", sst, "stencil",
        "workload.dimensions; of Halo3D26 with workload.diagonals; Halo2D: 2 dimensions"},
    Row{"Halo3DSV, Halo2DNBR", sst, "stencil"},
    Row{"Sweep3D", sst, "sweep3d"},
    Row{"Sweep2D", sst, "wavefront", "in 2 dimensions"},
    Row{"FFT3D", sst, "fft"},
    Row{"AllPingPong", sst, "pairwise-exchange, workload.kind=exchange"},
    Row{"PingPong", sst, "workload.kind=exchange, workload.pairs"},
    Row{"Ring", sst, "ring, workload.kind=exchange"},
    Row{"RandomTraffic, MsgRate, UnstructuredRandom", sst, "random-exchange"},
    Row{"Unstructured", sst, "unstructured"},
    Row{"TrafficGen, offered_load", sst, "workload.kind=synthetic"},
    Row{"Bcast", sst, "broadcast"},
    Row{"Allreduce", sst, "allreduce"},
    Row{"Alltoall", sst, "all-to-all"},
    Row{"Alltoallv", sst, "all-to-allv"},
    Row{"Allgather", sst, "allgather"},
    Row{"Reduce", sst, "reduce"},
    Row{"Barrier", sst, "barrier"},
};

constexpr std::array values{
    Row{"iq, hr_router, iq_router", "BookSim, SST", "router.kind=switch"},
    Row{"separable_input_first, separable_output_first, xbar_arb_rr", "BookSim, SST", "router.scheduling=islip"},
    Row{"pim", booksim, "router.scheduling=random"},
    Row{"xbar_arb_lru, lru", sst, "router.scheduling=islip, router.arbitration=round-robin"},
    Row{"xbar_arb_age", sst, "router.scheduling=age, router.arbitration=age"},
    Row{"on_off", booksim, "workload.arrivals=on-off"},
    Row{"linear, continuous, cont", "SST, CODES", "placement.policy=consecutive"},
    Row{"rand_nodes, rand_chas, rand_group", codes, "placement.policy=random, placement.policy=clustered"},
    Row{"dumpi-trace", codes, "workload.trace_format=dumpi, workload.kind=trace"},
    Row{"swm-online", codes, "workload.kind=kernel, workload.kind=trace"},
};

constexpr std::array keys{
    Row{"flit", "the literature", "packet.phits, packet.phit_bytes, router.buffer_cells",
        "here a flit has one phit; in buffers and credits it is called a cell (docs/glossary.md)"},
    Row{"num_vcs, num_vc, vcs", "BookSim, SST, CODES", "router.virtual_channels"},
    Row{"nchan", insee, "router.virtual_channels"},
    Row{"vc_buf_size, buf_size", booksim, "router.buffer_cells, router.queue_packets",
        "in flits for each channel: cells of switches; plain routers count packets"},
    Row{"input_buf_size, vc_size, local_vc_size, global_vc_size, cn_vc_size, buffer_size", "SST, CODES",
        "router.buffer_cells, router.queue_packets", "in bytes or flits there, in phits here"},
    Row{"output_buf_size", sst, "router.output_buffer_cells"},
    Row{"packet_size", "BookSim, SST, CODES", "packet.phits, packet.phit_bytes",
        "in flits (BookSim), bits (SST) or bytes (CODES) there"},
    Row{"chunk_size, flit_size, channel_width", "CODES, SST, BookSim", "packet.phit_bytes"},
    Row{"injection_rate, load", "BookSim, INSEE", "workload.offered_load",
        "phits/node/cycle; BookSim's are packets unless injection_rate_uses_flits = 1"},
    Row{"injection_process", booksim, "workload.arrivals"},
    Row{"traffic", booksim, "workload.pattern"},
    Row{"routing_function, routing_algorithm", "BookSim, SST", "router.routing"},
    Row{"sw_allocator, vc_allocator, xbar_arb", "BookSim, SST", "router.scheduling"},
    Row{"alloc_iters, sw_alloc_iters, vc_alloc_iters", booksim, "router.iterations"},
    Row{"internal_speedup, input_speedup, output_speedup, xbar_bw", "BookSim, SST", "router.speedup",
        "times the rate of a link"},
    Row{"routing_delay, input_latency, rtr_delay", "BookSim, SST", "router.routing_cycles"},
    Row{"st_final_delay, vc_alloc_delay, sw_alloc_delay, output_latency, router_delay, hop_lat", "BookSim, SST, CODES",
        "router.switch_latency_cycles"},
    Row{"credit_delay", booksim, "link.latency_cycles", "credits take the latency of their link"},
    Row{"link_failures", booksim, "faults.random_links"},
    Row{"fail_seed", booksim, "faults.seed"},
    Row{"warmup_periods", booksim, "measure.warmup_cycles"},
    Row{"sample_period", booksim, "measure.batch_cycles"},
    Row{"max_samples", booksim, "measure.batches"},
    Row{"subnets, num_planes", "BookSim, CODES", "topology.planes"},
    Row{"classes, num_vns, num_qos_levels", "BookSim, SST, CODES", "router.traffic_classes"},
    Row{"priority", booksim, "router.arbitration, router.scheduling"},
    Row{"link_bw, bandwidth, local_bandwidth, global_bandwidth, cn_bandwidth, net_bw_mbps, bw", "SST, CODES, SimGrid",
        "link.rate_gbps, link.phits_per_cycle",
        "in 10^9 bit/s here; of classes of links in [link.node], [link.global]"},
    Row{"link_lat, link_delay, host_link_latency, lat", "SST, CODES, SimGrid", "link.latency_ns, link.latency_cycles"},
    Row{"net_startup_ns", codes, "ideal.latency_ns"},
    Row{"local_ports, hosts_per_router, num_cns_per_router, concentration, c", "SST, CODES, BookSim",
        "topology.nodes_per_router"},
    Row{"num_routers, routers_per_group", "CODES, SST", "topology.routers_per_group"},
    Row{"num_groups", "SST, CODES", "topology.groups"},
    Row{"num_global_channels, intergroup_per_router, intergroup_links", "CODES, SST", "topology.global_links"},
    Row{"shape, dim_length, n_dims", "SST, CODES", "topology.dims, topology.m"},
    Row{"num_levels", codes, "topology.levels"},
    Row{"switch_radix", codes, "topology.arity"},
    Row{"num_rails, num_nics, num_injection_queues", codes, "node.nics"},
    Row{"allocation, alloc_file, hostfile", "SST, CODES, SimGrid", "placement.policy, placement.path"},
    Row{"payload_size, message_size", "CODES, SST", "workload.message_bytes"},
    Row{"iterations, iteration", sst, "workload.repetitions"},
    Row{"shortmsglength, eager_limit, eager_threshold", "SST, MPI", "workload.rendezvous_bytes"},
    Row{"num_messages", codes, "workload.burst_packets, workload.repetitions"},
    Row{"modelnet_scheduler", codes, "router.arbitration"},
    Row{"host-speed", simgrid, "workload.cpu_scale"},
};

/// A motif as configs name it.
std::vector<std::string> forms_of(const std::string& motif) {
  return {motif, motif + "Motif", "ember." + motif, "ember." + motif + "Motif"};
}

/// "hyperx" of topologies, "workload.kind=exchange", "link.rate_gbps".
Meaning meaning_of(const std::string& here, const char* key) {
  if (const std::size_t equals = here.find('='); equals != std::string::npos)
    return {here.substr(0, equals), here.substr(equals + 1)};
  return here.find('.') == std::string::npos ? Meaning{key, here} : Meaning{here};
}

/// `key`: whose values words of here are; empty: they are keys.
void add(std::vector<Synonym>& all, const Row& row, const char* key, bool is_motif = false) {
  std::vector<Meaning> here;
  for (const std::string& one : listed_names(row.here)) here.push_back(meaning_of(one, key));
  for (const std::string& word : listed_names(row.words)) {
    for (const std::string& form : is_motif ? forms_of(word) : std::vector<std::string>{word})
      all.push_back({form, std::string(row.whose), here, std::string(row.comment)});
  }
}

std::vector<Synonym> words_of_simulators() {
  std::vector<Synonym> all;
  for (const Row& row : topologies) add(all, row, "topology.kind");
  for (const Row& row : routings) add(all, row, "router.routing");
  for (const Row& row : patterns) add(all, row, "workload.pattern");
  for (const Row& row : motifs) add(all, row, "workload.name", true);
  for (const Row& row : values) add(all, row, "");
  for (const Row& row : keys) add(all, row, "");
  return all;
}

/// "INSEE" of "INSEE: fsin.conf".
std::string simulator_in(const std::string& help) { return help.substr(0, help.find_first_of(":,")); }

/// "bw" of "cluster bw".
std::string attribute_of(const std::string& word) { return word.substr(word.rfind(' ') + 1); }

bool is_key(const std::string& text) {
  const auto in_keys = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' || letter == '.';
  };
  return text.find('.') != std::string::npos && std::ranges::all_of(text, in_keys);
}

/// "statistics.pairs, ports" as keys: a table is said once.
std::vector<Meaning> keys_of(const ForeignOption& option) {
  std::vector<Meaning> found;
  std::string table;
  for (const std::string& name : listed_names(option.keys)) {
    const std::string key = name.find('.') == std::string::npos ? table + name : name;
    if (!is_key(key)) continue;
    table = key.substr(0, key.rfind('.') + 1);
    found.push_back({key});
  }
  return found;
}

std::vector<Synonym> options_of_importers() {
  std::vector<Synonym> all;
  for (const std::string& name : ImporterRegistry::instance().names()) {
    const ConfigImporter& importer = *ImporterRegistry::instance().find(name);
    for (const ForeignOption& option : importer.options()) {
      // "cluster id" and the like are no words that are asked for.
      if (option.keys.empty() && option.names.find(' ') != std::string::npos &&
          option.names.find(',') == std::string::npos)
        continue;
      for (const std::string& word : listed_names(option.names))
        all.push_back({attribute_of(word), simulator_in(importer.help), keys_of(option), option.comment});
    }
  }
  return all;
}

[[maybe_unused]] const bool words_registered = add_synonyms(words_of_simulators) && add_synonyms(options_of_importers);

}  // namespace
}  // namespace weft::tools
