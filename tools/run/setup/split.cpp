// Partitions weighted with what routers have sent, in an earlier run or lately in this one.
#include "tools/run/setup/split.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/partition.hpp"
#include "engine/partition_file.hpp"
#include "models/topology/regular_partition.hpp"
#include "tools/run/checkpoint/checkpoint_file.hpp"

namespace weft::tools {
namespace {

/// Packets that each router and its NICs have sent.
class Work {
 public:
  explicit Work(const models::Topology& topology) : topology_(topology), sent_(topology.routers(), 0) {}
  [[nodiscard]] bool knows(u32 entity) const {
    return entity < topology_.routers() + (topology_.direct() ? 0 : topology_.nodes());
  }
  void add(u32 entity, u32 packets) {
    const u32 routers = topology_.routers();
    sent_[entity < routers ? entity : topology_.router_of(NodeId(entity - routers)).value()] += packets;
  }
  /// Weights of the routers in steps of a thousandth of the busiest one's. An idle router counts a little.
  [[nodiscard]] std::vector<u32> weights() const {
    constexpr u128 scale = 1000;
    const u64 most = std::max<u64>(1, *std::ranges::max_element(sent_));
    std::vector<u32> weights(sent_.size());
    for (u32 r = 0; r < sent_.size(); ++r) weights[r] = static_cast<u32>(1 + sent_[r] * scale / most);
    return weights;
  }
  /// What the busiest part has sent, over the mean.
  [[nodiscard]] double imbalance(const models::PartOf& part_of, u32 parts) const {
    std::vector<u64> sums(parts, 0);
    u64 all = 0;
    for (u32 r = 0; r < sent_.size(); ++r) {
      sums[part_of(r)] += sent_[r];
      all += sent_[r];
    }
    return static_cast<double>(*std::ranges::max_element(sums) * parts) / static_cast<double>(std::max<u64>(1, all));
  }

