// The network of a config of CODES: its shape, and what its bandwidths, sizes and delays are in cycles and cells. What
// the options mean is in CODES' own documentation (src/networks/model-net/doc) and code.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/import/codes/connections.hpp"
#include "tools/import/codes/conversion.hpp"
#include "tools/import/link_rates.hpp"

namespace weft::tools::codes {
namespace {

/// As many routers as a fabric file of an import may have.
constexpr i64 most_fabric_routers = i64{1} << 16, most_fabric_pairs = i64{1} << 24;

/// What a model of CODES takes where its options are not given.
struct Defaults {
  double local, cn, global;  ///< GiB/s
  double router_delay;       ///< ns
  i64 chunk, buffer;         ///< bytes
};

class NetworkConversion {
 public:
  explicit NetworkConversion(Conversion& all) : all_(all), in_(all.in), out_(all.out) {}

  Network network() {
    const std::string& model = in_.model();
    if (model == "torus")
      torus();
    else if (model == "dragonfly")
      dragonfly();
    else if (model == "dragonfly_dally")
      dragonfly_of_files();
    else if (model == "dragonfly_custom")
      cray();
    else if (model == "dragonfly_plus")
      dragonfly_plus();
    else if (model == "slimfly")
      slim_fly();
    else if (model == "fattree")
      fat_tree();
    else
      express_mesh();
    in_.check_nodes(network_.nodes);
    rails();
    tasks();
    speeds();
    costs();
    if (fabric_.switches > 0) write_fabric();
    return network_;
  }

 private:
  void set(const std::string& key, const SettingValue& value) { out_.set("topology", key, value); }
  void set_kind(const char* kind) { set("kind", kind); }

  i64 product(const std::vector<i64>& values, const std::string& name) const {
    constexpr u64 most = u64{1} << 26;
    const u64 all = product_up_to(values, most);
    if (all > most) in_.fail(name, "makes a network of more nodes than weft takes; use a smaller one");
    return static_cast<i64>(all);
  }

  /// weft's word for a routing of CODES; `words`: theirs, ours, channels that it needs, whether it is the same.
  struct Word {
    const char *theirs, *ours;
    i64 channels;
    bool same = true;
  };
  void routing(const std::vector<Word>& words) {
    const std::string given = in_.text("routing", words.front().theirs);
    auto found = std::ranges::find_if(words, [&](const Word& word) { return given == word.theirs; });
    if (found == words.end()) {
      found = words.begin();
      in_.note("routing", fmt::format("router.routing; CODES takes {} for it", found->theirs));
    } else if (!found->same) {
      in_.note("routing", fmt::format("router.routing = {}, which comes nearest", found->ours));
    }
    routing_ = found->ours;
    channels_ = found->channels;
  }

  void torus() {
    defaults_ = {.local = 2, .cn = 2, .global = 2, .router_delay = 50, .chunk = 128, .buffer = 2048};
    const std::vector<i64> dims = in_.integers("dim_length");
    const i64 count = in_.integer("n_dims", 4);
    if (count != static_cast<i64>(dims.size()))
      in_.fail("dim_length",
               fmt::format("has {} dimensions, but n_dims is {}; make both say the same", dims.size(), count));
    set_kind("torus");
    set("dims", dims);
    network_.nodes = product(dims, "dim_length");
    routing_ = "dally:basic";
    channels_ = 2;
    in_.note("num_vc", "router.virtual_channels; CODES has one and no rule against deadlock");
    nodes_in_routers_ = true;
  }

