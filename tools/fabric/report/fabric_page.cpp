// Sections of the page, one function each, and the table of channels.
#include "tools/fabric/report/fabric_page.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>

#include "engine/base/text/csv.hpp"
#include "engine/base/text/markup.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/transport.hpp"
#include "models/subnet/dependencies.hpp"
#include "models/subnet/distances.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/findings.hpp"
#include "tools/fabric/flow_experiment.hpp"
#include "tools/fabric/flow_runs.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/host_rate.hpp"
#include "tools/fabric/report/fabric_drawing.hpp"
#include "tools/fabric/report/fabric_figure.hpp"
#include "tools/fabric/report/measured_page.hpp"
#include "tools/fabric/routed_state.hpp"
#include "tools/report/page/page.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::RouteEnd;
using models::Subnet;

/// A load up to so many times the mean is no worse than the others.
constexpr double even_load = 1.1;
constexpr std::size_t worst_links = 25, marked_links = 10, most_shown = 20;

/// Channels between switches with most routes, the most loaded first.
std::vector<u32> worst_of(const Subnet& subnet, const models::RouteSurvey& survey, std::size_t most) {
  std::vector<u32> channels;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const u32 channel = subnet.channel(s, port);
      if (subnet.peer(s, port).kind == Peer::Kind::router && survey.routes_through[channel] > 0)
        channels.push_back(channel);
    }
  }
  std::ranges::stable_sort(channels, [&](u32 a, u32 b) { return survey.routes_through[a] > survey.routes_through[b]; });
  if (channels.size() > most) channels.resize(most);
  return channels;
}

double mean_links(const models::RouteSurvey& survey) {
  u64 routes = 0, links = 0;
  for (std::size_t n = 0; n < survey.links.size(); ++n) {
    routes += survey.links[n];
    links += survey.links[n] * n;
  }
  return routes == 0 ? 0 : static_cast<double>(links) / static_cast<double>(routes);
}

std::string facts_section(const FabricPage& page, const FlowSummary* flows) {
  const Subnet& subnet = page.fabric.subnet;
  std::string rows;
  const auto row = [&rows](const std::string& name, const std::string& value) {
    rows += fmt::format("<tr><td>{}</td><td class=\"text\">{}</td></tr>\n", name, escaped(value));
  };
  row("read from", form_name(page.fabric.form));
  row("hosts", grouped(subnet.hosts()));
  row("switches", grouped(subnet.switches()));
  if (page.fabric.nodes_left_out() > 0) row("left out", page.fabric.left_out_text());
  const std::vector<u64> levels = page.found.levels.switches();
  row("levels", levels.empty() ? "none (links within a level, or none at all)"
                               : fmt::format("{}, from the hosts up: {}", levels.size(), fmt::join(levels, ", ")));
  row("links between switches", grouped(subnet.switch_links()));
  row("links to hosts", grouped(subnet.host_links()));
  std::string speeds;
  for (const auto& [speed, links] : page.fabric.speeds)
    speeds += fmt::format("{}{}: {}", speeds.empty() ? "" : ", ", speed, counted(links, "link"));
  if (!speeds.empty()) row("speeds", speeds);
  row("routing", page.routing + (page.layers > 1 ? fmt::format(", {} virtual layers", page.layers) : ""));
  row("routes that arrive", fmt::format("{} of {}", grouped(page.survey.ends[0]), grouped(page.survey.routes)));
  row("links of a route, mean", fixed(mean_links(page.survey), 3));
  if (flows != nullptr) {
    row("effective bisection bandwidth",
        percent(flows->mean, 2) + (flows->patterns > 1 ? plus_minus(100 * flows->ci95) + " (95 % confidence)" : ""));
    const double all_to_all = all_to_all_bandwidth(subnet, page.tables, largest_part(subnet));
    const double gbps = usual_gbps(page.fabric);
    row("all-to-all bandwidth",
        percent(all_to_all, 2) + " of a link" + (gbps > 0 ? ", " + host_rate(all_to_all, gbps) + " a host" : ""));
  }
  return "<table>\n" + rows + "</table>\n";
}

/// A finding, and details as a list of which no more than some are shown.
std::string warning(const std::string& text, const std::vector<std::string>& details) {
  std::string out = paragraph(text, "warning");
  if (details.empty()) return out;
  out += "<ul>\n";
  for (std::size_t ix = 0; ix < std::min(details.size(), most_shown); ++ix)
    out += fmt::format("<li>{}</li>\n", escaped(details[ix]));
  if (details.size() > most_shown) out += fmt::format("<li>and {} more</li>\n", grouped(details.size() - most_shown));
  return out + "</ul>\n";
}

std::string soundness_section(const FabricFindings& found) {
  if (verdict_word(found) == "sound")
    return paragraph("Everything is connected, every route arrives, and there is no credit loop.", "");
  std::string out;
  if (!found.problems.empty()) {
    std::vector<std::string> details;
    for_each_line(found.detail, [&details](std::string_view line) { details.emplace_back(line); });
    out += warning(fmt::format("Sound: {}.", verdict_text(found)), details);
  }
  if (!found.warnings.empty())
    out += warning(counted(found.warnings.size(), "warning") + " about what works, but not as well as it could:",
                   found.warnings);
  return out;
}

