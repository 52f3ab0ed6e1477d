// One conversion of a config of FSIN, as its parts share it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/import/insee/options.hpp"

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

struct Conversion : OptionNotes {
  explicit Conversion(Values values) : in(std::move(values)) {}

  Values in;
  TomlWriter out;
};

/// Writes [topology], [faults], [simulation], [packet], [router] and [congestion].
[[nodiscard]] Machine convert_machine(Conversion& all);
/// Writes [workload] and [measure], or the jobs of a trace, and [statistics]; notes what is left out.
void convert_workload(Conversion& all, const Machine& machine);

}  // namespace weft::tools::insee
