// `weft fabric what-if`: a fabric with and without some of its links and switches, side by side.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "models/subnet/distances.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/what_if.hpp"
#include "tools/files/output_path.hpp"
#include "tools/text/numbers.hpp"
#include "tools/text/table.hpp"
#include "tools/weft/fabric_choice.hpp"
#include "tools/weft/fabric_page_commands.hpp"

namespace weft::tools {
namespace {

using models::Subnet;

constexpr std::size_t most_named = 20;

struct Column {
  std::string name;  ///< key in JSON
  std::string heading;
  RoutedState state;
};

struct Comparison {
  std::string engine;
  Removal removal;
  std::vector<u32> cut_off;  ///< hosts that had a path to the others
  std::size_t hosts_left = 0;
  std::vector<Column> columns;
};

/// Hosts of `before` that are not in `after`; both ascend.
std::vector<u32> missing(const std::vector<u32>& before, const std::vector<u32>& after) {
  std::vector<u32> gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  return gone;
}

RoutedState routed_state(const Subnet& subnet, const std::string& engine, StateChoice choice) {
  const models::FabricRouting routing = models::route_subnet(subnet, engine);
  choice.layers = routing.layers.used;
  return state_of(subnet, routing.tables, choice);
}

Comparison compare(const Fabric& fabric, const models::ForwardingTables* tables, const FabricWhatIfOptions& options) {
  const Subnet& before = fabric.subnet;
  Comparison found;
  found.engine = !options.engine.empty() ? options.engine : models::tree_levels(before).empty() ? "minhop" : "updn";
  found.removal = removal_of(before, options.without);
  const Subnet after = subnet_without(before, found.removal);
  StateChoice choice{largest_part(after), options.count, options.seed, 1};
  found.cut_off = missing(largest_part(before), choice.hosts);
  found.hosts_left = choice.hosts.size();
  if (tables != nullptr) found.columns.push_back({"tables", "tables", state_of(before, *tables, choice)});
  found.columns.push_back({"before", "before", routed_state(before, found.engine, choice)});
  found.columns.push_back({"after", "after", routed_state(after, found.engine, choice)});
  return found;
}

std::string bandwidth_text(const RoutedState& state, bool several) {
  if (!state.judged) return "n/a";
  return percent(state.bandwidth, 2) + (several ? plus_minus(100 * state.ci95) : "");
}

std::string loops_text(const RoutedState& state) {
  if (state.tangles == 0) return "none";
  const std::string text = grouped(state.looped_channels) + " channels";
  return state.layers > 1 ? fmt::format("{}; {} layers break them", text, state.layers) : text;
}

std::string text_of(const Fabric& fabric, const Comparison& found, const FabricWhatIfOptions& options) {
  std::string text =
      fmt::format("{}: {} hosts, {}\n", fabric.name, grouped(fabric.subnet.hosts()),
                  fabric.subnet.switches() == 1 ? "1 switch" : grouped(fabric.subnet.switches()) + " switches");
  std::string heading = "without";
  for (std::size_t ix = 0; ix < std::min(found.removal.words.size(), most_named); ++ix) {
    text += labelled(heading, found.removal.words[ix]);
    heading.clear();
  }
  if (found.removal.words.size() > most_named)
    text += labelled("", fmt::format("and {} more", found.removal.words.size() - most_named));
  text += labelled(
      "routing", found.engine + (found.columns.size() > 2 ? "; the tables as they are, in a column of their own" : ""));
  text += labelled("patterns",
                   fmt::format("{} of seed {}, random bisections of the {} that remain, the same before and after",
                               grouped(options.count), options.seed, counted(found.hosts_left, "host")));
  TextTable table(11);
  const auto row = [&](std::size_t at, const std::string& name, auto&& value) {
    table[at].push_back(name);
    for (const Column& column : found.columns) table[at].push_back(value(column));
  };
  const auto& gone = found.cut_off;
  row(0, "", [](const Column& c) { return c.heading; });
  row(1, "hosts cut off", [&](const Column& c) { return c.name == "after" ? grouped(gone.size()) : std::string("0"); });
  row(2, "links between switches", [](const Column& c) { return grouped(c.state.links); });
  row(3, "routes of those that remain", [](const Column& c) { return grouped(c.state.routes); });
  row(4, "that do not arrive", [](const Column& c) { return grouped(c.state.lost); });
  row(5, "longest route, links", [](const Column& c) { return grouped(c.state.longest); });
  row(6, "mean route, links", [](const Column& c) { return fixed(c.state.mean_links, 3); });
  row(7, "most routes on a link", [](const Column& c) { return grouped(c.state.most_routes); });
  row(8, "credit loops", [](const Column& c) { return loops_text(c.state); });
  row(9, "bisect bandwidth ± 95 % confidence",
      [&](const Column& c) { return bandwidth_text(c.state, options.count > 1); });
  const RoutedState& before = found.columns[found.columns.size() - 2].state;
  row(10, "against before", [&](const Column& c) {
    return c.name == "after" && before.judged && c.state.judged ? percent(c.state.bandwidth / before.bandwidth, 1) : "";
  });
  return text + aligned(table);
}

nlohmann::json json_of(const RoutedState& state) {
  nlohmann::json json = {{"switch_links", state.links},
                         {"routes", state.routes},
                         {"lost_routes", state.lost},
                         {"longest", state.longest},
                         {"mean_links", state.mean_links},
                         {"most_routes", state.most_routes},
                         {"layers", state.layers},
                         {"credit_loops", {{"tangles", state.tangles}, {"channels", state.looped_channels}}},
                         {"bandwidth", nullptr}};
  if (state.judged) json["bandwidth"] = {{"mean", state.bandwidth}, {"ci95", state.ci95}};
  return json;
}

nlohmann::json json_of(const Fabric& fabric, const Comparison& found, const FabricWhatIfOptions& options) {
  nlohmann::json cut_off = nlohmann::json::array();
  for (const u32 h : found.cut_off) cut_off.push_back(shown(fabric.subnet.host_at(h).name));
  nlohmann::json json = {{"fabric", fabric.name},
                         {"hosts", fabric.subnet.hosts()},
                         {"switches", fabric.subnet.switches()},
                         {"without", found.removal.words},
                         {"cables", found.removal.cables},
                         {"engine", found.engine},
                         {"patterns", options.count},
                         {"seed", options.seed},
                         {"hosts_left", found.hosts_left},
                         {"cut_off", cut_off}};
  for (const Column& column : found.columns) json[column.name] = json_of(column.state);
  return json;
}

}  // namespace

void compare_fabric(const FabricWhatIfOptions& options) {
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.writes("--json", options.json, files::Streams::allowed);
  files::check_ending("--json", options.json, files::json_format());
  const auto [fabric, tables] = load_choice(options.fabric);
  const Comparison found = compare(fabric, tables ? &*tables : nullptr, options);
  write_answer(options.json, json_of(fabric, found, options), text_of(fabric, found, options));
  if (found.cut_off.empty()) return;
  std::string detail;
  for (std::size_t ix = 0; ix < std::min(found.cut_off.size(), most_named); ++ix)
    detail += host_text(fabric.subnet, found.cut_off[ix]) + "\n";
  if (found.cut_off.size() > most_named)
    detail += fmt::format("and {} more\n", grouped(found.cut_off.size() - most_named));
  throw StuckError(fmt::format("{} would be cut off from the others (every path to {} is gone); see below which",
                               counted(found.cut_off.size(), "host"), found.cut_off.size() == 1 ? "it" : "them"),
                   detail);
}

}  // namespace weft::tools
