// Reads the file of prices and of the floor; see the header.
#include "tools/report/cost/cost_table.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "tools/run/config/study_table.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools::cost {
namespace {

constexpr u32 most_in_rack = 1'000'000;

Floor read_floor(const StudyTable& table) {
  table.allow_only(
      {"nodes_per_rack", "switches_per_rack", "racks_per_row", "rack_pitch_m", "row_pitch_m", "in_rack_m", "slack_m"});
  if (!table.has("nodes_per_rack") && !table.has("switches_per_rack")) {
    table.fail("nodes_per_rack",
               "and switches_per_rack are missing (one of them says when a rack is full); add for "
               "example nodes_per_rack = 64");
  }
  Floor floor;
  floor.nodes_per_rack = table.number("nodes_per_rack", 0, 1, most_in_rack);
  floor.switches_per_rack = table.number("switches_per_rack", 0, 1, most_in_rack);
  static_cast<void>(table.node("racks_per_row"));
  floor.racks_per_row = table.number("racks_per_row", 1, 1, most_in_rack);
  const auto length = [&table](const char* key) {
    static_cast<void>(table.node(key));
    return table.real(key, 0);
  };
  floor.rack_pitch_m = length("rack_pitch_m");
  floor.row_pitch_m = length("row_pitch_m");
  floor.in_rack_m = length("in_rack_m");
  floor.slack_m = table.real("slack_m", 0);
  return floor;
}

/// Kinds of switches or cables: `unit` is "port" or "m", `up_to` the key of how far a kind goes.
std::vector<Item> read_items(const StudyTable& root, const std::string& key, const std::string& unit,
                             const std::string& up_to, const std::string& path) {
  std::vector<Item> items;
  for (const toml::table* one : root.tables(key)) {
    const StudyTable table(*one, "[" + key + "]", path);
    table.allow_only({"name", up_to, "price", "price_per_" + unit, "watts", "watts_per_" + unit});
    static_cast<void>(table.node("name"));
    Item item;
    item.name = table.text("name", "");
    if (!items.empty() && !(items.back().up_to < std::numeric_limits<double>::infinity())) {
      throw ConfigError(fmt::format("{}: [[{}]] '{}' is never taken ('{}' before it has no {}); give that one",
                                    table.place(), key, item.name, items.back().name, up_to));
    }
    item.up_to = table.real(up_to, item.up_to);
    for (const Item& before : items) {
      if (before.name == item.name) table.fail("name", "is there twice; give each kind a name of its own");
      if (!(before.up_to < item.up_to)) {
        table.fail(up_to, fmt::format("is not above that of '{}' before it; list the kinds in order", before.name));
      }
    }
    item.price = table.real("price", 0);
    item.price_per_unit = table.real("price_per_" + unit, 0);
    item.watts = table.real("watts", 0);
    item.watts_per_unit = table.real("watts_per_" + unit, 0);
    items.push_back(std::move(item));
  }
  if (items.empty()) {
    throw ConfigError(
        fmt::format("{}: no [[{}]] (there must be one kind at least); add for example [[{}]] with name = \"usual\" and "
                    "price_per_{} = 10",
                    path, key, key, unit));
  }
  return items;
}

}  // namespace

CostTable load_cost_table(const std::string& path) { return read_cost_table(study_text(path), path); }

CostTable read_cost_table(const std::string& text, const std::string& path) {
  const toml::table root = parse_toml(text, path);
  const StudyTable top(root, "", path);
  top.allow_only({"currency", "virtual_switches", "floor", "switch", "nic", "cable"});
  CostTable table;
  table.path = path;
  table.currency = top.text("currency", "USD");
  const toml::table* floor = top.table("floor");
  if (floor == nullptr) {
    throw ConfigError(path +
                      ": no [floor] (lengths of cables follow from where racks stand); add it, see "
                      "examples/costs/machine-room.toml");
  }
  if (top.has("virtual_switches")) {
    const toml::node& given = top.node("virtual_switches");
    if (!given.is_boolean()) top.fail("virtual_switches", "is not true or false; use virtual_switches = true");
    table.virtual_switches = given.value_or(false);
  }
  table.floor = read_floor(StudyTable(*floor, "floor", path));
  table.switches = read_items(top, "switch", "port", "up_to_ports", path);
  table.cables = read_items(top, "cable", "m", "up_to_m", path);
  if (const toml::table* nic = top.table("nic"); nic != nullptr) {
    const StudyTable row(*nic, "nic", path);
    row.allow_only({"price", "watts"});
    table.nic.price = row.real("price", 0);
    table.nic.watts = row.real("watts", 0);
  }
  return table;
}

}  // namespace weft::tools::cost