  void express_mesh() {
    defaults_ = {.local = 5.25, .cn = 5.25, .global = 5.25, .router_delay = 50, .chunk = 512, .buffer = 32768};
    const std::vector<i64> dims = in_.integers("dim_length");
    const i64 count = in_.integer("n_dims"), gap = in_.integer("gap"), nodes = in_.integer("num_cn");
    if (count != static_cast<i64>(dims.size()))
      in_.fail("dim_length",
               fmt::format("has {} dimensions, but n_dims is {}; make both say the same", dims.size(), count));
    const i64 routers = product(dims, "dim_length");
    network_.nodes = product({routers, nodes}, "num_cn");
    if (gap == 1) {
      set_kind("hyperx");
      set("dims", dims);
      set("nodes_per_router", nodes);
      i64 turns = 0;
      for (const i64 side : dims) turns += side > 1 ? 1 : 0;
      routing({{"static", "hyperx:minimal", 1}, {"adaptive", "hyperx:min-adaptive", std::max<i64>(1, turns), false}});
      return;
    }
    begin_fabric("express mesh", routers, "gap");
    for (i64 node = 0; node < network_.nodes; ++node) fabric_.switch_of.push_back(static_cast<u32>(node / nodes));
    for (i64 router = 0; router < routers; ++router) {
      i64 stride = 1;
      for (const i64 side : dims) {
        const i64 at = router / stride % side;
        for (i64 to = at + 1; to < side; ++to) {
          if (to == at + 1 || (to - at - 1) % gap == 0) link(router, router + (to - at) * stride, 1, false);
        }
        stride *= side;
      }
    }
    fabric_routing();
  }

  void dragonfly_routing() {
    routing({{"minimal", "dragonfly:minimal", 2},
             {"nonminimal", "dragonfly:valiant", 3},
             {"non-minimal", "dragonfly:valiant", 3},
             {"adaptive", "dragonfly:ugal-l", 3},
             {"prog-adaptive", "dragonfly:par", 4},
             {"prog-adaptive-legacy", "dragonfly:par", 4, false},
             {"smart-prog-adaptive", "dragonfly:par", 4, false},
             {"smart-minimal", "dragonfly:minimal", 2, false},
             {"smart-nonminimal", "dragonfly:valiant", 3, false}});
  }

  void dragonfly() {
    defaults_ = {.local = 5.25, .cn = 5.25, .global = 4.7, .router_delay = 50, .chunk = 512, .buffer = 1024};
    const i64 a = in_.integer("num_routers", 4, 2);
    if (a % 2 != 0)
      in_.fail("num_routers", "is odd, but half as many nodes and global links are made; use an even number");
    const i64 groups = product({a, a / 2}, "num_routers") + 1;
    network_.nodes = product({a / 2, a, groups}, "num_routers");
    write_dragonfly(a / 2, a, a / 2, groups);
    in_.note("num_routers", "topology.routers_per_group; which router of a group has which global link differs");
  }

  void write_dragonfly(i64 nodes, i64 routers, i64 links, i64 groups) {
    set_kind("dragonfly");
    set("nodes_per_router", nodes);
    set("routers_per_group", routers);
    set("global_links", links);
    if (groups != routers * links + 1) set("groups", groups);
    has_global_ = true;
    dragonfly_routing();
  }

  /// Both files of connections, if both were given.
  bool files_of_cables(i64 routers_per_group, i64 groups, std::vector<Cable>& local, std::vector<Cable>& global) {
    const ForeignFile* const intra = all_.file_named(in_.text("intra-group-connections", ""));
    const ForeignFile* const inter = all_.file_named(in_.text("inter-group-connections", ""));
    if (intra == nullptr && inter == nullptr) return false;
    if (intra == nullptr || inter == nullptr) {
      const char* const missing = intra == nullptr ? "intra-group-connections" : "inter-group-connections";
      in_.fail(missing, "is not among the files, but the other file of connections is; give both, or neither");
    }
    local = read_group_cables(*intra, routers_per_group);
    global = read_global_cables(*inter, product({groups, routers_per_group}, "num_groups"), routers_per_group);
    return true;
  }

  void no_files(const std::string& what) {
    for (const char* const name : {"intra-group-connections", "inter-group-connections"})
      in_.note(name, fmt::format("topology.kind; the file was not given to weft import: {}", what));
  }

