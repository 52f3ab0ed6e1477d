// `weft fabric what-if`: a fabric with and without some of its links and switches, side by side, or the losses of each
// of them ranked, on any number of ranks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "models/subnet/distances.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/report/during_report.hpp"
#include "tools/fabric/report/loss_outputs.hpp"
#include "tools/fabric/report/what_if_report.hpp"
#include "workloads/generator/patterns.hpp"

namespace weft::tools {
namespace {

struct FabricWhatIfOptions {
  FabricChoice fabric;
  std::string engine;  ///< empty: updn for what has levels, else minhop
  std::vector<std::string> without;
  bool each_link = false, each_switch = false;  ///< each in turn, in place of `without`
  std::string by = "bisect";                    ///< which bandwidth ranks losses: bisect, all-to-all
  u64 top = 25;                                 ///< losses that are listed; 0: all
  u64 count = 1000;
  u64 seed = 1;
  std::string progress = "auto";
  std::string json;
  std::string out;      ///< page; empty: none
  std::string csv;      ///< a row per loss; empty: none
  bool during = false;  ///< over time, for flows of `pattern`
  std::string pattern = "bisect";
  LossTimes times;
};

/// The engine of these options for a fabric: updn for what has levels, else minhop, unless they name one.
std::string what_if_engine(const FabricWhatIfOptions& options, const models::Subnet& subnet) {
  return !options.engine.empty() ? options.engine : models::fabric_levels(subnet).level.empty() ? "minhop" : "updn";
}

/// Prints a fabric before and after links or switches are gone. Throws StuckError if hosts are cut off.
void compare_fabric(const FabricWhatIfOptions& options) {
  if (options.without.empty())
    throw ConfigError("nothing is taken away; say --without NAME[:PORT], --each-link or --each-switch");
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.writes("--out", options.out, files::page_format());
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  const auto [fabric, tables] = load_choice(options.fabric);
  const WhatIfChoice choice{what_if_engine(options, fabric.subnet), options.without, options.count, options.seed};
  const WhatIf found = what_if(fabric, tables ? &*tables : nullptr, choice);
  if (!options.out.empty()) files::write_file_atomically(options.out, what_if_page(fabric, found, choice));
  write_answer(options.json, json_of(fabric, found, choice), text_of(fabric, found, choice));
  if (found.cut_off.empty()) return;
  std::string detail;
  for (std::size_t ix = 0; ix < std::min(found.cut_off.size(), most_what_if_names); ++ix)
    detail += host_text(fabric.subnet, found.cut_off[ix]) + "\n";
  if (found.cut_off.size() > most_what_if_names)
    detail += fmt::format("and {} more\n", grouped(found.cut_off.size() - most_what_if_names));
  throw StuckError(fmt::format("{} would be cut off from the others (every path to {} is gone); see below which",
                               counted(found.cut_off.size(), "host"), found.cut_off.size() == 1 ? "it" : "them"),
                   detail);
}

/// Prints what flows get from before a failure until all is as it was, or is routed anew for good.
void tell_during(const FabricWhatIfOptions& options) {
  if (options.without.empty()) throw ConfigError("nothing fails; say --without NAME[:PORT] with --during");
  const LossTimes& times = options.times;
  constexpr double most_us = 1e15;
  for (const auto& [name, us] : {std::pair("--detection-us", times.detection_us),
                                 {"--sweep-us", times.sweep_us},
                                 {"--repair-us", times.repair_us}}) {
    if (us < 0 || std::isnan(us) || (us > most_us && us != no_time))
      throw ConfigError(fmt::format("{} {} is no time after the failure; give 0 to 1e15 us", name, us));
  }
  const LossDuringChoice asked{{}, options.without, options.pattern, options.count, options.seed, options.times};
  static_cast<void>(workloads::pattern_named(asked.pattern));
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  const auto [fabric, tables] = load_choice(options.fabric);
  LossDuringChoice choice = asked;
  choice.engine = what_if_engine(options, fabric.subnet);
  const LossDuring found = loss_during(fabric, tables ? &*tables : nullptr, choice);
  write_answer(options.json, json_of(fabric, found, choice), text_of(fabric, found, choice));
}

/// Prints what the loss of each link, or of each switch, would cost, the worst first. Collective.
void rank_fabric_losses(const FabricWhatIfOptions& options, engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  if (first) {
    files::CommandFiles files;
    reads_fabric(files, options.fabric);
    files.writes("--out", options.out, files::page_format());
    files.writes("--csv", options.csv, files::csv_format());
    files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  }
  const Fabric fabric = load_choice(options.fabric).fabric;
  const LossChoice choice{.each = options.each_link ? EachOf::link : EachOf::of_switch,
                          .engine = what_if_engine(options, fabric.subnet),
                          .order = options.by == "bisect" ? LossOrder::bisection : LossOrder::all_to_all,
                          .patterns = options.count,
                          .seed = options.seed};
  Progress progress(first ? progress_mode(options.progress) : Progress::Mode::never);
  const LossRanking ranking = rank_losses(fabric.subnet, choice, transport, progress);
  if (!first) return;
  const LossReport report{fabric, ranking, choice, options.top == 0 ? UINT64_MAX : options.top};
  if (!options.out.empty()) {
    const models::FabricRouting whole = models::route_subnet(fabric.subnet, choice.engine);
    files::write_file_atomically(options.out, loss_page(report, whole.tables));
  }
  if (!options.csv.empty()) files::write_file_atomically(options.csv, csv_of(report));
  write_answer(options.json, json_of(report), text_of(report));
}

/// Each link or switch in turn, in place of those that are named.
void add_each(CLI::App* command, FabricWhatIfOptions& options, CLI::Option* without) {
  CLI::Option* link =
      command->add_flag("--each-link", options.each_link, "every cable between switches in turn, ranked by its loss")
          ->excludes(without);
  command->add_flag("--each-switch", options.each_switch, "every switch in turn, ranked by its loss")
      ->excludes(without)
      ->excludes(link);
  command->add_option("--top", options.top, "of each: how many losses are listed; 0 for all")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--by", options.by, "of each: bandwidth that ranks what cuts nobody off, bisect or all-to-all")
      ->type_name("WHAT")
      ->capture_default_str()
      ->check(CLI::IsMember({"bisect", "all-to-all"}).description(""));
  command->add_option("--csv", options.csv, "of each: a row for every loss")->type_name("FILE");
  add_progress(command, options.progress);
}

/// The failure over time, in place of before and after.
void add_during(CLI::App* command, FabricWhatIfOptions& options) {
  const auto time = [&](const char* name, double& us, const char* help) {
    command->add_option(name, us, help)->type_name("US");
  };
  command->add_flag("--during", options.during, "what flows get over time: until it is detected, until new tables");
  time("--detection-us", options.times.detection_us, "of --during: until the switches at the ends know of a change");
  time("--sweep-us", options.times.sweep_us, "of --during: from then on until all switches have new tables");
  time("--repair-us", options.times.repair_us, "of --during: until what failed works again; not given: never");
  command->add_option("--pattern", options.pattern, "of --during: who sends to whom, as weft fabric ebb --help lists")
      ->type_name("P")
      ->capture_default_str();
}

/// Options that have no effect on the form of the command that is asked for.
void check_each(const CLI::App& command, const FabricWhatIfOptions& options) {
  for (const char* name : {"--detection-us", "--sweep-us", "--repair-us", "--pattern"}) {
    if (!options.during && command.count(name) > 0)
      throw ConfigError(fmt::format("{} has no effect without --during; leave it out or say --during", name));
  }
  if (options.during && (options.each_link || options.each_switch))
    throw ConfigError("--during is about what fails together, by --without; leave --each-link and --each-switch out");
  if (options.during && !options.out.empty())
    throw ConfigError("--during has no page; leave --out away, or take --json FILE");
  if (options.each_link || options.each_switch) {
    if (options.fabric.tables.empty()) return;
    throw ConfigError(
        "--tables has no effect on --each-link and --each-switch (an engine routes what is left after each loss); "
        "leave "
        "it out, and say --engine E");
  }
  for (const char* name : {"--top", "--by", "--csv", "--progress"}) {
    if (command.count(name) > 0)
      throw ConfigError(
          fmt::format("{} has no effect without --each-link or --each-switch (one loss is no ranking); leave it out or "
                      "say one of them",
                      name));
  }
}

void add_fabric_what_if(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricWhatIfOptions>();
  CLI::App* command = group.add_subcommand("what-if", "a fabric without some links or switches, routed anew, compared");
  add_fabric_choice(command, options->fabric);
  add_routes_and_patterns(command, *options);
  CLI::Option* without =
      command
          ->add_option("--without", options->without,
                       "a switch, the cable in a port of a switch, or that of a host; may be repeated")
          ->type_name("NAME[:PORT]")
          ->expected(1)
          ->take_all()
          ->allow_extra_args(false);
  add_each(command, *options, without);
  add_during(command, *options);
  add_json(command, options->json);
  command->add_option("-o,--out", options->out, "a page with drawings, all in one file")->type_name("PAGE.html");
  command->footer(
      "A name is a description, a GUID (0x...) or a LID. Without --engine, what has levels (weft fabric info) is "
      "routed\n"
      "with updn, anything else with minhop. With --tables, the fabric as those route it is shown too.\n"
      "Exit code 4 if hosts are cut off by --without. --each-link and --each-switch run on several ranks, too.\n"
      "Examples:\n"
      "  weft fabric what-if ibnetdiscover.txt --without 'spine 3' --without 'leaf 1:17'\n"
      "  weft fabric what-if ibnetdiscover.txt --without 'spine 3' --during --detection-us 100 --sweep-us 5e5\n"
      "  mpirun -n 2 weft fabric what-if ibnetdiscover.txt --each-link --top 10 --out losses.html");
  command->callback([options, command, &chosen] {
    check_each(*command, *options);
    if (options->each_link || options->each_switch) {
      chosen = [options](engine::Transport& transport) { rank_fabric_losses(*options, transport); };
      return;
    }
    chosen = on_first_rank([options] { options->during ? tell_during(*options) : compare_fabric(*options); });
  });
}

[[maybe_unused]] const bool fabric_what_if_registered =
    CommandRegistry::instance().add("fabric what-if", {.place = 90, .add = add_fabric_what_if});

}  // namespace
}  // namespace weft::tools
