// `weft fabric check`: whether everything is connected, every route arrives, and no circle of full buffers can block
// the fabric.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "models/subnet/cabling.hpp"
#include "models/subnet/dependencies.hpp"
#include "models/subnet/distances.hpp"
#include "models/subnet/routes.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/files/output_path.hpp"
#include "tools/text/numbers.hpp"
#include "tools/text/table.hpp"
#include "tools/weft/fabric_choice.hpp"

namespace weft::tools {
namespace {

using models::Connection;
using models::CreditLoops;
using models::ForwardingTables;
using models::MinimalSurvey;
using models::Peer;
using models::RouteEnd;
using models::RouteFault;
using models::RouteSurvey;
using models::Subnet;
using Histogram = std::map<u64, u64>;

constexpr std::size_t most_shown = 20;

/// Loads of the links from one level of switches to another.
struct Balance {
  std::string where;
  u64 links = 0, least = 0, most = 0, total = 0, idle = 0;
  [[nodiscard]] double mean() const { return static_cast<double>(total) / static_cast<double>(links); }
};

struct Findings {
  Connection connection;
  MinimalSurvey minimal;
  std::optional<RouteSurvey> routes;
  std::optional<CreditLoops> loops;
  Histogram destinations;  ///< by number of destinations: ports between switches
  std::vector<Balance> balance;
  std::vector<u32> worst;  ///< channels with most routes
  u32 lanes = 1;
  std::vector<models::SlowLink> slow;
  std::vector<models::CrossedCables> crossed;
  std::vector<u32> within_levels;     ///< channels
  std::vector<std::string> warnings;  ///< what works, but not as well as it could; a line each
  std::vector<std::string> problems;  ///< a line each
  std::string detail;                 ///< of the problems
};

Histogram histogram_of(const std::vector<u64>& counts) {
  Histogram result;
  for (std::size_t ix = 0; ix < counts.size(); ++ix) {
    if (counts[ix] > 0) result[ix] = counts[ix];
  }
  return result;
}

std::string text_of(const Histogram& counts, const std::string& unit) {
  std::string text;
  for (const auto& [value, count] : counts)
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : ", ", grouped(value), unit, grouped(count));
  return text.empty() ? "none" : text;
}

nlohmann::json json_of(const Histogram& counts) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [value, count] : counts) json[std::to_string(value)] = count;
  return json;
}

/// Calls use(channel, far switch) for the channels between switches.
template <class F>
void for_switch_channels(const Subnet& subnet, F&& use) {
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer peer = subnet.next(s, port);
      if (peer.kind == Peer::Kind::router) use(s, subnet.channel(s, port), peer.id);
    }
  }
}

void add_balance(const Subnet& subnet, Findings& found) {
  const std::vector<u32> levels = models::tree_levels(subnet);
  std::map<std::pair<u32, u32>, Balance> groups;
  for_switch_channels(subnet, [&](u32 s, u32 channel, u32 far) {
    // As ibdmchk counts: switches that no route visits are left out.
    if (found.routes->visited[s] != 0) ++found.destinations[found.routes->targets_through[channel]];
    const u64 load = found.routes->routes_through[channel];
    Balance& group = levels.empty() ? groups[{0, 0}] : groups[{levels[s], levels[far]}];
    group.least = group.links == 0 ? load : std::min(group.least, load);
    group.most = std::max(group.most, load);
    group.total += load;
    group.idle += load == 0 ? 1 : 0;
    ++group.links;
    found.worst.push_back(channel);
  });
  for (auto& [where, group] : groups) {
    group.where = levels.empty() ? "between switches" : fmt::format("level {} to {}", where.first, where.second);
    found.balance.push_back(group);
  }
  const std::size_t kept = std::min<std::size_t>(5, found.worst.size());
  const auto busier = [&](u32 a, u32 b) {
    const u64 load_a = found.routes->routes_through[a], load_b = found.routes->routes_through[b];
    return load_a != load_b ? load_a > load_b : a < b;
  };
  std::partial_sort(found.worst.begin(), found.worst.begin() + static_cast<std::ptrdiff_t>(kept), found.worst.end(),
                    busier);
  found.worst.resize(kept);
}

std::string end_name(RouteEnd end) {
  switch (end) {
    case RouteEnd::arrives:
      return "arrive";
    case RouteEnd::no_entry:
      return "end at a switch without an entry for them";
    case RouteEnd::not_cabled:
      return "end at a port without a cable";
    case RouteEnd::loops:
      return "loop";
    case RouteEnd::wrong_host:
      return "end at another host";
  }
  throw Bug("an end of routes without a name");
}

