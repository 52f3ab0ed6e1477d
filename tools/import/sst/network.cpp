// The routers of merlin: their topology, links, buffers and delays. What the parameters mean is in SST's own
// documentation of its elements and in merlin's code.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "engine/base/nearest.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/fabric_text.hpp"
#include "tools/import/link_rates.hpp"
#include "tools/import/sst/conversion.hpp"
#include "tools/import/sst/units.hpp"

namespace weft::tools::sst {

constexpr std::string_view router_type = "merlin.hr_router";
constexpr i64 most_routers = i64{1} << 20, most_ports = 65536, most_nodes = i64{1} << 26;

/// A router's place: its id, which is what merlin numbers nodes by.
struct Router {
  u32 component = 0, id = 0;
};

struct NetworkParts {
 public:
  explicit NetworkParts(Conversion& all) : all_(all), model_(all.model) {}

  Network network() {
    find_routers();
    find_links();
    const Component& first = model_.components[routers_.front().component];
    const Component* const part = first.part_in_slot("topology");
    kind_ = part != nullptr ? part->type : Conversion::text(first, "topology", "");
    if (kind_.empty()) model_.fail(first.line, "has no topology; check that the file is whole");
    line_ = part != nullptr ? part->line : first.line;
    short_kind_ = kind_.starts_with("merlin.") ? kind_.substr(7) : kind_;
    network_.flit_bytes = std::llround(all_.bytes(first, "flit_size", 8));
    if (network_.flit_bytes < 1 || network_.flit_bytes > 65536)
      model_.fail(first.line, "has a flit_size that is no whole number of bytes from 1 to 65536; use such a one");
    network_.cycle_ns = 8.0 * static_cast<double>(network_.flit_bytes) / std::max(1e-6, all_.gbps(first, "link_bw", 8));
    network_.classes = std::clamp<i64>(all_.integer(first, "num_vns", 1), 1, 16);
    topology();
    place_endpoints();
    return network_;
  }

 private:
  const Component& router() const { return model_.components[routers_.front().component]; }

  /// A parameter of the topology, which older files have as "torus:shape" at the router.
  const Parameter* param(const std::string& name) const {
    for (const std::string& one : {name, short_kind_ + ":" + name, short_kind_ + "." + name}) {
      if (const Parameter* const found = router().find(one)) return found;
    }
    return nullptr;
  }
  i64 number(const std::string& name, i64 fallback, i64 least = 1) const {
    const Parameter* const found = param(name);
    if (found == nullptr && fallback < 0)
      model_.fail(line_, fmt::format("{} has no {}; check that the file is whole", kind_, name));
    return found == nullptr ? fallback : all_.whole(found->value, found->line, name, least);
  }
  std::vector<i64> sizes(const std::string& name, std::string_view between) const {
    const Parameter* const found = param(name);
    if (found == nullptr) return {};
    std::vector<i64> all;
    for (const std::string& word : listed_words(found->value, between))
      all.push_back(all_.whole(word, found->line, name, 1));
    if (all.empty()) model_.fail(found->line, fmt::format("{} is empty; write sizes", name));
    return all;
  }
  /// "[minimal, ugal]", or a word.
  std::vector<std::string> words(const std::string& name) const {
    const Parameter* const found = param(name);
    return found == nullptr ? std::vector<std::string>{} : listed_words(found->value, "[], \"'");
  }

  void find_routers() {
    for (u32 c = 0; c < model_.components.size(); ++c) {
      const Component& component = model_.components[c];
      if (!component.type.starts_with(router_type)) continue;
      const i64 id = all_.integer(component, "id", static_cast<i64>(routers_.size()));
      if (id >= most_routers) model_.fail(component.line, "has an id beyond what weft takes; use a smaller network");
      router_at_[c] = static_cast<u32>(routers_.size());
      routers_.push_back({c, static_cast<u32>(id)});
    }
    if (routers_.empty()) {
      model_.fail(
          1, "has no merlin.hr_router; of SST weft reads networks of merlin (with ember and firefly at their ends)");
    }
  }

  static i64 port_number(const std::string& port) {
    const std::size_t digits = port.find_first_of("0123456789");
    const std::optional<i64> number = digits == std::string::npos ? std::nullopt : parsed<i64>(port.substr(digits));
    return number && *number >= 0 && *number < most_ports ? *number : -1;
  }

