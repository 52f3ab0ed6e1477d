// Bundles of links and switches as SVG; see the header.
#include "tools/fabric/report/fabric_drawing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numbers>

#include "engine/base/text/markup.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/report/fabric_layout.hpp"
#include "tools/fabric/routed_state.hpp"

namespace weft::tools {

const char* const drawing_style = R"css(
.kind-fabric .scroll { max-height: none; } svg.fabric { display: block; width: 100%; height: auto; min-width: 40rem; } svg.fabric text { fill: var(--soft); }
svg.fabric .link { fill: none; stroke-width: 1.2; stroke-opacity: .85; }
svg.fabric .link:hover, svg.fabric .link:target { stroke-width: 6; stroke-opacity: 1; }
.l0 { stroke: #a9b4c0; background: #a9b4c0; } .l1 { stroke: #6fa8dc; background: #6fa8dc; }
.l2 { stroke: #2a78d6; background: #2a78d6; } .l3 { stroke: #d9a021; background: #d9a021; }
.l4 { stroke: #e8702a; background: #e8702a; } .l5 { stroke: #c91f1f; background: #c91f1f; }
.idle { stroke: var(--soft); stroke-dasharray: 2 3; } svg.fabric .link.idle { stroke-opacity: .35; }
svg.fabric .link.worst { stroke-width: 3.5; stroke-opacity: 1; }
svg.fabric .switch { fill: var(--text); } svg.fabric .hosts { fill: var(--series-2); }
svg.fabric .cable { stroke: var(--series-2); stroke-width: 1; } svg.fabric text { font-size: 11px; }
svg.fabric .switch.idle { fill: var(--soft); stroke: none; } svg.fabric .switch.l0 { fill: #a9b4c0; }
svg.fabric .switch.l1 { fill: #6fa8dc; } svg.fabric .switch.l2 { fill: #2a78d6; } svg.fabric .switch.l3 { fill: #d9a021; }
svg.fabric .switch.l4 { fill: #e8702a; } svg.fabric .switch.l5 { fill: #c91f1f; }
svg.fabric.searched .link { stroke-opacity: .08; } svg.fabric.searched .link.on { stroke-opacity: 1; stroke-width: 2.5; }
svg.fabric.searched [data-switch] { fill-opacity: .25; } svg.fabric.searched [data-switch].on { fill-opacity: 1; }
svg.fabric [data-switch].chosen { stroke: var(--series-1); stroke-width: 4; paint-order: stroke; }
.fabric-search { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: .4rem; }
.fabric-search input { font: inherit; flex: 0 1 18rem; min-width: 0; } .fabric-search + output { display: block; min-height: 1.4em; overflow-wrap: anywhere; }
.legend i { display: inline-block; margin-right: .35rem; vertical-align: middle; } .legend i.swatch { height: .3rem; width: 1.5rem; }
)css";

namespace {

using models::Peer;
using models::Subnet;

constexpr u32 most_bundles = 2500, named_in_row = 16;
/// Upper ends of the classes of load, as multiples of the mean over the links that are used.
constexpr std::array<double, 5> load_ends = {0.5, 0.9, 1.1, 1.5, 2.0};

CableBundles bundles_of(const Subnet& subnet, const DrawingColours& colours) {
  CableBundles bundles;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer far = subnet.peer(s, port);
      if (far.kind != Peer::Kind::router || far.id == s) continue;
      const u32 channel = subnet.channel(s, port);
      const auto [at, fresh] = bundles.try_emplace({std::min(s, far.id), std::max(s, far.id)});
      CableBundle& bundle = at->second;
      bundle.cables += s < far.id ? 1 : 0;
      if (const double value = colours.values.empty() ? 0 : colours.values[channel]; value > bundle.value || fresh) {
        bundle.value = value;
        bundle.channel = channel;
      }
      if (std::ranges::find(colours.marked, channel) != colours.marked.end()) bundle.marked = true;
    }
  }
  return bundles;
}

std::string colour_class(double value, const std::vector<double>& ends) {
  if (!(value > 0)) return "idle";
  std::size_t c = 0;
  while (c < ends.size() && value > ends[c]) ++c;
  return fmt::format("l{}", c);
}

/// Only classes up to that of the highest value.
std::string legend_of(const DrawingColours& colours, double least, double most, bool ring) {
  std::string out = "<p class=\"legend\">" + escaped(colours.heading) + ": ";
  if (!(least > 0)) {
    out += fmt::format("<span><i class=\"swatch idle\" style=\"border-top:2px dotted\"></i>{}</span> ",
                       escaped(colours.idle));
  }
  const std::size_t classes = colours.ends.size();
  for (std::size_t c = 0; c <= classes && most > 0; ++c) {
    const bool last = c == classes;
    if (c > 0 && most <= colours.ends[c - 1]) break;
    out += fmt::format("<span><i class=\"swatch l{}\"></i>{} {}</span> ", c, last ? "more than" : "up to",
                       escaped(colours.value_words(colours.ends[last ? c - 1 : c])));
  }
  if (!colours.remark.empty()) out += fmt::format("<span>{}.</span> ", escaped(colours.remark));
  return out + fmt::format(
                   "<span><i class=\"swatch\" style=\"background:var(--series-2)\"></i>hosts{}; their cables "
                   "are not coloured</span></p>\n",
                   ring ? "" : " under their switch");
}

/// The hosts at a switch: a dot as large as they are many, with their names.
std::string draw_hosts(const Subnet& subnet, u32 s, const DrawnPlace& at) {
  std::vector<u32> hosts;
  for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
    if (subnet.peer(s, port).kind == Peer::Kind::node) hosts.push_back(subnet.peer(s, port).id);
  }
  if (hosts.empty()) return "";
  std::string names;
  for (std::size_t ix = 0; ix < std::min<std::size_t>(hosts.size(), 8); ++ix)
    names += (ix == 0 ? "" : ", ") + shown(subnet.host_label(hosts[ix]), 60);
  if (hosts.size() > 8) names += fmt::format(" and {} more", hosts.size() - 8);
  const double x = at.x + 20 * at.away_x, y = at.y + 20 * at.away_y;
  return fmt::format(
      "<line class=\"cable\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/><circle class=\"hosts\" "
      "data-switch=\"{}\" "
      "cx=\"{:.1f}\" "
      "cy=\"{:.1f}\" r=\"{:.1f}\"><title>{} at {}: {}</title></circle>\n",
      at.x, at.y, x, y, s, x, y, std::min(7.0, 2 + std::sqrt(static_cast<double>(hosts.size()))),
      counted(hosts.size(), "host"), escaped(shown(subnet.switch_label(s), 60)), escaped(names));
}

std::string draw_switch(const Subnet& subnet, u32 s, const DrawnPlace& at, double size, const DrawingColours& colours) {
  u32 cabled = 0;
  for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port)
    cabled += subnet.peer(s, port).kind == Peer::Kind::none ? 0 : 1;
  const bool coloured = !colours.switch_values.empty();
  if (coloured) size = std::max(size, 8.0);
  return fmt::format(
      "<rect class=\"switch{}\" data-switch=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\"><title>{}: "
      "{} of {} cabled{}</title></rect>\n",
      coloured ? " " + colour_class(colours.switch_values[s], colours.ends) : "", s, at.x - size / 2, at.y - size / 2,
      size, size, escaped(shown(subnet.switch_label(s), 60)), cabled, counted(subnet.switch_at(s).ports, "port"),
      coloured ? "; " + escaped(colours.switch_words(s)) : "");
}

/// The digits of a name in each of its runs of them; the same name without them is its form.
std::vector<std::pair<std::size_t, std::size_t>> digit_runs(const std::string& name, std::string& form) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  form.clear();
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && digit(name[end])) ++end;
    if (end > at) runs.emplace_back(at, end);
    form += end > at ? '#' : name[at];
    at = std::max(end, at + 1);
  }
  return runs;
}

