// Writers of graph files; see the header. Texts are put together by hand, line by line, since a DOM of a large graph
// would take many times the memory of the file.
#include "tools/weft/topology_export.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tuple>

#include "engine/error.hpp"
#include "tools/result/atomic_file.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;

/// The text is made in memory (about 100 bytes a link), and no tool draws a graph of this size anyway.
constexpr u64 most_links = 10'000'000;

/// A link seen from its first router; a node link begins at the router.
struct Link {
  u32 router = 0;
  u32 port = 0;
  Peer peer;
};

/// Calls visit(Link) once for each link.
template <class Visit>
void for_each_link(const Topology& topology, Visit visit) {
  for (u32 router = 0; router < topology.routers(); ++router) {
    const u32 ports = topology.ports(RouterId(router));
    for (u32 port = 0; port < ports; ++port) {
      const Peer peer = topology.peer(RouterId(router), port);
      const bool first_end = std::tie(router, port) < std::tie(peer.id, peer.port);
      if (peer.kind == Peer::Kind::node || (peer.kind == Peer::Kind::router && first_end))
        visit(Link{router, port, peer});
    }
  }
}

u32 node_vertices(const Topology& topology) { return topology.direct() ? 0 : topology.nodes(); }

std::string router_name(u32 router) { return fmt::format("r{}", router); }
std::string node_name(u32 node) { return fmt::format("n{}", node); }
std::string far_name(const Link& link) {
  return link.peer.kind == Peer::Kind::node ? node_name(link.peer.id) : router_name(link.peer.id);
}

std::string xml_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else {
      result += c;
    }
  }
  return result;
}

/// A string in quotes that both JSON and DOT read.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string graphml_text(const Topology& topology) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"name\" for=\"graph\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
      "  <key id=\"sp\" for=\"edge\" attr.name=\"source_port\" attr.type=\"int\"/>\n"
      "  <key id=\"tp\" for=\"edge\" attr.name=\"target_port\" attr.type=\"int\"/>\n"
      "  <graph id=\"topology\" edgedefault=\"undirected\">\n"
      "    <data key=\"name\">" +
      xml_escaped(topology.name()) + "</data>\n";
  const auto vertex = [&text](const std::string& id, const char* kind) {
    text += fmt::format("    <node id=\"{}\"><data key=\"kind\">{}</data></node>\n", id, kind);
  };
  for (u32 router = 0; router < topology.routers(); ++router) vertex(router_name(router), "router");
  for (u32 node = 0; node < node_vertices(topology); ++node) vertex(node_name(node), "node");
  u64 links = 0;
  for_each_link(topology, [&](const Link& link) {
    // Ids, since a reader takes edges between the same vertices for repetitions without them.
    text += fmt::format("    <edge id=\"e{}\" source=\"{}\" target=\"{}\"><data key=\"sp\">{}</data>", links++,
                        router_name(link.router), far_name(link), link.port);
    if (link.peer.kind == Peer::Kind::router) text += fmt::format("<data key=\"tp\">{}</data>", link.peer.port);
    text += "</edge>\n";
  });
  return text + "  </graph>\n</graphml>\n";
}

std::string dot_text(const Topology& topology) {
  std::string text = fmt::format("graph {} {{\n", quoted(topology.name()));
  for (u32 router = 0; router < topology.routers(); ++router)
    text += fmt::format("  {} [kind=router];\n", router_name(router));
  for (u32 node = 0; node < node_vertices(topology); ++node)
    text += fmt::format("  {} [kind=node, shape=box];\n", node_name(node));
  for_each_link(topology, [&](const Link& link) {
    text += fmt::format("  {} -- {} [source_port={}", router_name(link.router), far_name(link), link.port);
    if (link.peer.kind == Peer::Kind::router) text += fmt::format(", target_port={}", link.peer.port);
    text += "];\n";
  });
  return text + "}\n";
}

std::string json_text(const Topology& topology) {
  std::string text = fmt::format(
      "{{\"directed\": false, \"multigraph\": true,\n \"graph\": {{\"name\": {}, \"direct\": {}}},\n \"nodes\": [",
      quoted(topology.name()), topology.direct());
  const char* separator = "\n";
  const auto vertex = [&](const std::string& id, const char* kind) {
    text += fmt::format("{}  {{\"id\": \"{}\", \"kind\": \"{}\"}}", separator, id, kind);
    separator = ",\n";
  };
  for (u32 router = 0; router < topology.routers(); ++router) vertex(router_name(router), "router");
  for (u32 node = 0; node < node_vertices(topology); ++node) vertex(node_name(node), "node");
  text += "],\n \"links\": [";
  separator = "\n";
  u64 links = 0;
  for_each_link(topology, [&](const Link& link) {
    // `key` tells parallel links apart.
    text += fmt::format("{}  {{\"source\": \"{}\", \"target\": \"{}\", \"key\": {}, \"source_port\": {}", separator,
                        router_name(link.router), far_name(link), links++, link.port);
    if (link.peer.kind == Peer::Kind::router) text += fmt::format(", \"target_port\": {}", link.peer.port);
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
  throw ConfigError(fmt::format(
      "'{}' has no known graph format (its name ends in none of .graphml, .dot, .json); use for example {}.graphml",
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
  write_file_atomically(path, graph_text(topology, graph_format(path)));
}

}  // namespace weft::tools
