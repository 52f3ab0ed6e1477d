// Platforms of hosts, links and routes, and of several clusters: a fabric of switches and cables, in a file of its own.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <queue>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/simgrid/conversion.hpp"
#include "tools/import/simgrid/link_graph.hpp"
#include "tools/import/simgrid/quantities.hpp"

namespace weft::tools::simgrid {
namespace {

constexpr i64 phit_bytes = 64, phits = 16;

class GraphConversion {
 public:
  explicit GraphConversion(Conversion& all) : all_(all), platform_(all.platform) {}

  void convert() {
    all_.is_graph = true;
    say_links(all_, factors_of(all_));
    for (const Cluster& cluster : platform_.clusters) expand(cluster);
    all_.nodes = platform_.hosts;
    if (platform_.hosts.empty())
      throw ConfigError(fmt::format("{}: the platform has no hosts; add some", shown(platform_.file)));
    check_names();
    LinkGraph graph(platform_.links);
    for (const Host& host : platform_.hosts) host_at_.push_back(graph.vertex(host.name));
    for (const std::string& router : platform_.routers) graph.vertex(router);
    lay_routes(graph);
    edges_ = graph.edges();
    for (u32& at : host_at_) at = graph.find(at);
    attach_hosts();
    check_routes(graph);
    if (!graph.shared().empty()) {
      all_.remarks.push_back(fmt::format(
          "Of {} links routes go through between more than two places ({}...): each is a switch here, with cables of "
          "its rate, which they do not share.",
          graph.shared().size(), shown(graph.shared().front())));
    }
    write();
  }

 private:
  /// A cluster as hosts with a link each, and its router.
  void expand(const Cluster& cluster) {
    if (const std::string kind = lower(cluster.topology); kind != "flat") {
      throw ConfigError(
          fmt::format("{}: <cluster> has topology = \"{}\" beside other hosts or clusters, which is not "
                      "known here; import it alone",
                      cluster.place, shown(cluster.topology)));
    }
    const std::string inside = cluster.backbone ? cluster.id + "_hosts" : cluster.router;
    platform_.routers.push_back(cluster.router);
    if (cluster.backbone) {
      const std::string backbone = cluster.id + "_backbone";
      platform_.routers.push_back(inside);
      platform_.links.push_back({backbone, *cluster.backbone});
      platform_.routes.push_back({inside, cluster.router, {backbone}, cluster.place});
      all_.given.becomes("cluster", "bb_bw", OptionState::nearest,
                         "a cable between the cluster's switch and its router; messages inside do not take it");
      all_.given.becomes("cluster", "bb_lat", OptionState::nearest, "link.latency_cycles; the mean of all links");
    }
    all_.given.becomes("cluster", "lat", OptionState::nearest, "link.node.latency_cycles; the mean of all hosts");
    for (const Host& host : cluster.hosts) {
      const std::string link = host.name + "_link";
      platform_.hosts.push_back(host);
      platform_.links.push_back({link, cluster.link});
      platform_.routes.push_back({host.name, inside, {link}, cluster.place});
    }
    if (cluster.loopback) loopback_ = *cluster.loopback;
  }

  void check_names() {
    std::set<std::string> points, links;
    for (const Host& host : platform_.hosts) {
      if (!points.insert(host.name).second)
        throw ConfigError(
            fmt::format("{}: host {} is there twice; names must differ", shown(platform_.file), shown(host.name)));
    }
    points.insert(platform_.routers.begin(), platform_.routers.end());
    for (const Link& link : platform_.links) links.insert(link.name);
    const auto check = [](const Route& route, const char* what, const std::string& name,
                          const std::set<std::string>& known) {
      if (known.contains(name)) return;
      const std::string near = nearest(name, {known.begin(), known.end()}, 2);
      throw ConfigError(fmt::format("{}: there is no {} {}; {}", route.place, what, shown(name),
                                    near.empty() ? "add it" : "did you mean " + shown(near) + "?"));
    };
    for (const Route& route : platform_.routes) {
      check(route, "host or router", route.from, points);
      check(route, "host or router", route.to, points);
      for (const std::string& link : route.links) check(route, "link", link, links);
    }
  }

  /// Short routes first: they say more of the ends of links.
  void lay_routes(LinkGraph& graph) {
    std::vector<const Route*> routes;
    for (const Route& route : platform_.routes) {
      if (route.from != route.to)
        routes.push_back(&route);
      else if (!loopback_ && !route.links.empty())
        loopback_ = std::ranges::find(platform_.links, route.links.front(), &Link::name)->cable;
    }
    std::ranges::stable_sort(routes, {}, [](const Route* route) { return route->links.size(); });
    for (const Route* route : routes) graph.lay(*route);
  }