/// Gives switches that share a short name the words in which their names differ.
void tell_apart(const Subnet& subnet, std::size_t most, std::vector<std::string>& names) {
  std::map<std::string, std::vector<u32>> sharing;
  for (u32 s = 0; s < names.size(); ++s) sharing[names[s]].push_back(s);
  for (const auto& [unused, switches] : sharing) {
    if (switches.size() < 2) continue;
    const std::string& first = subnet.switch_label(switches.front());
    std::size_t front = first.size(), back = first.size();  // characters that all have in common at both ends
    for (const u32 s : switches) {
      const std::string& name = subnet.switch_label(s);
      const auto differ = std::ranges::mismatch(first, name);
      front = std::min(front, static_cast<std::size_t>(differ.in1 - first.begin()));
      const auto reversed = std::mismatch(first.rbegin(), first.rend(), name.rbegin(), name.rend());
      back = std::min(back, static_cast<std::size_t>(reversed.first - first.rbegin()));
    }
    std::size_t word = front;
    while (word > 0 && first[word - 1] != ' ') --word;
    for (const u32 s : switches) {
      const std::string_view name = subnet.switch_label(s);
      const std::size_t last = std::max(front + 1, name.size() - std::min(back, name.size())) - 1;
      const std::size_t end = std::min(name.find(' ', last), name.size());
      const std::size_t begin = end - word <= most ? word : front;
      names[s] = shown(name.substr(begin, end - begin), most);
    }
  }
}