  void find_links() {
    for (const Link& link : model_.links) {
      const auto left = router_at_.find(link.left.component), right = router_at_.find(link.right.component);
      if (left != router_at_.end() && right != router_at_.end()) {
        cables_.push_back({left->second, right->second, 0, 1});
      } else if (left != router_at_.end() || right != router_at_.end()) {
        const bool at_left = left != router_at_.end();
        const Link::End& end = at_left ? link.left : link.right;
        const i64 port = port_number(end.port);
        if (port < 0)
          model_.fail(link.line,
                      fmt::format("port {} of a router is none; merlin's are port0, port1...", shown(end.port)));
        network_.endpoints.push_back({at_left ? link.right.component : link.left.component,
                                      at_left ? left->second : right->second, static_cast<u32>(port), 0});
      }
    }
    if (network_.endpoints.empty())
      model_.fail(1, "has no links from routers to endpoints; check that the file is whole");
    std::ranges::sort(network_.endpoints, {},
                      [this](const Endpoint& one) { return std::pair(routers_[one.router].id, one.port); });
  }

  void set(const std::string& key, const SettingValue& value) { all_.out.set("topology", key, value); }

  /// That the file has as many routers as its parameters say.
  void check_routers(i64 said) const {
    if (static_cast<i64>(routers_.size()) == said) return;
    model_.fail(line_, fmt::format("parameters of {} make {} routers, but the file has {}; check that it is whole",
                                   kind_, said, routers_.size()));
  }
  i64 product(const std::vector<i64>& values) const {
    const u64 all = product_up_to(values, most_nodes);
    if (all > most_nodes) model_.fail(line_, "makes a network of more nodes than weft takes; use a smaller one");
    return static_cast<i64>(all);
  }

  void topology() {
    if (short_kind_ == "torus" || short_kind_ == "mesh") return grid();
    if (short_kind_ == "hyperx") return hyperx();
    if (short_kind_ == "fattree") return fat_tree();
    if (short_kind_.starts_with("dragonfly")) return dragonfly();
    if (short_kind_ == "singlerouter") {
      set("kind", "crossbar");
      network_.nodes = std::max<i64>(2, number("num_ports", static_cast<i64>(network_.endpoints.size())));
      set("nodes", network_.nodes);
      routing_ = "auto";
      return;
    }
    fabric(fmt::format("{} has no kind here", kind_));
  }

  void grid() {
    const std::vector<i64> shape = sizes("shape", "x"), width = sizes("width", "x");
    const i64 local = number("local_ports", 1);
    if (shape.empty()) model_.fail(line_, fmt::format("{} has no shape; check that the file is whole", kind_));
    if (local > 1 || std::ranges::any_of(width, [](i64 links) { return links > 1; }))
      return fabric("several nodes of a router or links side by side have no kind here");
    set("kind", short_kind_);
    set("dims", shape);
    network_.nodes = product(shape);
    check_routers(network_.nodes);
    // merlin takes dimensions in order, of two ways round a ring that are as long the upper one, and the other channel
    // behind the border.
    routing_ = short_kind_ == "torus" ? "dally:trc" : "dally:basic";
    channels_ = 2;
    if (short_kind_ == "torus") ties_up_ = std::ranges::any_of(shape, [](i64 side) { return side % 2 == 0; });
  }

  /// The routing of each virtual network. `words`: merlin's, weft's, channels that it needs.
  struct Word {
    const char *theirs, *ours;
    i64 channels;
    bool same = true;
  };
  void algorithms(const std::string& kind, const std::vector<Word>& known) {
    std::vector<std::string> given = words("algorithm");
    if (given.empty()) given.emplace_back(known.front().theirs);
    std::string modes;
    bool all_same = true;
    for (const std::string& algorithm : given) {
      auto found = std::ranges::find_if(known, [&](const Word& word) { return algorithm == word.theirs; });
      if (found == known.end()) {
        found = known.begin();
        all_same = false;
      }
      all_same = all_same && found->same;
      channels_ = std::max(channels_, found->channels);
      modes += fmt::format("{}{}", modes.empty() ? "" : ", ", found->ours);
    }
    const std::string first = modes.substr(0, modes.find(','));
    routing_ = fmt::format("{}:{}", kind, first);
    // Virtual networks beyond the list have its last algorithm.
    for (std::size_t k = given.size(); k < static_cast<std::size_t>(network_.classes); ++k)
      modes += fmt::format(", {}", modes.substr(modes.rfind(' ') + 1));
    if (network_.classes > 1 && given.size() > 1) routing_ = kind, modes_ = modes;
    if (!all_same) all_.note("algorithm", "router.routing, router.class_modes; what comes nearest of " + kind);
  }

