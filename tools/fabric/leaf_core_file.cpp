// Reads [leaf_core].
#include "tools/fabric/leaf_core_file.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/study_table.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools {

std::optional<models::LeafCoreShape> read_leaf_core(const std::string& path) {
  const FileText file = file_text(path, most_toml_bytes);
  if (file.status != FileText::Status::whole || file.text.find("[leaf_core]") == std::string::npos) return std::nullopt;
  const toml::table document = parse_toml(file.text, path);
  const toml::table* const table = document["leaf_core"].as_table();
  if (table == nullptr) return std::nullopt;
  for (const auto& [key, node] : document) {
    if (key == "leaf_core") continue;
    throw ConfigError(
        fmt::format("{}: '{}' beside [leaf_core] (the file describes one fabric and nothing else); take it out",
                    at_line(path, node.source()), shown(std::string(key.str()))));
  }
  const StudyTable keys(*table, "[leaf_core]", path);
  keys.allow_only({"name", "hosts", "leaves", "leaf_uplinks", "cores", "core_stages", "core_cards", "chip_ports",
                   "cable_links", "cabling", "lid_seed"});
  constexpr u32 most = 1U << 20;
  models::LeafCoreShape shape;
  shape.name = keys.text("name", "leaf-core fabric");
  shape.hosts = keys.number("hosts", 0, 2, most);
  shape.leaves = keys.number("leaves", 0, 1, most);
  shape.leaf_uplinks = keys.number("leaf_uplinks", 0, 1, models::Subnet::most_ports);
  shape.cores = keys.number("cores", 1, 1, most);
  shape.core_stages = keys.number("core_stages", 3, 3, 5);
  shape.core_cards = keys.number("core_cards", 0, 1, models::Subnet::most_ports);
  shape.chip_ports = keys.number("chip_ports", 24, 2, models::Subnet::most_ports);
  shape.cable_links = keys.number("cable_links", 1, 1, models::Subnet::most_ports);
  shape.lid_seed = keys.number("lid_seed", 0, 0, most);
  const std::string cabling = keys.text("cabling", "packed");
  if (cabling != "packed" && cabling != "spread") {
    keys.fail("cabling", fmt::format("is '{}'; write \"packed\" or \"spread\"", shown(cabling)));
  }
  shape.spread = cabling == "spread";
  return shape;
}

}  // namespace weft::tools
