// One conversion of a config of CODES, as its parts share it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/import/codes/values.hpp"
#include "tools/import/importer.hpp"
#include "tools/import/toml_writer.hpp"

namespace weft::tools::codes {

struct Conversion {
  const ImportTask& task;
  Values in;
  TomlWriter out = {};
  std::vector<CompanionFile> companions = {};
  std::vector<ImportedLine> more = {};  ///< of other files
  std::vector<std::string> used = {};   ///< paths of files that PARAMS name, and that were given

  Conversion(const ImportTask& whole, const ForeignFile& conf) : task(whole), in(conf) {}

  /// The file that was given whose name is the last part of `path`; null if none was.
  [[nodiscard]] const ForeignFile* file_named(std::string_view path);
  /// Adds a file beside the config, and says its name. Throws ConfigError if the config is printed.
  [[nodiscard]] std::string add_companion(const std::string& ending, const std::string& text);
};

/// What the workload must know of the network.
struct Network {
  i64 nodes = 0;           ///< compute nodes
  i64 tasks_per_node = 1;  ///< processes of each
  /// Keys of every workload: what messages cost their processes.
  std::vector<std::pair<std::string, SettingValue>> costs = {};
};

/// Writes [topology], [node], and what follows from bandwidths, sizes and delays.
[[nodiscard]] Network convert_network(Conversion& all);
/// Writes [ideal] of simplenet, simplep2p and loggp.
[[nodiscard]] Network convert_ideal(Conversion& all);
/// Writes [workload], or [[job]]s of a workload file and the lines of an allocation file.
void convert_workload(Conversion& all, const Network& network);

/// Lines of a workload file ("36 conceptual-milc"), and of an allocation file (numbers alone).
[[nodiscard]] bool is_workload_file(std::string_view text);
[[nodiscard]] bool is_allocation_file(std::string_view text);

}  // namespace weft::tools::codes