  void hyperx() {
    const std::vector<i64> shape = sizes("shape", "x");
    std::vector<i64> width = sizes("width", "x");
    const i64 local = number("local_ports", -1);
    if (shape.empty()) model_.fail(line_, "hyperx has no shape; check that the file is whole");
    if (width.size() != shape.size()) width.assign(shape.size(), 1);
    i64 turns = 0;
    for (const i64 side : shape) turns += side > 1 ? 1 : 0;
    const std::vector<std::string> given = words("algorithm");
    if (std::ranges::any_of(width, [](i64 links) { return links > 1; })) {
      if (std::ranges::all_of(given, [](const std::string& one) { return one == "DOR"; })) {
        width.assign(shape.size(), 1);
        all_.note("width", "topology.widths; merlin's DOR takes the first of parallel links alone");
      } else if (std::ranges::find(given, "DOR") != given.end()) {
        all_.note("algorithm", "router.class_modes; merlin's DOR takes the first of parallel links alone, weft's any");
      }
    }
    set("kind", "hyperx");
    set("dims", shape);
    set("widths", width);
    set("nodes_per_router", local);
    std::vector<i64> all = shape;
    all.push_back(local);
    network_.nodes = product(all);
    check_routers(product(shape));
    algorithms("hyperx", {{"DOR", "minimal", 1},
                          {"DOR-ND", "minimal", 1, false},
                          {"MIN-A", "min-adaptive", std::max<i64>(1, turns)},
                          {"MIN-A-2VC", "min-adaptive", std::max<i64>(1, turns), false},
                          {"valiant", "valiant", 2},
                          {"VDAL", "dal", 2 * std::max<i64>(1, turns), false},
                          {"DOAL", "dal", 2 * std::max<i64>(1, turns), false},
                          {"UGAL", "ugal-l", 2}});
  }

  void fat_tree() {
    const Parameter* const shape = param("shape");
    if (shape == nullptr) model_.fail(line_, "fattree has no shape; check that the file is whole");
    std::vector<i64> down, up{1};
    for (const std::string& level : listed_words(shape->value, ":")) {
      const std::vector<std::string> ports = listed_words(level, ",");
      if (ports.empty() || ports.size() > 2)
        model_.fail(shape->line, fmt::format("shape = {}: {} is no level; write DOWN,UP:DOWN,UP:DOWN",
                                             shown(shape->value), shown(level)));
      down.push_back(all_.whole(ports[0], shape->line, "shape", 1));
      if (ports.size() > 1) up.push_back(all_.whole(ports[1], shape->line, "shape", 1));
    }
    if (down.empty() || up.size() < down.size())
      model_.fail(shape->line, fmt::format("shape = {} has levels without links up; write DOWN,UP:DOWN,UP:DOWN",
                                           shown(shape->value)));
    up.resize(down.size());
    set("kind", "xgft");
    set("m", down);
    set("w", up);
    network_.nodes = product(down);
    i64 routers = 0;
    for (std::size_t level = 0; level < down.size(); ++level) {
      std::vector<i64> sides(up.begin(), up.begin() + static_cast<std::ptrdiff_t>(level) + 1);
      sides.insert(sides.end(), down.begin() + static_cast<std::ptrdiff_t>(level) + 1, down.end());
      routers += product(sides);
    }
    check_routers(routers);
    std::vector<std::string> given = words("routing_alg");
    if (given.empty()) given = words("algorithm");
    const bool adaptive = std::ranges::find(given, "adaptive") != given.end();
    routing_ = adaptive ? "fat-tree:adaptive-up" : "fat-tree:d-mod-k";
    if (given.size() > 1 && network_.classes > 1) {
      routing_ = "fat-tree";
      for (i64 k = 0; k < network_.classes; ++k)
        modes_ += fmt::format("{}{}", k > 0 ? ", " : "",
                              given[std::min<std::size_t>(static_cast<std::size_t>(k), given.size() - 1)] == "adaptive"
                                  ? "adaptive-up"
                                  : "d-mod-k");
    }
  }

