// From a checked config to a finished run: builds the model on every rank, runs it, gathers the result on rank 0.
#pragma once

#include <functional>
#include <memory>

#include "engine/transport.hpp"
#include "models/topology/topology.hpp"
#include "tools/result/run_result.hpp"
#include "tools/run/checkpoint/checkpoint_file.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/progress.hpp"

namespace weft::workloads {
class ExternalTasks;
}  // namespace weft::workloads

namespace weft::tools {

/// Makes the network of a run, where that is not what the config describes: a fabric with tables that are in no file.
using NetworkMaker = std::function<std::unique_ptr<models::Topology>()>;

/// Runs the simulation that `config` describes. Collective over the ranks of `transport`; the result is whole on rank 0
/// and empty elsewhere. `progress` is used on rank 0 only and may be null. `resume`: checkpoint to go on from, or
/// empty. `checkpoint`: where to write them; rank 0's counts. Throws
/// Stopped once a checkpoint is written because SIGTERM or SIGUSR1 came (see watch_stop_signals); ConfigError,
/// InputError, StuckError (deadlock, unmatched receive) or SystemError, on every rank alike where the cause is known to
/// all. `network`: takes the place of make_network(config); the router is still that of topology.kind. `outside`: runs
/// the tasks of workload.kind = "cosim"; such a run leaves no checkpoints. `slowdowns`: each job of [[job]] runs alone,
/// too, placed as in the run with all of them and from when it began there, for JobRow::slowdown.
[[nodiscard]] RunResult simulate(const Config& config, engine::Transport& transport, Progress* progress,
                                 const std::string& resume = {}, const CheckpointPlace& checkpoint = {},
                                 const NetworkMaker& network = {}, workloads::ExternalTasks* outside = nullptr,
                                 bool slowdowns = false);

}  // namespace weft::tools
