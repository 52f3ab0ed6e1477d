// Whether all ranks of a run are the same program with the same config: mpirun and srun can be told otherwise by mistake.
#pragma once

#include "engine/transport.hpp"
#include "tools/config/config.hpp"

namespace weft::tools {

/// Throws on all ranks alike: SystemError if ranks run different builds of weft, ConfigError if they have different configs.
/// Collective.
void check_ranks_agree(const Config& config, engine::Transport& transport);

}  // namespace weft::tools
