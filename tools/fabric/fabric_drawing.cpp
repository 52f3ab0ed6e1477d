// Places of switches, bundles of links, and both as SVG; see the header.
#include "tools/fabric/fabric_drawing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <numeric>

#include "engine/shown.hpp"
#include "models/subnet/distances.hpp"
#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools {

const char* const drawing_style = R"css(
svg.fabric { display: block; width: 100%; height: auto; min-width: 40rem; } svg.fabric text { fill: var(--soft); }
svg.fabric .link { fill: none; stroke-width: 1.2; stroke-opacity: .85; }
svg.fabric .link:hover, svg.fabric .link:target { stroke-width: 6; stroke-opacity: 1; }
.l0 { stroke: #a9b4c0; background: #a9b4c0; } .l1 { stroke: #6fa8dc; background: #6fa8dc; }
.l2 { stroke: #2a78d6; background: #2a78d6; } .l3 { stroke: #d9a021; background: #d9a021; }
.l4 { stroke: #e8702a; background: #e8702a; } .l5 { stroke: #c91f1f; background: #c91f1f; }
.idle { stroke: var(--soft); stroke-dasharray: 2 3; } svg.fabric .link.idle { stroke-opacity: .35; }
svg.fabric .link.worst { stroke-width: 3.5; stroke-opacity: 1; }
svg.fabric .switch { fill: var(--text); } svg.fabric .hosts { fill: var(--series-2); }
svg.fabric .cable { stroke: var(--series-2); stroke-width: 1; } svg.fabric text { font-size: 11px; }
.legend i { display: inline-block; margin-right: .35rem; vertical-align: middle; } .legend i.swatch { height: .3rem; width: 1.5rem; }
)css";

namespace {

using models::Peer;
using models::Subnet;

constexpr u32 most_switches = 512, most_bundles = 2500, named_in_row = 16, named_on_ring = 72;
constexpr double width = 1200;
/// Upper ends of the classes of load, as multiples of the mean over the links that are used.
constexpr std::array<double, 5> class_ends = {0.5, 0.9, 1.1, 1.5, 2.0};

/// All cables between two switches.
struct Bundle {
  u32 cables = 0;
  u64 load = 0;     ///< of its most loaded channel
  u32 channel = 0;  ///< that one
  bool worst = false;
};
using Bundles = std::map<std::pair<u32, u32>, Bundle>;

struct Place {
  double x = 0, y = 0;
  double away_x = 0, away_y = 1;  ///< direction in which hosts and name are
};

Bundles bundles_of(const Subnet& subnet, const models::RouteSurvey& survey, const std::vector<u32>& worst) {
  Bundles bundles;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer far = subnet.peer(s, port);
      if (far.kind != Peer::Kind::router || far.id == s) continue;
      const u32 channel = subnet.channel(s, port);
      const auto [at, fresh] = bundles.try_emplace({std::min(s, far.id), std::max(s, far.id)});
      Bundle& bundle = at->second;
      bundle.cables += s < far.id ? 1 : 0;
      if (const u64 load = survey.routes_through[channel]; load > bundle.load || fresh) {
        bundle.load = load;
        bundle.channel = channel;
      }
      if (std::ranges::find(worst, channel) != worst.end()) bundle.worst = true;
    }
  }
  return bundles;
}

/// Rows of switches from the hosts up, or one row if it is no tree; of large fabrics those with the most loaded links,
/// in equal shares of all rows.
std::vector<std::vector<u32>> rows_of(const Subnet& subnet, const Bundles& bundles) {
  const std::vector<u32> levels = models::tree_levels(subnet);
  std::vector<std::vector<u32>> rows(levels.empty() ? 1 : *std::ranges::max_element(levels) + 1);
  for (u32 s = 0; s < subnet.switches(); ++s) rows[levels.empty() ? 0 : levels[s]].push_back(s);
  std::vector<u64> busiest(subnet.switches(), 0);
  for (const auto& [ends, bundle] : bundles) {
    for (const u32 s : {ends.first, ends.second}) busiest[s] = std::max(busiest[s], bundle.load);
  }
  for (auto& row : rows) {
    const std::size_t share = std::max<std::size_t>(
        2, subnet.switches() <= most_switches ? row.size() : row.size() * most_switches / subnet.switches());
    std::ranges::stable_sort(row, [&](u32 a, u32 b) { return busiest[a] > busiest[b]; });
    if (row.size() > share) row.resize(share);
    std::ranges::sort(row, [&](u32 a, u32 b) {
      const std::string &name_a = subnet.switch_at(a).name, &name_b = subnet.switch_at(b).name;
      if (natural_less(name_a, name_b)) return true;
      return !natural_less(name_b, name_a) && a < b;
    });
  }
  return rows;
}

/// Orders rows so that links cross little: leaves that share a switch above stand together, switches above in the
/// middle of theirs.
void untangle(std::vector<std::vector<u32>>& rows, const Bundles& bundles, u32 switches) {
  std::vector<u32> row_of(switches, UINT32_MAX), at(switches, 0);
  for (u32 r = 0; r < rows.size(); ++r) {
    for (u32 k = 0; k < rows[r].size(); ++k) row_of[rows[r][k]] = r, at[rows[r][k]] = k;
  }
  std::vector<std::vector<u32>> above(switches), below(switches);
  for (const auto& [ends, bundle] : bundles) {
    const auto [a, b] = ends;
    if (row_of[a] == UINT32_MAX || row_of[b] == UINT32_MAX) continue;
    const bool up = row_of[a] < row_of[b];
    above[up ? a : b].push_back(at[up ? b : a]);
    below[up ? b : a].push_back(up ? a : b);
  }
  for (auto& list : above) std::ranges::sort(list);
  std::ranges::stable_sort(rows[0], [&](u32 a, u32 b) { return above[a] < above[b]; });
  for (u32 r = 0; r < rows.size(); ++r) {
    std::vector<double> middle(switches, 0);
    for (const u32 s : rows[r]) {
      for (const u32 child : below[s]) middle[s] += at[child] / static_cast<double>(below[s].size());
    }
    if (r > 0) std::ranges::stable_sort(rows[r], [&](u32 a, u32 b) { return middle[a] + 1e-9 < middle[b]; });
    for (u32 k = 0; k < rows[r].size(); ++k) at[rows[r][k]] = k;
  }
}

std::string link_class(double load, double mean) {
  if (load == 0) return "idle";
  std::size_t c = 0;
  while (c < class_ends.size() && load > class_ends[c] * mean) ++c;
  return fmt::format("l{}", c);
}

/// Only classes up to that of the most loaded link.
std::string legend_of(double mean, u64 least, u64 most, bool marked, bool ring) {
  std::string out = "<p class=\"legend\">Routes on a link, the more loaded direction of the most loaded cable: ";
  if (least == 0) out += "<span><i class=\"swatch idle\" style=\"border-top:2px dotted\"></i>none</span> ";
  for (std::size_t c = 0; c <= class_ends.size() && mean > 0; ++c) {
    const bool last = c == class_ends.size();
    if (c > 0 && static_cast<double>(most) <= class_ends[c - 1] * mean) break;
    out += fmt::format("<span><i class=\"swatch l{}\"></i>{} {}</span> ", c, last ? "more than" : "up to",
                       grouped(static_cast<u64>(class_ends[last ? c - 1 : c] * mean)));
  }
  out += fmt::format("<span>mean {} over the channels that are used{}.</span> ", significant(mean),
                     marked ? "; thick: the worst links, named in the table below" : "");
  return out + fmt::format(
                   "<span><i class=\"swatch\" style=\"background:var(--series-2)\"></i>hosts{}; their cables "
                   "are not coloured</span></p>\n",
                   ring ? "" : " under their switch");
}

/// The hosts at a switch: a dot as large as they are many, with their names.
std::string draw_hosts(const Subnet& subnet, u32 s, const Place& at) {
  std::vector<u32> hosts;
  for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
    if (subnet.peer(s, port).kind == Peer::Kind::node) hosts.push_back(subnet.peer(s, port).id);
  }
  if (hosts.empty()) return "";
  std::string names;
  for (std::size_t ix = 0; ix < std::min<std::size_t>(hosts.size(), 8); ++ix)
    names += (ix == 0 ? "" : ", ") + shown(subnet.host_at(hosts[ix]).name, 60);
  if (hosts.size() > 8) names += fmt::format(" and {} more", hosts.size() - 8);
  const double x = at.x + 20 * at.away_x, y = at.y + 20 * at.away_y;
  return fmt::format(
      "<line class=\"cable\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/><circle class=\"hosts\" "
      "cx=\"{:.1f}\" "
      "cy=\"{:.1f}\" r=\"{:.1f}\"><title>{} at {}: {}</title></circle>\n",
      at.x, at.y, x, y, x, y, std::min(7.0, 2 + std::sqrt(static_cast<double>(hosts.size()))),
      counted(hosts.size(), "host"), escaped(shown(subnet.switch_at(s).name, 60)), escaped(names));
}

