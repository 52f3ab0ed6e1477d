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

}  // namespace weft::tools
