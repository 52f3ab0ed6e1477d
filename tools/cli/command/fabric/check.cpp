// `weft fabric check`: whether everything is connected, every route arrives, and no cycle of full buffers can block
// the fabric.
#include <array>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "models/subnet/routes.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/findings.hpp"

namespace weft::tools {
namespace {

struct FabricCheckOptions {
  FabricChoice fabric;
  std::string sl_to_vl;  ///< tables from service levels to virtual lanes; empty: one lane
  u32 service_level = 0;
  std::string json;
};

using models::Connection;
using models::RouteEnd;
using models::RouteSurvey;
using models::Subnet;

std::string text_of(const CountHistogram& counts, const std::string& unit) {
  std::string text;
  for (const auto& [value, count] : counts)
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : ", ", grouped(value), unit, grouped(count));
  return text.empty() ? "none" : text;
}

nlohmann::json json_of(const CountHistogram& counts) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [value, count] : counts) json[std::to_string(value)] = count;
  return json;
}

std::string connection_text(const FabricFindings& found) {
  const Connection& connection = found.connection;
  std::string text =
      connection.parts == 1 ? "all switches in one part" : counted(connection.parts, "part") + " of switches";
  if (!connection.uncabled_switches.empty())
    text += fmt::format(", {} of them a switch without any cable", grouped(connection.uncabled_switches.size()));
  if (!connection.uncabled_hosts.empty())
    text += "; hosts without a cable: " + grouped(connection.uncabled_hosts.size());
  return text;
}

/// What `check` says beside the findings that all commands share.
struct Checked {
  FabricFindings found;
  models::MinimalSurvey minimal;
};

std::string text_of(const Fabric& fabric, const Checked& checked, const FabricCheckOptions& options) {
  const FabricFindings& found = checked.found;
  const Subnet& subnet = fabric.subnet;
  std::string text =
      fmt::format("{}: {}, {}\n", fabric.name, counted(subnet.hosts(), "host"), counted(subnet.switches(), "switch"));
  text += labelled("sound", verdict_text(found) + (found.routes ? "" : " (no --tables)"));
  text += warnings_text(found);
  text += labelled("connection", connection_text(found));
  if (fabric.nodes_left_out() > 0) text += labelled("left out", fabric.left_out_text());
  std::string speeds;
  for (const auto& [speed, links] : fabric.speeds)
    speeds += fmt::format("{}{}: {}", speeds.empty() ? "" : ", ", speed, counted(links, "link"));
  if (!speeds.empty()) text += labelled("speeds", speeds);
  const CountHistogram minimal = count_histogram(checked.minimal.links);
  text += labelled("shortest", "pairs of hosts by links: " + text_of(minimal, ""));
  text += labelled("", "ports of a switch on a shortest path to a host: " +
                           text_of(count_histogram(checked.minimal.alternatives), ""));
  if (found.routes) {
    const RouteSurvey& routes = *found.routes;
    text += labelled("routes", fmt::format("{}, {} arrive", grouped(routes.routes), grouped(routes.ends[0])));
    for (std::size_t end = 1; end < routes.ends.size(); ++end) {
      if (routes.ends[end] > 0)
        text +=
            labelled("", fmt::format("{} {}", grouped(routes.ends[end]), route_end_name(static_cast<RouteEnd>(end))));
    }
    text += labelled("", "by links: " + text_of(count_histogram(routes.links), ""));
    text += labelled("balance", "ports between switches by destinations: " + text_of(found.destinations, ""));
    for (const LevelBalance& group : found.balance) {
      text += labelled("", fmt::format("routes a link {}: least {}, mean {}, most {}", group.where,
                                       grouped(group.least), significant(group.mean()), grouped(group.most)));
    }
    std::string heading = "busiest";
    for (const u32 channel : found.worst) {
      text += labelled(heading, fmt::format("{}: {}", shown(subnet.channel_name(channel)),
                                            counted(routes.routes_through[channel], "route")));
      heading.clear();
    }
    const std::string lanes = options.sl_to_vl.empty() ? "on one virtual lane"
                                                       : fmt::format("at service level {}, on {} virtual lanes",
                                                                     options.service_level, found.lanes);
    text += labelled("credit",
                     found.loops->tangles == 0
                         ? fmt::format("no credit loop {}; {} dependencies", lanes, grouped(found.loops->dependencies))
                         : fmt::format("credit loops {}: {} channels in {}; the first:", lanes,
                                       grouped(found.loops->channels), counted(found.loops->tangles, "tangle")));
    if (found.loops->tangles > 0)
      text += models::cycle_text(subnet, found.loops->cycle, found.lanes > 1, std::string(12, ' '));
  }
  return text;
}

