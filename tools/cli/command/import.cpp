// `weft import`: a config of another simulator, made into one of weft.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools {
namespace {

struct ImportOptions {
  std::string file, from = "auto", out;
  std::string options;  ///< of which simulator the options are listed; empty: of none
};

const ConfigImporter& importer_named(const std::string& name, const std::string& option) {
  const auto& registry = ImporterRegistry::instance();
  const ConfigImporter* const found = registry.find(name);
  if (found != nullptr) return *found;
  throw ConfigError(fmt::format("{} {} is no simulator whose configs are read ({}); did you mean {}?", option,
                                shown(name), fmt::join(registry.names(), ", "), nearest(name, registry.names())));
}

const ConfigImporter& importer_of(const ImportOptions& options, const std::string& text) {
  if (options.from != "auto") return importer_named(options.from, "--from");
  for (const std::string& name : ImporterRegistry::instance().names()) {
    const ConfigImporter& importer = *ImporterRegistry::instance().find(name);
    if (importer.recognises(text)) return importer;
  }
  throw ConfigError(fmt::format("{}: is no config of a simulator that weft knows ({}); say which with --from",
                                shown(options.file), fmt::join(ImporterRegistry::instance().names(), ", ")));
}

std::string table_of_options(const ConfigImporter& importer) {
  std::string text = "| option | here | key | |\n|---|---|---|---|\n";
  for (const ForeignOption& option : importer.options()) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", option.names, name_of(option.state),
                        option.keys.empty() ? "" : fmt::format("`{}`", option.keys), option.comment);
  }
  return text;
}

void import_config(const ImportOptions& options) {
  if (!options.options.empty()) return files::print(table_of_options(importer_named(options.options, "--options")));
  if (options.file.empty())
    throw ConfigError(
        "weft import makes a config of FILE, which is not given; name one, or list what is known by "
        "--options insee");
  constexpr u64 most_bytes = u64{1} << 24;
  files::CommandFiles files;
  files.reads("FILE", options.file);
  files.writes("--out", options.out);
  const std::string text = read_text_file<ConfigError>(options.file, most_bytes, "config of another simulator");
  const ImportedConfig config = importer_of(options, text).import(text, options.file);
  if (options.out.empty()) return files::print(config.toml);
  files::write_file_atomically(options.out, config.toml);
  std::string said = fmt::format("wrote {}{}\n", options.out, config.notes.empty() ? "" : ", in which differs:");
  for (const std::string& note : config.notes) said += note + "\n";
  files::print(said);
}

void add_import(CLI::App& program, Command& chosen) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = program.add_subcommand("import", "make a config of another simulator into one of weft");
  command->add_option("FILE", options->file, "the config, fsin.conf for example");
  command->add_option("--from", options->from, "whose it is; auto: known from the file")
      ->type_name("SIMULATOR")
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "the config of weft; printed if it is not given")
      ->type_name("CONFIG.toml");
  command->add_option("--options", options->options, "list the options of a simulator, and what each is here")
      ->type_name("SIMULATOR");
  command->footer(
      "Examples:\n"
      "  weft import fsin.conf --out torus.toml && weft run torus.toml\n"
      "  weft import --options insee");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { import_config(*options); }); });
}

[[maybe_unused]] const bool import_registered =
    CommandRegistry::instance().add("import", {.place = 35, .add = add_import});

}  // namespace
}  // namespace weft::tools
