// Reads routes and follows each over the network's links.
#include "models/routing/source_routes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/text/line_place.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"
#include "engine/random.hpp"

namespace weft::models {
namespace {

/// One line, taken off from its front, and complaints about it.
class RouteLine {
 public:
  explicit RouteLine(const TextLine& line) : line_(line), rest_(line.text()) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  /// Takes `mark` if it comes next.
  bool take(char mark) {
    const bool there = rest_.take(mark);
    rest_.skip_blanks();
    return there;
  }
  /// The next number, of a thing of which there are `count`.
  u32 number(const char* what, u32 count) {
    if (empty()) fail(fmt::format("ends where a {} is missing", what), "write it");
    u64 value = 0;
    if (!rest_.decimal(value)) {
      fail(fmt::format("has \"{}\" where a {} is expected", shown(rest_.word(), 24), what),
           "write FROM TO: PORT PORT...");
    }
    if (value >= count) {
      fail(fmt::format("names {} {}, of {} that are numbered from 0", what, value, count), "correct it");
    }
    rest_.skip_blanks();
    return static_cast<u32>(value);
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    line_.fail(fmt::format("the route {}; {}", problem, advice));
  }

 private:
  const TextLine& line_;
  LineScanner rest_;
};

/// Reads the hops of a route into `outputs` and goes along.
void follow_route(RouteLine& line, const Topology& topology, u32 channels, NodeId from, NodeId to,
                  std::vector<u16>& outputs) {
  RouterId at = topology.router_of(from);
  u32 hops = 0;
  while (!line.empty()) {
    if (hops == SourceRoutes::most_hops) {
      line.fail(fmt::format("has more than {} hops", SourceRoutes::most_hops), "use a shorter one");
    }
    const u32 port = line.number("port", topology.ports(at));
    const u32 channel = line.take('/') ? line.number("virtual channel", channels) : 0;
    const Peer peer = topology.peer(at, port);
    if (peer.kind != Peer::Kind::router) {
      line.fail(fmt::format("leaves router {} by {}, which leads to {}", at.value(), topology.port_name(at, port),
                            peer.kind == Peer::Kind::node ? "a node" : "nothing"),
                "name the ports from router to router only");
    }
    if (!topology.carries(at, port)) {
      line.fail(fmt::format("leaves router {} by {}, whose link carries packets the other way only", at.value(),
                            topology.port_name(at, port)),
                "go with the links");
    }
    outputs.push_back(static_cast<u16>(port * channels + channel));
    at = RouterId(peer.id);
    ++hops;
  }
  const RouterId last = topology.router_of(to);
  if (at != last) {
    line.fail(fmt::format("from node {} to node {} ends at router {}, not at router {}", from.value(), to.value(),
                          at.value(), last.value()),
              "correct its ports");
  }
}

}  // namespace

SourceRoutes::SourceRoutes(const std::string& name, std::string_view text, const Topology& topology, u32 channels) {
  std::vector<Pair> pairs;
  std::vector<u32> begin{0};
  std::vector<u16> outputs;
  const u64 lines = for_each_text_line(text, name, [&](const TextLine& of_file) {
    RouteLine line(of_file);
    if (line.empty()) return;
    const NodeId from(line.number("node", topology.nodes()));
    const NodeId to(line.number("node", topology.nodes()));
    if (!line.take(':')) line.fail("has no : behind its two nodes", "write FROM TO: PORT PORT...");
    follow_route(line, topology, channels, from, to, outputs);
    pairs.push_back({from.value(), to.value()});
    begin.push_back(static_cast<u32>(outputs.size()));
  });
  if (pairs.empty()) {
    fail_at_line(name, std::max<u64>(1, lines),
                 "there is no route in the file (it is empty, or all of it is comment); write lines FROM TO: PORT "
                 "PORT...");
  }
  std::vector<u32> order(pairs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return pairs[a] < pairs[b]; });
  begin_.push_back(0);
  for (const u32 route : order) {
    pairs_.push_back(pairs[route]);
    outputs_.insert(outputs_.end(), outputs.begin() + begin[route], outputs.begin() + begin[route + 1]);
    begin_.push_back(static_cast<u32>(outputs_.size()));
  }
}

SourceRoutes::SourceRoutes(const TableRoutes& tables, const Topology& topology, u32 channels) {
  constexpr u64 most_pairs = u64{1} << 26;
  const u64 nodes = topology.nodes();
  if (nodes * nodes > most_pairs) {
    throw ConfigError(
        fmt::format("source routes of all pairs of {} nodes are too many (at most {} nodes); use "
                    "router.kind = \"forwarding-table\", which takes the same paths",
                    nodes, static_cast<u32>(std::sqrt(static_cast<double>(most_pairs)))));
  }
  begin_.push_back(0);
  for (u32 from = 0; from < nodes; ++from) {
    for (u32 to = 0; to < nodes; ++to) {
      const RouterId last = topology.router_of(NodeId(to));
      RouterId at = topology.router_of(NodeId(from));
      const u32 layer = tables.layers.layer(at.value(), to), of_layer = (channels - layer - 1) / tables.layers.used + 1;
      const u32 channel = layer + tables.layers.used * ((from + to) % of_layer);
      const std::size_t start = outputs_.size();
      while (at != last && outputs_.size() < start + most_hops) {
        const u8 port = tables.tables.port(at.value(), to);
        if (port == 0 || port == ForwardingTables::none) break;
        outputs_.push_back(static_cast<u16>((port - 1U) * channels + channel));
        at = RouterId(topology.peer(at, port - 1U).id);
      }
      if (at == last) {
        pairs_.push_back({from, to});
        begin_.push_back(static_cast<u32>(outputs_.size()));
      } else {
        outputs_.resize(start);  // no path: packets are dropped
      }
    }
  }
}

SourceRoutes::OfPair SourceRoutes::of_pair(NodeId from, NodeId to) const {
  const auto [first, last] = std::equal_range(pairs_.begin(), pairs_.end(), Pair{from.value(), to.value()});
  if (first == last) return {};
  return {static_cast<u32>(first - pairs_.begin()), static_cast<u32>(last - first)};
}

u32 SourceRoutes::choose(NodeId from, NodeId to, u64 bits) const {
  const OfPair pair = of_pair(from, to);
  return pair.count == 0 ? none : pair.first + engine::scale_to(bits, pair.count);
}

}  // namespace weft::models