std::string draw_switch(const Subnet& subnet, u32 s, const Place& at, double size) {
  u32 cabled = 0;
  for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port)
    cabled += subnet.peer(s, port).kind == Peer::Kind::none ? 0 : 1;
  return fmt::format(
      "<rect class=\"switch\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}: {} of {} cabled"
      "</title></rect>\n",
      at.x - size / 2, at.y - size / 2, size, size, escaped(shown(subnet.switch_at(s).name, 60)), cabled,
      counted(subnet.switch_at(s).ports, "port"));
}

std::string draw_name(const Subnet& subnet, u32 s, const Place& at, double distance, bool turned) {
  const double x = at.x + distance * at.away_x, y = at.y + distance * at.away_y;
  const std::string name = escaped(shown(subnet.switch_at(s).name, 14));
  if (!turned) return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, y, name);
  double angle = std::atan2(at.away_y, at.away_x) * 180 / std::numbers::pi;
  const bool left = std::abs(angle) > 90;
  if (left) angle += 180;
  return fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" text-anchor=\"{}\" dominant-baseline=\"middle\">{}"
      "</text>\n",
      x, y, angle, left ? "end" : "start", name);
}

/// Where the switches of a drawing are.
struct Layout {
  std::vector<Place> places;  ///< [switch]
  std::vector<u8> drawn;      ///< [switch]
  double height = 0, size = 9;
  double radius = 0;  ///< of the ring; 0: by levels
  [[nodiscard]] bool ring() const { return radius > 0; }
};