std::string fault_line(const Subnet& subnet, const ForwardingTables& tables, const RouteFault& fault) {
  std::string where = shown(subnet.switch_at(fault.at).name);
  if (fault.end == RouteEnd::loops) {
    const std::vector<u32> loop = models::loop_from(subnet, tables, fault.at, fault.target);
    where.clear();
    for (std::size_t ix = 0; ix < std::min<std::size_t>(loop.size(), 8); ++ix)
      where += (ix == 0 ? "" : ", ") + shown(subnet.switch_at(loop[ix]).name);
    if (loop.size() > 8) where += fmt::format(" and {} more", loop.size() - 8);
  }
  const u32 lid = tables.lid_of(subnet, fault.target);
  return fmt::format("{} to {} (LID {}) {}: {}; e.g. from {}\n", counted(fault.routes, "route"),
                     shown(subnet.host_at(tables.host_of(fault.target)).name), lid, end_name(fault.end), where,
                     host_text(subnet, fault.host));
}

/// Names of some of many.
template <class Name>
std::string some_of(const std::vector<u32>& numbers, Name name) {
  std::string text;
  for (std::size_t ix = 0; ix < std::min(numbers.size(), most_shown); ++ix)
    text += fmt::format("  {}\n", name(numbers[ix]));
  if (numbers.size() > most_shown) text += fmt::format("  and {} more\n", grouped(numbers.size() - most_shown));
  return text;
}

void judge_connection(const Subnet& subnet, Findings& found) {
  const Connection& connection = found.connection;
  const auto with_hosts = std::ranges::count_if(connection.hosts_in, [](u32 hosts) { return hosts > 0; });
  if (with_hosts > 1)
    found.problems.push_back(fmt::format("the hosts are in {} parts that are not connected", with_hosts));
  if (!connection.uncabled_hosts.empty()) {
    found.problems.push_back(
        fmt::format("{} no cable to a switch", connection.uncabled_hosts.size() == 1
                                                   ? "a host has"
                                                   : grouped(connection.uncabled_hosts.size()) + " hosts have"));
    found.detail +=
        "hosts without a cable:\n" + some_of(connection.uncabled_hosts, [&](u32 h) { return host_text(subnet, h); });
  }
  if (with_hosts <= 1) return;
  std::map<u32, u32> example;  // of a part: a switch with hosts
  const std::vector<u32> hosts = models::hosts_of_switches(subnet);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (hosts[s] > 0) example.emplace(connection.part_of[s], s);
  }
  std::size_t lines = 0;
  for (const auto& [part, s] : example) {
    if (lines++ == most_shown) break;
    found.detail += fmt::format("a part with {}: that of switch '{}'\n", counted(connection.hosts_in[part], "host"),
                                shown(subnet.switch_at(s).name));
  }
}

void judge_routes(const Subnet& subnet, const ForwardingTables& tables, Findings& found) {
  const RouteSurvey& routes = *found.routes;
  const u64 lost = routes.routes - routes.ends[0];
  if (lost > 0) {
    found.problems.push_back(fmt::format("{} of {} routes do not arrive", grouped(lost), grouped(routes.routes)));
    for (std::size_t ix = 0; ix < std::min(routes.faults.size(), most_shown); ++ix)
      found.detail += fault_line(subnet, tables, routes.faults[ix]);
    const RouteFault& first = routes.faults.front();
    if (routes.faults.size() == 1 && first.end == RouteEnd::no_entry && tables.lid_of(subnet, first.target) % 64 == 0)
      found.detail +=
          "(dump_lfts of infiniband-diags leaves out the highest LID of a fabric if it is a multiple of 64)\n";
    if (routes.faults.size() > most_shown)
      found.detail +=
          fmt::format("and {}{} more\n", routes.faults.size() == RouteSurvey::most_faults ? "at least " : "",
                      grouped(routes.faults.size() - most_shown));
  }
  if (found.loops->tangles == 0) return;
  found.problems.push_back("there are credit loops");
  found.detail += "a credit loop, in which each channel waits for the next:\n" +
                  models::cycle_text(subnet, found.loops->cycle, found.lanes > 1, "  ");
}

std::string channel_text(const Subnet& subnet, u32 channel) { return shown(subnet.channel_name(channel)); }

