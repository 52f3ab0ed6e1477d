// Rank 0 adds up the ranks of each host and tells all of them what it found.
#include "tools/run/setup/memory_check.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <span>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/base/system/memory.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/kernel.hpp"
#include "models/core/packet.hpp"
#include "models/machine/memory.hpp"
#include "models/machine/packets/block_bytes.hpp"
#include "models/topology/regular_partition.hpp"
#include "tools/run/config/application.hpp"
#include "workloads/program/host/task_run.hpp"
#include "workloads/program/message.hpp"

namespace weft::tools {
namespace {

/// A process as it is whatever it simulates.
constexpr u64 bytes_of_a_process = u64{24} << 20;

/// What one rank says.
struct Share {
  u64 host = 0, needed = 0, available = 0;
  std::array<char, 64> host_name{}, said_by{};
};

void copy(const std::string& text, std::array<char, 64>& to) { text.copy(to.data(), to.size() - 1); }

/// Whether this process will hand the network's graph to METIS: the first does, where no cut comes from the dimensions
/// alone.
bool partitions_a_graph(const Context& context) {
  const u32 ranks = context.transport.size();
  if (ranks == 1 || context.transport.rank() != 0) return false;
  const std::string method = context.config.text("parallel.partition");
  return method == "metis" || (method == "auto" && !models::even_partition(*context.topology, ranks).part_of);
}

/// What tasks need besides the network.
struct TaskBytes {
  u64 of_program = 0;  ///< in each process
  u64 of_all = 0;      ///< of all tasks together
};

/// As far as the config says how many tasks there are; what is read from files says it when it is read.
TaskBytes bytes_of_tasks(const Context& context, const Config& config) {
  TaskBytes all;
  for (const GivenJob& job : config.jobs()) {
    const TaskBytes one = bytes_of_tasks(context, config.of_job(job.name));
    all.of_program += one.of_program;
    all.of_all += one.of_all;
  }
  if (!config.jobs().empty()) return all;
  const workloads::WorkloadKind& kind = workload_kind(config);
  if (!kind.runs_tasks() || kind.reads_files()) return {};
  const auto program = make_program(config, workload_spec(context, config));
  return {program->bytes(), u64{program->tasks()} * workloads::bytes_of_a_running_task};
}

Share my_share(const Context& context) {
  const bool tasks = runs_tasks(context.config);
  Share share;
  share.host = fnv1a(host_name());
  copy(host_name(), share.host_name);
  const AvailableMemory available = available_memory();
  share.available = available.bytes;
  copy(available.said_by, share.said_by);
  static_assert(sizeof(workloads::ProgramPacket) == sizeof(models::PacketOfAMessage));
  const u32 packet_bytes = tasks ? sizeof(workloads::ProgramPacket) : sizeof(models::Packet);
  const TaskBytes of_tasks = bytes_of_tasks(context, context.config);
  const u64 of_all = models::network_bytes(*context.topology, context.router, packet_bytes) + of_tasks.of_all;
  share.needed = bytes_of_a_process + of_all / context.transport.size() + of_tasks.of_program;
  // Each process knows where all the others' nodes are, and its kernel does.
  if (context.topology->joins_all() && context.transport.size() > 1)
    share.needed += u64{context.topology->nodes()} * 2 * sizeof(engine::RemoteEnd);
  if (partitions_a_graph(context)) share.needed += models::graph_bytes(*context.topology);
  return share;
}

/// The words for the host on which it is tightest; empty if it fits everywhere.
std::string verdict(const std::vector<Share>& shares) {
  struct Host {
    u64 ranks = 0, needed = 0;
    Share tightest;
  };
  std::map<u64, Host> hosts;
  for (const Share& share : shares) {
    Host& host = hosts[share.host];
    if (host.ranks++ == 0 || share.available < host.tightest.available) host.tightest = share;
    host.needed += share.needed;
  }
  for (const auto& [name, host] : hosts) {
    if (host.needed <= host.tightest.available) continue;
    return fmt::format(
        "the network needs about {} on {} ({}), where {} are available ({}); use a smaller network or more hosts, or "
        "--set parallel.check_memory=false to try all the same",
        byte_size(static_cast<double>(host.needed)), host.tightest.host_name.data(),
        host.ranks == 1 ? "one process" : fmt::format("{} ranks", host.ranks),
        byte_size(static_cast<double>(host.tightest.available)), host.tightest.said_by.data());
  }
  return {};
}

}  // namespace

void check_memory(Context& context) {
  models::check_capacity(*context.topology, context.router);
  if (!context.config.flag("parallel.check_memory")) return;
  const std::array<Share, 1> mine{my_share(context)};
  std::vector<Share> all;
  for (const auto& of_rank : engine::gather_values<Share>(context.transport, mine)) all.push_back(of_rank.front());
  const std::string words = verdict(all);
  const auto said = std::as_bytes(std::span(words));
  std::vector<std::byte> bytes(said.begin(), said.end());
  context.transport.broadcast(bytes);
  if (bytes.empty()) return;
  throw SystemError(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace weft::tools