Layout layout_of(const std::vector<std::vector<u32>>& rows, u32 switches) {
  Layout layout{std::vector<Place>(switches), std::vector<u8>(switches, 0), 0, 9};
  if (rows.size() == 1) layout.radius = std::clamp(12.0 * static_cast<double>(rows[0].size()), 60.0, 400.0);
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  layout.size = std::clamp(
      0.6 * (layout.ring() ? 2 * std::numbers::pi * layout.radius : width) / static_cast<double>(longest), 3.0, 10.0);
  if (layout.ring()) {
    const double middle = layout.radius + (rows[0].size() <= named_on_ring ? 130 : 40);
    for (std::size_t k = 0; k < rows[0].size(); ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(rows[0].size());
      const double x = std::sin(angle), y = -std::cos(angle);
      layout.places[rows[0][k]] = {width / 2 + layout.radius * x, middle + layout.radius * y, x, y};
    }
    layout.height = 2 * middle;
  } else {
    // Levels far enough apart that lines to the other end of a wide row are still told apart.
    const double step = longest > 24 ? 230 : 170;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double y = 50 + step * static_cast<double>(rows.size() - 1 - r);
      const double pitch = (width - 20) / static_cast<double>(rows[r].size());
      for (std::size_t k = 0; k < rows[r].size(); ++k)
        layout.places[rows[r][k]] = {10 + pitch * (static_cast<double>(k) + 0.5), y, 0, 1};
    }
    layout.height = 50 + step * static_cast<double>(rows.size() - 1) + 70;
  }
  for (const auto& row : rows) {
    for (const u32 s : row) layout.drawn[s] = 1;
  }
  return layout;
}

std::string draw_link(const Subnet& subnet, std::pair<u32, u32> ends, const Bundle& bundle, const Layout& layout,
                      double mean, bool named) {
  const Place &a = layout.places[ends.first], &b = layout.places[ends.second];
  std::string path = fmt::format("M{:.1f} {:.1f}", a.x, a.y);
  if (layout.ring()) {
    // Bent towards the middle, so that links between neighbours on the ring do not hide it.
    const double pull = 0.85 - 0.4 * std::hypot(a.x - b.x, a.y - b.y) / (2 * layout.radius);
    const double x = width / 2 + ((a.x + b.x) / 2 - width / 2) * pull;
    const double y = layout.height / 2 + ((a.y + b.y) / 2 - layout.height / 2) * pull;
    path += fmt::format("Q{:.1f} {:.1f} {:.1f} {:.1f}", x, y, b.x, b.y);
  } else {
    path += fmt::format("L{:.1f} {:.1f}", b.x, b.y);
  }
  const std::string cables = bundle.cables > 1 ? fmt::format("; {} cables side by side", bundle.cables) : "";
  return fmt::format("<path{} class=\"link {}{}\" d=\"{}\"><title>{}: {}{}</title></path>\n",
                     named ? fmt::format(" id=\"{}\"", link_id(ends)) : "",
                     link_class(static_cast<double>(bundle.load), mean), bundle.worst ? " worst" : "", path,
                     escaped(shown(subnet.channel_name(bundle.channel))), counted(bundle.load, "route"), cables);
}

