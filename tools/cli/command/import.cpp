// `weft import`: a config of another simulator, made into one of weft.
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <vector>

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
#include "tools/run/config/foreign_config.hpp"

namespace weft::tools {
namespace {

struct ImportOptions {
  std::vector<std::string> files;
  std::string from = "auto", out;
  std::string options;  ///< of which simulator the options are listed; empty: of none
  bool strict = false;
};

const ConfigImporter& importer_named(const std::string& name, const std::string& option) {
  const auto& registry = ImporterRegistry::instance();
  const ConfigImporter* const found = registry.find(name);
  if (found != nullptr) return *found;
  throw ConfigError(fmt::format("{} {} is no simulator whose configs are read ({}); did you mean {}?", option,
                                shown(name), fmt::join(registry.names(), ", "), nearest(name, registry.names())));
}

/// The importer of files: the one that was named, or that knows the first file that any knows.
const ConfigImporter& importer_of(const ImportOptions& options, const std::vector<ForeignFile>& files,
                                  std::string& name) {
  if (name = options.from; name != "auto") return importer_named(name, "--from");
  for (const ForeignFile& file : files) {
    if (name = simulator_of(file.text); !name.empty()) return *ImporterRegistry::instance().find(name);
  }
  throw ConfigError(fmt::format("{}: is no config of a simulator that weft knows ({}); say which with --from",
                                shown(files.front().path), fmt::join(ImporterRegistry::instance().names(), ", ")));
}

std::string table_of_options(const ConfigImporter& importer) {
  std::string text = "| option | here | key | |\n|---|---|---|---|\n";
  for (const ForeignOption& option : importer.options()) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", option.names, name_of(option.state),
                        option.keys.empty() ? "" : fmt::format("`{}`", option.keys), option.comment);
  }
  return text;
}

/// "torus" of "configs/torus.toml".
std::string stem_of(const std::string& out) { return out.empty() ? "" : std::filesystem::path(out).stem().string(); }

void check_strict(const std::vector<ImportedLine>& lines) {
  constexpr std::size_t most = 5;
  std::string said;
  std::size_t count = 0;
  for (const ImportedLine& line : lines) {
    if (line.state == OptionState::same || count++ >= most) continue;
    said += fmt::format("{}{}: {}: {}", said.empty() ? "" : ", ", line.place, shown(line.text), name_of(line.state));
  }
  if (count == 0) return;
  throw ConfigError(
      fmt::format("--strict: of {} options {} would not be the same here ({}{}); leave --strict out to take "
                  "what comes nearest, which the comments of the config say",
                  lines.size(), count, said, count > most ? "..." : ""));
}

/// Companions first: a config that is there has all that it names.
void write_files(const ImportOptions& options, const ImportedConfig& config, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(options.out).parent_path();
  for (const CompanionFile& companion : config.companions)
    files::write_file_atomically((folder / companion.name).string(), companion.text);
  files::write_file_atomically(options.out, text);
}

void import_config(const ImportOptions& options) {
  if (!options.options.empty()) return files::print(table_of_options(importer_named(options.options, "--options")));
  if (options.files.empty())
    throw ConfigError(
        "weft import makes a config of FILE, which is not given; name one, or list what is known by "
        "--options insee");
  constexpr u64 most_bytes = u64{1} << 28;
  files::CommandFiles files;
  std::vector<ForeignFile> given;
  for (const std::string& file : options.files) files.reads("FILE", file);
  files.writes("--out", options.out);
  for (const std::string& file : options.files)
    given.push_back({file, read_text_file<ConfigError>(file, most_bytes, "config of another simulator")});
  std::string name;
  const ConfigImporter& importer = importer_of(options, given, name);
  const ImportedConfig config =
      importer.import({given, stem_of(options.out), std::filesystem::path(options.out).parent_path().string()});
  if (options.strict) check_strict(config.lines);
  std::string head = fmt::format("# Imported by weft import --from {}: {}.\n", name, summary_of(config.lines));
  const std::string text = head + comments_of(config.lines) + config.toml;
  if (options.out.empty()) return files::print(text);
  write_files(options, config, text);
  std::string said = fmt::format("wrote {}: {}\n", options.out, summary_of(config.lines));
  for (const ImportedLine& line : config.lines) {
    if (line.state != OptionState::same) said += comments_of({line}).substr(2);
  }
  for (const CompanionFile& companion : config.companions) said += fmt::format("with {}\n", companion.name);
  files::print(said);
}

void add_import(CLI::App& program, Command& chosen) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = program.add_subcommand("import", "make a config of another simulator into one of weft");
  command->add_option("FILE", options->files, "its files: a config, and what belongs to it");
  command->add_option("--from", options->from, "whose it is; auto: known from the file")
      ->type_name("SIMULATOR")
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "the config of weft; printed if it is not given")
      ->type_name("CONFIG.toml");
  command->add_flag("--strict", options->strict, "refuse what is not the same here, in place of taking the nearest");
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