  void dragonfly_of_files() {
    defaults_ = {.local = 5.25, .cn = 5.25, .global = 4.7, .router_delay = 100, .chunk = 512, .buffer = 1024};
    const i64 a = in_.integer("num_routers"), groups = in_.integer("num_groups", 1, 2),
              nodes = in_.integer("num_cns_per_router", std::max<i64>(1, a / 2)),
              links = in_.integer("num_global_channels", 10);
    if (!in_.given("num_groups")) static_cast<void>(in_.integer("num_groups"));
    network_.nodes = product({nodes, a, groups}, "num_groups");
    std::vector<Cable> local, global;
    if (!files_of_cables(a, groups, local, global)) {
      no_files("as CODES' generator makes it, a link for any two routers of a group, relative links between groups");
      if (groups > a * links + 1)
        in_.fail("num_groups", "is more than the global channels of a group reach; use fewer");
      return write_dragonfly(nodes, a, links, groups);
    }
    if (joins_all(local, a) && is_even(global, groups, a)) {
      if (!is_relative(global, groups, a, links))
        in_.note("inter-group-connections", "topology.arrangement; groups are joined as evenly, by other routers");
      return write_dragonfly(nodes, a, links, groups);
    }
    begin_fabric("dragonfly", a * groups, "num_groups");
    for (i64 node = 0; node < network_.nodes; ++node) fabric_.switch_of.push_back(static_cast<u32>(node / nodes));
    add_groups(local, global, a, groups);
    fabric_routing();
  }

  void add_groups(const std::vector<Cable>& local, const std::vector<Cable>& global, i64 a, i64 groups) {
    for (i64 group = 0; group < groups; ++group) {
      for (const Cable& cable : local) link(group * a + cable.a, group * a + cable.b, cable.count, false);
    }
    for (const Cable& cable : global) link(cable.a, cable.b, cable.count, true);
  }

  /// Groups of two dimensions.
  void cray() {
    defaults_ = {.local = 5.25, .cn = 5.25, .global = 4.7, .router_delay = 100, .chunk = 512, .buffer = 1024};
    const i64 rows = in_.integer("num_router_rows", 6), columns = in_.integer("num_router_cols", 16),
              groups = in_.integer("num_groups"), a = product({rows, columns}, "num_router_rows"),
              nodes = in_.integer("num_cns_per_router", std::max<i64>(1, a / 2)),
              links = in_.integer("num_global_channels", 10);
    network_.nodes = product({nodes, a, groups}, "num_groups");
    std::vector<Cable> local, global;
    const bool given = files_of_cables(a, groups, local, global);
    if (!given) {
      no_files("as CODES' generator for Cray's XC makes it");
      if (a * groups > most_fabric_routers || a * groups * (rows + columns + groups) > most_fabric_pairs)
        in_.fail("num_groups", "makes more routers or links than a fabric file of an import has; use fewer");
      local = cray_group_cables(rows, columns, in_.integer("num_row_chans", 1), in_.integer("num_col_chans", 3));
      global = cray_global_cables(groups, rows, columns);
    }
    if (given && rows == 1 && joins_all(local, a) && is_even(global, groups, a)) {
      if (!is_relative(global, groups, a, links))
        in_.note("inter-group-connections", "topology.arrangement; groups are joined as evenly, by other routers");
      return write_dragonfly(nodes, a, links, groups);
    }
    begin_fabric("dragonfly of groups of two dimensions", a * groups, "num_groups");
    for (i64 node = 0; node < network_.nodes; ++node) fabric_.switch_of.push_back(static_cast<u32>(node / nodes));
    add_groups(local, global, a, groups);
    fabric_routing();
  }