 private:
  const models::Topology& topology_;
  std::vector<u64> sent_;  ///< [router]
};

/// The checkpoint that says what each router had to do, or nothing.
std::string weights_file(const Context& context) {
  const std::string given = context.config.text("parallel.weights");
  return given.empty() ? context.resume : context.config.resolve_path(given);
}

/// On rank 0, what each router had sent by the time of the checkpoint to look at; nothing if there is none.
std::optional<Work> earlier_work(const Context& context) {
  const std::string path = weights_file(context);
  if (path.empty() || context.transport.rank() != 0) return {};
  Work work(*context.topology);
  CheckpointReader file(path);
  file.keep([](u32) { return true; });
  file.each_record("work", [&](u32 id, std::span<const std::byte> record) {
    u32 packets = 0;
    if (!work.knows(id) || record.size() != sizeof packets) file.fail("it is of another network");
    std::memcpy(&packets, record.data(), sizeof packets);
    work.add(id, packets);
  });
  return work;
}

/// Whether rank 0's `work`, if there is any, is shared out evenly by `part_of`. Collective.
bool balances(Context& context, const std::optional<Work>& work, const models::PartOf& part_of) {
  constexpr double most_imbalance = 1.02;
  u64 uneven = work && work->imbalance(part_of, context.transport.size()) > most_imbalance ? 1 : 0;
  context.transport.sum({&uneven, 1});
  return uneven == 0;
}

std::vector<u32> from_file(const Context& context) {
  return engine::partition_from_file(context.config.resolve_path(context.config.text("parallel.partition_path")),
                                     context.topology->routers(), context.transport.size());
}

/// Gives rank 0's partition to all; an empty one changes nothing. True if there was one.
bool adopt(Context& context, const std::vector<u32>& part) {
  const auto* const begin = reinterpret_cast<const std::byte*>(part.data());
  std::vector<std::byte> bytes(begin, begin + part.size() * sizeof(u32));
  context.transport.broadcast(bytes);
  if (bytes.empty()) return false;
  std::vector<u32> all(bytes.size() / sizeof(u32));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  context.part_of = models::part_of_table(std::move(all));
  return true;
}

/// [router]: number of its group, where the NICs of nodes are on several routers; else nothing.
std::vector<u32> groups_of_routers(const Context& context) {
  if (context.attachment->nics() == 1) return {};
  return context.attachment->groups(*context.topology);
}

/// Part of every router; those of a group have the same.
std::vector<u32> partition(const Context& context, const engine::Graph& graph, const std::vector<u32>& groups,
                           engine::PartitionMethod method) {
  if (groups.empty()) return engine::partition(graph, context.transport.size(), method);
  const std::vector<u32> of_group =
      engine::partition(engine::contracted(graph, groups), context.transport.size(), method);
  std::vector<u32> part(groups.size());
  for (u32 router = 0; router < part.size(); ++router) part[router] = of_group[groups[router]];
  return part;
}

void check_ranks(const Context& context, const std::vector<u32>& groups) {
  const u32 parts = context.transport.size(), routers = context.topology->routers();
  if (parts > routers) {
    throw ConfigError(
        fmt::format("{0} ranks are more than the {1} routers of the network; use {1} or fewer (mpirun "
                    "-n, --threads)",
                    parts, routers));
  }
  const u32 count = groups.empty() ? routers : 1 + *std::ranges::max_element(groups);
  if (parts > count) {
    throw ConfigError(
        fmt::format("{0} ranks are more than can share the {1} routers of the network (the NICs of a node are "
                    "simulated by one rank, node.nics); use {2} or fewer (mpirun -n, --threads)",
                    parts, routers, count));
  }
}

/// Whether a partition has all NICs of each node in one part. Throws ConfigError if it has not and the user wants it.
bool keeps_nodes_whole(const Context& context, const models::PartOf& part_of, const std::string& method) {
  const auto node = context.attachment->torn(*context.topology, part_of);
  if (node && method != "auto") {
    throw ConfigError(
        fmt::format("parallel.partition = \"{}\" has the NICs of node {} in several parts (node.nics: one rank "
                    "simulates a node); use parallel.partition = \"auto\"",
                    method, *node));
  }
  return !node;
}

}  // namespace

void split(Context& context) {
  const u32 parts = context.transport.size(), routers = context.topology->routers();
  std::string& method = context.partition;
  method = context.config.text("parallel.partition");
  if (parts == 1) {
    context.part_of = [](u32) { return 0U; };
    return;
  }
  const std::vector<u32> groups = groups_of_routers(context);
  check_ranks(context, groups);
  const std::optional<Work> work = method == "auto" || method == "metis" ? earlier_work(context) : std::nullopt;
  // What comes from the dimensions alone, each rank works out for itself.
  models::RegularPartition regular = models::named_partition(*context.topology, parts, method);
  if (regular.part_of && keeps_nodes_whole(context, regular.part_of, method) &&
      balances(context, work, regular.part_of)) {
    context.part_of = std::move(regular.part_of);
    method = regular.method;
    return;
  }
  const bool chosen_here = method == "auto";
  if (chosen_here) method = "metis";
  std::vector<u32> part;
  if (context.transport.rank() == 0) {
    if (method == "file") {
      part = from_file(context);
      keeps_nodes_whole(
          context, [&part](u32 router) { return part[router]; }, method);
    } else {
      engine::Graph graph = models::router_graph(*context.topology, context.router.class_link_ticks);
      if (work) graph.vertex_weights = work->weights();
      if (chosen_here && !engine::fits_metis({routers, graph.edges.size()})) method = "block";
      part = partition(context, graph, groups, engine::partition_method(method));
    }
  }
  adopt(context, part);
}

models::Layout lay_out(Context& context) {
  return models::Layout(*context.topology, std::exchange(context.part_of, {}), context.transport.rank(),
                        context.transport.size());
}

bool rebalance(Context& context, const std::vector<u32>& ids, const std::vector<u32>& recent) {
  const u32 parts = context.transport.size();
  u64 most = std::accumulate(recent.begin(), recent.end(), u64{0}), all = most;
  context.transport.max({&most, 1});
  context.transport.sum({&all, 1});
  const double bearable = context.config.real("parallel.rebalance_above");
  if (static_cast<double>(most) * parts <= bearable * static_cast<double>(all)) return false;
  const auto ids_of = engine::gather_values<u32>(context.transport, ids);
  const auto recent_of = engine::gather_values<u32>(context.transport, recent);
  std::vector<u32> part;
  if (context.transport.rank() == 0) {
    Work work(*context.topology);
    for (u32 rank = 0; rank < parts; ++rank) {
      for (std::size_t e = 0; e < ids_of[rank].size(); ++e) work.add(ids_of[rank][e], recent_of[rank][e]);
    }
    engine::Graph graph = models::router_graph(*context.topology, context.router.class_link_ticks);
    graph.vertex_weights = work.weights();
    part = partition(context, graph, groups_of_routers(context), engine::PartitionMethod::metis);
    // It must be worth the move: half of what is too much must go. (NICs live with their switch, so ranks' sums are
    // those of routers.)
    const double now = static_cast<double>(most) * parts / static_cast<double>(all);
    const double then = work.imbalance([&part](u32 router) { return part[router]; }, parts);
    if (then - 1 > (now - 1) / 2) part.clear();
  }
  if (!adopt(context, part)) return false;
  context.partition = "metis";
  return true;
}

}  // namespace weft::tools