  void dragonfly() {
    const i64 nodes = number("hosts_per_router", -1), routers = number("routers_per_group", -1),
              groups = number("num_groups", -1, 1);
    i64 links = number("intergroup_per_router", 0, 0);
    if (links == 0) {
      const i64 between = number("intergroup_links", -1);
      links = ((groups - 1) * between + routers - 1) / routers;
    }
    if (groups < 2 || links < 1) return fabric("a dragonfly of one group has no kind here");
    if ((groups - 1) > product({routers, links}))
      model_.fail(line_, "dragonfly has more groups than the links of a group reach; check that the file is whole");
    set("kind", "dragonfly");
    set("nodes_per_router", nodes);
    set("routers_per_group", routers);
    set("global_links", links);
    if (groups != routers * links + 1) set("groups", groups);
    const Parameter* const routes = param("global_routes");
    set("arrangement", routes != nullptr && trimmed(routes->value) == "relative" ? "relative" : "absolute");
    network_.nodes = product({nodes, routers, groups});
    check_routers(routers * groups);
    algorithms("dragonfly", {{"minimal", "minimal", 2},
                             {"valiant", "valiant", 3},
                             {"ugal", "ugal-l", 3},
                             {"ugal-3vc", "ugal-l", 3},
                             {"ugal-4vc", "par", 4, false},
                             {"adaptive-local", "ugal-l", 3, false},
                             {"min-a", "minimal", 2, false}});
  }

  void fabric(const std::string& why) {
    is_fabric_ = true;
    for (const char* const name : {"algorithm", "routing_alg"})
      all_.note(name, "router.routing = forwarding-table, of shortest paths, one for each destination: " + why);
    routing_ = "forwarding-table";
    channels_ = 8;  // Layers enough for the shortest paths of a torus of three dimensions.
    if (static_cast<i64>(routers_.size()) > 65536)
      model_.fail(line_, "has more routers than a fabric file of an import; use fewer");
    network_.nodes = static_cast<i64>(network_.endpoints.size());
  }

  void place_endpoints() {
    if (is_fabric_) {
      for (u32 k = 0; k < network_.endpoints.size(); ++k) network_.endpoints[k].node = k;
      return;
    }
    // Nodes of a router are counted from its first port for nodes, which is the same port of all.
    u32 first = network_.endpoints.front().port;
    for (const Endpoint& one : network_.endpoints) first = std::min(first, one.port);
    i64 local = network_.nodes;
    if (short_kind_ == "fattree")
      local = sizes_of_leaf();
    else if (short_kind_ != "singlerouter")
      local = network_.nodes / static_cast<i64>(routers_.size());
    for (Endpoint& one : network_.endpoints) {
      const i64 node = static_cast<i64>(routers_[one.router].id) * local + one.port - first;
      if (node >= network_.nodes || one.port - first >= local) {
        model_.fail(
            model_.components[one.component].line,
            fmt::format("{} hangs at port{} of router {}, where {} has no node; check that the file is whole",
                        shown(model_.components[one.component].name), one.port, routers_[one.router].id, kind_));
      }
      one.node = static_cast<u32>(node);
    }
  }
  i64 sizes_of_leaf() const {
    const Parameter* const shape = param("shape");
    return all_.whole(listed_words(shape->value, ",:").front(), shape->line, "shape", 1);
  }