  void dragonfly_plus() {
    defaults_ = {.local = 5.25, .cn = 5.25, .global = 4.7, .router_delay = 100, .chunk = 512, .buffer = 1024};
    const i64 spines = in_.integer("num_router_spine", 1), leaves = in_.integer("num_router_leaf", 1),
              groups = in_.integer("num_groups"), nodes = in_.integer("num_cns_per_router", 4),
              links = in_.integer("num_global_connections", 10), parallel = in_.integer("num_level_chans", 1);
    network_.nodes = product({nodes, leaves, groups}, "num_groups");
    has_global_ = true;
    const i64 a = leaves + spines;
    std::vector<Cable> local, global;
    const bool given = files_of_cables(a, groups, local, global);
    const bool regular =
        !given || (static_cast<i64>(local.size()) == leaves * spines &&
                   std::ranges::all_of(local, [&](const Cable& c) { return c.a < leaves && c.b >= leaves; }) &&
                   is_even(global, groups, a));
    if (!regular) {
      begin_fabric("dragonfly+", a * groups, "num_groups");
      for (i64 node = 0; node < network_.nodes; ++node)
        fabric_.switch_of.push_back(static_cast<u32>(node / (leaves * nodes) * a + node % (leaves * nodes) / nodes));
      add_groups(local, global, a, groups);
      return fabric_routing();
    }
    if (!given)
      no_files("every leaf linked to every spine of its group, groups joined evenly");
    else
      in_.note("inter-group-connections", "topology.kind; groups are joined as evenly, by other spines");
    if (groups > spines * links + 1)
      in_.fail("num_groups", "is more than the global links of a group reach; use fewer");
    set_kind("dragonfly-plus");
    set("nodes_per_router", nodes);
    set("leaves", leaves);
    set("spines", spines);
    set("global_links", links);
    if (parallel > 1) set("parallel_links", parallel);
    if (groups != spines * links + 1) set("groups", groups);
    routing({{"minimal", "dragonfly-plus:minimal", 2},
             {"non-minimal-spine", "dragonfly-plus:valiant", 2, false},
             {"non-minimal-leaf", "dragonfly-plus:valiant", 2, false},
             {"nonminimal", "dragonfly-plus:valiant", 2},
             {"adaptive", "dragonfly-plus:ugal-l", 2},
             {"on-the-fly-adaptive", "dragonfly-plus:ugal-l", 2, false},
             {"prog-adaptive", "dragonfly-plus:fpar", 2},
             {"fully-prog-adaptive", "dragonfly-plus:fpar", 2}});
  }

  void slim_fly() {
    defaults_ = {.local = 5.25, .cn = 5.25, .global = 4.7, .router_delay = 0, .chunk = 64, .buffer = 8192};
    const i64 q = in_.integer("num_routers"), nodes = in_.integer("num_terminals", 2);
    network_.nodes = product({2, q, q, nodes}, "num_routers");
    if (in_.integer("global_channels", q) != q)
      in_.fail("global_channels", fmt::format("of a Slim Fly of q = {} are {}; write so", q, q));
    set_kind("slim-fly");
    set("q", q);
    set("nodes_per_router", nodes);
    routing({{"minimal", "slim-fly:minimal", 2},
             {"nonminimal", "slim-fly:valiant", 4},
             {"non-minimal", "slim-fly:valiant", 4},
             {"adaptive", "slim-fly:ugal-l", 4}});
    if (in_.real("global_bandwidth", 0) != in_.real("local_bandwidth", 0))
      in_.note("global_bandwidth", "all links of a slim-fly have the rate of local_bandwidth");
    else
      in_.note("global_bandwidth", "link.rate_gbps", OptionState::same);
  }

