// Where the programs of several jobs are put together.
#include "tools/simulate/jobs.hpp"

#include "engine/error.hpp"

namespace weft::tools {

void run_jobs(Context& /*context*/) {
  throw ConfigError("[[job]] cannot be run by this version; use one workload in [workload]");
}

}  // namespace weft::tools
