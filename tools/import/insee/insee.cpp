// Configs of INSEE's simulator FSIN (fsin.conf). What its options mean is in its own code and papers (Navaridas,
// Miguel-Alonso, Pascual, Ridruejo: Simulating and evaluating interconnection networks with INSEE, 2011).
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/import/importer.hpp"
#include "tools/import/insee/conversion.hpp"

namespace weft::tools {
namespace {

ImportedConfig import_insee(const ImportTask& task) {
  if (task.files.size() > 1)
    throw ConfigError(
        fmt::format("{}: one fsin.conf is one config; import the others by themselves", shown(task.files[1].path)));
  insee::Conversion all(insee::Values(task.files.front().text, task.files.front().path));
  all.out.set("", "format", 1);
  insee::convert_workload(all, insee::convert_machine(all));
  return {all.out.whole(), all.lines(all.in, "=")};
}

bool is_insee(std::string_view text) {
  for (const char* const option : {"topo=", "tpattern=", "plength=", "rmode=", "nchan="}) {
    for (std::size_t at = text.find(option); at != std::string_view::npos; at = text.find(option, at + 1)) {
      if (at == 0 || text[at - 1] == '\n') return true;
    }
  }
  return false;
}

std::vector<ForeignOption> insee_options() { return listed(insee::options()); }

[[maybe_unused]] const bool insee_registered = add_importer(
    "insee", {.help = "INSEE: fsin.conf", .recognises = is_insee, .import = import_insee, .options = insee_options});

}  // namespace
}  // namespace weft::tools