  /// A host is at the switch of its place; where nothing but one link leads there, at the other end of that.
  void attach_hosts() {
    std::map<u32, std::vector<std::size_t>> edges_of;
    for (std::size_t n = 0; n < edges_.size(); ++n) {
      edges_of[edges_[n].a].push_back(n);
      edges_of[edges_[n].b].push_back(n);
    }
    const std::set<u32> hosts(host_at_.begin(), host_at_.end());
    fastest_ = 0;
    for (const LinkGraph::Edge& edge : edges_) fastest_ = std::max(fastest_, edge.cable.bandwidth);
    if (fastest_ <= 0) {
      throw ConfigError(fmt::format("{}: no route joins hosts by links; add <route>, <zoneRoute> or a <cluster>",
                                    shown(platform_.file)));
    }
    std::vector<bool> is_gone(edges_.size());
    for (const u32 at : host_at_) {
      const std::vector<std::size_t>& mine = edges_of[at];
      const std::size_t only = mine.empty() ? 0 : mine.front();
      const u32 other = mine.empty() ? 0 : edges_[only].a == at ? edges_[only].b : edges_[only].a;
      const bool is_leaf = mine.size() == 1 && !hosts.contains(other);
      if (is_leaf) is_gone[only] = true;
      ports_.push_back(is_leaf ? Port{other, edges_[only].cable} : Port{at, Cable{fastest_, 0}});
    }
    std::vector<LinkGraph::Edge> kept;
    for (std::size_t n = 0; n < edges_.size(); ++n) {
      if (!is_gone[n]) kept.push_back(edges_[n]);
    }
    edges_ = std::move(kept);
  }

  /// Whether routes are shortest ones, of as many links, as they are here.
  void check_routes(const LinkGraph& graph) {
    constexpr std::size_t most = 2000;
    if (!all_.given.has("route", "src") || platform_.routes.size() > most) return;
    std::map<u32, std::vector<u32>> next;
    for (const LinkGraph::Edge& edge : graph.edges()) next[edge.a].push_back(edge.b), next[edge.b].push_back(edge.a);
    std::size_t longer = 0, all = 0;
    LinkGraph copy = graph;
    for (const Route& route : platform_.routes) {
      if (route.from == route.to) continue;
      std::map<u32, std::size_t> distance{{copy.vertex(route.from), 0}};
      std::queue<u32> reached({copy.vertex(route.from)});
      for (; !reached.empty(); reached.pop()) {
        for (const u32 to : next[reached.front()]) {
          if (distance.emplace(to, distance[reached.front()] + 1).second) reached.push(to);
        }
      }
      const auto found = distance.find(copy.vertex(route.to));
      ++all;
      longer += found != distance.end() && found->second < route.links.size() ? 1 : 0;
    }
    all_.given.becomes("zone", "routing", longer == 0 ? OptionState::same : OptionState::nearest,
                       longer == 0 ? "all routes are shortest ones, which are taken here"
                                   : fmt::format("shortest routes; {} of {} are longer", longer, all));
  }

  /// A time of a phit that is a whole number of ticks.
  [[nodiscard]] i64 phit_ps(double bandwidth) const {
    return std::max<i64>(1, std::llround(phit_bytes * ps_of_second / bandwidth / static_cast<double>(tick_ps_))) *
           tick_ps_;
  }
  [[nodiscard]] double rate(double bandwidth) const {
    return 8e3 * phit_bytes / static_cast<double>(phit_ps(bandwidth));
  }

