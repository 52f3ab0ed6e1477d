// Jobs as a table; see the header.
#include "tools/result/report_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools {

std::string jobs_table(const RunResult& result) {
  constexpr std::size_t most_rows = 1000;
  if (result.jobs.empty()) return {};
  std::string out =
      "<h3>Jobs</h3>\n<div class=\"card scroll\"><table>\n"
      "<tr><th>job</th><th>tasks</th><th>begins, cycle</th><th>ends, cycle</th><th>slow-down</th><th>times</th>"
      "<th>mean latency, cycles</th><th>largest</th><th>packets</th><th>messages</th><th>bytes</th>"
      "<th>bytes/cycle</th></tr>\n";
  const auto number = [](double value, int digits) {
    return std::isfinite(value) ? significant(value, digits) : std::string();
  };
  for (std::size_t ix = 0; ix < std::min(result.jobs.size(), most_rows); ++ix) {
    const JobRow& job = result.jobs[ix];
    out += fmt::format("<tr><td class=\"text\">{}{}</td>", escaped(job.name), job.background ? " (background)" : "");
    for (const std::string& cell :
         {grouped(job.tasks), number(job.start_cycle, 8), number(job.finish_cycle, 8), number(job.slowdown, 4),
          grouped(job.repetitions), number(job.latency_mean, 4), number(job.latency_max, 4), grouped(job.packets),
          grouped(job.messages), grouped(job.bytes), number(result.bytes_per_cycle(job), 4)})
      out += fmt::format("<td>{}</td>", cell);
    out += "</tr>\n";
  }
  if (result.jobs.size() > most_rows)
    out += fmt::format("<tr><td>and {} more</td></tr>\n", grouped(result.jobs.size() - most_rows));
  return out + "</table></div>\n";
}

std::string flows_table(const RunResult& result) {
  if (result.flows.empty()) return {};
  std::string out =
      "<h3>Flows</h3>\n<div class=\"card scroll\"><table>\n"
      "<tr><th>from, bytes</th><th>to</th><th>flows</th><th>mean slow-down</th><th>p50</th><th>p95</th><th>p99</th>"
      "<th>largest</th><th>mean completion, cycles</th><th>p50</th><th>p95</th><th>p99</th><th>largest</th></tr>\n";
  for (const FlowRow& f : result.flows) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td>", grouped(f.least_bytes), grouped(f.most_bytes),
                       grouped(f.flows));
    for (const double value : {f.slowdown_mean, f.slowdown_p50, f.slowdown_p95, f.slowdown_p99, f.slowdown_max,
                               f.fct_mean, f.fct_p50, f.fct_p95, f.fct_p99, f.fct_max})
      out += fmt::format("<td>{}</td>", significant(value));
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace weft::tools