  void fat_tree() {
    defaults_ = {.local = 5, .cn = 5, .global = 5, .router_delay = 50, .chunk = 512, .buffer = 0};
    defaults_.buffer = 8 * in_.integer("packet_size", 512);
    const i64 levels = in_.integer("num_levels"), switches = in_.integers("switch_count").front(),
              radix = in_.integers("switch_radix").front(), taper = in_.integer("tapering", 1);
    if (levels > 3) in_.fail("num_levels", "is more than CODES' 3 levels; use 1 to 3");
    if (radix < 2 || radix % (2 * taper > 2 ? taper + 1 : 2) != 0)
      in_.fail("switch_radix", "has not so many ports down for each port up; use a multiple of tapering + 1");
    // Ports of a leaf switch; with tapering t there are t down for each one up.
    const i64 down = radix / (taper + 1) * taper, up = radix - down, half = radix / 2;
    network_.nodes = product({switches, down}, "switch_count");
    std::vector<i64> children{down}, parents{1}, parallel{1};
    if (levels == 2) {
      const i64 tops = std::max<i64>(1, switches / 2), cables = std::max<i64>(1, up / tops);
      children.push_back(switches), parents.push_back(std::min(tops, up)), parallel.push_back(cables);
      if (std::min(tops, up) * cables != up || switches % 2 != 0)
        in_.note("switch_count", "topology.m; a leaf switch has as many links to every top switch");
    } else if (levels == 3) {
      const i64 leaves = std::min(half, switches), pods = (switches + leaves - 1) / leaves;
      if (pods * leaves != switches)
        in_.fail("switch_count", fmt::format("are no whole pods of {} leaf switches; use a multiple", leaves));
      // Of the middle switch's ports up, so many lead to the same top switch.
      const i64 cables = std::max<i64>(1, radix / pods), tops = std::max<i64>(1, half / cables);
      children.insert(children.end(), {leaves, pods});
      parents.insert(parents.end(), {std::min(half, up), tops});
      parallel.insert(parallel.end(), {std::max<i64>(1, up / half), cables});
      if (tops * cables != half)
        in_.note("switch_count",
                 fmt::format("topology.w; {} of {} links up of a middle switch are used, evenly", tops * cables, half));
    }
    set_kind("pgft");
    set("m", children);
    set("w", parents);
    set("parallel", parallel);
    routing({{"adaptive", "fat-tree:adaptive-up", 1}, {"static", "fat-tree:d-mod-k", 1, false}});
  }

  // Fabric files.

  void begin_fabric(const std::string& name, i64 routers, const std::string& option) {
    if (routers > most_fabric_routers)
      in_.fail(option, "makes more routers than a fabric file of an import has; use fewer");
    fabric_.name = name;
    fabric_.switches = static_cast<u32>(routers);
  }
  void link(i64 a, i64 b, i64 count, bool global) {
    fabric_.links.push_back(
        {static_cast<u32>(a), static_cast<u32>(b), global ? -1.0 : 0.0, static_cast<u32>(count)});  // gbps: see speeds
  }
  void fabric_routing() {
    routing_ = "forwarding-table";
    channels_ = 8;
    const std::string given = in_.text("routing", "minimal");
    if (given != "minimal" && given != "static") {
      in_.note("routing", "router.routing = forwarding-table, of shortest paths, as a fabric file has no groups");
    } else {
      in_.note("routing", "router.routing = forwarding-table, of shortest paths, one for each destination");
    }
  }
  void write_fabric() {
    if (!fabric_.connected())
      in_.fail("num_groups", "makes a network whose links do not join all routers; check the files");
    set_kind("file");
    set("path", all_.add_companion("fabric.toml", fabric_.toml("Links of a network of CODES, by weft import.")));
  }

  // Nodes, speeds and costs.

  void rails() {
    const i64 rails = in_.integer("num_rails", 1);
    i64 planes = in_.integer("num_planes", 1);
    if (rails == 1 && planes == 1) return;
    if (fabric_.switches > 0)
      return in_.leave_out(rails > 1 ? "num_rails" : "num_planes", "fabric files have one plane; nodes have one NIC");
    if (in_.model() == "fattree" || in_.model() == "slimfly") planes = rails;
    if (rails % planes != 0 || planes > 64 || rails > 64)
      in_.fail("num_rails", "is no multiple of num_planes, or more than 64; use such a number");
    if (planes > 1) set("planes", planes);
    if (rails > 1) {
      out_.set("node", "nics", rails);
      const std::string select = in_.text("rail_select", "dedicated");
      out_.set("node", "nic_policy", select == "dedicated" || select == "none" ? "task" : "round-robin");
    }
  }

