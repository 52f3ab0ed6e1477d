// Inputs of other simulators, made into configs of weft; a folder for each simulator, found by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/registry.hpp"

namespace weft::tools {

/// What becomes of an option of another simulator.
enum class OptionState { same, nearest, left_out };
[[nodiscard]] constexpr const char* name_of(OptionState state) {
  return state == OptionState::same ? "same" : state == OptionState::nearest ? "nearest" : "left out";
}

/// An option of another simulator, for users: what it is here.
struct ForeignOption {
  std::string names;  ///< "rseed, rnds"
  OptionState state = OptionState::same;
  std::string keys;     ///< of weft; empty where it is left out
  std::string comment;  ///< how they differ, or why it is left out
};

/// A file of another simulator.
struct ForeignFile {
  std::string path;
  std::string text;
};

struct ImportTask {
  std::span<const ForeignFile> files;  ///< one at least, in the order in which they were given
  /// What names of companion files begin with: "torus" of --out torus.toml; empty if the config is printed, where none
  /// can be written.
  std::string stem;
  std::string folder = {};  ///< in which the config is written; empty: the current one
};

/// An option as a file gives it, and what became of it.
struct ImportedLine {
  std::string place;  ///< "FILE:LINE"
  std::string text;   ///< "num_vcs = 2"
  OptionState state = OptionState::same;
  std::string becomes = {};  ///< the keys of weft, how it differs, why it is left out
};

/// A file that goes with a config, in the same folder: its table of links, its routes.
struct CompanionFile {
  std::string name;  ///< "torus.links.toml": STEM and what it is
  std::string text;
};

struct ImportedConfig {
  std::string toml;
  std::vector<ImportedLine> lines;  ///< every option that was given, in the order of the files
  std::vector<CompanionFile> companions = {};
};

struct ConfigImporter {
  std::string help;  ///< one line: whose configs these are
  /// Whether a text looks like one of its configs.
  bool (*recognises)(std::string_view text) = nullptr;
  /// Throws ConfigError with file and line for what it does not know, and for what cannot be had here.
  ImportedConfig (*import)(const ImportTask& task) = nullptr;
  std::vector<ForeignOption> (*options)() = nullptr;
};
using ImporterRegistry = Registry<ConfigImporter>;

/// Adds an importer, and says to readers of configs how its files are known.
bool add_importer(const std::string& name, const ConfigImporter& importer);

/// The option of a table that has a name among its own; null if none does.
[[nodiscard]] const ForeignOption* option_named(const std::vector<ForeignOption>& options, std::string_view name);
/// What a line says of an option that is what its table says: the keys, with the comment if it is not the same, or if
/// there are no keys.
[[nodiscard]] std::string becomes_of(OptionState state, const std::string& keys, const std::string& comment);
/// Says in a line what the table says of an option; of one that nobody knows (null) that, with the nearest name if
/// there is one.
void describe_by_table(ImportedLine& line, const ForeignOption* option, const std::string& near);

/// Adds the file STEM.ENDING that goes with the config of a file, and returns its name. Throws ConfigError if the
/// config is printed, and has no files beside it.
std::string add_companion(std::vector<CompanionFile>& companions, const std::string& stem, const std::string& file,
                          const std::string& ending, std::string text);

/// "# FILE:LINE: OPTION: same: KEYS", a line for each option; a file's name is shortened to its last part.
[[nodiscard]] std::string comments_of(const std::vector<ImportedLine>& lines);
/// "38 options: 30 same, 6 nearest, 2 left out".
[[nodiscard]] std::string summary_of(const std::vector<ImportedLine>& lines);

}  // namespace weft::tools
