// Activities as a table and a timeline; see the header.
#include "tools/result/report_activities.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "tools/result/svg_axes.hpp"
#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t activity_colours = 8, most_intervals = 20'000, most_tracks = 128;

std::string colour(std::size_t activity) { return fmt::format("var(--series-{})", activity % activity_colours); }

/// Those beyond the colours are hatched by being half transparent.
std::string opacity(std::size_t activity) { return activity < activity_colours ? "" : " opacity=\"0.45\""; }

/// "train: forward" where there are jobs.
std::string name_of(const RunResult& r, const ActivityRow& row) {
  return row.job < r.jobs.size() ? r.jobs[row.job].name + ": " + row.name : row.name;
}

std::string activities_table(const RunResult& r) {
  std::string out =
      "<h3>Activities</h3>\n<div class=\"card scroll\"><table>\n<tr><th>activity</th><th>cycles of a "
      "task</th><th>share</th>"
      "<th>beside it, cycles</th><th>messages</th><th>bytes</th></tr>\n";
  for (const ActivityRow& row : r.activities) {
    const double all = r.lane_cycles(row.job);
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.2f} %</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       escaped(name_of(r, row)), significant(row.cycles, 6), all > 0 ? 100 * row.cycles / all : 0,
                       significant(row.side_cycles, 6), grouped(row.messages), grouped(row.bytes));
  }
  return out + "</table></div>\n";
}

std::string legend(const RunResult& r, const std::vector<bool>& shown) {
  std::string out = "<p class=\"legend\">";
  for (std::size_t k = 0; k < r.activities.size(); ++k) {
    if (!shown[k]) continue;
    out += fmt::format("<span><i style=\"background:{};height:.7rem{}\"></i>{}</span>", colour(k),
                       k < activity_colours ? "" : ";opacity:.45", escaped(name_of(r, r.activities[k])));
  }
  return out + "</p>\n";
}

/// A bar for each interval, a row for each lane of a task.
std::string timeline(const RunResult& r) {
  std::map<std::pair<u64, u64>, std::size_t> tracks;
  for (const TimelineRow& row : r.timeline) tracks[{row.task, row.lane}] = 0;
  std::size_t count = 0;
  double first = INFINITY, last = 0;
  for (auto& [which, place] : tracks) place = count++;
  std::vector<bool> shown(r.activities.size(), false);
  for (const TimelineRow& row : r.timeline) {
    first = std::min(first, row.begin);
    last = std::max(last, row.end);
    if (row.activity < shown.size()) shown[row.activity] = true;
  }
  if (r.timeline.size() > most_intervals || count > most_tracks || !(last > first)) {
    return paragraph(fmt::format("{} intervals of {} lanes are in the result's /timeline (the page shows {} of {} at "
                                 "most; name fewer tasks).",
                                 grouped(r.timeline.size()), grouped(count), grouped(most_intervals), most_tracks),
                     "soft");
  }
  constexpr double wide = 1200, row_height = 14, gap = 3, label = 90, axis = 24;
  const double height = static_cast<double>(count) * (row_height + gap) + axis;
  const double scale = (wide - label) / (last - first);
  std::string out = fmt::format(
      "<h3>Timeline</h3>\n{}<div class=\"scroll\"><svg viewBox=\"0 0 {} {:.0f}\" style=\"max-width:none\" role=\"img\" "
      "aria-label=\"What tasks did, over time\">\n",
      legend(r, shown), wide, height);
  for (const auto& [which, place] : tracks) {
    const double y = static_cast<double>(place) * (row_height + gap) + row_height - 3;
    const std::string name =
        which.second == 0 ? fmt::format("task {}", which.first) : fmt::format("lane {}", which.second);
    out += svg::text_at(label - 6, y, "end", name);
  }
  for (const TimelineRow& row : r.timeline) {
    if (row.activity >= r.activities.size()) continue;
    const double y = static_cast<double>(tracks[{row.task, row.lane}]) * (row_height + gap);
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}><title>{}: cycles {} to {}</title></rect>\n",
        svg::place(label + (row.begin - first) * scale), svg::place(y),
        svg::place(std::max(0.1, (row.end - row.begin) * scale)), row_height, colour(row.activity),
        opacity(row.activity), escaped(name_of(r, r.activities[row.activity])), significant(row.begin, 8),
        significant(row.end, 8));
  }
  const double unit = r.cycle_ns > 0 ? r.cycle_ns / 1e6 : 1;
  for (const double tick : svg::multiples(first * unit, last * unit, svg::tick_step((last - first) * unit, 8))) {
    out += svg::text_at(label + (tick / unit - first) * scale, height - 6, "middle",
                        svg::tick_label(tick) + (r.cycle_ns > 0 ? " ms" : ""));
  }
  return out + "</svg></div>\n";
}

}  // namespace

std::string activities_section(const RunResult& r) {
  if (r.activities.empty()) return {};
  return activities_table(r) + (r.timeline.empty() ? "" : timeline(r));
}

}  // namespace weft::tools