  void tasks() {
    const i64 processes = in_.processes(), nodes = network_.nodes;
    if (processes <= nodes) return;
    if (processes % nodes != 0 || processes / nodes > 64) {
      const char* const name = in_.lps("nw-lp") >= in_.lps("server") ? "nw-lp" : "server";
      in_.note(name, "node.tasks; no whole number of processes for each node: one each");
      return;
    }
    network_.tasks_per_node = processes / nodes;
    out_.set("node", "tasks", network_.tasks_per_node);
  }

  void speeds() {
    const std::string local_name = in_.one_of({"local_bandwidth", "link_bandwidth"});
    const double local = bandwidth(local_name, defaults_.local);
    double cn = nodes_in_routers_ ? local : bandwidth("cn_bandwidth", defaults_.cn);
    const double global = has_global_ || fabric_.switches > 0 ? bandwidth("global_bandwidth", defaults_.global) : local;
    if (nodes_in_routers_ && in_.given("cn_bandwidth")) in_.note("cn_bandwidth", "nodes sit inside the routers");
    const i64 chunk_given = in_.integer("chunk_size", defaults_.chunk), packet = in_.integer("packet_size", 512);
    const double delay = in_.real("router_delay", defaults_.router_delay);
    constexpr i64 most_packet = i64{1} << 28, most_phits = 4096;
    if (packet > most_packet) in_.fail("packet_size", "is longer than packets are here; use 268435456 bytes at most");
    const i64 chunk = std::min(chunk_given, packet);

    // Cells so small that the delay of a router is a whole number of cycles, nearly.
    i64 phit = chunk;
    const double base = fabric_.switches > 0 ? cn : local;
    const auto cycle_ns = [&] { return 8.0 * static_cast<double>(phit) / base; };
    while (phit % 2 == 0 && phit > 8 && packet / (phit / 2) < most_phits && delay > 0 && cycle_ns() > delay / 16)
      phit /= 2;
    while (phit > 65536 && phit % 2 == 0) phit /= 2;
    if (phit > 65536 || (packet + phit - 1) / phit > most_phits)
      in_.fail("packet_size", "has more or longer chunks than packets have cells here; use a larger chunk_size, even");
    const i64 cells = (packet + phit - 1) / phit, chunk_cells = (chunk + phit - 1) / phit;
    const bool whole = chunk == packet;

    std::vector<double> others;
    if (fabric_.switches == 0) others = {cn, global};
    const LinkRates rates = link_rates(base, others, phit);
    if (rates.tick_ps > 0) out_.set("simulation", "tick_ps", rates.tick_ps);
    out_.set("link", "rate_gbps", rates.gbps);
    // A chunk goes on when all of it is there: the first cell of a link comes so much later. Of packets that are one
    // chunk, the switch waits for the last cell instead.
    const double extra = in_.real("link_delay", 0) / rates.cycle_ns;
    const auto latency = [&](double rate, const std::string& name) {
      double cycles = whole ? 1 : static_cast<double>(chunk_cells) * base / rate;
      if (in_.given(name) && !whole) cycles = in_.real(name, 0) / rates.cycle_ns;
      return std::clamp<i64>(std::llround(cycles + extra), 1, 1000000);
    };
    const i64 near = latency(base, "local_delay");
    out_.set("link", "latency_cycles", near);
    if (fabric_.switches == 0) {
      if (has_global_ && latency(global, "global_delay") != near)
        out_.set("link.global", "latency_cycles", latency(global, "global_delay"));
      if (has_global_ && rates.phits_per_cycle[1] != 1)
        out_.set("link.global", "phits_per_cycle", rates.phits_per_cycle[1]);
      if (latency(cn, "cn_delay") != near) out_.set("link.node", "latency_cycles", latency(cn, "cn_delay"));
      if (rates.phits_per_cycle[0] != 1) out_.set("link.node", "phits_per_cycle", rates.phits_per_cycle[0]);
    }
    fabric_.host_gbps = cn;
    const std::vector<double> simple = simple_rates({local, global}, cn);
    for (FabricText::Link& link : fabric_.links) link.gbps = link.gbps < 0 ? simple[1] : simple[0];

    out_.set("packet", "phits", cells);
    out_.set("packet", "phit_bytes", phit);
    if (packet % phit != 0) in_.note("packet_size", fmt::format("packet.phits; rounded up to cells of {} bytes", phit));
    out_.set("router", "kind", "switch");
    out_.set("router", "routing", routing_);
    if (fabric_.switches > 0) out_.set("router", "engine", "minhop");
    channels(cells, phit);
    if (whole) out_.set("router", "switching", "store-and-forward");
    const i64 cycles = std::llround(delay / rates.cycle_ns);
    out_.set("router", "routing_cycles", cycles);
    if (std::abs(static_cast<double>(cycles) * rates.cycle_ns - delay) > 0.05 * delay)
      in_.note("router_delay", fmt::format("router.routing_cycles; rounded to {:.4g} ns",
                                           static_cast<double>(cycles) * rates.cycle_ns));
  }

