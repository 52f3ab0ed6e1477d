// One conversion of SimGrid's files, as its parts share it.
#pragma once

#include <string>
#include <vector>

#include "tools/import/simgrid/given.hpp"
#include "tools/import/simgrid/platform.hpp"
#include "tools/import/toml_writer.hpp"

namespace weft::tools::simgrid {

/// What SimGrid's network model makes of latencies and bandwidths.
struct Factors {
  double latency = 1, bandwidth = 1;
  bool are_said = false;  ///< by network/model or factors; else SimGrid has its default
};

struct Conversion {
  Platform platform = {};
  Given given = {};
  std::string stem = {};    ///< of companion files; empty: none can be written
  std::string folder = {};  ///< of the config, from which paths are seen
  TomlWriter out = {};
  std::vector<CompanionFile> companions = {};
  std::vector<Host> nodes = {};  ///< hosts in the order of nodes
  bool is_ideal = false, is_graph = false;
  std::vector<std::string> remarks = {};  ///< lines of comment at the beginning of the config

  /// Adds a companion "STEM.what"; returns its name. Throws ConfigError where none can be written.
  std::string companion(const std::string& what, std::string text);
};

/// Throws ConfigError for a factor that is none; notes what becomes of the properties.
[[nodiscard]] Factors factors_of(Conversion& all);
/// Says what became of bandwidths and latencies: they are the same where the model of the network is said.
void say_links(Conversion& all, const Factors& factors);
/// Writes [simulation], [link], [packet] and [router] for packets on links of such a rate, with node links of no length
/// if `nodes_in_routers`.
void write_links(Conversion& all, const Cable& link, const char* routing, bool nodes_in_routers);

/// Writes [topology] and what goes with it: a cluster alone, and all other platforms.
void convert_cluster(Conversion& all);
void convert_graph(Conversion& all);

/// Files that are no XML: hostfiles and traces.
struct TextFile {
  ForeignFile file;
  enum class Kind { hostfile, list_of_traces, trace } kind;
};
/// What a file that is no XML is. Throws ConfigError if it is neither.
[[nodiscard]] TextFile text_file_of(const ForeignFile& file, const Platform& platform);
/// Writes [workload] and [placement]: those of the files and actors, or an exchange that stands for them.
void convert_workload(Conversion& all, const std::vector<TextFile>& files);

}  // namespace weft::tools::simgrid
