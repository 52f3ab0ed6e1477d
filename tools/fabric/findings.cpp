// Judges cables, then routes; see the header.
#include "tools/fabric/findings.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/fabric/host_names.hpp"

namespace weft::tools {
namespace {

using models::Connection;
using models::ForwardingTables;
using models::Peer;
using models::RouteEnd;
using models::RouteFault;
using models::RouteSurvey;
using models::Subnet;

constexpr std::size_t most_named = 20;

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

void add_balance(const Subnet& subnet, FabricFindings& found) {
  const std::vector<u32>& levels = found.levels.level;
  std::map<std::pair<u32, u32>, LevelBalance> groups;
  for_switch_channels(subnet, [&](u32 s, u32 channel, u32 far) {
    // As ibdmchk counts: switches that no route visits are left out.
    if (found.routes->visited[s] != 0) ++found.destinations[found.routes->targets_through[channel]];
    const u64 load = found.routes->routes_through[channel];
    LevelBalance& group = levels.empty() ? groups[{0, 0}] : groups[{levels[s], levels[far]}];
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

std::string fault_line(const Subnet& subnet, const ForwardingTables& tables, const RouteFault& fault) {
  std::string where = shown(subnet.switch_label(fault.at));
  if (fault.end == RouteEnd::loops) {
    const std::vector<u32> loop = models::loop_from(subnet, tables, fault.at, fault.target);
    where.clear();
    for (std::size_t ix = 0; ix < std::min<std::size_t>(loop.size(), 8); ++ix)
      where += (ix == 0 ? "" : ", ") + shown(subnet.switch_label(loop[ix]));
    if (loop.size() > 8) where += fmt::format(" and {} more", loop.size() - 8);
  }
  const u32 lid = tables.lid_of(subnet, fault.target);
  return fmt::format("{} to {} (LID {}) {}: {}; e.g. from {}\n", counted(fault.routes, "route"),
                     shown(subnet.host_label(tables.host_of(fault.target))), lid, route_end_name(fault.end), where,
                     host_text(subnet, fault.host));
}

/// Names of some of many.
template <class Name>
std::string some_of(const std::vector<u32>& numbers, Name name) {
  std::string text;
  for (std::size_t ix = 0; ix < std::min(numbers.size(), most_named); ++ix)
    text += fmt::format("  {}\n", name(numbers[ix]));
  if (numbers.size() > most_named) text += fmt::format("  and {} more\n", grouped(numbers.size() - most_named));
  return text;
}

void judge_connection(const Subnet& subnet, FabricFindings& found) {
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
  std::map<u32, u32> some_switch;  // with hosts, of each part
  const std::vector<u32> hosts = models::hosts_of_switches(subnet);
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (hosts[s] > 0) some_switch.emplace(connection.part_of[s], s);
  }
  std::size_t lines = 0;
  for (const auto& [part, s] : some_switch) {
    if (lines++ == most_named) break;
    found.detail += fmt::format("a part with {}: that of switch '{}'\n", counted(connection.hosts_in[part], "host"),
                                shown(subnet.switch_label(s)));
  }
}

/// Switches with other cables that have not a single entry.
u64 switches_without_table(const Subnet& subnet, const ForwardingTables& tables) {
  std::vector<u8> has(subnet.switches(), 0);
  for (u32 t = 0; t < tables.targets(); ++t) {
    const u8* const row = tables.row(t);
    for (u32 s = 0; s < subnet.switches(); ++s) has[s] |= row[s] != ForwardingTables::none ? 1 : 0;
  }
  u64 without = 0;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    bool cabled = false;
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port)
      cabled = cabled || subnet.peer(s, port).kind != Peer::Kind::none;
    without += cabled && has[s] == 0 ? 1 : 0;
  }
  return without;
}

void judge_routes(const Subnet& subnet, const ForwardingTables& tables, FabricFindings& found) {
  const RouteSurvey& routes = *found.routes;
  const u64 lost = routes.routes - routes.ends[0];
  if (const u64 without = switches_without_table(subnet, tables); without > 0 && routes.ends[1] > 0) {
    found.problems.push_back(fmt::format("{} of {} have no table (the file of tables is cut off, or lacks them)",
                                         grouped(without), counted(subnet.switches(), "switch")));
  }
  if (lost > 0) {
    found.problems.push_back(fmt::format("{} of {} routes do not arrive", grouped(lost), grouped(routes.routes)));
    for (std::size_t ix = 0; ix < std::min(routes.faults.size(), most_named); ++ix)
      found.detail += fault_line(subnet, tables, routes.faults[ix]);
    const RouteFault& first = routes.faults.front();
    if (routes.faults.size() == 1 && first.end == RouteEnd::no_entry && tables.lid_of(subnet, first.target) % 64 == 0)
      found.detail +=
          "(dump_lfts of infiniband-diags leaves out the highest LID of a fabric if it is a multiple of 64)\n";
    if (routes.faults.size() > most_named)
      found.detail +=
          fmt::format("and {}{} more\n", routes.faults.size() == RouteSurvey::most_faults ? "at least " : "",
                      grouped(routes.faults.size() - most_named));
  }
}

void judge_loops(const Subnet& subnet, u32 layers, FabricFindings& found) {
  if (found.loops->tangles == 0) return;
  if (layers > 1) {
    found.warnings.push_back(fmt::format(
        "credit loops, if all routes use one virtual lane; the {} virtual layers of the engine break them", layers));
    return;
  }
  found.problems.push_back("there are credit loops");
  found.detail += "a credit loop, in which each channel waits for the next:\n" +
                  models::cycle_text(subnet, found.loops->cycle, found.lanes > 1, "  ");
}

std::string channel_text(const Subnet& subnet, u32 channel) { return shown(subnet.channel_name(channel)); }

/// Cables that work, but are slow or seem plugged in wrongly.
void judge_cables(const Subnet& subnet, FabricFindings& found) {
  const std::vector<u32>& levels = found.levels.level;
  found.slow = models::slow_links(subnet, levels);
  found.crossed = models::crossed_cables(subnet, levels);
  found.beyond_levels = models::cables_beyond_levels(subnet, levels);
  found.missing = models::missing_cables(subnet, levels);
  const auto add = [&found](std::size_t ix, const std::string& text) {
    if (ix < most_named) found.warnings.push_back(text);
  };
  const auto more = [&found](std::size_t all, const std::string& what) {
    if (all > most_named) found.warnings.push_back(fmt::format("and {} {}", grouped(all - most_named), what));
  };
  for (std::size_t ix = 0; ix < found.slow.size(); ++ix) {
    const models::SlowLink& slow = found.slow[ix];
    add(ix, fmt::format("slow cable: {} is {}, where {} of its like are {}", channel_text(subnet, slow.channel),
                        slow.speed.text(), grouped(slow.alike), slow.usual.text()));
  }
  more(found.slow.size(), "more slow cables");
  for (std::size_t ix = 0; ix < found.crossed.size(); ++ix) {
    const models::CrossedCables& pair = found.crossed[ix];
    add(ix,
        fmt::format("crossed cables? {} and {} seem to have {}", channel_text(subnet, pair.one),
                    channel_text(subnet, pair.other),
                    pair.by_levels ? "ends exchanged (neither leads from a level to the next, and both would)"
                                   : "their far ends exchanged (other switches beside them share their neighbours)"));
  }
  more(found.crossed.size(), "more pairs of cables that seem crossed");
  std::vector<models::CableBeyondLevels> wrong;
  std::ranges::copy_if(found.beyond_levels, std::back_inserter(wrong),
                       [&found](const models::CableBeyondLevels& cable) {
                         return std::ranges::none_of(found.crossed, [&cable](const models::CrossedCables& pair) {
                           return pair.one == cable.channel || pair.other == cable.channel;
                         });
                       });
  for (std::size_t ix = 0; ix < wrong.size(); ++ix) {
    const models::CableBeyondLevels& cable = wrong[ix];
    add(ix,
        fmt::format("wrong cable? {} {}, where nearly all others lead to the next", channel_text(subnet, cable.channel),
                    cable.from == cable.to ? "stays on one level"
                                           : fmt::format("leads from level {} to level {}", cable.from, cable.to)));
  }
  more(wrong.size(), "more cables that do not lead to the next level");
  static constexpr std::array<const char*, 3> where{" upwards", " downwards", " to other switches"};
  for (std::size_t ix = 0; ix < found.missing.size(); ++ix) {
    const models::MissingCables& missing = found.missing[ix];
    add(ix, fmt::format("missing cable? {} has {}{}, where {} of {} switches like it have {}",
                        shown(subnet.switch_label(missing.at_switch)), counted(missing.cables, "cable"),
                        where[static_cast<std::size_t>(missing.where)], grouped(missing.alike), grouped(missing.all),
                        missing.usual));
  }
  more(found.missing.size(), "more switches with fewer cables than their like");
}

/// Tables that leave links idle or overload some, judged by routes of all hosts to all others.
void judge_balance(FabricFindings& found) {
  constexpr double much = 2.0;
  if (found.routes->ends[0] == 0) return;
  for (const LevelBalance& group : found.balance) {
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

}  // namespace

CountHistogram count_histogram(const std::vector<u64>& counts) {
  CountHistogram result;
  for (std::size_t ix = 0; ix < counts.size(); ++ix) {
    if (counts[ix] > 0) result[ix] = counts[ix];
  }
  return result;
}

std::string route_end_name(RouteEnd end) {
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

std::string verdict_word(const FabricFindings& found) {
  return !found.problems.empty() ? "broken" : found.warnings.empty() ? "sound" : "works";
}

std::string verdict_text(const FabricFindings& found) {
  if (!found.problems.empty()) return fmt::format("no: {}", fmt::join(found.problems, ", "));
  const char* const limit = found.routes ? "" : ", as far as cables go";
  if (found.warnings.empty()) return fmt::format("yes{}", limit);
  return fmt::format("it works, but see {}{}", counted(found.warnings.size(), "warning"), limit);
}

std::string warnings_text(const FabricFindings& found) {
  std::string text, heading = found.warnings.size() == 1 ? "warning" : "warnings";
  for (const std::string& warning : found.warnings) {
    text += labelled(heading, warning);
    heading.clear();
  }
  return text;
}

std::string verdict_lines(const FabricFindings& found) {
  return labelled("sound", verdict_text(found)) + warnings_text(found);
}

FabricFindings examine_cables(const Fabric& fabric) { return examine_fabric(fabric, {}); }

namespace {

/// Links that run below what both of their ends can, where they are few; a width that no port of a simulated fabric
/// uses is said of all of them.
void judge_faster(const Subnet& subnet, std::span<const FasterLink> faster, FabricFindings& found) {
  constexpr std::size_t odd_share = 8;
  const u64 links = subnet.switch_links() + subnet.host_links();
  const auto speeds = static_cast<u64>(std::ranges::count_if(
      faster, [](const FasterLink& link) { return link.could_be.find("bps") != std::string::npos; }));
  if (faster.size() > 1 && faster.size() * odd_share > links) {
    if (speeds > 0)
      found.warnings.push_back(
          fmt::format("{} of {} cables are slower than both of their ends could be", grouped(speeds), grouped(links)));
    return;
  }
  for (const FasterLink& link : faster) {
    const u32 channel = subnet.channel(link.at_switch, link.at_port);
    found.warnings.push_back(fmt::format("slow cable: {} is {}, and could be {}", channel_text(subnet, channel),
                                         subnet.speed(channel).text(), link.could_be));
  }
}

}  // namespace

FabricFindings examine_fabric(const Fabric& fabric, const RoutesInUse& in_use) {
  return examine_fabric(fabric.subnet, fabric.faster, in_use);
}

FabricFindings examine_fabric(const Subnet& subnet, std::span<const FasterLink> faster, const RoutesInUse& in_use) {
  FabricFindings found;
  found.connection = models::connection_of(subnet);
  found.levels = models::fabric_levels(subnet);
  judge_connection(subnet, found);
  judge_cables(subnet, found);
  judge_faster(subnet, faster, found);
  if (in_use.tables == nullptr) return found;
  found.routes = models::survey_routes(subnet, *in_use.tables);
  found.loops = models::find_credit_loops(subnet, *in_use.tables, in_use.lanes, in_use.service_level);
  found.lanes = in_use.lanes == nullptr ? 1 : in_use.lanes->lanes();
  add_balance(subnet, found);
  judge_balance(found);
  judge_routes(subnet, *in_use.tables, found);
  judge_loops(subnet, in_use.layers, found);
  return found;
}

}  // namespace weft::tools
