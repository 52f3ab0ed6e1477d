// `weft fabric info`: what a fabric is made of.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "models/subnet/switch_graph.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/findings.hpp"

namespace weft::tools {
namespace {

using models::ForwardingTables;
using models::Peer;
using models::RouteEnd;
using models::Subnet;
using models::SwitchGraph;

/// Switches alike: so many ports, so many cabled.
struct Radix {
  u32 ports = 0, cabled = 0;
  auto operator<=>(const Radix&) const = default;
};

struct Facts {
  std::map<Radix, u64> radices;
  std::map<u32, u64> lmcs;
  FabricFindings found;
  u64 cabled_ports = 0, ports = 0, uncabled_hosts = 0, addresses = 0, switches_with_table = 0;
};

Facts facts_of(const Fabric& fabric, const ForwardingTables* tables) {
  const Subnet& subnet = fabric.subnet;
  Facts facts;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    Radix radix{subnet.switch_at(s).ports, 0};
    for (u32 port = 1; port <= radix.ports; ++port)
      radix.cabled += subnet.peer(s, port).kind != Peer::Kind::none ? 1 : 0;
    facts.ports += radix.ports;
    facts.cabled_ports += radix.cabled;
    ++facts.radices[radix];
  }
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    ++facts.lmcs[subnet.host_at(h).lmc];
    facts.addresses += u64{1} << subnet.host_at(h).lmc;
    facts.uncabled_hosts += subnet.peer_of_host(h).kind == Peer::Kind::none ? 1 : 0;
  }
  facts.found = examine_fabric(fabric, {.tables = tables});
  if (tables == nullptr) return facts;
  std::vector<u8> has(subnet.switches(), 0);
  for (u32 t = 0; t < tables->targets(); ++t) {
    const u8* const row = tables->row(t);
    for (u32 s = 0; s < subnet.switches(); ++s) has[s] |= row[s] != ForwardingTables::none ? 1 : 0;
  }
  for (const u8 one : has) facts.switches_with_table += one;
  return facts;
}

nlohmann::json names_json(const Subnet& subnet, const std::vector<u32>& switches) {
  nlohmann::json json = nlohmann::json::array();
  for (const u32 s : switches) json.push_back(shown(subnet.switch_label(s)));
  return json;
}

nlohmann::json json_of(const Fabric& fabric, const Facts& facts, bool tables) {
  const Subnet& subnet = fabric.subnet;
  const auto of_kind = [&fabric](LeftOut kind) { return fabric.left_out[static_cast<std::size_t>(kind)]; };
  nlohmann::json radices = nlohmann::json::array(), lmcs = nlohmann::json::object();
  for (const auto& [radix, count] : facts.radices)
    radices.push_back({{"ports", radix.ports}, {"cabled", radix.cabled}, {"switches", count}});
  for (const auto& [lmc, count] : facts.lmcs) lmcs[std::to_string(lmc)] = count;
  nlohmann::json json = {{"name", fabric.name},
                         {"form", form_name(fabric.form)},
                         {"hosts", subnet.hosts()},
                         {"switches", subnet.switches()},
                         {"links", subnet.switch_links() + subnet.host_links()},
                         {"switch_links", subnet.switch_links()},
                         {"host_links", subnet.host_links()},
                         {"one_way", subnet.one_way()},
                         {"other_cables", fabric.other_cables},
                         {"left_out",
                          {{"aggregation_nodes", of_kind(LeftOut::aggregation_node)},
                           {"not_hosts", of_kind(LeftOut::not_host)},
                           {"routers", of_kind(LeftOut::router)}}},
                         {"nodes_without_guid", fabric.numbered},
                         {"ports", {{"total", facts.ports}, {"cabled", facts.cabled_ports}}},
                         {"uncabled_hosts", facts.uncabled_hosts},
                         {"radices", radices},
                         {"verdict", verdict_word(facts.found)},
                         {"warnings", facts.found.warnings},
                         {"problems", facts.found.problems},
                         {"levels", facts.found.levels.switches()},
                         {"hosts_above_leaves", names_json(subnet, facts.found.levels.hosts_above)},
                         {"lmc", lmcs},
                         {"addresses", facts.addresses},
                         {"speeds", fabric.speeds}};
  if (tables) json["switches_with_table"] = facts.switches_with_table;
  return json;
}