std::string sentence_of(std::size_t switches, std::size_t all_switches, std::size_t bundles, std::size_t all_bundles) {
  if (switches == all_switches && bundles == all_bundles) return "";
  return fmt::format(
      "Drawn are {} of {} switches and {} of {} pairs of switches with a link: those that are loaded most.",
      grouped(switches), grouped(all_switches), grouped(bundles), grouped(all_bundles));
}

}  // namespace

double mean_load(const Subnet& subnet, const models::RouteSurvey& survey) {
  u64 used = 0, sum = 0;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const u64 load = survey.routes_through[subnet.channel(s, port)];
      if (subnet.peer(s, port).kind != Peer::Kind::router || load == 0) continue;
      ++used;
      sum += load;
    }
  }
  return used == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(used);
}

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    std::size_t end_i = i, end_j = j;
    while (end_i < a.size() && digit(a[end_i])) ++end_i;
    while (end_j < b.size() && digit(b[end_j])) ++end_j;
    while (i + 1 < end_i && a[i] == '0') ++i;
    while (j + 1 < end_j && b[j] == '0') ++j;
    if (end_i - i != end_j - j) return end_i - i < end_j - j;
    for (; i < end_i; ++i, ++j) {
      if (a[i] != b[j]) return a[i] < b[j];
    }
  }
  return a.size() - i < b.size() - j;
}

std::string link_id(std::pair<u32, u32> switches) { return fmt::format("link-{}-{}", switches.first, switches.second); }

FabricDrawing draw_fabric(const Subnet& subnet, const models::RouteSurvey& survey, const std::vector<u32>& worst) {
  const Bundles bundles = bundles_of(subnet, survey, worst);
  const double mean = mean_load(subnet, survey);
  std::vector<std::vector<u32>> rows = rows_of(subnet, bundles);
  if (rows.size() > 1) untangle(rows, bundles, subnet.switches());
  const Layout layout = layout_of(rows, subnet.switches());

  std::vector<Bundles::const_iterator> lines;
  for (auto it = bundles.begin(); it != bundles.end(); ++it) {
    if (layout.drawn[it->first.first] != 0 && layout.drawn[it->first.second] != 0) lines.push_back(it);
  }
  // The most loaded last, on top of the others.
  std::ranges::stable_sort(lines, [](const auto& a, const auto& b) {
    return std::pair(a->second.worst, a->second.load) < std::pair(b->second.worst, b->second.load);
  });
  if (lines.size() > most_bundles) lines.erase(lines.begin(), lines.end() - most_bundles);

  FabricDrawing drawing;
  drawing.svg = fmt::format(
      "<svg class=\"fabric\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"switches and links\">\n", width,
      layout.height);
  for (const auto& line : lines) {
    if (line->second.worst) drawing.anchors.insert(line->first);
    drawing.svg += draw_link(subnet, line->first, line->second, layout, mean, line->second.worst);
  }
  std::size_t drawn = 0;
  for (const auto& row : rows) {
    drawn += row.size();
    const bool named = row.size() <= (layout.ring() ? named_on_ring : named_in_row);
    for (const u32 s : row) {
      const Place& at = layout.places[s];
      const std::string hosts = draw_hosts(subnet, s, at);
      drawing.svg += hosts + draw_switch(subnet, s, at, layout.size);
      if (!named) continue;
      Place above = at;
      if (!layout.ring() && hosts.empty()) above.away_y = -1;
      drawing.svg += draw_name(subnet, s, above, layout.ring() ? 32 : hosts.empty() ? 12 : 44, layout.ring());
    }
  }
  drawing.svg += "</svg>\n";
  u64 least = UINT64_MAX, most = 0;
  for (const auto& line : lines) {
    least = std::min(least, line->second.load);
    most = std::max(most, line->second.load);
  }
  drawing.legend = legend_of(mean, least, most, !drawing.anchors.empty(), layout.ring());
  drawing.left_out = sentence_of(drawn, subnet.switches(), lines.size(), bundles.size());
  return drawing;
}

}  // namespace weft::tools
