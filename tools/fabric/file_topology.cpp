// topology.kind = "file": the network of a fabric file.
#include <fmt/format.h>
#include <optional>

#include "engine/error.hpp"
#include "models/subnet/subnet_topology.hpp"
#include "tools/fabric/load_fabric.hpp"
#include "tools/fabric/read/read_fabric.hpp"
#include "workloads/trace/byte_source.hpp"

namespace weft::tools {
namespace {

std::unique_ptr<models::Topology> make_file_topology(const Parameters& keys) {
  const std::string path = keys.text("path"), text = keys.text("text"), tables_path = keys.text("tables"),
                    lanes_path = keys.text("sl2vl");
  if (path.empty() && text.empty())
    throw ConfigError(
        "topology.path is missing (no file says what the network is); use e.g. path = \"ibnetdiscover.txt\"");
  if (!path.empty() && keys.has("text"))
    throw ConfigError("topology.text and topology.path are both given (two networks); use one of them");
  std::optional<Fabric> fabric;
  if (text.empty()) {
    fabric = load_fabric_file(path);
  } else {
    fabric = read_fabric(workloads::bytes_in_memory(text, "topology.text"));
    if (!fabric)
      throw ConfigError("topology.text is no fabric (no form of it is known); use one that weft fabric info reads");
    if (fabric->name.empty()) fabric->name = "fabric";
  }
  std::optional<models::ForwardingTables> tables;
  if (!tables_path.empty()) tables = load_tables(tables_path, *fabric);
  std::optional<models::SlToVl> lanes;
  if (!lanes_path.empty()) lanes = load_sl_to_vl(lanes_path, *fabric);
  return std::make_unique<models::SubnetTopology>(std::move(fabric->subnet), fabric->name, std::move(tables),
                                                  std::move(lanes), keys.text("link_rates") == "file");
}

/// Two switches of different size with two cables between them, a third on one of them, and hosts on each.
constexpr const char* example = R"([fabric]
name = "example"
switches = [{ name = "a", ports = 6 }, { name = "b", ports = 4 }, { name = "c", ports = 4 }]
hosts = [{ name = "h1" }, { name = "h2" }, { name = "h3" }, { name = "h4" }, { name = "h5" }]
links = [["a", "b", 2], ["b", "c:4"], ["h1", "a:6"], ["h2", "a:4"], ["h3", "b"], ["h4", "c"], ["h5", "c"]]
)";

[[maybe_unused]] const bool file_topology_registered = models::TopologyRegistry::instance().add(
    "file", {.help = "a fabric from a file: ibnetdiscover, net, GraphML, TOML; keys: path, tables, sl2vl",
             .family = "fabric",
             .router = "forwarding-table",
             .partition = "",
             .settings = {row::path("topology.path", "the fabric; docs/fabrics.md lists the forms."),
                          row::path("topology.tables",
                                    "forwarding tables of the fabric: opensm-lfts.dump, dump_lfts or .fdbs."),
                          row::path("topology.sl2vl",
                                    "virtual lanes of service levels at its switches: opensm-sl2vl.dump; for "
                                    "switches that know service levels."),
                          row::choice("topology.link_rates", "file", {"file", "equal"},
                                      "file: links are as fast as the file says their cables are, compared with the "
                                      "usual one of a host, which is what [link] describes; equal: all alike."),
                          row::text("topology.text", std::nullopt, "the fabric itself, in place of its path.")},
             .make = make_file_topology,
             .example = {{"text", std::string(example)}}});

}  // namespace
}  // namespace weft::tools
