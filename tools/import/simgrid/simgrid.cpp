// SimGrid: a platform, hostfiles, deployments and time-independent traces, as `smpirun -platform P -hostfile H -replay
// T` takes them. Formats: SimGrid's documentation (Platform_reference, Platform_examples) and its DTD, 3 to 4.1.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/import/importer.hpp"
#include "tools/import/simgrid/conversion.hpp"

namespace weft::tools {
namespace {

ImportedConfig import_simgrid(const ImportTask& task) {
  simgrid::Conversion all{.stem = task.stem, .folder = task.folder};
  for (const ForeignFile& file : task.files) {
    if (simgrid::is_platform(file.text)) simgrid::read_platform(file, all.platform, all.given);
  }
  if (all.platform.clusters.empty() && all.platform.hosts.empty()) {
    throw ConfigError(fmt::format("{}: there is no platform with hosts among the files; give it as well",
                                  shown(task.files.front().path)));
  }
  std::vector<simgrid::TextFile> texts;
  for (const ForeignFile& file : task.files) {
    if (simgrid::is_command(file.text))
      simgrid::read_command(file, all.platform, all.given);
    else if (!simgrid::is_platform(file.text))
      texts.push_back(simgrid::text_file_of(file, all.platform));
  }
  all.out.set("", "format", 1);
  if (all.platform.is_one_cluster())
    simgrid::convert_cluster(all);
  else
    simgrid::convert_graph(all);
  simgrid::convert_workload(all, texts);
  std::string remarks;
  for (const std::string& remark : all.remarks) remarks += "# " + remark + "\n";
  return {remarks + all.out.whole(), all.given.lines(), all.companions};
}

std::vector<ForeignOption> simgrid_options() {
  std::vector<ForeignOption> rows;
  for (const simgrid::Option& option : simgrid::options()) {
    // <config> has names of its own; a line of a text file has none.
    const bool is_plain = option.element == "config" && option.name != "id";
    rows.push_back({option.name.empty() ? option.element
                    : is_plain          ? option.name
                                        : option.element + " " + option.name,
                    option.state, option.keys, option.comment});
  }
  return rows;
}

[[maybe_unused]] const bool simgrid_registered =
    add_importer("simgrid", {.help = "SimGrid: platform XML, with hostfiles and traces",
                             .recognises = simgrid::is_platform,
                             .import = import_simgrid,
                             .options = simgrid_options});

}  // namespace
}  // namespace weft::tools
