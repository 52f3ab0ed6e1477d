// `weft fabric report` and `weft fabric what-if` as plain functions of their options.
#pragma once

#include <string>
#include <vector>

#include "engine/transport.hpp"
#include "models/subnet/subnet.hpp"
#include "tools/cli/fabric_commands.hpp"

namespace weft::tools {

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
/// Writes a page about a routed fabric.
void report_fabric(const FabricReportOptions& options);

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
  std::string out;  ///< page; empty: none
  std::string csv;  ///< a row per loss; empty: none
};
/// Prints a fabric before and after links or switches are gone. Throws StuckError if hosts are cut off.
void compare_fabric(const FabricWhatIfOptions& options);
/// Prints what the loss of each link, or of each switch, would cost, the worst first. Collective.
void rank_fabric_losses(const FabricWhatIfOptions& options, engine::Transport& transport);

struct FabricCompareOptions {
  std::vector<std::string> fabrics;  ///< files or configs
  std::vector<std::string> overrides;
  std::vector<std::string> tables;  ///< of the first fabrics, in their order
  std::vector<std::string> not_hosts;
  std::vector<std::string> engines;  ///< empty: all
  u64 count = 1000;
  u64 seed = 1;
  std::string progress = "auto";
  std::string json, csv;
  std::string out;  ///< page
};
/// Prints routing engines side by side on each fabric. Collective.
void compare_engines_on(const FabricCompareOptions& options, engine::Transport& transport);

/// The engine of these options for a fabric: updn for what has levels, else minhop, unless they name one.
[[nodiscard]] std::string what_if_engine(const FabricWhatIfOptions& options, const models::Subnet& subnet);

}  // namespace weft::tools
