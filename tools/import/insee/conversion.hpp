// One conversion of a config of FSIN, as its parts share it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/import/insee/options.hpp"
#include "tools/import/toml_writer.hpp"

namespace weft::tools::insee {

/// What kind of network it is, as far as other options depend on it.
enum class Family : u8 { grid, tree, dragonfly, indirect_cube };

/// What the workload must know of the network.
struct Machine {
  Family family = Family::grid;
  std::vector<i64> dims;  ///< of grids and indirect cubes
  i64 dimensions = 0, processors = 0, group_nodes = 0;
  i64 phit_bytes = 4;
};

struct Conversion {
  Values in;
  TomlWriter out = {};
  struct Note {
    OptionState state;
    std::string what;
  };
  std::map<std::string, Note> notes = {};  ///< by option; of the others the table of options says what they are here

  /// What is not as it was.
  void note(const std::string& option, const std::string& what) { notes[option] = {OptionState::nearest, what}; }
  void leave_out(const std::string& option, const std::string& why) { notes[option] = {OptionState::left_out, why}; }
  /// What became of each option that is given, in the order of the file.
  [[nodiscard]] std::vector<ImportedLine> lines() const;
  /// The word of this simulator for one of FSIN's. `words`: (FSIN's, weft's). Throws ConfigError for others.
  [[nodiscard]] std::string word_of(const std::string& option, const std::string& given,
                                    const std::vector<std::pair<const char*, const char*>>& words) const;
  /// The value; throws ConfigError if it is below `least`, or beyond what networks have.
  [[nodiscard]] i64 at_least(const std::string& option, i64 value, i64 least) const;
};

/// Writes [topology], [faults], [simulation], [packet], [router] and [congestion].
[[nodiscard]] Machine convert_machine(Conversion& all);
/// Writes [workload] and [measure], or the jobs of a trace, and [statistics]; notes what is left out.
void convert_workload(Conversion& all, const Machine& machine);

}  // namespace weft::tools::insee
