// The large figures of single runs: what links carried, what tasks did, who sends to whom.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/report/figures/network_figure.hpp"
#include "tools/report/figures/timeline_figure.hpp"
#include "tools/report/figures/traffic_figure.hpp"
#include "tools/report/report_parts.hpp"

namespace weft::tools {
namespace {

/// Each may take tens of megabytes.
constexpr std::size_t most_pictured = 4;

void add_picture(page::Page& page, page::Json spec, const std::string& title, const ReportRun& run, bool alone,
                 const std::string& caption) {
  if (spec.is_null()) return;
  spec["title"] = alone ? title : title + " of " + run.name;
  spec["caption"] = caption;
  page.figure(std::move(spec));
}

void add_network(page::Page& page, const ReportRun& run, bool alone) {
  if (run.result->extra.ports.empty()) return;
  try {
    const auto topology = network_of(*run.result);
    add_picture(
        page, network_figure(page, *topology, *run.result), "Load of links", run, alone,
        fmt::format("{}, over all {} cycles of the run.", run.result->topology_name, grouped(run.result->cycles)));
  } catch (const Error& error) {
    page.note(fmt::format("The links of {} are not drawn: {}", run.name, error.what()), "warning");
  }
}

}  // namespace

void add_pictures(page::Page& page, const ReportRuns& runs) {
  page.section("pictures", "Links, tasks and traffic in detail");
  std::size_t left_out = 0;
  for (std::size_t ix = 0; ix < runs.size(); ++ix) {
    const RunResult& result = *runs[ix].result;
    if (ix >= most_pictured) {
      left_out += !result.extra.ports.empty() || !result.extra.pairs.empty() || !result.timeline.empty() ? 1 : 0;
      continue;
    }
    const bool alone = runs.size() == 1;
    add_network(page, runs[ix], alone);
    add_picture(page, timeline_figure(page, result), "What tasks did", runs[ix], alone,
                "Each row is a task; where there are more records than pixels, colours show shares of the time.");
    add_picture(page, traffic_figure(page, result), "Who sends to whom", runs[ix], alone,
                "Packets that were delivered over the whole run.");
  }
  if (left_out > 0)
    page.note(fmt::format(
        "Links, tasks and traffic of {} more runs are in reports of their own: weft report RESULT.h5.", left_out));
}

}  // namespace weft::tools
