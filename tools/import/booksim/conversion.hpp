// One conversion of a config of BookSim, as its parts share it.
#pragma once

#include <string>
#include <vector>

#include "tools/import/booksim/options.hpp"
#include "tools/import/toml_writer.hpp"

namespace weft::tools::booksim {

/// What the traffic must know of the network.
struct Machine {
  i64 nodes = 0;
  std::vector<i64> digits;  ///< radix of each digit of a node's number, the lowest first; of patterns that go by digits
  /// Routers of a row, in networks that number nodes in a plane of columns * columns_per_router nodes a row, where
  /// nodes that share a router do not follow each other; 0: they do.
  i64 columns = 0, columns_per_router = 1, rows_per_router = 1;
  i64 packet_flits = 1;
  /// Latencies of channels, by table of the config: "link", "link.global", "link.node".
  std::vector<std::pair<std::string, i64>> latencies = {{"link", 1}};

  /// The node of weft for one of BookSim.
  [[nodiscard]] i64 node(i64 theirs) const {
    if (columns == 0) return theirs;
    const i64 width = columns * columns_per_router, x = theirs % width, y = theirs / width;
    const i64 router = y / rows_per_router * columns + x / columns_per_router;
    return router * columns_per_router * rows_per_router + y % rows_per_router * columns_per_router +
           x % columns_per_router;
  }
};

struct Conversion : OptionNotes {
  Conversion(Values values, std::string stem_of_files) : in(std::move(values)), stem(std::move(stem_of_files)) {}

  Values in;
  TomlWriter out;
  /// Whether nodes are to answer the packets that they get.
  [[nodiscard]] bool wants_replies() const {
    const std::string first = in.first("use_read_write");
    return !first.empty() && first != "0";
  }
  /// Whether they do here: not in batches.
  [[nodiscard]] bool replies() const { return wants_replies() && in.text("sim_type") != "batch"; }
  std::string stem;  ///< what names of companion files begin with; empty: there can be none
  std::vector<CompanionFile> companions;
};

/// Writes [topology] and [faults]; reads the files that the config names.
[[nodiscard]] Machine convert_topology(Conversion& all);
/// The text of a fabric in TOML for a network file of anynet. Throws ConfigError with its line.
[[nodiscard]] std::string fabric_of_anynet(std::string_view text, const std::string& file, i64& nodes, bool& latencies);
/// Writes [packet], [router] and [link].
void convert_router(Conversion& all, Machine& machine);
/// Writes [workload], [measure] and [simulation].
void convert_workload(Conversion& all, const Machine& machine);
/// Writes workload.pattern, with a matrix in a companion file where weft has no such pattern.
void convert_pattern(Conversion& all, const Machine& machine);

}  // namespace weft::tools::booksim