/// Cables that work, but are slow or seem plugged in wrongly.
void judge_cables(const Subnet& subnet, Findings& found) {
  found.slow = models::slow_links(subnet);
  found.crossed = models::crossed_cables(subnet);
  found.within_levels = models::cables_within_levels(subnet);
  const auto add = [&found](std::size_t ix, const std::string& text) {
    if (ix < most_shown) found.warnings.push_back(text);
  };
  const auto more = [&found](std::size_t all, const std::string& what) {
    if (all > most_shown) found.warnings.push_back(fmt::format("and {} {}", grouped(all - most_shown), what));
  };
  for (std::size_t ix = 0; ix < found.slow.size(); ++ix) {
    const models::SlowLink& slow = found.slow[ix];
    add(ix, fmt::format("slow cable: {} is {}, where {} of its like are {}", channel_text(subnet, slow.channel),
                        slow.speed.text(), grouped(slow.alike), slow.usual.text()));
  }
  more(found.slow.size(), "more slow cables");
  for (std::size_t ix = 0; ix < found.crossed.size(); ++ix) {
    add(ix, fmt::format("crossed cables? {} and {} seem to have their far ends exchanged (other switches beside them "
                        "share their neighbours)",
                        channel_text(subnet, found.crossed[ix].one), channel_text(subnet, found.crossed[ix].other)));
  }
  more(found.crossed.size(), "more pairs of cables that seem crossed");
  for (std::size_t ix = 0; ix < found.within_levels.size(); ++ix) {
    add(ix, fmt::format("wrong cable? {} stays on one level, where nearly all others lead to the next",
                        channel_text(subnet, found.within_levels[ix])));
  }
  more(found.within_levels.size(), "more cables within a level");
}

/// Tables that leave links idle or overload some, judged by routes of all hosts to all others.
void judge_balance(Findings& found) {
  constexpr double much = 2.0;
  if (found.routes->ends[0] == 0) return;
  for (const Balance& group : found.balance) {
    const std::string where = group.where.starts_with("level") ? "from " + group.where : group.where;
    if (group.total == 0) {
      if (group.links > 0)
        found.warnings.push_back(fmt::format("no route uses any of the {} {}", counted(group.links, "port"), where));
      continue;
    }
    const double times = static_cast<double>(group.most) / group.mean();
    if (group.idle > 0) {
      found.warnings.push_back(fmt::format("{} of {} {} idle (no route uses them)", grouped(group.idle),
                                           counted(group.links, "port") + " " + where, group.idle == 1 ? "is" : "are"));
    }
    if (times <= much) continue;
    found.warnings.push_back(fmt::format(
        "uneven load {}: the busiest link has {} times the routes of the mean, so that traffic of all to all "
        "gets {} % there of what even tables would give",
        where, significant(times, 3), significant(100 / times, 3)));
  }
}

Findings examine(const Fabric& fabric, const ForwardingTables* tables, const models::SlToVl* lanes, u32 level) {
  Findings found;
  const Subnet& subnet = fabric.subnet;
  found.connection = models::connection_of(subnet);
  found.minimal = models::survey_minimal(subnet);
  judge_connection(subnet, found);
  judge_cables(subnet, found);
  if (tables == nullptr) return found;
  found.routes = models::survey_routes(subnet, *tables);
  found.loops = models::find_credit_loops(subnet, *tables, lanes, level);
  found.lanes = lanes == nullptr ? 1 : lanes->lanes();
  add_balance(subnet, found);
  judge_balance(found);
  judge_routes(subnet, *tables, found);
  return found;
}

std::string connection_text(const Findings& found) {
  const Connection& connection = found.connection;
  std::string text =
      connection.parts == 1 ? "all switches in one part" : counted(connection.parts, "part") + " of switches";
  if (!connection.uncabled_switches.empty())
    text += fmt::format(", {} of them a switch without any cable", grouped(connection.uncabled_switches.size()));
  if (!connection.uncabled_hosts.empty())
    text += "; hosts without a cable: " + grouped(connection.uncabled_hosts.size());
  return text;
}

