// `weft fabric report`: reads, routes and hands on; the page is made in tools/fabric/fabric_page.cpp.
#include <fmt/format.h>
#include <optional>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/fabric/fabric_page.hpp"
#include "tools/fabric/load_fabric.hpp"
#include "tools/result/atomic_file.hpp"
#include "tools/result/format.hpp"
#include "tools/text/numbers.hpp"
#include "tools/weft/fabric_page_commands.hpp"
#include "tools/weft/output.hpp"

namespace weft::tools {

void report_fabric(const FabricReportOptions& options) {
  if (options.out == "-") throw ConfigError("--out - is not possible (the page is a file); name a file");
  if (!options.fabric.tables.empty() && !options.engine.empty()) {
    throw ConfigError(
        fmt::format("--tables {} and --engine {} are both given (routes come from one of them); leave one out",
                    shown(options.fabric.tables), shown(options.engine)));
  }
  CommandFiles files;
  files.reads("FABRIC", options.fabric.path);
  files.reads("--tables", options.fabric.tables);
  files.writes("--out", options.out);
  files.writes("--csv", options.csv);
  Fabric fabric = load_fabric(options.fabric.path, options.fabric.overrides);
  std::optional<models::ForwardingTables> tables;
  std::string routing = "tables " + shown(options.fabric.tables);
  u32 layers = 1;
  if (options.fabric.tables.empty()) {
    routing = options.engine.empty() ? "minhop" : options.engine;
    models::FabricRouting made = models::route_subnet(fabric.subnet, routing);
    tables = std::move(made.tables);
    layers = made.layers.used;
  } else {
    tables = load_tables(options.fabric.tables, fabric);
  }
  const models::RouteSurvey survey = models::survey_routes(fabric.subnet, *tables);
  const FabricPage page{fabric, *tables, survey, routing, layers, options.count, options.seed};
  u32 problems = 0;
  write_file_atomically(options.out, fabric_page(page, problems));
  std::string text =
      fmt::format("wrote {}: {} hosts, {}, {}\n", options.out, grouped(fabric.subnet.hosts()),
                  fabric.subnet.switches() == 1 ? "1 switch" : grouped(fabric.subnet.switches()) + " switches",
                  problems == 0 ? "sound" : counted(problems, "problem") + " named there");
  if (!options.csv.empty()) {
    AtomicFile csv(options.csv);
    const u64 rows = write_channels(page, [&csv](std::string_view part) { csv.write(part); });
    csv.commit();
    text += fmt::format("wrote {}: {}\n", options.csv, counted(rows, "channel"));
  }
  print(text);
}

}  // namespace weft::tools
