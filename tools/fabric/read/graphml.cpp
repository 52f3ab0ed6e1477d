// A vertex is a host or a switch by an attribute `kind` or `type`; edges may have a `speed` ("4xQDR", "25 Gb/s"), and
// source_port and target_port, from 0, else the ports of a vertex follow each other in the order of its edges. An edge
// with `one_way` carries packets to its target only, others both ways. A graph without any host is a direct network:
// each switch gets one.
#include "tools/fabric/read/graphml.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <unordered_map>

#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/fabric/read/fabric_builder.hpp"

namespace weft::tools {
namespace {

struct Vertex {
  std::string id, name;
  std::optional<bool> is_switch;
  u64 guid = 0, line = 0;
  u32 ports = 0;  ///< highest one that edges name, or number of edges
};

struct Edge {
  u32 a = 0, b = 0;
  std::optional<u32> port_a, port_b;  ///< from 1
  std::string speed;
  bool one_way = false;  ///< carries packets from a to b only
  u64 line = 0;
};

class GraphmlReader {
 public:
  GraphmlReader(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)), builder_(file_) {
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size(), pugi::parse_default);
    if (!result) {
      builder_.fail(line_at(static_cast<u64>(std::max<std::ptrdiff_t>(0, result.offset))),
                    fmt::format("this is no XML ({}); export the graph again", lower(result.description())));
    }
  }

  Fabric read(const NotHosts& not_hosts) {
    const pugi::xml_node root = document_.child("graphml");
    const pugi::xml_node graph = root.child("graph");
    if (graph.empty()) builder_.fail(0, "there is no <graphml> with a <graph> in it; check which file it is");
    for (const pugi::xml_node key : root.children("key"))
      key_names_[key.attribute("id").value()] = lower(key.attribute("attr.name").value());
    for (const pugi::xml_node node : graph.children("node")) add_vertex(node);
    for (const pugi::xml_node edge : graph.children("edge")) add_edge(edge);
    if (vertices_.empty()) builder_.fail(0, "the graph has no <node>; check which file it is");
    decide_kinds();
    build();
    Fabric fabric = builder_.finish(not_hosts);
    fabric.form = FabricForm::graphml;
    fabric.name = shown(data(graph)["name"]);
    return fabric;
  }

