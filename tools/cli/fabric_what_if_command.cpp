// `weft fabric what-if --without`: a fabric with and without some of its links and switches, side by side.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_page_commands.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/what_if_report.hpp"

namespace weft::tools {

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

}  // namespace weft::tools
