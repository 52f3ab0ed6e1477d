// Writers of graph files; see the header. Texts are put together by hand, line by line, since a DOM of a large graph
// would take many times the memory of the file.
#include "tools/cli/topology_export.hpp"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/text/markup.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;

/// The text is made in memory (about 100 bytes a link), and no tool draws a graph of this size anyway.
constexpr u64 most_links = 10'000'000;

/// An edge of the graph: a link seen from its first router, or from the router of a node. Where there are one-way links
/// the graph is directed, and a link has an edge for each way that it carries packets.
struct Edge {
  u32 router = 0;
  u32 port = 0;
  Peer peer;
  bool from_peer = false;  ///< directed: it leads from the peer to the router
  bool one_way = false;
};

/// Calls visit(Edge) for each edge, those of a link one after the other.
template <class Visit>
void for_each_edge(const Topology& topology, Visit visit) {
  for (u32 router = 0; router < topology.routers(); ++router) {
    const u32 ports = topology.ports(RouterId(router));
    for (u32 port = 0; port < ports; ++port) {
      const Peer peer = topology.peer(RouterId(router), port);
      const bool first_end = std::tie(router, port) < std::tie(peer.id, peer.port);
      if (peer.kind != Peer::Kind::node && (peer.kind != Peer::Kind::router || !first_end)) continue;
      const bool out = topology.carries(RouterId(router), port);
      const bool back = peer.kind == Peer::Kind::node || topology.carries(RouterId(peer.id), peer.port);
      if (!topology.one_way() || out) visit(Edge{router, port, peer, false, !back});
      if (topology.one_way() && back) visit(Edge{router, port, peer, true, !out});
    }
  }
}

u32 node_vertices(const Topology& topology) { return topology.direct() ? 0 : topology.nodes(); }

std::string router_name(u32 router) { return fmt::format("r{}", router); }
std::string node_name(u32 node) { return fmt::format("n{}", node); }
/// The two ends of an edge: the vertex, and the port of a router.
struct End {
  std::string vertex;
  std::optional<u32> port;
};
std::pair<End, End> ends_of(const Topology& topology, const Edge& edge) {
  End here{router_name(edge.router), edge.port}, far{node_name(edge.peer.id), std::nullopt};
  if (topology.one_way()) far.port = 0;  // two edges of a link name the same ports
  if (edge.peer.kind == Peer::Kind::router) far = {router_name(edge.peer.id), edge.peer.port};
  if (edge.from_peer) std::swap(here, far);
  return {std::move(here), std::move(far)};
}

/// Speed of a link in the words of a fabric's file, or "".
std::string speed_of(const Topology& topology, const Edge& edge) {
  return topology.link_speed(RouterId(edge.router), edge.port);
}

/// A string in quotes that both JSON and DOT read; bytes that are no UTF-8 are replaced.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string graphml_text(const Topology& topology) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"name\" for=\"graph\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
      "  <key id=\"sp\" for=\"edge\" attr.name=\"source_port\" attr.type=\"int\"/>\n"
      "  <key id=\"tp\" for=\"edge\" attr.name=\"target_port\" attr.type=\"int\"/>\n"
      "  <key id=\"speed\" for=\"edge\" attr.name=\"speed\" attr.type=\"string\"/>\n" +
      std::string(topology.one_way() ? "  <key id=\"ow\" for=\"edge\" attr.name=\"one_way\" attr.type=\"boolean\"/>\n"
                                       "  <graph id=\"topology\" edgedefault=\"directed\">\n"
                                     : "  <graph id=\"topology\" edgedefault=\"undirected\">\n") +
      "    <data key=\"name\">" + escaped(topology.name()) + "</data>\n";
  const auto end = std::back_inserter(text);
  const auto vertex = [end](const std::string& id, const char* kind) {
    fmt::format_to(end, "    <node id=\"{}\"><data key=\"kind\">{}</data></node>\n", id, kind);
  };
  for (u32 router = 0; router < topology.routers(); ++router) vertex(router_name(router), "router");
  for (u32 node = 0; node < node_vertices(topology); ++node) vertex(node_name(node), "node");
  u64 edges = 0;
  for_each_edge(topology, [&](const Edge& edge) {
    const auto [from, to] = ends_of(topology, edge);
    // Ids, since a reader takes edges between the same vertices for repetitions without them.
    fmt::format_to(end, "    <edge id=\"e{}\" source=\"{}\" target=\"{}\">", edges++, from.vertex, to.vertex);
    if (from.port) fmt::format_to(end, "<data key=\"sp\">{}</data>", *from.port);
    if (to.port) fmt::format_to(end, "<data key=\"tp\">{}</data>", *to.port);
    if (edge.one_way) text += "<data key=\"ow\">true</data>";
    if (const std::string speed = speed_of(topology, edge); !speed.empty())
      fmt::format_to(end, "<data key=\"speed\">{}</data>", escaped(speed));
    text += "</edge>\n";
  });
  return text + "  </graph>\n</graphml>\n";
}

