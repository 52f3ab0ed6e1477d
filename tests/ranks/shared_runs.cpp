// Many runs of weft in processes that are started once, by mpirun or one alone: `shared_runs LIST.json`, where the list
// has steps, a step has runs side by side, and a run its number of processes, how many more are to be left idle beside
// it (its threads need their cores), and its command line. Ends at the first run that fails.
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/log.hpp"
#include "engine/base/types.hpp"
#include "engine/transport.hpp"
#include "engine/transport_parts.hpp"
#include "tools/cli/command_line.hpp"

namespace {

using namespace weft;

/// Which run of a step a process takes part in: the first ones in the first, and so on; -1: in none.
int run_of(const nlohmann::json& step, u32 process) {
  u32 begin = 0;
  for (std::size_t run = 0; run < step.size(); ++run) {
    const u32 busy = step[run]["processes"].get<u32>(), end = begin + busy + step[run]["idle"].get<u32>();
    if (process < end) return process < begin + busy ? static_cast<int>(run) : -1;
    begin = end;
  }
  return -1;
}

void carry_out(const nlohmann::json& run, engine::Transport& ranks) {
  if (run["processes"].get<u32>() != ranks.size()) {
    throw std::runtime_error("a run for " + run["processes"].dump() + " processes got " + std::to_string(ranks.size()));
  }
  const auto words = run["command"].get<std::vector<std::string>>();
  std::vector<const char*> argv = {"weft"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  start_log({}, ranks.rank(), ranks.size());
  tools::parse_command_line(static_cast<int>(argv.size()), argv.data())(ranks);
}

}  // namespace

int main(int argc, char** argv) {
  // Ranks of other runs are there on purpose.
  setenv("WEFT_SEPARATE_RUNS", "1", 1);
  const std::unique_ptr<engine::Transport> all = engine::open_transport(&argc, &argv, true);
  std::string at = "the list";
  try {
    if (argc != 2) throw std::runtime_error("usage: shared_runs LIST.json");
    std::ifstream file(argv[1]);
    for (const nlohmann::json& step : nlohmann::json::parse(file)) {
      const int mine = run_of(step, all->rank());
      const auto part = engine::part_of(*all, static_cast<u32>(mine + 1));
      if (mine < 0) continue;
      at = step[static_cast<std::size_t>(mine)].dump();
      carry_out(step[static_cast<std::size_t>(mine)], *part);
    }
  } catch (const std::exception& error) {
    std::cerr << "shared_runs: " << at << ": " << error.what() << std::endl;
    all->abort(1);
  }
  return 0;
}