std::string text_of(const Fabric& fabric, const Findings& found, const FabricCheckOptions& options) {
  const Subnet& subnet = fabric.subnet;
  std::string text = fmt::format("{}: {}, {}\n", fabric.name, counted(subnet.hosts(), "host"),
                                 subnet.switches() == 1 ? "1 switch" : grouped(subnet.switches()) + " switches");
  text += labelled("connection", connection_text(found));
  std::string speeds;
  for (const auto& [speed, links] : fabric.speeds)
    speeds += fmt::format("{}{}: {}", speeds.empty() ? "" : ", ", speed, counted(links, "link"));
  if (!speeds.empty()) text += labelled("speeds", speeds);
  const Histogram minimal = histogram_of(found.minimal.links);
  text += labelled("shortest", "pairs of hosts by links: " + text_of(minimal, ""));
  text += labelled(
      "", "ports of a switch on a shortest way to a host: " + text_of(histogram_of(found.minimal.alternatives), ""));
  if (found.routes) {
    const RouteSurvey& routes = *found.routes;
    text += labelled("routes", fmt::format("{}, {} arrive", grouped(routes.routes), grouped(routes.ends[0])));
    for (std::size_t end = 1; end < routes.ends.size(); ++end) {
      if (routes.ends[end] > 0)
        text += labelled("", fmt::format("{} {}", grouped(routes.ends[end]), end_name(static_cast<RouteEnd>(end))));
    }
    text += labelled("", "by links: " + text_of(histogram_of(routes.links), ""));
    text += labelled("balance", "ports between switches by destinations: " + text_of(found.destinations, ""));
    for (const Balance& group : found.balance) {
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
  std::string heading = found.warnings.size() == 1 ? "warning" : "warnings";
  for (const std::string& warning : found.warnings) {
    text += labelled(heading, warning);
    heading.clear();
  }
  if (!found.problems.empty()) return text;
  const std::string verdict =
      found.warnings.empty() ? "yes"
                             : fmt::format("it works, but see the {} above", counted(found.warnings.size(), "warning"));
  return text + labelled("sound", verdict + (found.routes ? "" : ", as far as cables go (no --tables)"));
}

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

nlohmann::json json_of(const Fabric& fabric, const Findings& found, const FabricCheckOptions& options) {
  const Subnet& subnet = fabric.subnet;
  const Histogram minimal = histogram_of(found.minimal.links);
  const auto sum = [](const Histogram& counts) {
    return std::accumulate(counts.begin(), counts.end(), u64{0},
                           [](u64 all, const auto& each) { return all + each.second; });
  };
  nlohmann::json crossed = nlohmann::json::array(), within = nlohmann::json::array();
  for (const models::CrossedCables& pair : found.crossed)
    crossed.push_back({channel_text(subnet, pair.one), channel_text(subnet, pair.other)});
  for (const u32 channel : found.within_levels) within.push_back(channel_text(subnet, channel));
  nlohmann::json json = {{"name", fabric.name},
                         {"hosts", subnet.hosts()},
                         {"switches", subnet.switches()},
                         {"parts", found.connection.parts},
                         {"uncabled_hosts", found.connection.uncabled_hosts.size()},
                         {"uncabled_switches", found.connection.uncabled_switches.size()},
                         {"minimal",
                          {{"pairs", sum(minimal)},
                           {"unreachable", found.minimal.unreachable_pairs},
                           {"links", json_of(minimal)},
                           {"alternatives", json_of(histogram_of(found.minimal.alternatives))}}},
                         {"speeds", fabric.speeds},
                         {"slow_links", slow_links_json(subnet, found.slow)},
                         {"crossed_cables", crossed},
                         {"cables_within_levels", within},
                         {"warnings", found.warnings},
                         {"problems", found.problems},
                         {"sound", found.problems.empty()}};
  if (!found.routes) return json;
  const RouteSurvey& routes = *found.routes;
  json["routes"] = {{"routes", routes.routes},
                    {"arrive", routes.ends[0]},
                    {"no_entry", routes.ends[1]},
                    {"not_cabled", routes.ends[2]},
                    {"loops", routes.ends[3]},
                    {"wrong_host", routes.ends[4]},
                    {"links", json_of(histogram_of(routes.links))}};
  json["destinations_per_port"] = json_of(found.destinations);
  nlohmann::json balance = nlohmann::json::array(), worst = nlohmann::json::array(), cycle = nlohmann::json::array();
  for (const Balance& group : found.balance) {
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

}  // namespace

void check_fabric(const FabricCheckOptions& options) {
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.reads("--sl2vl", options.sl_to_vl);
  files.writes("--json", options.json, files::Streams::allowed);
  files::check_ending("--json", options.json, files::json_format());
  if (!options.sl_to_vl.empty() && options.fabric.tables.empty())
    throw ConfigError("--sl2vl has no effect without --tables (lanes are used by routes); give both");
  const auto [fabric, tables] = load_choice(options.fabric);
  std::optional<models::SlToVl> lanes;
  if (!options.sl_to_vl.empty()) lanes = load_sl_to_vl(options.sl_to_vl, fabric);
  const Findings found = examine(fabric, tables ? &*tables : nullptr, lanes ? &*lanes : nullptr, options.service_level);
  write_answer(options.json, json_of(fabric, found, options), text_of(fabric, found, options));
  if (found.problems.empty()) return;
  throw StuckError(
      fmt::format("{}: {}; correct cables or tables", shown(options.fabric.path), fmt::join(found.problems, ", ")),
      found.detail);
}

}  // namespace weft::tools
