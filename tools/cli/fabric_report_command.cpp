// `weft fabric report`: reads, routes and hands on; the page is made in tools/fabric/fabric_page.cpp.
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_page_commands.hpp"
#include "tools/fabric/fabric_page.hpp"

namespace weft::tools {

namespace {

/// What the counters say; nothing if none are given.
std::optional<MeasuredLinks> counters_of(const FabricReportOptions& options, const Fabric& fabric) {
  if (options.counters.empty()) {
    if (options.counters_before.empty() && options.seconds == 0) return {};
    throw ConfigError(
        fmt::format("{} has no effect without --counters (there is nothing to compare); leave it out or give both",
                    options.seconds != 0 ? "--seconds" : "--counters-before"));
  }
  const CounterReading reading = load_counters(options.counters, fabric);
  if (options.counters_before.empty()) return measured_links(fabric, reading, nullptr, options.seconds);
  const CounterReading before = load_counters(options.counters_before, fabric);
  return measured_links(fabric, reading, &before, options.seconds);
}

}  // namespace

void report_fabric(const FabricReportOptions& options) {
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.reads("--counters", options.counters);
  files.reads("--counters-before", options.counters_before);
  files.writes("--out", options.out, files::page_format());
  files.writes("--csv", options.csv, files::csv_format());
  const auto [fabric, tables, routing, layers] = route_choice(options.fabric, options.engine);
  const models::RouteSurvey survey = models::survey_routes(fabric.subnet, tables);
  const std::optional<MeasuredLinks> measured = counters_of(options, fabric);
  const FabricFindings found = examine_fabric(fabric, {.tables = &tables, .layers = layers});
  const FabricPage page{fabric,         tables, survey,
                        shown(routing), layers, options.count,
                        options.seed,   found,  measured ? &*measured : nullptr};
  files::write_file_atomically(options.out, fabric_page(page));
  std::string text = fmt::format("wrote {}: {} hosts, {}, {}\n", options.out, grouped(fabric.subnet.hosts()),
                                 counted(fabric.subnet.switches(), "switch"),
                                 verdict_word(found) == "sound" ? "sound" : "sound: " + verdict_text(found));
  text += warnings_text(found);
  if (measured) {
    text += fmt::format("counters of {}: {}\n", counted(measured->ports, "port"),
                        measured->errors.empty()
                            ? "no errors"
                            : counted(measured->errors.size(), "error counter") + " above 0, named there");
  }
  if (!options.csv.empty()) {
    files::AtomicFile csv(options.csv);
    const u64 rows = write_channels(page, [&csv](std::string_view part) { csv.write(part); });
    csv.commit();
    text += fmt::format("wrote {}: {}\n", options.csv, counted(rows, "channel"));
  }
  files::print(text);
}

}  // namespace weft::tools