/// Patterns by bandwidth in at most 40 steps of whole permilles between the least and the largest.
void add_bandwidths(page::Page& out, const FabricPage& page, const FlowSummary* flows) {
  if (flows == nullptr) {
    out.note("Bandwidth is not measured: there are routes that do not arrive, or fewer than two hosts.");
    return;
  }
  const double step = std::max(0.001, std::ceil((flows->max - flows->min) * 1000 / 40) / 1000);
  const double low = std::floor(flows->min / step) * step;
  std::vector<double> counts(static_cast<std::size_t>((flows->max - low) / step) + 1, 0);
  for (const double value : flows->bandwidths)
    ++counts[std::min(counts.size() - 1, static_cast<std::size_t>((value - low) / step))];
  page::Json x = page::Json::array(), y = x;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    x.push_back(low + step * (static_cast<double>(b) + 0.5));
    y.push_back(counts[b]);
  }
  const std::string text = fmt::format(
      "{} of seed {}: mean {}{}, from {} to {}. Half of the hosts send to the other half; a route gets 1 / "
      "(most routes on any of its links).",
      flows->patterns == 1 ? "1 pattern" : grouped(flows->patterns) + " patterns", page.seed, percent(flows->mean, 2),
      flows->patterns > 1 ? plus_minus(100 * flows->ci95) + " (95 % confidence)" : "", percent(flows->min, 2),
      percent(flows->max, 2));
  out.figure({{"kind", "curves"},
              {"title", "Bandwidth of random bisect patterns"},
              {"caption", text},
              {"own", true},
              {"x", {{"label", "bandwidth of a pattern, of a link's"}, {"quantity", "share"}, {"tight", true}}},
              {"y", {{"label", "patterns"}}},
              {"lines", page::Json::array({{{"x", flows->mean}, {"label", "mean"}}})},
              {"series", page::Json::array({{{"label", "patterns"}, {"x", x}, {"y", y}, {"draw", "bars"}}})}});
}

void add_lengths(page::Page& out, const FabricPage& page) {
  out.figure({{"kind", "curves"},
              {"title", "Length of routes"},
              {"caption", "Links of every route, those of both hosts included."},
              {"own", true},
              {"x", {{"label", "links of a route"}, {"whole", true}}},
              {"y", {{"label", "routes"}}},
              {"series", page::Json::array({{{"label", "routes"}, {"y", page.survey.links}, {"draw", "bars"}}})}});
}

std::string worst_section(const FabricPage& page, const models::RouteSurvey& loads, const std::vector<u32>& worst,
                          const FabricDrawing& drawing) {
  const Subnet& subnet = page.fabric.subnet;
  if (worst.empty()) return paragraph("No route passes from a switch to another.", "");
  const bool weighed = !models::relative_rates(subnet).empty();
  const u64 most = loads.routes_through[worst.front()];
  u64 alike = 0;
  for (u32 channel = 0; channel < subnet.switch_channels(); ++channel) {
    const Peer from = subnet.owner(channel);
    const bool between = subnet.peer(from.id, from.port).kind == Peer::Kind::router;
    alike += between && loads.routes_through[channel] == most ? 1 : 0;
  }
  std::string out = paragraph(
      fmt::format(
          "Channels between switches with most routes{} ({} of them {} {}); the mean of those that are used is {}. "
          "The fraction is that of all routes that arrive; targets are addresses that are reached over the channel.",
          weighed ? ", each of which counts by how much slower than usual the link is" : "", grouped(alike),
          alike == 1 ? "has" : "have", grouped(most), significant(mean_load(subnet, loads))),
      "soft");
  out +=
      "<div class=\"scroll\"><table>\n<tr><th>#</th><th>from</th><th>port</th><th>to</th><th>port</th><th>routes</th>"
      "<th>fraction</th><th>targets</th>";
  out += weighed ? "<th>speed</th></tr>\n" : "</tr>\n";
  u32 rank = 0;
  for (const u32 channel : worst) {
    const Peer from = subnet.owner(channel), to = subnet.peer(from.id, from.port);
    const std::pair<u32, u32> pair = std::minmax(from.id, to.id);
    const std::string number = drawing.anchors.contains(pair)
                                   ? fmt::format("<a href=\"#{}\">{}</a>", link_id(pair), ++rank)
                                   : fmt::format("{}", ++rank);
    const u64 routes = page.survey.routes_through[channel];
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}</tr>\n", number,
        escaped(shown(subnet.switch_label(from.id), 80)), from.port, escaped(shown(subnet.switch_label(to.id), 80)),
        to.port, grouped(routes), percent(static_cast<double>(routes) / static_cast<double>(page.survey.ends[0]), 2),
        grouped(page.survey.targets_through[channel]),
        weighed ? fmt::format("<td>{}</td>", escaped(subnet.speed(channel).text())) : "");
  }
  return out + "</table></div>\n";
}

