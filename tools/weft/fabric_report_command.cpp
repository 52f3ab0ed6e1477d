// `weft fabric report`: reads, routes and hands on; the page is made in tools/fabric/fabric_page.cpp.
#include <fmt/format.h>

#include "engine/shown.hpp"
#include "tools/fabric/fabric_page.hpp"
#include "tools/files/atomic_file.hpp"
#include "tools/files/output_path.hpp"
#include "tools/files/standard_output.hpp"
#include "tools/text/numbers.hpp"
#include "tools/weft/fabric_choice.hpp"
#include "tools/weft/fabric_page_commands.hpp"

namespace weft::tools {

void report_fabric(const FabricReportOptions& options) {
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.writes("--out", options.out);
  files::check_ending("--out", options.out, files::page_format());
  files.writes("--csv", options.csv);
  files::check_ending("--csv", options.csv, files::csv_format());
  const auto [fabric, tables, routing, layers] = route_choice(options.fabric, options.engine);
  const models::RouteSurvey survey = models::survey_routes(fabric.subnet, tables);
  const FabricPage page{fabric, tables, survey, shown(routing), layers, options.count, options.seed};
  u32 problems = 0;
  files::write_file_atomically(options.out, fabric_page(page, problems));
  std::string text =
      fmt::format("wrote {}: {} hosts, {}, {}\n", options.out, grouped(fabric.subnet.hosts()),
                  fabric.subnet.switches() == 1 ? "1 switch" : grouped(fabric.subnet.switches()) + " switches",
                  problems == 0 ? "sound" : counted(problems, "problem") + " named there");
  if (!options.csv.empty()) {
    files::AtomicFile csv(options.csv);
    const u64 rows = write_channels(page, [&csv](std::string_view part) { csv.write(part); });
    csv.commit();
    text += fmt::format("wrote {}: {}\n", options.csv, counted(rows, "channel"));
  }
  files::print(text);
}

}  // namespace weft::tools
