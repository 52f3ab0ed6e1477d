// `weft report` and `weft describe`: commands that only hand on.
#include <fmt/format.h>

#include "engine/error.hpp"
#include "tools/config/describe.hpp"
#include "tools/result/output_path.hpp"
#include "tools/result/report.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/output.hpp"

namespace weft::tools {

void print_description(const std::vector<std::string>& words) { print(describe(words)); }

void make_report(const ReportOptions& options) {
  if (options.out == "-") throw ConfigError("--out - is not possible (the page is a file); name a file");
  CommandFiles files;
  for (const std::string& result : options.results) files.reads("a result", result);
  files.writes("--out", options.out);
  write_report(options.results, options.out);
  print(fmt::format("wrote {}: {} {}\n", options.out, options.results.size(),
                    options.results.size() == 1 ? "run" : "runs"));
}

}  // namespace weft::tools
