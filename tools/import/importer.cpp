// What importers have in common: the comments of a config that was imported.
#include "tools/import/importer.hpp"

#include <array>
#include <fmt/format.h>

#include "engine/base/text/shown.hpp"
#include "tools/run/config/foreign_config.hpp"

namespace weft::tools {

bool add_importer(const std::string& name, const ConfigImporter& importer) {
  return ImporterRegistry::instance().add(name, importer) &&
         ForeignConfigRegistry::instance().add(name, {.help = importer.help, .recognises = importer.recognises});
}

std::string comments_of(const std::vector<ImportedLine>& lines) {
  std::string all;
  for (const ImportedLine& line : lines)
    all += fmt::format("# {}: {}: {}{}{}\n", line.place, shown(line.text), name_of(line.state),
                       line.becomes.empty() ? "" : ": ", line.becomes);
  return all;
}

std::string summary_of(const std::vector<ImportedLine>& lines) {
  std::array<std::size_t, 3> count{};
  for (const ImportedLine& line : lines) ++count[static_cast<std::size_t>(line.state)];
  return fmt::format("{} option{}: {} same, {} nearest, {} left out", lines.size(), lines.size() == 1 ? "" : "s",
                     count[0], count[1], count[2]);
}

}  // namespace weft::tools
