// What importers have in common: the comments of a config that was imported.
#include "tools/import/importer.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/run/config/foreign_config.hpp"

namespace weft::tools {

bool add_importer(const std::string& name, const ConfigImporter& importer) {
  return ImporterRegistry::instance().add(name, importer) &&
         ForeignConfigRegistry::instance().add(name, {.help = importer.help, .recognises = importer.recognises});
}

const ForeignOption* option_named(const std::vector<ForeignOption>& options, std::string_view name) {
  const auto found = std::ranges::find_if(options, [&](const ForeignOption& option) {
    const std::vector<std::string> names = listed_words(option.names);
    return std::ranges::find(names, name) != names.end();
  });
  return found == options.end() ? nullptr : &*found;
}

std::string becomes_of(OptionState state, const std::string& keys, const std::string& comment) {
  if (comment.empty() || (state == OptionState::same && !keys.empty())) return keys;
  return keys.empty() ? comment : keys + "; " + comment;
}

void describe_by_table(ImportedLine& line, const ForeignOption* option, const std::string& near) {
  line.state = option == nullptr ? OptionState::left_out : option->state;
  line.becomes = option != nullptr
                     ? becomes_of(option->state, option->keys, option->comment)
                     : "is not known here" + (near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

std::string add_companion(std::vector<CompanionFile>& companions, const std::string& stem, const std::string& file,
                          const std::string& ending, std::string text) {
  if (stem.empty()) {
    throw ConfigError(
        fmt::format("{}: needs a file beside the config, {}, which a config that is printed cannot have; "
                    "add --out CONFIG.toml",
                    shown(file), ending));
  }
  companions.push_back({fmt::format("{}.{}", stem, ending), std::move(text)});
  return companions.back().name;
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
