// Whether all ranks of a run are the same program with the same config and files: mpirun and srun can be told otherwise
// by mistake, and a file can differ from host to host.
#pragma once

#include "engine/transport.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Throws on all ranks alike: SystemError if ranks run different builds of weft, ConfigError if they have different
/// configs or plug-ins, InputError if the files that the config names differ; `inputs_hash`: of RunInputs. Collective.
void check_ranks_agree(const Config& config, u64 inputs_hash, engine::Transport& transport);

}  // namespace weft::tools
