// What all ranks of a run do together for its workloads before anything else: traces are brought into stores.
#include <algorithm>
#include <array>

#include "tools/run/config/application.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {
namespace {

workloads::Team team_of(engine::Transport& transport) {
  workloads::Team team;
  team.number = transport.rank();
  team.of = transport.size();
  team.all = [&transport](bool yes) {
    std::array<u64, 1> value{yes ? u64{1} : u64{0}};
    transport.min(value);
    return value[0] == 1;
  };
  team.of_first = [&transport](const std::string& text) {
    const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
    std::vector<std::byte> bytes(begin, begin + text.size());
    transport.broadcast(bytes);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  return team;
}

void prepare_workload(const Config& config, const workloads::Team& team) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  if (kind.prepare) kind.prepare(table_parameters(config, "workload"), team);
}

}  // namespace

void prepare_workloads(const Config& config, engine::Transport& transport) {
  const workloads::Team team = team_of(transport);
  for (const Job& job : jobs_of(config)) of_job(job, [&] { prepare_workload(job.config, team); });
  if (config.jobs().empty()) prepare_workload(config, team);
}

}  // namespace weft::tools
