// `weft fabric report`: reads, routes and hands on; the page is made in tools/fabric/report/fabric_page.cpp.
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/report/fabric_page.hpp"

namespace weft::tools {
namespace {

struct FabricReportOptions {
  FabricChoice fabric;
  std::string engine;  ///< empty: minhop, unless there are tables
  u64 count = 1000;    ///< random bisect patterns
  u64 seed = 1;
  std::string out;                        ///< page
  std::string csv;                        ///< a row per channel; empty: none
  std::string counters, counters_before;  ///< readings of ports; empty: none
  double seconds = 0;                     ///< between both, or since they were cleared; 0: not known
};

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

/// Writes a page about a routed fabric.
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

void add_fabric_report(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricReportOptions>();
  CLI::App* command = group.add_subcommand("report", "a page: the fabric drawn with its loads, bandwidth, worst links");
  add_fabric_choice(command, options->fabric);
  add_routes_and_patterns(command, *options);
  command->add_option("-o,--out", options->out, "the page, all in one file")->type_name("PAGE.html")->required();
  command->add_option("--csv", options->csv, "a row per channel: from, port, to, port, targets, routes")
      ->type_name("FILE");
  command
      ->add_option("--counters", options->counters,
                   "counters of ports, from perfquery or ibqueryerrors: loads of links and errors on the page")
      ->type_name("FILE");
  command->add_option("--counters-before", options->counters_before, "an earlier reading, to be subtracted")
      ->type_name("FILE");
  command->add_option("--seconds", options->seconds, "between both readings, or since the counters were cleared")
      ->type_name("S")
      ->check(CLI::Range(1e-6, 1e12).description(""));
  command->footer(
      "Without --tables and --engine, routes are those of minhop.\n"
      "Examples:\n"
      "  weft fabric report ibnetdiscover.txt --tables opensm-lfts.dump --out fabric.html --csv links.csv\n"
      "  weft fabric report ibnetdiscover.txt --counters later.txt --counters-before first.txt --seconds 10 --out "
      "load.html\n"
      "  weft fabric report examples/thin-tree-uniform.toml --engine dmodk --out tree.html");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { report_fabric(*options); }); });
}

[[maybe_unused]] const bool fabric_report_registered =
    CommandRegistry::instance().add("fabric report", {.place = 70, .add = add_fabric_report});

}  // namespace
}  // namespace weft::tools