/// Short names of switches: of names that differ in some of their numbers only, the words from the first such number
/// to the last, of others that would be alike the words that differ; what is still too long loses its middle.
std::vector<std::string> short_names(const Subnet& subnet) {
  constexpr std::size_t most = 14;
  std::map<std::string, std::vector<u32>> forms;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> runs(subnet.switches());
  std::string form;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    runs[s] = digit_runs(subnet.switch_label(s), form);
    forms[form].push_back(s);
  }
  std::vector<std::string> names(subnet.switches());
  for (const auto& [unused, switches] : forms) {
    const auto part = [&](u32 s, std::size_t k) {
      return std::string_view(subnet.switch_label(s)).substr(runs[s][k].first, runs[s][k].second - runs[s][k].first);
    };
    std::size_t first = SIZE_MAX, last = 0;
    for (std::size_t k = 0; k < runs[switches.front()].size(); ++k) {
      if (std::ranges::all_of(switches, [&](u32 s) { return part(s, k) == part(switches.front(), k); })) continue;
      first = std::min(first, k);
      last = k;
    }
    for (const u32 s : switches) {
      const std::string& name = subnet.switch_label(s);
      std::size_t begin = 0, end = name.size();
      if (name.size() > most && first != SIZE_MAX) {
        const auto in_word = [&name](std::size_t at) {
          return std::isalnum(static_cast<unsigned char>(name[at])) != 0 || name[at] == '-' || name[at] == '_';
        };
        begin = runs[s][first].first;
        end = runs[s][last].second;
        while (begin > 0 && in_word(begin - 1) && end - begin < most) --begin;
      }
      names[s] = shown(std::string_view(name).substr(begin, end - begin), most + 4);
    }
  }
  tell_apart(subnet, most + 4, names);
  return names;
}

std::string draw_name(const std::string& short_name, const DrawnPlace& at, double distance, bool turned) {
  const double x = at.x + distance * at.away_x, y = at.y + distance * at.away_y;
  const std::string name = escaped(short_name);
  if (!turned) return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, y, name);
  double angle = std::atan2(at.away_y, at.away_x) * 180 / std::numbers::pi;
  const bool left = std::abs(angle) > 90;
  if (left) angle += 180;
  return fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" text-anchor=\"{}\" dominant-baseline=\"middle\">{}"
      "</text>\n",
      x, y, angle, left ? "end" : "start", name);
}

std::string draw_link(const Subnet& subnet, std::pair<u32, u32> ends, const CableBundle& bundle,
                      const DrawnLayout& layout, const DrawingColours& colours) {
  const DrawnPlace &a = layout.places[ends.first], &b = layout.places[ends.second];
  std::string path = fmt::format("M{:.1f} {:.1f}", a.x, a.y);
  if (layout.ring()) {
    // Bent towards the middle, so that links between neighbours on the ring do not hide it.
    const double pull = 0.85 - 0.4 * std::hypot(a.x - b.x, a.y - b.y) / (2 * layout.radius);
    const double x = drawing_width / 2 + ((a.x + b.x) / 2 - drawing_width / 2) * pull;
    const double y = layout.height / 2 + ((a.y + b.y) / 2 - layout.height / 2) * pull;
    path += fmt::format("Q{:.1f} {:.1f} {:.1f} {:.1f}", x, y, b.x, b.y);
  } else {
    path += fmt::format("L{:.1f} {:.1f}", b.x, b.y);
  }
  const std::string cables = bundle.cables > 1 ? fmt::format("; {} cables side by side", bundle.cables) : "";
  const std::string words = colours.link_words ? ": " + colours.link_words(bundle.channel) : "";
  return fmt::format("<path{} class=\"link {}{}\" data-a=\"{}\" data-b=\"{}\" d=\"{}\"><title>{}{}{}</title></path>\n",
                     bundle.marked ? fmt::format(" id=\"{}\"", link_id(ends)) : "",
                     colour_class(bundle.value, colours.ends), bundle.marked ? " worst" : "", ends.first, ends.second,
                     path, escaped(shown(subnet.channel_name(bundle.channel))), escaped(words), cables);
}