  void write() {
    // A hundredth of the shortest phit's time: rates are half a per cent off at most.
    double slowest = fastest_;
    for (const LinkGraph::Edge& edge : edges_) slowest = std::min(slowest, edge.cable.bandwidth);
    for (const Port& port : ports_) {
      slowest = std::min(slowest, port.cable.bandwidth), fastest_ = std::max(fastest_, port.cable.bandwidth);
    }
    constexpr double most = 1000;
    if (fastest_ > most * slowest) {
      all_.remarks.push_back(fmt::format("Links faster than {} times the slowest are as fast as that.", most));
      fastest_ = most * slowest;
    }
    tick_ps_ = std::max<i64>(1, static_cast<i64>(phit_bytes * ps_of_second / fastest_ / 100));
    const i64 cycle = phit_ps(usual_rate());
    const auto cycles = [&](double seconds) {
      return std::llround(seconds * ps_of_second / static_cast<double>(cycle));
    };
    double latency = 0, weight = 0, node_latency = 0;
    for (const LinkGraph::Edge& edge : edges_) {
      const auto routes = static_cast<double>(std::max<u64>(edge.routes, 1));
      latency += routes * edge.cable.latency, weight += routes;
    }
    for (const Port& port : ports_) node_latency += port.cable.latency / static_cast<double>(ports_.size());
    constexpr i64 longest = 1'000'000;
    const i64 link_cycles = std::clamp<i64>(weight > 0 ? cycles(latency / weight) : 1, 1, longest);
    const i64 node_cycles = std::clamp<i64>(cycles(node_latency), 1, longest);
    all_.out.set("topology", "kind", "file");
    all_.out.set("topology", "path", all_.companion("fabric.toml", fabric()));
    all_.out.set("simulation", "tick_ps", tick_ps_);
    all_.out.set("link", "rate_gbps", rate(usual_rate()));
    all_.out.set("link", "latency_cycles", link_cycles);
    all_.out.set("link.node", "latency_cycles", node_cycles);
    all_.out.set("packet", "phits", phits);
    all_.out.set("packet", "phit_bytes", phit_bytes);
    all_.out.set("router", "kind", "switch");
    all_.out.set("router", "routing", "forwarding-table");
    all_.out.set("router", "virtual_channels", 4);
    all_.out.set("router", "buffer_cells",
                 std::min<i64>(2 * std::max(link_cycles, node_cycles) + 4 * phits, i64{1} << 20));
    all_.given.becomes(
        "link", "latency", OptionState::nearest,
        fmt::format("link.latency_cycles; {:.6g} ns, the mean of all links by how often routes take them",
                    static_cast<double>(link_cycles * cycle) / 1e3));
    if (!loopback_) return;
    if (loopback_->latency > 0) all_.out.set("node", "path_latency_ns", nanoseconds(loopback_->latency));
    all_.out.set("node", "path_gbps", loopback_->bandwidth * gbps_of_bytes);
  }

  /// That of most hosts, of equally many the fastest.
  [[nodiscard]] double usual_rate() const {
    std::map<double, std::size_t> hosts;
    for (const Port& port : ports_) ++hosts[rate(std::min(port.cable.bandwidth, fastest_))];
    const auto usual = std::ranges::max_element(hosts, [](const auto& a, const auto& b) {
      return a.second < b.second || (a.second == b.second && a.first < b.first);
    });
    return usual->first / gbps_of_bytes;
  }

  [[nodiscard]] std::string fabric() const {
    std::map<u32, std::size_t> degree;
    std::string links, hosts, switches;
    const auto name = [&](u32 vertex) { return fmt::format("s{}", vertex); };
    const auto add = [&](const std::string& a, const std::string& b, double bandwidth) {
      links += fmt::format("  [\"{}\", \"{}\", \"{:.17g} Gb/s\"],\n", a, b, rate(std::min(bandwidth, fastest_)));
    };
    for (std::size_t n = 0; n < ports_.size(); ++n) {
      const std::string host = escaped(all_.nodes[n].name);
      hosts += fmt::format("  {{ name = \"{}\" }},\n", host);
      ++degree[ports_[n].at];
      add(host, name(ports_[n].at), ports_[n].cable.bandwidth);
    }
    for (const LinkGraph::Edge& edge : edges_) {
      ++degree[edge.a], ++degree[edge.b];
      add(name(edge.a), name(edge.b), edge.cable.bandwidth);
    }
    for (const auto& [vertex, ports] : degree)
      switches += fmt::format("  {{ name = \"{}\", ports = {} }},\n", name(vertex), ports);
    return fmt::format(
        "# The links of {}, as its routes join them.\n[fabric]\nname = \"{}\"\nswitches = [\n{}]\n"
        "hosts = [\n{}]\nlinks = [\n{}]\n",
        escaped(shown(platform_.file)), escaped(shown(platform_.file)), switches, hosts, links);
  }
  /// As a text of TOML.
  static std::string escaped(const std::string& text) {
    const std::string quoted = value_text(text);
    return quoted.size() >= 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
  }

  struct Port {
    u32 at = 0;  ///< vertex
    Cable cable;
  };
  Conversion& all_;
  Platform& platform_;
  std::vector<u32> host_at_;
  std::vector<Port> ports_;  ///< of hosts
  std::vector<LinkGraph::Edge> edges_;
  std::optional<Cable> loopback_;
  double fastest_ = 0;
  i64 tick_ps_ = 1;
};

}  // namespace

void convert_graph(Conversion& all) { GraphConversion(all).convert(); }

}  // namespace weft::tools::simgrid
