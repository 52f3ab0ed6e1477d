// What a run writes besides its result.
#include "tools/run/context.hpp"

#include <fmt/format.h>

#include "tools/run/config/output_keys.hpp"

namespace weft::tools {

std::string Context::record_path(const std::string& key) const {
  if (!only_job.empty()) return {};
  const std::string path = config.text(key);
  if (config.integer("measure.seeds") == 1) return path;
  return path_of_run(path, fmt::format("seed-{}", config.integer("simulation.seed")));
}

}  // namespace weft::tools
