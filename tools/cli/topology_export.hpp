// A topology as a graph file for other tools: GraphML (Gephi, igraph, NetworkX), DOT (Graphviz), node-link JSON
// (NetworkX, D3).
#pragma once

#include <string>

#include "engine/base/types.hpp"
#include "models/topology/topology.hpp"

namespace weft::tools {

enum class GraphFormat : u8 { graphml, dot, json };

/// By the end of the name: .graphml, .dot or .json. Throws ConfigError for another one.
[[nodiscard]] GraphFormat graph_format(const std::string& path);

/// The graph as text. Vertices are r0, r1... (routers) and, where nodes have links of their own, n0, n1... (nodes),
/// each with its `kind`; in a direct network the routers are the nodes. An edge is a link in both directions; it
/// carries the ports at its two routers as `source_port` and `target_port` (none at a node). Parallel links are kept.
/// With one-way links (Topology::carries) the graph is directed: a link has an edge for each way that it carries
/// packets, and GraphML says `one_way` of those that have one edge.
/// Throws ConfigError above ten million links.
[[nodiscard]] std::string graph_text(const models::Topology& topology, GraphFormat format);

/// Writes the graph, whole or not at all. Throws ConfigError and SystemError.
void export_graph(const models::Topology& topology, const std::string& path);

}  // namespace weft::tools