 private:
  [[nodiscard]] u64 line_at(u64 offset) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min<u64>(offset, text_.size()));
    return 1 + static_cast<u64>(std::count(text_.begin(), end, '\n'));
  }
  /// Elements come in the order of the file.
  u64 line_of(const pugi::xml_node& node) {
    const auto offset = static_cast<u64>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
    if (offset < counted_) return line_at(offset);
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(counted_);
    line_ += static_cast<u64>(std::count(begin, text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    counted_ = offset;
    return line_;
  }
  /// The <data> of an element, by the names of their keys, and its attributes.
  std::map<std::string, std::string> data(const pugi::xml_node& node) const {
    std::map<std::string, std::string> values;
    for (const pugi::xml_attribute own : node.attributes()) values[lower(own.name())] = own.value();
    for (const pugi::xml_node each : node.children("data")) {
      const auto key = key_names_.find(each.attribute("key").value());
      values[key == key_names_.end() || key->second.empty() ? lower(each.attribute("key").value()) : key->second] =
          each.text().get();
    }
    return values;
  }

  void add_vertex(const pugi::xml_node& node) {
    const auto values = data(node);
    const auto value = [&values](const char* name) {
      const auto at = values.find(name);
      return at == values.end() ? std::string() : at->second;
    };
    Vertex vertex;
    vertex.line = line_of(node);
    vertex.id = value("id");
    if (vertex.id.empty()) builder_.fail(vertex.line, "a <node> has no id; export the graph again");
    vertex.name = value("name").empty() ? value("label") : value("name");
    if (vertex.name.empty()) vertex.name = vertex.id;
    const std::string kind = lower(value("kind").empty() ? value("type") : value("kind"));
    if (kind == "switch" || kind == "router") vertex.is_switch = true;
    for (const char* word : {"host", "node", "server", "terminal", "ca", "hca", "endpoint"}) {
      if (kind == word) vertex.is_switch = false;
    }
    if (!kind.empty() && !vertex.is_switch)
      builder_.fail(vertex.line, fmt::format("'{}' is a '{}' (known are switch, router, host, node); correct its kind",
                                             shown(vertex.id), shown(kind)));
    if (const std::string guid = value("guid"); guid.starts_with("0x"))
      std::from_chars(guid.data() + 2, guid.data() + guid.size(), vertex.guid, 16);
    if (const auto [at, fresh] = vertex_of_.try_emplace(vertex.id, static_cast<u32>(vertices_.size())); !fresh) {
      builder_.fail(vertex.line, fmt::format("node '{}' is there twice (the first time in line {}); remove one",
                                             shown(vertex.id), vertices_[at->second].line));
    }
    if (vertices_.size() >= most_fabric_nodes) builder_.fail(vertex.line, "the graph is larger than any fabric");
    vertices_.push_back(std::move(vertex));
  }

  void add_edge(const pugi::xml_node& node) {
    const auto values = data(node);
    Edge edge;
    edge.line = line_of(node);
    const auto end = [&](const char* name) {
      const auto id = values.find(name);
      const auto known = id == values.end() ? vertex_of_.end() : vertex_of_.find(id->second);
      if (known == vertex_of_.end()) {
        builder_.fail(edge.line, fmt::format("the {} '{}' of an edge is no node of the graph; export it again", name,
                                             id == values.end() ? "" : shown(id->second)));
      }
      return known->second;
    };
    const auto port = [&](const char* name) -> std::optional<u32> {
      const auto text = values.find(name);
      if (text == values.end()) return {};
      const std::optional<u32> number = parsed<u32>(text->second);
      if (!number || *number >= models::Subnet::most_ports) {
        builder_.fail(edge.line, fmt::format("{} '{}' is no port (they are 0 to {}); correct it", name,
                                             shown(text->second), models::Subnet::most_ports - 1));
      }
      return *number + 1;
    };
    edge.a = end("source");
    edge.b = end("target");
    if (const auto speed = values.find("speed"); speed != values.end()) edge.speed = speed->second;
    edge.port_a = port("source_port");
    edge.port_b = port("target_port");
    if (const auto one_way = values.find("one_way"); one_way != values.end())
      edge.one_way = lower(one_way->second) == "true" || one_way->second == "1";
    for (const auto& [v, number] : {std::pair(edge.a, edge.port_a), std::pair(edge.b, edge.port_b)}) {
      u32& ports = vertices_[v].ports;
      ports = number ? std::max(ports, *number) : ports + 1;
    }
    if (edges_.size() >= most_fabric_ports) builder_.fail(edge.line, "the graph is larger than any fabric");
    edges_.push_back(edge);
  }

  /// What does not say what it is, is a host if it has one edge and others have more.
  void decide_kinds() {
    std::vector<u32> degree(vertices_.size(), 0);
    for (const Edge& edge : edges_) ++degree[edge.a], ++degree[edge.b];
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      if (!vertices_[v].is_switch) vertices_[v].is_switch = degree[v] != 1;
    }
  }

  void build() {
    const bool direct = std::ranges::all_of(vertices_, [](const Vertex& v) { return *v.is_switch; });
    // Edges without ports use free ones behind those that are named.
    std::vector<std::vector<bool>> used(vertices_.size());
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      Vertex& vertex = vertices_[v];
      const u32 ports = std::max<u32>(1, vertex.ports) + (direct ? 1 : 0);
      if (*vertex.is_switch && ports > models::Subnet::most_ports) {
        builder_.fail(vertex.line, fmt::format("'{}' has {} ports (a forwarding table can name {}); a larger switch is "
                                               "none of a fabric",
                                               shown(vertex.id), ports, models::Subnet::most_ports));
      }
      builder_.add({.kind = *vertex.is_switch ? NodeKind::of_switch : NodeKind::host,
                    .name = vertex.name,
                    .guid = vertex.guid,
                    .ports = std::min(ports, models::Subnet::most_ports),
                    .line = vertex.line});
      used[v].assign(ports + 1, false);
    }
    for (const Edge& edge : edges_) {
      if (edge.port_a) used[edge.a][*edge.port_a] = true;
      if (edge.port_b) used[edge.b][*edge.port_b] = true;
    }
    std::vector<u32> next(vertices_.size(), 1);
    const auto free_port = [&](u32 v, u64 line) {
      while (next[v] < used[v].size() && used[v][next[v]]) ++next[v];
      if (next[v] >= used[v].size() || next[v] > models::Subnet::most_ports)
        builder_.fail(line,
                      fmt::format("'{}' has no free port for the edge; number its ports", shown(vertices_[v].id)));
      return next[v]++;
    };
    for (const Edge& edge : edges_) {
      const u32 a = edge.port_a ? *edge.port_a : free_port(edge.a, edge.line);
      const u32 b = edge.port_b ? *edge.port_b : free_port(edge.b, edge.line);
      static_cast<void>(builder_.connect(edge.a, a, edge.b, b, edge.line, edge.one_way));
      builder_.set_speed(edge.a, a, edge.speed);
    }
    if (!direct) return;
    for (u32 v = 0; v < vertices_.size(); ++v) {
      const u32 host =
          builder_.add({.kind = NodeKind::host, .name = "n" + std::to_string(v), .line = vertices_[v].line});
      static_cast<void>(builder_.connect(host, 1, v, builder_.node(v).ports, vertices_[v].line));
    }
  }

  std::string text_, file_;
  FabricBuilder builder_;
  pugi::xml_document document_;
  std::map<std::string, std::string> key_names_;
  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;
  std::unordered_map<std::string, u32> vertex_of_;
  u64 counted_ = 0, line_ = 1;
};

}  // namespace

Fabric read_graphml(std::string text, const std::string& file, const NotHosts& not_hosts) {
  return GraphmlReader(std::move(text), file).read(not_hosts);
}

}  // namespace weft::tools
