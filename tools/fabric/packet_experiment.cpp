// From the routes of a round to the pairs of an exchange, and back from the times of its tasks.
#include "tools/fabric/packet_experiment.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "tools/run/simulate.hpp"
#include "workloads/program/placement/placement.hpp"

namespace weft::tools {
namespace {

/// Bits of a seed that a config takes whatever its type is in other programs.
constexpr u32 seed_bits = 31;

}  // namespace

PacketExperiment::PacketExperiment(PacketNetwork network, PairMessages messages, u64 seed)
    : network_(std::move(network)), messages_(messages), seed_(seed), alone_(engine::single_process()) {}

PacketExperiment::Tasks PacketExperiment::tasks_of(const std::vector<workloads::TaskPair>& hosts) const {
  // Each pair has a task at both ends for itself: so the messages of a host share its link packet by packet, and when
  // a task is done tells of its pair alone. With messages both ways the second half of the routes are the ways back.
  const std::size_t pairs = messages_.both_ways ? hosts.size() / 2 : hosts.size();
  std::vector<u32> sent(network_.node_of_host.size(), 0), received(sent.size(), 0);
  std::vector<u32>& at_receiver = messages_.both_ways ? sent : received;
  std::vector<u32> sender_place, receiver_place;
  for (std::size_t k = 0; k < pairs; ++k) {
    sender_place.push_back(sent[hosts[k].first]++);
    receiver_place.push_back(at_receiver[hosts[k].second]++);
  }
  const u32 senders = std::ranges::max(sent);
  Tasks tasks;
  tasks.a_node = senders + std::ranges::max(received);
  if (tasks.a_node > workloads::most_tasks_per_node) {
    throw ConfigError(
        fmt::format("--packets: a host sends and receives {} messages at the same time (at most {} can be told apart); "
                    "take another pattern, or leave --packets out",
                    tasks.a_node, workloads::most_tasks_per_node));
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    const u32 from = network_.node_of_host[hosts[k].first], to = network_.node_of_host[hosts[k].second];
    tasks.sender.push_back(from * tasks.a_node + sender_place[k]);
    tasks.receiver.push_back(to * tasks.a_node + (messages_.both_ways ? 0 : senders) + receiver_place[k]);
  }
  return tasks;
}

void PacketExperiment::send_round(u64 index, u32 number, const RoutedRound& round, PairCollector& collector,
                                  PacketResult& counts) {
  const Tasks tasks = tasks_of(round.hosts);
  std::vector<u32> pairs;
  for (std::size_t k = 0; k < tasks.sender.size(); ++k) pairs.insert(pairs.end(), {tasks.sender[k], tasks.receiver[k]});
  const u64 seed = engine::random_bits(seed_, number, index, engine::Use::source_destination) >> (64 - seed_bits);
  const Config config = network_.config.with({fmt::format("workload.pairs=[{}]", fmt::join(pairs, ",")),
                                              fmt::format("workload.tasks_per_node={}", tasks.a_node),
                                              fmt::format("simulation.seed={}", seed)});
  const RunResult result = simulate(config, *alone_, nullptr, {}, {}, network_.network);
  const double bytes = static_cast<double>(messages_.bytes) * messages_.messages;
  const double link = result.exchange.link;
  for (std::size_t route = 0; route < round.hosts.size(); ++route) {
    const std::size_t pair = route % tasks.sender.size();
    const u32 task = route == pair ? tasks.receiver[pair] : tasks.sender[pair];
    const double share = bytes / (result.task_finish_cycles[task] * link);
    last_shares_.push_back(share);
    collector.add(round.congestion[route], share);
  }
  if (result.cycle_ns > 0) link_mib_per_s_ = result.mib_per_s(link);
  counts.cycles += result.cycles;
  counts.packets += result.counts.delivered;
}

PacketResult PacketExperiment::measure(u64 index, const std::vector<RoutedRound>& rounds, u32 scale) {
  last_shares_.clear();
  PairCollector collector;
  PacketResult counts;
  for (u32 number = 0; number < rounds.size(); ++number) {
    if (!rounds[number].hosts.empty()) send_round(index, number, rounds[number], collector, counts);
  }
  PacketResult result = collector.finished(scale);
  result.cycles = counts.cycles;
  result.packets = counts.packets;
  return result;
}

}  // namespace weft::tools
