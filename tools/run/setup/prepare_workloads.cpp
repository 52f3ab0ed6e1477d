// What all ranks of a run do together for its workloads before anything else: traces are brought into stores.
#include <algorithm>
#include <array>

#include "tools/run/config/application.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {
namespace {

workloads::ProcessGroup process_group_of(engine::Transport& transport) {
  workloads::ProcessGroup group;
  group.number = transport.rank();
  group.of = transport.size();
  group.all = [&transport](bool yes) {
    std::array<u64, 1> value{yes ? u64{1} : u64{0}};
    transport.min(value);
    return value[0] == 1;
  };
  group.of_first = [&transport](const std::string& text) {
    const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
    std::vector<std::byte> bytes(begin, begin + text.size());
    transport.broadcast(bytes);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  return group;
}

void prepare_workload(const Config& config, const workloads::ProcessGroup& group) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  if (kind.prepare) kind.prepare(table_parameters(config, "workload"), group);
}

}  // namespace

void prepare_workloads(const Config& config, engine::Transport& transport) {
  const workloads::ProcessGroup group = process_group_of(transport);
  for (const Job& job : jobs_of(config)) of_job(job, [&] { prepare_workload(job.config, group); });
  if (config.jobs().empty()) prepare_workload(config, group);
}

}  // namespace weft::tools