/// Levels, and switches above the lowest that have hosts, a line each. Cables that do not fit are warnings.
std::string levels_text(const Subnet& subnet, const models::MajorityLevels& levels) {
  constexpr std::size_t most = 5;
  const std::vector<u64> switches = levels.switches();
  if (switches.empty()) return labelled("levels", "none (links within a level, or none at all)");
  std::string text =
      labelled("levels", fmt::format("{}, from the hosts up: {} switches", switches.size(), fmt::join(switches, ", ")));
  const std::vector<u32>& above = levels.hosts_above;
  for (std::size_t ix = 0; ix < std::min(above.size(), most); ++ix)
    text += labelled("", "but " + shown(subnet.switch_label(above[ix])) + " above them has hosts, too");
  if (above.size() > most) text += labelled("", fmt::format("and {} more", grouped(above.size() - most)));
  return text;
}

std::string text_of(const Fabric& fabric, const Facts& facts, bool tables) {
  const Subnet& subnet = fabric.subnet;
  std::string text = fmt::format("{} ({})\n", fabric.name, form_name(fabric.form)) + verdict_lines(facts.found);
  text += labelled(
      "hosts",
      grouped(subnet.hosts()) +
          (facts.uncabled_hosts > 0 ? fmt::format(", of which {} have no cable", grouped(facts.uncabled_hosts)) : ""));
  text += labelled("switches", grouped(subnet.switches()));
  std::string heading = "ports";
  for (const auto& [radix, count] : facts.radices) {
    text += labelled(heading, fmt::format("{} with {}, {} of them cabled", counted(count, "switch"),
                                          counted(radix.ports, "port"), radix.cabled));
    heading.clear();
  }
  text += labelled("links",
                   fmt::format("{}{} between switches, {} to hosts{}", grouped(subnet.switch_links()),
                               subnet.one_way() ? " one-way" : "", grouped(subnet.host_links()),
                               fabric.other_cables > 0 ? fmt::format("; {} from host to host or to what is left out",
                                                                     grouped(fabric.other_cables))
                                                       : ""));
  if (fabric.nodes_left_out() > 0) text += labelled("left out", fabric.left_out_text());
  if (fabric.numbered > 0)
    text += labelled("guids",
                     fmt::format("none of {} in the file; numbered as ibsim does", counted(fabric.numbered, "node")));
  heading = "speeds";
  for (const auto& [speed, count] : fabric.speeds) {
    text += labelled(heading, fmt::format("{}: {}", speed, counted(count, "link")));
    heading.clear();
  }
  text += levels_text(subnet, facts.found.levels);
  if (facts.lmcs.size() > 1 || (!facts.lmcs.empty() && facts.lmcs.begin()->first > 0)) {
    heading = "lmc";
    for (const auto& [lmc, count] : facts.lmcs) {
      text += labelled(heading, fmt::format("{}: {}, {} each", lmc, counted(count, "host"), counted(1U << lmc, "LID")));
      heading.clear();
    }
  }
  if (tables)
    text += labelled("tables", fmt::format("of {} of {} switches, {} addresses", grouped(facts.switches_with_table),
                                           grouped(subnet.switches()), grouped(facts.addresses)));
  return text;
}

struct FabricInfoOptions {
  FabricChoice fabric;
  std::string json;  ///< "-": standard output, which then holds nothing else; empty: as text
};

/// Prints what a fabric is made of.
void print_fabric_info(const FabricInfoOptions& options) {
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  const auto [fabric, tables] = load_choice(options.fabric);
  const Facts facts = facts_of(fabric, tables ? &*tables : nullptr);
  write_answer(options.json, json_of(fabric, facts, tables.has_value()), text_of(fabric, facts, tables.has_value()));
}

void add_fabric_info(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricInfoOptions>();
  CLI::App* command = group.add_subcommand("info", "what a fabric is made of: hosts, switches, links, levels");
  add_fabric_choice(command, options->fabric);
  add_tables(command, options->fabric);
  add_json(command, options->json);
  command->footer(
      "Examples:\n"
      "  weft fabric info ibnetdiscover.txt\n"
      "  weft fabric info examples/thin-tree-uniform.toml --json -");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_fabric_info(*options); }); });
}

[[maybe_unused]] const bool fabric_info_registered =
    CommandRegistry::instance().add("fabric info", {.place = 10, .add = add_fabric_info});

}  // namespace
}  // namespace weft::tools
