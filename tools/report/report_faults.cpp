// Failures and repairs in figures over time: what did not work is shaded, and lines say what became of what.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "engine/base/text/numbers.hpp"
#include "tools/report/report_parts.hpp"

namespace weft::tools {
namespace {

/// More lines than that have no labels, and more shades no meaning.
constexpr std::size_t most_labels = 12, most_marks = 200, label_rows = 4;

}  // namespace

void mark_faults(page::Json& spec, const RunResult& r) {
  if (r.faults.empty()) return;
  std::map<std::string, double> down_since;
  page::Json bands = page::Json::array(), lines = page::Json::array();
  const auto shade = [&](const std::string& part, double from, double to) {
    if (bands.size() < most_marks)
      bands.push_back({{"from", from}, {"to", to}, {"label", part + " down"}, {"faint", true}});
  };
  for (const FaultRow& event : r.faults) {
    if (lines.size() < most_marks) {
      const bool labelled = r.faults.size() <= most_labels;
      lines.push_back({{"x", event.cycle},
                       {"label", labelled ? event.part + " " + event.state : ""},
                       {"row", lines.size() % label_rows}});
    }
    if (event.state == "down") down_since.emplace(event.part, event.cycle);
    const auto since = down_since.find(event.part);
    if (event.state != "up" || since == down_since.end()) continue;
    shade(event.part, since->second, event.cycle);
    down_since.erase(since);
  }
  for (const auto& [part, since] : down_since) shade(part, since, static_cast<double>(r.cycles));
  spec["lines"] = std::move(lines);
  std::string caption = fmt::format("lines: {}", counted(r.faults.size(), "event"));
  if (r.faults.size() > most_marks) caption += fmt::format(", the first {} of them", most_marks);
  if (!spec.contains("bands")) {  // batches have that shade
    spec["bands"] = std::move(bands);
    caption += "; shaded: while a part did not work";
  }
  spec["caption"] = spec.contains("caption") ? spec["caption"].get<std::string>() + "; " + caption : caption;
}

}  // namespace weft::tools