  double bandwidth(const std::string& name, double fallback) const {
    const double gib = in_.real(name, fallback);
    if (gib < 1e-3 || gib > 1e5) in_.fail(name, "is no bandwidth in GiB/s from 0.001 to 100000; use one");
    return gib * gbps_of_gib_per_s;
  }

  void channels(i64 cells, i64 phit) {
    const i64 classes = in_.integer("num_qos_levels", 1);
    const std::string given = in_.one_of({"num_vcs_override", "num_vcs", "num_vc"});
    const i64 wanted = in_.integer(given, channels_);
    if (wanted > 64 || classes > 16) in_.fail(given, "is more than switches have here; use fewer");
    const i64 taken = std::max(wanted, channels_);
    if (wanted == taken && in_.given(given)) in_.note(given, "router.virtual_channels", OptionState::same);
    out_.set("router", "virtual_channels", taken);
    const std::string name = in_.one_of({"local_vc_size", "vc_size", "buffer_size"});
    const i64 bytes = in_.integer(name, defaults_.buffer);
    out_.set("router", "buffer_cells", std::clamp<i64>(bytes / phit, cells, i64{1} << 24));
    if (bytes / phit < cells) in_.note(name, "router.buffer_cells; a packet at least, as it must fit");
    for (const char* const other : {"global_vc_size", "cn_vc_size"}) {
      if (in_.integer(other, bytes) == bytes) in_.note(other, "router.buffer_cells", OptionState::same);
    }
    if (classes > 1) out_.set("router", "traffic_classes", classes);
  }

  void costs() {
    const double overhead = in_.real("soft_delay", in_.model() == "fattree" ? 1000 : 0) + in_.real("nic_delay", 0);
    const auto cost = [this](const char* key, const SettingValue& value) { network_.costs.emplace_back(key, value); };
    if (overhead > 0) cost("overhead_ns", overhead);
    if (in_.real("nic_seq_delay", 0) > 0) cost("gap_ns", in_.real("nic_seq_delay", 0));
    if (in_.real("copy_per_byte", 0) > 0) cost("byte_overhead_ns", in_.real("copy_per_byte", 0));
    if (in_.given("eager_limit")) cost("rendezvous_bytes", in_.integer("eager_limit", 0, 0));
    if (in_.given("intra_bandwidth")) out_.set("node", "path_gbps", bandwidth("intra_bandwidth", 30));
  }

  Conversion& all_;
  Values& in_;
  TomlWriter& out_;
  Network network_;
  Defaults defaults_{};
  FabricText fabric_;
  std::string routing_;
  i64 channels_ = 1;
  bool has_global_ = false, nodes_in_routers_ = false;
};

}  // namespace

Network convert_network(Conversion& all) { return NetworkConversion(all).network(); }

}  // namespace weft::tools::codes