std::string dot_text(const Topology& topology) {
  std::string text = (topology.one_way() ? "digraph " : "graph ") + quoted(topology.name()) + " {\n";
  const auto end = std::back_inserter(text);
  for (u32 router = 0; router < topology.routers(); ++router) {
    fmt::format_to(end, "  {} [kind=router];\n", router_name(router));
  }
  for (u32 node = 0; node < node_vertices(topology); ++node) {
    fmt::format_to(end, "  {} [kind=node, shape=box];\n", node_name(node));
  }
  for_each_edge(topology, [&](const Edge& edge) {
    const auto [from, to] = ends_of(topology, edge);
    fmt::format_to(end, "  {} {} {} [", from.vertex, topology.one_way() ? "->" : "--", to.vertex);
    if (from.port) fmt::format_to(end, "source_port={}", *from.port);
    if (to.port) fmt::format_to(end, "{}target_port={}", from.port ? ", " : "", *to.port);
    if (const std::string speed = speed_of(topology, edge); !speed.empty())
      fmt::format_to(end, "{}speed={}", from.port || to.port ? ", " : "", quoted(speed));
    text += "];\n";
  });
  return text + "}\n";
}

std::string json_text(const Topology& topology) {
  std::string text = fmt::format(
      "{{\"directed\": {}, \"multigraph\": true,\n \"graph\": {{\"name\": {}, \"direct\": {}}},\n \"nodes\": [",
      topology.one_way(), quoted(topology.name()), topology.direct());
  const auto end = std::back_inserter(text);
  const char* separator = "\n";
  const auto vertex = [&](const std::string& id, const char* kind) {
    fmt::format_to(end, R"({}  {{"id": "{}", "kind": "{}"}})", separator, id, kind);
    separator = ",\n";
  };
  for (u32 router = 0; router < topology.routers(); ++router) vertex(router_name(router), "router");
  for (u32 node = 0; node < node_vertices(topology); ++node) vertex(node_name(node), "node");
  text += "],\n \"links\": [";
  separator = "\n";
  u64 edges = 0;
  for_each_edge(topology, [&](const Edge& edge) {
    const auto [from, to] = ends_of(topology, edge);
    // `key` tells parallel links apart.
    fmt::format_to(end, R"({}  {{"source": "{}", "target": "{}", "key": {})", separator, from.vertex, to.vertex,
                   edges++);
    if (from.port) fmt::format_to(end, R"(, "source_port": {})", *from.port);
    if (to.port) fmt::format_to(end, R"(, "target_port": {})", *to.port);
    if (const std::string speed = speed_of(topology, edge); !speed.empty())
      fmt::format_to(end, R"(, "speed": {})", quoted(speed));
    text += "}";
    separator = ",\n";
  });
  return text + "]}\n";
}

}  // namespace

GraphFormat graph_format(const std::string& path) {
  if (path.ends_with(".graphml")) return GraphFormat::graphml;
  if (path.ends_with(".dot")) return GraphFormat::dot;
  if (path.ends_with(".json")) return GraphFormat::json;
  throw ConfigError(
      fmt::format("'{}' has no known graph format (its name ends in none of .graphml, .dot, .json); "
                  "use for example {}.graphml",
                  path, path.empty() ? "topology" : path));
}

std::string graph_text(const Topology& topology, GraphFormat format) {
  const u64 links = topology.router_links() + node_vertices(topology);
  if (links > most_links) {
    throw ConfigError(
        fmt::format("the {} has {} links (at most {} are exported); export a smaller network of this kind",
                    topology.name(), links, most_links));
  }
  switch (format) {
    case GraphFormat::graphml:
      return graphml_text(topology);
    case GraphFormat::dot:
      return dot_text(topology);
    case GraphFormat::json:
      return json_text(topology);
  }
  throw Bug("a graph format without a writer");
}

void export_graph(const Topology& topology, const std::string& path) {
  files::write_file_atomically(path, graph_text(topology, graph_format(path)));
}

}  // namespace weft::tools