/// Random bisect patterns; nothing if they cannot be sent.
std::vector<FlowSummary> measured(const FabricPage& page) {
  const Subnet& subnet = page.fabric.subnet;
  if (page.survey.ends[0] != page.survey.routes || subnet.host_links() < 2) return {};
  FlowSettings settings;
  settings.pattern = workloads::pattern_named("bisect");
  settings.seed = page.seed;
  FlowExperiment experiment(subnet, page.tables, std::move(settings));
  const auto transport = engine::single_process();
  Progress quiet(Progress::Mode::never, std::cerr, false);
  return {run_flows(experiment, {.count = page.patterns, .precision = 0}, *transport, quiet)};
}

/// What a channel carried; null: nobody counted.
void add_counters(CsvText& text, const MeasuredChannel* measured) {
  if (measured == nullptr) {
    for (int cell = 0; cell < 3; ++cell) text.cell(std::string());
    return;
  }
  text.cell(measured->octets);
  text.cell(measured->load);
  text.cell(measured->wait);
}

}  // namespace

std::string fabric_page(const FabricPage& page) {
  const Subnet& subnet = page.fabric.subnet;
  const std::vector<FlowSummary> measurement = measured(page);
  const FlowSummary* const flows = measurement.empty() ? nullptr : measurement.data();
  const models::RouteSurvey loads = routes_by_rates(subnet, page.survey);
  const std::vector<u32> worst = worst_of(subnet, loads, worst_links);
  // Where all links carry much the same, none is worse than the others.
  std::vector<u32> marked = worst;
  marked.resize(std::min(marked.size(), marked_links));
  const double mean = mean_load(subnet, loads);
  std::erase_if(marked,
                [&](u32 channel) { return static_cast<double>(loads.routes_through[channel]) <= even_load * mean; });
  const FabricDrawing drawing = draw_fabric(subnet, colours_by_routes(subnet, loads, marked));
  const std::string name = shown(page.fabric.name);
  page::Page out(name);
  out.style(drawing_style);
  out.section("facts", "Facts");
  out.markup({{"title", "The fabric"}}, facts_section(page, flows));
  out.markup({{"title", "What is wrong"}}, soundness_section(page.found));
  out.section("drawing", "Drawing");
  add_drawing(out, subnet, drawing, &page.tables);
  out.section("charts", "Bandwidth and length");
  add_bandwidths(out, page, flows);
  add_lengths(out, page);
  if (page.measured != nullptr) add_measured(out, page.fabric, *page.measured);
  out.section("worst", "Worst links");
  out.markup({{"wide", true}}, worst_section(page, loads, worst, drawing));
  return out.html();
}

u64 write_channels(const FabricPage& page, const std::function<void(std::string_view)>& write) {
  const Subnet& subnet = page.fabric.subnet;
  // What a host sends: its switch's routes that arrive, but those to itself.
  std::vector<u64> arriving(subnet.switches(), 0), own(subnet.hosts(), 0);
  models::TargetTree tree(subnet, page.tables);
  for (u32 t = 0; t < page.tables.targets(); ++t) {
    tree.walk(t);
    const u32 host = page.tables.host_of(t);
    for (const u32 s : tree.switches()) {
      if (tree.end(s) != RouteEnd::arrives) continue;
      ++arriving[s];
      if (const Peer home = subnet.peer_of_host(host); home.kind == Peer::Kind::router && home.id == s) ++own[host];
    }
  }
  CsvText text;
  for (const char* name : {"from", "port", "to", "port", "targets", "routes"}) text.cell(name);
  if (page.measured != nullptr) {
    for (const char* name : {"octets", "load", "waited"}) text.cell(name);
  }
  text.end_row();
  u64 rows = 0;
  for (u32 channel = 0; channel < subnet.channels(); ++channel) {
    const Peer from = subnet.owner(channel);
    const bool of_host = from.kind == Peer::Kind::node;
    const Peer to = of_host ? subnet.peer_of_host(from.id) : subnet.peer(from.id, from.port);
    if (to.kind == Peer::Kind::none) continue;
    const auto add_end = [&](const Peer& end) {
      const bool host = end.kind == Peer::Kind::node;
      text.cell(host ? subnet.host_label(end.id) : subnet.switch_label(end.id));
      text.cell(host ? subnet.host_at(end.id).port : end.port);
    };
    const u64 sent = of_host ? arriving[to.id] - own[from.id] : 0;
    add_end(from);
    add_end(to);
    text.cell(of_host ? sent : page.survey.targets_through[channel]);
    text.cell(of_host ? sent : page.survey.routes_through[channel]);
    if (page.measured != nullptr) add_counters(text, page.measured->find(channel));
    text.end_row();
    ++rows;
    if (text.size() >= 1 << 16) write(text.take());
  }
  write(text.take());
  return rows;
}

}  // namespace weft::tools
