// `weft fabric report` and `weft fabric what-if` as plain functions of their options.
#pragma once

#include <string>
#include <vector>

#include "tools/weft/fabric_commands.hpp"

namespace weft::tools {

struct FabricReportOptions {
  FabricChoice fabric;
  std::string engine;  ///< empty: minhop, unless there are tables
  u64 count = 1000;    ///< random bisect patterns
  u64 seed = 1;
  std::string out;  ///< page
  std::string csv;  ///< a row per channel; empty: none
};
/// Writes a page about a routed fabric.
void report_fabric(const FabricReportOptions& options);

struct FabricWhatIfOptions {
  FabricChoice fabric;
  std::string engine;  ///< empty: updn for what has levels, else minhop
  std::vector<std::string> without;
  u64 count = 1000;
  u64 seed = 1;
  std::string json;
};
/// Prints a fabric before and after links or switches are gone. Throws StuckError if hosts are cut off.
void compare_fabric(const FabricWhatIfOptions& options);

}  // namespace weft::tools
