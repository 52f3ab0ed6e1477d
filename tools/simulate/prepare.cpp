// Config to settings: the one place that knows what the keys of [router], [link], [packet] and [measure] mean to the models.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/error.hpp"
#include "engine/partition.hpp"
#include "models/network/layout.hpp"
#include "tools/checkpoint/checkpoint_file.hpp"
#include "tools/machine/machine.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {
namespace {

using models::Arbitration;
using models::BubbleRequest;
using models::InjectionPolicy;

template <class Value>
Value choice(const std::string& word, std::initializer_list<std::pair<const char*, Value>> table) {
  for (const auto& [name, value] : table) {
    if (word == name) return value;
  }
  throw Bug("no meaning for \"" + word + "\"");
}

models::RouterSettings router_settings(const Config& config, const TimeScale& time) {
  models::RouterSettings s;
  s.seed = static_cast<u64>(config.integer("simulation.seed"));
  s.virtual_channels = static_cast<u32>(config.integer("router.virtual_channels"));
  s.queue_packets = static_cast<u32>(config.integer("router.queue_packets"));
  s.injection_queues = static_cast<u32>(config.integer("router.injection_queues"));
  s.injection_capacity = s.queue_packets + static_cast<u32>(config.integer("router.injection_queue_packets"));
  if (s.injection_capacity > 255) {
    throw ConfigError(
        "router.injection_queue_packets + router.queue_packets = " + std::to_string(s.injection_capacity) +
        " is more than an injection port can hold (255 packets); use injection_queue_packets = " +
        std::to_string(255 - s.queue_packets));
  }
  s.packet_phits = static_cast<u32>(config.integer("packet.phits"));
  s.cycle_ticks = time.ticks_per_cycle;
  s.packet_ticks = s.packet_phits * time.ticks_per_cycle;
  s.link_ticks = time.latency_ticks;
  s.switch_ticks = static_cast<Tick>(config.integer("router.switch_latency_cycles")) * time.ticks_per_cycle;
  // Room in queues is reckoned in 32-bit ticks of link time.
  if (static_cast<u64>(s.packet_ticks) * 255 >= (u64{1} << 31)) {
    throw ConfigError(
        "a packet takes " + std::to_string(s.packet_ticks) +
        " ticks on a link (more than 2^31 / 255 = 8421504); use a longer simulation.tick_ps or a shorter packet");
  }
  s.arbitration = choice<Arbitration>(config.text("router.arbitration"), {{"round-robin", Arbitration::round_robin},
                                                                          {"random", Arbitration::random},
                                                                          {"fifo", Arbitration::fifo},
                                                                          {"longest", Arbitration::longest},
                                                                          {"age", Arbitration::age}});
  const std::string request = resolved_request(config);
  if (resolved_router_kind(config) == "bubble") {
    s.bubble_request = choice<BubbleRequest>(request, {{"oblivious", BubbleRequest::oblivious},
                                                       {"random", BubbleRequest::random},
                                                       {"shortest", BubbleRequest::shortest},
                                                       {"smart", BubbleRequest::smart}});
  } else {
    s.tree_request = choice<models::TreeRequest>(
        request, {{"static", models::TreeRequest::fixed}, {"adaptive", models::TreeRequest::adaptive}});
  }
  s.credit_ties = choice<models::CreditTies>(
      config.text("router.credit_ties"),
      {{"uniform", models::CreditTies::uniform}, {"first-counts-twice", models::CreditTies::first_counts_twice}});
  s.injection = choice<InjectionPolicy>(config.text("router.injection"),
                                        {{"shortest", InjectionPolicy::shortest},
                                         {"dor", InjectionPolicy::dor},
                                         {"dor-shortest", InjectionPolicy::dor_shortest},
                                         {"shortest-profitable", InjectionPolicy::shortest_profitable},
                                         {"longest-path", InjectionPolicy::longest_path}});
  s.multiple_consumption = config.text("router.consumption") == "multiple";
  s.bubble_packets = static_cast<u32>(config.integer("router.bubble_packets"));
  s.local_buffer_packets = static_cast<u32>(config.integer("router.lbr_packets"));
  const double fraction = config.real("router.ipr_fraction");
  s.transit_priority = fraction >= 1 ? ~u64{0} : static_cast<u64>(std::ldexp(fraction, 64));
  return s;
}

MeasurePlan measure_plan(const Config& config) {
  MeasurePlan plan;
  plan.warmup_cycles = static_cast<Tick>(config.integer("measure.warmup_cycles"));
  plan.interval_cycles = static_cast<Tick>(config.integer("measure.interval_cycles"));
  plan.max_warmup_cycles = static_cast<Tick>(config.integer("measure.max_warmup_cycles"));
  plan.batch_cycles = static_cast<Tick>(config.integer("measure.batch_cycles"));
  plan.tolerance_fraction = config.real("measure.tolerance_fraction");
  plan.intervals = static_cast<u32>(config.integer("measure.intervals"));
  plan.batches = static_cast<u32>(config.integer("measure.batches"));
  return plan;
}

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

/// The router graph; if there is a checkpoint to look at, weighted with what each router had sent by then.
engine::Graph weighted_graph(const Context& context) {
  engine::Graph graph = models::router_graph(*context.topology);
  const std::string given = context.config.text("parallel.weights");
  const std::string path = given.empty() ? context.resume : context.config.resolve_path(given);
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

/// Computes the partition on rank 0 and gives it to all.
void split(Context& context) {
  const u32 parts = context.transport.size(), routers = context.topology->routers();
  if (parts > routers) {
    throw ConfigError(std::to_string(parts) + " ranks are more than the " + std::to_string(routers) +
                      " routers of the network; use mpirun -n " + std::to_string(routers) + " or fewer");
  }
  const std::string& wanted = context.partition = context.config.text("parallel.partition");
  if (wanted == "auto") context.partition = "metis";
  if (parts == 1) {
    context.part_of_router.assign(routers, 0);
    return;
  }
  std::vector<u32> part;
  if (context.transport.rank() == 0) {
    const auto method =
        choice<engine::PartitionMethod>(context.partition, {{"metis", engine::PartitionMethod::metis},
                                                            {"block", engine::PartitionMethod::block},
                                                            {"round-robin", engine::PartitionMethod::round_robin}});
    part = engine::partition(weighted_graph(context), parts, method);
  }
  adopt(context, part);
}

}  // namespace

bool rebalance(Context& context, const std::vector<u32>& ids, const std::vector<u32>& recent) {
  const double bearable = context.config.real("parallel.rebalance_above");
  const u32 parts = context.transport.size();
  if (bearable == 0 || parts == 1) return false;
  const u64 mine = std::accumulate(recent.begin(), recent.end(), u64{0});
  u64 most = mine, all = mine;
  context.transport.max({&most, 1});
  context.transport.sum({&all, 1});
  if (static_cast<double>(most) * parts <= bearable * static_cast<double>(all)) return false;
  const auto all_ids = context.transport.gather(std::as_bytes(std::span(ids)));
  const auto all_recent = context.transport.gather(std::as_bytes(std::span(recent)));
  std::vector<u32> part;
  if (context.transport.rank() == 0) {
    Work work(*context.topology);
    for (u32 rank = 0; rank < parts; ++rank) {
      for (std::size_t at = 0; at < all_ids[rank].size(); at += sizeof(u32)) {
        u32 id, packets;
        std::memcpy(&id, all_ids[rank].data() + at, sizeof id);
        std::memcpy(&packets, all_recent[rank].data() + at, sizeof packets);
        work.add(id, packets);
      }
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

void prepare(Context& context) {
  const Config& config = context.config;
  context.started_s = wall_s();
  context.rss_before = resident_bytes();
  context.topology = models::make_topology(topology_spec(config));
  context.time = time_scale(config);
  context.router = router_settings(config, context.time);
  context.measure = measure_plan(config);
  context.stop = resolved_stop(config);
  context.stop_cycles = static_cast<Tick>(config.integer("simulation.cycles"));
  context.max_cycles = static_cast<Tick>(config.integer("simulation.max_cycles"));
  context.watchdog_cycles = static_cast<Tick>(config.integer("simulation.watchdog_cycles"));
  const u32 ranks = context.transport.size();
  context.protocol = resolved_protocol(config, ranks);
  split(context);
  RunResult& result = context.result;
  result.config_json = config.to_json().dump();
  result.config_toml = config.toml();
  result.seed = context.router.seed;
  result.ranks = ranks;
  result.topology_name = context.topology->name();
  result.router_name = resolved_router_kind(config) + " " + resolved_request(config) + ", " +
                       std::to_string(context.router.virtual_channels) + " VC, " +
                       std::to_string(context.router.queue_packets) + "-packet queues";
  result.nodes = context.topology->nodes();
  result.routers = context.topology->routers();
  result.cycle_ns = context.time.cycle_ns;
}

}  // namespace weft::tools