std::string channel_text(const Subnet& subnet, u32 channel) { return shown(subnet.channel_name(channel)); }

nlohmann::json slow_links_json(const Subnet& subnet, const std::vector<models::SlowLink>& links) {
  nlohmann::json json = nlohmann::json::array();
  for (const models::SlowLink& slow : links) {
    json.push_back({{"link", channel_text(subnet, slow.channel)},
                    {"speed", slow.speed.name},
                    {"usual", slow.usual.name},
                    {"share", slow.speed.rate / slow.usual.rate}});
  }
  return json;
}

nlohmann::json missing_json(const Subnet& subnet, const std::vector<models::MissingCables>& all) {
  static constexpr std::array<const char*, 3> where{"up", "down", "any"};
  nlohmann::json json = nlohmann::json::array();
  for (const models::MissingCables& one : all) {
    json.push_back({{"switch", shown(subnet.switch_label(one.at_switch))},
                    {"where", where[static_cast<std::size_t>(one.where)]},
                    {"cables", one.cables},
                    {"usual", one.usual}});
  }
  return json;
}

nlohmann::json json_of(const Fabric& fabric, const Checked& checked, const FabricCheckOptions& options) {
  const FabricFindings& found = checked.found;
  const Subnet& subnet = fabric.subnet;
  const CountHistogram minimal = count_histogram(checked.minimal.links);
  const auto sum = [](const CountHistogram& counts) {
    return std::accumulate(counts.begin(), counts.end(), u64{0},
                           [](u64 all, const auto& each) { return all + each.second; });
  };
  nlohmann::json crossed = nlohmann::json::array(), within = crossed, across = crossed;
  for (const models::CrossedCables& pair : found.crossed)
    crossed.push_back({channel_text(subnet, pair.one), channel_text(subnet, pair.other)});
  for (const models::CableBeyondLevels& cable : found.beyond_levels)
    (cable.from == cable.to ? within : across).push_back(channel_text(subnet, cable.channel));
  nlohmann::json json = {{"name", fabric.name},
                         {"hosts", subnet.hosts()},
                         {"switches", subnet.switches()},
                         {"nodes_left_out", fabric.nodes_left_out()},
                         {"parts", found.connection.parts},
                         {"uncabled_hosts", found.connection.uncabled_hosts.size()},
                         {"uncabled_switches", found.connection.uncabled_switches.size()},
                         {"minimal",
                          {{"pairs", sum(minimal)},
                           {"unreachable", checked.minimal.unreachable_pairs},
                           {"links", json_of(minimal)},
                           {"alternatives", json_of(count_histogram(checked.minimal.alternatives))}}},
                         {"speeds", fabric.speeds},
                         {"slow_links", slow_links_json(subnet, found.slow)},
                         {"crossed_cables", crossed},
                         {"cables_within_levels", within},
                         {"cables_across_levels", across},
                         {"warnings", found.warnings},
                         {"problems", found.problems},
                         {"missing_cables", missing_json(subnet, found.missing)},
                         {"verdict", verdict_word(found)},
                         {"sound", found.sound()}};
  if (!found.routes) return json;
  const RouteSurvey& routes = *found.routes;
  json["routes"] = {{"routes", routes.routes},
                    {"arrive", routes.ends[0]},
                    {"no_entry", routes.ends[1]},
                    {"not_cabled", routes.ends[2]},
                    {"loops", routes.ends[3]},
                    {"wrong_host", routes.ends[4]},
                    {"links", json_of(count_histogram(routes.links))}};
  json["destinations_per_port"] = json_of(found.destinations);
  nlohmann::json balance = nlohmann::json::array(), worst = nlohmann::json::array(), cycle = nlohmann::json::array();
  for (const LevelBalance& group : found.balance) {
    balance.push_back({{"links", group.where},
                       {"count", group.links},
                       {"least", group.least},
                       {"mean", group.mean()},
                       {"most", group.most},
                       {"idle", group.idle}});
  }
  for (const u32 channel : found.worst)
    worst.push_back({{"link", shown(subnet.channel_name(channel))}, {"routes", routes.routes_through[channel]}});
  for (const models::LaneOfChannel& part : found.loops->cycle)
    cycle.push_back({{"link", shown(subnet.channel_name(part.channel))}, {"lane", part.lane}});
  json["routes_per_link"] = balance;
  json["busiest"] = worst;
  json["credit_loops"] = {{"found", found.loops->tangles > 0},
                          {"lanes", found.lanes},
                          {"service_level", options.service_level},
                          {"dependencies", found.loops->dependencies},
                          {"tangles", found.loops->tangles},
                          {"channels", found.loops->channels},
                          {"cycle", cycle}};
  return json;
}