 public:
  /// Writes [link], [packet] and [router].
  void router_of(const Network& network) {
    network_ = network;
    const Component& at = router();
    const double own = all_.gbps(at, "link_bw", 8);
    double nic = 0;
    for (const Endpoint& one : network.endpoints) {
      const double speed = all_.gbps(model_.components[one.component], "link_bw", own);
      nic = nic == 0 ? speed : std::min(nic, speed);
    }
    nic = std::min(nic, own);
    if (own < 1e-6 || nic < 1e-6) model_.fail(at.line, "has a link_bw of 0; write for example 4GB/s");
    const i64 flit = network.flit_bytes;
    LinkRates rates = link_rates(own, is_fabric_ ? std::vector<double>{} : std::vector<double>{nic}, flit);

    const double crossbar = all_.gbps(at, "xbar_bw", own);
    i64 speedup = std::clamp<i64>(std::llround(std::ceil(crossbar / own - 1e-9)), 1, 16);
    if (std::abs(static_cast<double>(speedup) * own - crossbar) > 1e-6 * own)
      all_.note("xbar_bw", fmt::format("router.speedup = {}; merlin's is {:.4g} times as fast as the links", speedup,
                                       crossbar / own));
    const i64 output = std::llround(all_.bytes(at, "output_buf_size", 0) / static_cast<double>(flit));
    if (speedup > 1 && (rates.tick_ps > 0 || output < network.packet_cells)) {
      speedup = 1;
      all_.note("xbar_bw", "router.speedup = 1, with links of several speeds, or without room behind the crossbar");
    }
    if (speedup > 1) {
      rates.tick_ps = std::max<i64>(1, std::llround(rates.cycle_ns * 1000 / static_cast<double>(speedup)));
      rates.cycle_ns = static_cast<double>(rates.tick_ps * speedup) / 1000;
      rates.gbps = 8.0 * static_cast<double>(flit) / rates.cycle_ns;
    }
    if (rates.tick_ps > 0) all_.out.set("simulation", "tick_ps", rates.tick_ps);
    all_.out.set("link", "rate_gbps", rates.gbps);
    const auto cycles = [&](double ns, i64 least) {
      return std::clamp<i64>(std::llround(ns / rates.cycle_ns), least, 1000000);
    };
    double between = -1, to_host = -1;
    for (const Link& link : model_.links) {
      const bool left = router_at_.contains(link.left.component), right = router_at_.contains(link.right.component);
      double& longest = left && right ? between : to_host;
      if (!left && !right) continue;
      longest = std::max(longest, latency_of(link));
    }
    if (between < 0) between = to_host;
    all_.out.set("link", "latency_cycles", cycles(between, 1));
    if (!is_fabric_ && cycles(to_host, 1) != cycles(between, 1))
      all_.out.set("link.node", "latency_cycles", cycles(to_host, 1));
    if (!is_fabric_ && rates.phits_per_cycle[0] != 1)
      all_.out.set("link.node", "phits_per_cycle", rates.phits_per_cycle[0]);
    all_.out.set("packet", "phits", network.packet_cells);
    all_.out.set("packet", "phit_bytes", flit);

    const auto set = [this](const char* key, const SettingValue& value) { all_.out.set("router", key, value); };
    set("kind", "switch");
    set("routing", routing_);
    if (is_fabric_) set("engine", "minhop");
    if (ties_up_) set("ties", "up");
    set("virtual_channels", channels_);
    // Each channel of each input is a queue, whose head alone asks for its output.
    set("queues", "fifo");
    const std::string arbiter = Conversion::text(at, "xbar_arb", "merlin.xbar_arb_lru");
    set("scheduling", arbiter.ends_with("age") ? "age" : arbiter.ends_with("rand") ? "random" : "islip");
    const i64 input = std::llround(all_.bytes(at, "input_buf_size", 4096) / static_cast<double>(flit));
    set("buffer_cells", std::clamp<i64>(input, network.packet_cells, i64{1} << 24));
    if (output >= network.packet_cells) set("output_buffer_cells", std::min<i64>(output, 1048576));
    if (speedup > 1) set("speedup", speedup);
    set("routing_cycles", cycles(all_.ns(at, "input_latency", 0), 0));
    set("switch_latency_cycles", cycles(all_.ns(at, "output_latency", 0), 0));
    if (network.classes > 1) {
      set("traffic_classes", network.classes);
      if (!modes_.empty()) set("class_modes", modes_);
    }
    if (is_fabric_) write_fabric(rates.gbps, nic);
  }

 private:
  double latency_of(const Link& link) const {
    const std::optional<double> ns = ns_of(link.left.latency);
    if (!ns)
      model_.fail(link.line, fmt::format("latency {} is no time; write for example 20ns", shown(link.left.latency)));
    return *ns;
  }

  void write_fabric(double rate, double nic) {
    FabricText fabric{.name = short_kind_,
                      .switches = static_cast<u32>(routers_.size()),
                      .switch_of = {},
                      .host_gbps = nic,
                      .links = cables_};
    const double simple = simple_rates({rate}, nic).front();
    for (FabricText::Link& cable : fabric.links) cable.gbps = simple;
    for (const Endpoint& one : network_.endpoints) fabric.switch_of.push_back(one.router);
    if (!fabric.connected()) model_.fail(1, "has routers that no links join; check that the file is whole");
    set("kind", "file");
    set("path", all_.add_companion("fabric.toml", fabric.toml("Links of a network of SST, by weft import.")));
  }

  Conversion& all_;
  const Model& model_;
  Network network_;
  std::vector<Router> routers_;
  std::map<u32, u32> router_at_;  ///< by component
  std::vector<FabricText::Link> cables_;
  std::string kind_, short_kind_, routing_, modes_;
  u64 line_ = 0;
  i64 channels_ = 1;
  bool is_fabric_ = false, ties_up_ = false;
};

Networks::Networks(Conversion& all) : parts_(std::make_unique<NetworkParts>(all)) {}
Networks::~Networks() = default;
Network Networks::network() { return parts_->network(); }
void Networks::router_of(const Network& network) { parts_->router_of(network); }

}  // namespace weft::tools::sst
