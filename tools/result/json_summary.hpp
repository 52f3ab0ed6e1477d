// The JSON summary of a run: the keys that scripts outside the project rely on, and a few more.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// The summary as a JSON object. Loads in phits/node/cycle, latencies in cycles, times in seconds; figures that are not
/// finite become null. `task_finish_cycles` is left out above 4096 tasks (the HDF5 result has them all).
[[nodiscard]] nlohmann::json to_json(const RunResult& result);

/// Writes to_json to `path`, whole or not at all; "-" is standard output. Throws SystemError.
void write_json(const RunResult& result, const std::string& path);

}  // namespace weft::tools