/// Prints whether a fabric is sound: its cables, the routes of its tables, credit loops. Throws StuckError if something
/// cannot arrive or could block for ever.
void check_fabric(const FabricCheckOptions& options) {
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.reads("--sl2vl", options.sl_to_vl);
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  if (!options.sl_to_vl.empty() && options.fabric.tables.empty())
    throw ConfigError("--sl2vl has no effect without --tables (lanes are used by routes); give both");
  const auto [fabric, tables] = load_choice(options.fabric);
  std::optional<models::SlToVl> lanes;
  if (!options.sl_to_vl.empty()) lanes = load_sl_to_vl(options.sl_to_vl, fabric);
  const Checked checked{examine_fabric(fabric, {.tables = tables ? &*tables : nullptr,
                                                .lanes = lanes ? &*lanes : nullptr,
                                                .service_level = options.service_level}),
                        models::survey_minimal(fabric.subnet)};
  write_answer(options.json, json_of(fabric, checked, options), text_of(fabric, checked, options));
  const FabricFindings& found = checked.found;
  if (found.problems.empty()) return;
  throw StuckError(
      fmt::format("{}: {}; correct cables or tables", shown(options.fabric.path), fmt::join(found.problems, ", ")),
      found.detail);
}

void add_fabric_check(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricCheckOptions>();
  CLI::App* command = group.add_subcommand("check", "wiring, routes, loops and credit loops of a fabric");
  add_fabric_choice(command, options->fabric);
  add_tables(command, options->fabric);
  command->add_option("--sl2vl", options->sl_to_vl, "virtual lanes of service levels: opensm-sl2vl.dump")
      ->type_name("FILE");
  command->add_option("--sl", options->service_level, "service level of all routes, with --sl2vl")
      ->capture_default_str()
      ->check(CLI::Range(0U, 15U).description(""));
  add_json(command, options->json);
  command->footer(
      "Exit code 4 if hosts are cut off, a route does not arrive, or there are credit loops; 3 for a file that is "
      "damaged\n"
      "or does not fit the other.\n"
      "Examples:\n"
      "  weft fabric check ibnetdiscover.txt\n"
      "  weft fabric check ibnetdiscover.txt --tables opensm-lfts.dump.xz --json -");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { check_fabric(*options); }); });
}

[[maybe_unused]] const bool fabric_check_registered =
    CommandRegistry::instance().add("fabric check", {.place = 20, .add = add_fabric_check});

}  // namespace
}  // namespace weft::tools
