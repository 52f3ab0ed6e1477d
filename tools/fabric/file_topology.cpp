// topology.kind = "file": the network of a fabric file.
#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/subnet_topology.hpp"
#include "tools/fabric/findings.hpp"
#include "tools/fabric/host_files.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/load_fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/fabric/read/not_hosts.hpp"
#include "tools/fabric/read/read_fabric.hpp"

namespace weft::tools {
namespace {

/// Adapters that the config says are no hosts.
NotHosts not_hosts_of(const Parameters& keys) {
  std::vector<std::string> patterns;
  const std::string list = keys.text("not_hosts"), file = keys.text("not_hosts_path");
  for (std::size_t at = 0; !list.empty() && at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string pattern(trimmed(std::string_view(list).substr(at, end - at)));
    if (!file_of_pattern(pattern).empty())
      throw ConfigError(
          "topology.not_hosts names a file (it has patterns); use topology.not_hosts_path = \"FILE\" for a file");
    patterns.push_back(pattern);
    at = end + 1;
  }
  if (!file.empty()) patterns.push_back("file:" + file);
  return NotHosts(patterns, "topology.not_hosts");
}

/// The network of a fabric file, and what `weft fabric check` says of it.
class FileTopology final : public models::SubnetTopology {
 public:
  FileTopology(Fabric fabric, std::optional<models::ForwardingTables> tables, std::optional<models::SlToVl> lanes,
               bool own_rates)
      : SubnetTopology(std::move(fabric.subnet), fabric.name, std::move(tables), std::move(lanes), own_rates),
        faster_(std::move(fabric.faster)) {}

  [[nodiscard]] std::vector<NamedNode> nodes_named(const std::string& text, const std::string& file) const override {
    std::vector<NamedNode> nodes;
    for (const ListedHost& listed : host_list(text, file, "placement", subnet())) {
      const std::optional<NodeId> node = node_of(listed.host);
      if (!node) {
        throw InputError(fmt::format("{}:{}: {} has no cable (it is no node of the network); leave it out", shown(file),
                                     listed.line, host_text(subnet(), listed.host)));
      }
      nodes.push_back({*node, listed.line});
    }
    return nodes;
  }

  [[nodiscard]] models::NetworkVerdict verdict() const override {
    const FabricFindings found = examine_fabric(subnet(), faster_, {.tables = tables(), .lanes = sl_to_vl()});
    std::vector<std::string> all = found.problems;
    all.insert(all.end(), found.warnings.begin(), found.warnings.end());
    return {verdict_word(found), verdict_text(found), std::move(all)};
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override {
    auto facts = SubnetTopology::facts();
    facts.emplace_back("sound", verdict().text);
    return facts;
  }

 private:
  std::vector<FasterLink> faster_;
};

std::unique_ptr<models::Topology> make_file_topology(const Parameters& keys) {
  const std::string path = keys.text("path"), text = keys.text("text"), tables_path = keys.text("tables"),
                    lanes_path = keys.text("sl2vl");
  if (path.empty() && text.empty())
    throw ConfigError(
        "topology.path is missing (no file says what the network is); use e.g. path = \"ibnetdiscover.txt\"");
  if (!path.empty() && keys.has("text"))
    throw ConfigError("topology.text and topology.path are both given (two networks); use one of them");
  std::optional<Fabric> fabric;
  const NotHosts not_hosts = not_hosts_of(keys);
  if (text.empty()) {
    fabric = load_fabric_file(path, not_hosts);
  } else {
    fabric = read_fabric(bytes_in_memory(text, "topology.text"), not_hosts);
    if (!fabric)
      throw ConfigError("topology.text is no fabric (no form of it is known); use one that weft fabric info reads");
    if (fabric->name.empty()) fabric->name = "fabric";
  }
  std::optional<models::ForwardingTables> tables;
  if (!tables_path.empty()) tables = load_tables(tables_path, *fabric);
  std::optional<models::SlToVl> lanes;
  if (!lanes_path.empty()) lanes = load_sl_to_vl(lanes_path, *fabric);
  return std::make_unique<FileTopology>(std::move(*fabric), std::move(tables), std::move(lanes),
                                        keys.text("link_rates") == "file");
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
                          row::text("topology.not_hosts", "",
                                    "channel adapters that are no computers: descriptions separated by commas, with * "
                                    "for any text and ? for any character, or GUIDs (0x...). Aggregation nodes of "
                                    "switches (SHARP) are none in any case."),
                          row::path("topology.not_hosts_path", "a file with such a pattern in each line."),
                          row::choice("topology.link_rates", "file", {"file", "equal"},
                                      "file: links are as fast as the file says their cables are, compared with the "
                                      "usual one of a host, which is what [link] describes; equal: all alike."),
                          row::text("topology.text", std::nullopt, "the fabric itself, in place of its path.")},
             .make = make_file_topology,
             .example = {{"text", std::string(example)}}});

}  // namespace
}  // namespace weft::tools
