// Partitions weighted with what routers have sent, in an earlier run or lately in this one.
#include "tools/simulate/split.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/error.hpp"
#include "engine/partition.hpp"
#include "engine/partition_file.hpp"
#include "models/network/layout.hpp"
#include "models/topology/regular_partition.hpp"
#include "tools/checkpoint/checkpoint_file.hpp"

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
  /// Weights for METIS, which adds them up in 32 bits. An idle router counts a little.
  [[nodiscard]] std::vector<u32> weights() const {
    constexpr u64 scale = 1000;
    const u64 most = std::max<u64>(1, *std::ranges::max_element(sent_));
    std::vector<u32> weights(sent_.size());
    for (u32 r = 0; r < sent_.size(); ++r) weights[r] = static_cast<u32>(1 + sent_[r] * scale / most);
    return weights;
  }
  /// Of the busiest part, over the mean.
  [[nodiscard]] double imbalance(const std::vector<u32>& part, u32 parts) const {
    std::vector<u64> sums(parts, 0);
    u64 all = 0;
    for (u32 r = 0; r < sent_.size(); ++r) {
      sums[part[r]] += sent_[r];
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

/// The router graph; if there is a checkpoint to look at, weighted with what each router had sent by then.
engine::Graph weighted_graph(const Context& context) {
  engine::Graph graph = models::router_graph(*context.topology);
  const std::string path = weights_file(context);
  if (path.empty()) return graph;
  Work work(*context.topology);
  CheckpointReader file(path);
  file.each_record("work", [&](u32 id, std::span<const std::byte> record) {
    u32 packets = 0;
    if (!work.knows(id) || record.size() != sizeof packets) file.fail("it is of another network");
    std::memcpy(&packets, record.data(), sizeof packets);
    work.add(id, packets);
  });
  graph.vertex_weights = work.weights();
  return graph;
}

std::vector<u32> from_file(const Context& context) {
  return engine::partition_from_file(context.config.resolve_path(context.config.text("parallel.partition_path")),
                                     context.topology->routers(), context.transport.size());
}

/// `method`: "boxes" or "subtrees". Throws ConfigError where there are none.
std::vector<u32> regular(const models::Topology& topology, u32 parts, const std::string& method) {
  const std::string problem = "parallel.partition = \"" + method + "\" does not fit a " + topology.name();
  models::RegularPartition partition = models::regular_partition(topology, parts);
  if (method != partition.method) {
    throw ConfigError(problem + (method == "boxes" ? " (it is no mesh or torus)" : " (it is no tree)") + "; use \"" +
                      partition.method + "\" or \"metis\"");
  }
  if (partition.part.empty()) {
    throw ConfigError(problem + " on " + std::to_string(parts) +
                      (method == "boxes" ? " ranks (its dimensions cannot be cut into so many); use \"metis\""
                                         : " ranks (it has fewer leaf switches); use \"metis\" or fewer ranks"));
  }
  return std::move(partition.part);
}

/// Gives rank 0's partition to all; an empty one changes nothing. True if there was one.
bool adopt(Context& context, const std::vector<u32>& part) {
  const auto* const begin = reinterpret_cast<const std::byte*>(part.data());
  std::vector<std::byte> bytes(begin, begin + part.size() * sizeof(u32));
  context.transport.broadcast(bytes);
  if (bytes.empty()) return false;
  context.part_of_router.resize(bytes.size() / sizeof(u32));
  std::memcpy(context.part_of_router.data(), bytes.data(), bytes.size());
  return true;
}

}  // namespace

void split(Context& context) {
  const u32 parts = context.transport.size(), routers = context.topology->routers();
  if (parts > routers) {
    throw ConfigError(std::to_string(parts) + " ranks are more than the " + std::to_string(routers) +
                      " routers of the network; use mpirun -n " + std::to_string(routers) + " or fewer");
  }
  std::string& method = context.partition;
  method = context.config.text("parallel.partition");
  if (parts == 1) {
    context.part_of_router.assign(routers, 0);
    return;
  }
  // These come from the dimensions alone: each rank works them out for itself.
  if (method == "boxes" || method == "subtrees") {
    context.part_of_router = regular(*context.topology, parts, method);
    return;
  }
  if (method == "auto" && weights_file(context).empty()) {
    models::RegularPartition even = models::even_partition(*context.topology, parts);
    if (!even.part.empty()) {
      context.part_of_router = std::move(even.part);
      method = even.method;
      return;
    }
  }
  if (method == "auto") method = "metis";
  std::vector<u32> part;
  if (context.transport.rank() == 0) {
    part = method == "file" ? from_file(context)
                            : engine::partition(weighted_graph(context), parts, engine::partition_method(method));
  }
  adopt(context, part);
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
    engine::Graph graph = models::router_graph(*context.topology);
    graph.vertex_weights = work.weights();
    part = engine::partition(graph, parts, engine::PartitionMethod::metis);
    // It must be worth the move: half of what is too much must go.
    const double now = work.imbalance(context.part_of_router, parts);
    if (work.imbalance(part, parts) - 1 > (now - 1) / 2) part.clear();
  }
  if (!adopt(context, part)) return false;
  context.partition = "metis";
  return true;
}

}  // namespace weft::tools