std::string sentence_of(std::size_t switches, std::size_t all_switches, std::size_t bundles, std::size_t all_bundles,
                        const std::string& chosen_by) {
  if (switches == all_switches && bundles == all_bundles) return "";
  return fmt::format("Drawn are {} of {} switches and {} of {} pairs of switches with a link: {}.", grouped(switches),
                     grouped(all_switches), grouped(bundles), grouped(all_bundles), chosen_by);
}

}  // namespace

std::string link_id(std::pair<u32, u32> switches) { return fmt::format("link-{}-{}", switches.first, switches.second); }

DrawingColours colours_by_routes(const Subnet& subnet, const models::RouteSurvey& survey,
                                 const std::vector<u32>& worst) {
  const double mean = mean_load(subnet, survey);
  DrawingColours colours;
  colours.values.assign(survey.routes_through.begin(), survey.routes_through.end());
  colours.marked = worst;
  for (const double end : load_ends) colours.ends.push_back(end * mean);
  colours.heading = "Routes on a link, the more loaded direction of the most loaded cable";
  colours.value_words = [](double value) { return grouped(static_cast<u64>(value)); };
  colours.link_words = [&survey](u32 channel) { return counted(survey.routes_through[channel], "route"); };
  colours.remark = fmt::format("mean {} over the channels that are used{}", significant(mean),
                               worst.empty() ? "" : "; thick: the worst links, named in the table below");
  return colours;
}

namespace {

/// Names, hosts and squares of all switches that are drawn.
std::string draw_switches(const Subnet& subnet, const DrawnLayout& layout, const DrawingColours& colours) {
  std::string svg;
  const std::vector<std::string> names = short_names(subnet);
  for (const auto& row : layout.rows) {
    const bool named = row.size() <= (layout.ring() ? named_on_ring : named_in_row);
    for (const u32 s : row) {
      const DrawnPlace& at = layout.places[s];
      const std::string hosts = draw_hosts(subnet, s, at);
      svg += hosts + draw_switch(subnet, s, at, layout.size, colours);
      if (!named) continue;
      DrawnPlace above = at;
      if (!layout.ring() && hosts.empty()) above.away_y = -1;
      svg += draw_name(names[s], above, layout.ring() ? 32 : hosts.empty() ? 12 : 44, layout.ring());
    }
  }
  return svg;
}

}  // namespace

FabricDrawing draw_fabric(const Subnet& subnet, const DrawingColours& colours) {
  const CableBundles bundles = bundles_of(subnet, colours);
  const DrawnLayout layout = layout_of_fabric(subnet, bundles, colours.switch_values);
  std::vector<CableBundles::const_iterator> lines;
  for (auto it = bundles.begin(); it != bundles.end(); ++it) {
    if (layout.drawn[it->first.first] != 0 && layout.drawn[it->first.second] != 0) lines.push_back(it);
  }
  // The highest values last, on top of the others.
  std::ranges::stable_sort(lines, [](const auto& a, const auto& b) {
    return std::pair(a->second.marked, a->second.value) < std::pair(b->second.marked, b->second.value);
  });
  if (lines.size() > most_bundles) lines.erase(lines.begin(), lines.end() - most_bundles);

  FabricDrawing drawing;
  drawing.svg = fmt::format(
      "<svg class=\"fabric\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"switches and links\">\n",
      drawing_width, layout.height);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  const auto note = [&least, &most](double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  };
  for (const auto& line : lines) {
    if (line->second.marked) drawing.anchors.insert(line->first);
    drawing.svg += draw_link(subnet, line->first, line->second, layout, colours);
    if (!colours.values.empty()) note(line->second.value);
  }
  drawing.svg += draw_switches(subnet, layout, colours) + "</svg>\n";
  std::size_t drawn = 0;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    drawn += layout.drawn[s];
    if (layout.drawn[s] != 0 && !colours.switch_values.empty()) note(colours.switch_values[s]);
  }
  drawing.legend = legend_of(colours, least, most, layout.ring());
  drawing.left_out = sentence_of(drawn, subnet.switches(), lines.size(), bundles.size(), colours.chosen_by);
  return drawing;
}

}  // namespace weft::tools
