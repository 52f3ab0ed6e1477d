// Patterns made into routes, counted, and put together in the order of their numbers.
#include "tools/fabric/flow_experiment.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "engine/error.hpp"
#include "engine/random.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::RouteEnd;

std::string why(RouteEnd end) {
  switch (end) {
    case RouteEnd::no_entry:
      return "a table on the way has no entry";
    case RouteEnd::not_cabled:
      return "a table on the way names a port without a cable, or the host has none";
    case RouteEnd::loops:
      return "it runs in a circle";
    case RouteEnd::wrong_host:
      return "it ends at another host";
    case RouteEnd::arrives:
      break;
  }
  return "it arrives";
}

void add_to(std::vector<u64>& counts, const std::vector<u64>& more) {
  if (counts.size() < more.size()) counts.resize(more.size(), 0);
  for (std::size_t c = 0; c < more.size(); ++c) counts[c] += more[c];
}

}  // namespace

FlowExperiment::FlowExperiment(const models::Subnet& subnet, const models::ForwardingTables& tables,
                               FlowSettings settings)
    : subnet_(subnet), tables_(tables), settings_(std::move(settings)), counter_(subnet, tables) {
  std::vector<std::vector<u32>> at(subnet.switches());
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer leaf = subnet.peer_of_host(h);
    if (leaf.kind != Peer::Kind::router) continue;
    at[leaf.id].push_back(h);
    hosts_.push_back(h);
    addresses_ = std::max(addresses_, tables.targets_of(h));
  }
  for (auto& hosts : at) {
    if (!hosts.empty()) leaves_.push_back(std::move(hosts));
  }
  if (settings_.mapping == Mapping::listed) hosts_ = settings_.hosts;
  if (hosts_.size() < 2) {
    throw ConfigError(
        "the fabric has fewer than two hosts with a cable to a switch (nobody can send); take another fabric");
  }
  if (settings_.lid == LidChoice::first) addresses_ = 1;
}

bool FlowExperiment::same_each_time() const {
  if (!settings_.pairs.empty()) return true;
  return settings_.mapping != Mapping::random && !settings_.pattern.pattern->random;
}

u32 FlowExperiment::scale() const {
  return settings_.pairs.empty() ? settings_.pattern.pattern->scale(settings_.pattern.argument) : 1;
}

void FlowExperiment::fill_routes(const workloads::PatternRound& round, u32 address) {
  const auto target = [&](u32 host) { return tables_.first_target(host) + address % tables_.targets_of(host); };
  routes_.clear();
  if (!settings_.pairs.empty()) {
    for (const auto& [from, to] : settings_.pairs) routes_.push_back({from, target(to)});
    return;
  }
  pairs_.clear();
  settings_.pattern.pattern->fill(round, pairs_);
  const bool placed = settings_.pattern.pattern->placed, mapped = !order_.empty();
  for (const auto& [from, to] : pairs_) {
    const u32 sender = placed ? from : hosts_[mapped ? order_[from] : from];
    const u32 receiver = placed ? to : hosts_[mapped ? order_[to] : to];
    routes_.push_back({sender, target(receiver)});
  }
}

FlowResult FlowExperiment::measure_at(u64 index, u32 address) {
  workloads::PatternRound round;
  round.tasks = tasks();
  round.argument = settings_.pattern.argument;
  round.bits = engine::random_bits(settings_.seed, 0, index, engine::Use::source_destination);
  round.leaves = &leaves_;
  const bool pairs_given = !settings_.pairs.empty();
  const bool shuffled = !pairs_given && settings_.mapping == Mapping::random && !settings_.pattern.pattern->random;
  if (shuffled) workloads::random_order(round.bits, round.tasks, order_);
  const u32 rounds = pairs_given ? 1 : settings_.pattern.pattern->rounds(round.tasks, round.argument);

  FlowResult result;
  u64 largest = 0, senders = 0;
  double by_sender = 0;
  for (; round.round < rounds; ++round.round) {
    fill_routes(round, address);
    congestion_.resize(routes_.size());
    if (const auto broken = counter_.count(routes_, congestion_)) {
      const auto& route = routes_[broken->route];
      throw StuckError(fmt::format("there is no route from {} to {} ({}); weft fabric check says what is wrong",
                                   subnet_.host_at(route.from_host).name,
                                   subnet_.host_at(tables_.host_of(route.target)).name, why(broken->end)));
    }
    u32 most = 0;
    for (const u32 c : congestion_) most = std::max(most, c);
    if (result.congestions.size() <= most) result.congestions.resize(most + 1, 0);
    for (const u32 c : congestion_) ++result.congestions[c];
    largest += most;
    for (std::size_t first = 0, end = 0; first < routes_.size() && scale() > 1; first = end, ++senders) {
      u64 sum = 0;
      for (end = first; end < routes_.size() && routes_[end].from_host == routes_[first].from_host; ++end)
        sum += congestion_[end];
      by_sender += static_cast<double>(end - first) / static_cast<double>(sum);
    }
  }
  // From integers, so that the order of routes is nothing to the last digit.
  u64 routes = 0, sum = 0;
  double shares = 0;
  for (std::size_t c = 1; c < result.congestions.size(); ++c) {
    routes += result.congestions[c];
    sum += result.congestions[c] * c;
    shares += static_cast<double>(result.congestions[c]) / static_cast<double>(c);
  }
  if (routes == 0)
    throw ConfigError(
        "the pattern has no pair that communicates (too few hosts or switches for it); take another pattern");
  result.bandwidth = scale() * shares / static_cast<double>(routes);
  result.mean_congestion = static_cast<double>(sum) / static_cast<double>(routes);
  result.sum_avg = senders == 0 ? result.bandwidth : scale() * by_sender / static_cast<double>(senders);
  result.sum_max = scale() * static_cast<double>(rounds) / static_cast<double>(largest);
  return result;
}

FlowResult FlowExperiment::measure(u64 index) {
  FlowResult result = measure_at(index, 0);
  for (u32 address = 1; address < addresses_; ++address) {
    FlowResult other = measure_at(index, address);
    if (settings_.lid == LidChoice::best) {
      if (other.bandwidth > result.bandwidth) result = std::move(other);
      continue;
    }
    result.bandwidth += other.bandwidth;
    result.mean_congestion += other.mean_congestion;
    result.sum_avg += other.sum_avg;
    result.sum_max += other.sum_max;
    add_to(result.congestions, other.congestions);
  }
  if (settings_.lid == LidChoice::average) {
    result.bandwidth /= addresses_;
    result.mean_congestion /= addresses_;
    result.sum_avg /= addresses_;
    result.sum_max /= addresses_;
  }
  return result;
}

namespace {

/// Takes results in the order of their numbers.
class Collector {
 public:
  Collector(const FlowLimits& limits, u32 scale) : limits_(limits), scale_(scale) {}

  /// True once enough is there; what comes after that does not count.
  bool take(const double bandwidth, double sum_avg, double sum_max, std::span<const u64> congestions) {
    FlowSummary& s = summary_;
    s.bandwidths.push_back(bandwidth);
    sum_avg_ += sum_avg;
    sum_max_ += sum_max;
    if (s.congestions.size() < congestions.size()) s.congestions.resize(congestions.size(), 0);
    for (std::size_t c = 0; c < congestions.size(); ++c) s.congestions[c] += congestions[c];
    // Welford's sums: no digits are lost however many patterns there are.
    const double n = static_cast<double>(++s.patterns), from_mean = bandwidth - s.mean;
    s.mean += from_mean / n;
    squares_ += from_mean * (bandwidth - s.mean);
    s.min = s.patterns == 1 ? bandwidth : std::min(s.min, bandwidth);
    s.max = s.patterns == 1 ? bandwidth : std::max(s.max, bandwidth);
    if (limits_.precision > 0 && s.patterns % patterns_per_look == 0 && half_interval() <= limits_.precision)
      s.precise = true;
    return s.precise || s.patterns == limits_.count;
  }
  [[nodiscard]] double mean() const { return summary_.mean; }
  [[nodiscard]] u64 patterns() const { return summary_.patterns; }
  [[nodiscard]] double half_interval() const {
    if (summary_.patterns < 2) return std::numeric_limits<double>::infinity();
    return 1.96 * stddev() / std::sqrt(static_cast<double>(summary_.patterns));
  }
  [[nodiscard]] FlowSummary finished() {
    FlowSummary& s = summary_;
    s.stddev = stddev();
    s.ci95 = s.patterns < 2 ? 0 : half_interval();
    s.sum_avg = sum_avg_ / static_cast<double>(s.patterns);
    s.sum_max = sum_max_ / static_cast<double>(s.patterns);
    u64 sum = 0;
    for (std::size_t c = 0; c < s.congestions.size(); ++c) s.routes += s.congestions[c], sum += s.congestions[c] * c;
    s.inverse_mean_congestion = scale_ * static_cast<double>(s.routes) / static_cast<double>(sum);
    return std::move(s);
  }

 private:
  [[nodiscard]] double stddev() const {
    return summary_.patterns < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(summary_.patterns - 1));
  }
  FlowLimits limits_;
  double scale_;
  FlowSummary summary_;
  double squares_ = 0, sum_avg_ = 0, sum_max_ = 0;
};

/// A result as words to be sent: bandwidth, sum_avg, sum_max, number of counts, counts.
void pack(const FlowResult& result, std::vector<u64>& words) {
  words.push_back(std::bit_cast<u64>(result.bandwidth));
  words.push_back(std::bit_cast<u64>(result.sum_avg));
  words.push_back(std::bit_cast<u64>(result.sum_max));
  words.push_back(result.congestions.size());
  words.insert(words.end(), result.congestions.begin(), result.congestions.end());
}

}  // namespace

FlowSummary run_flows(FlowExperiment& experiment, const FlowLimits& limits, engine::Transport& transport,
                      Progress& progress) {
  Collector collector(limits, experiment.scale());
  const u64 ranks = transport.size(), batch = std::max(patterns_per_look, 16 * ranks);
  progress.start("patterns", static_cast<double>(limits.count), "patterns");
  std::vector<u64> words;
  for (u64 first = 0, done = 0; done == 0; first += batch) {
    const u64 end = std::min(first + batch, limits.count);
    words.clear();
    for (u64 index = first + transport.rank(); index < end; index += ranks) {
      pack(experiment.measure(index), words);
      if (ranks == 1) progress.update(static_cast<double>(index + 1), 0, "");
    }
    const auto gathered = engine::gather_values<u64>(transport, words);
    std::vector<std::size_t> at(gathered.size(), 0);
    for (u64 index = first; index < end && !gathered.empty() && done == 0; ++index) {
      const auto& from = gathered[(index - first) % ranks];
      std::size_t& k = at[(index - first) % ranks];
      const u64 counts = from[k + 3];
      done = collector.take(std::bit_cast<double>(from[k]), std::bit_cast<double>(from[k + 1]),
                            std::bit_cast<double>(from[k + 2]), std::span(from).subspan(k + 4, counts))
                 ? 1
                 : 0;
      k += 4 + counts;
    }
    if (transport.rank() == 0) {
      progress.update(static_cast<double>(collector.patterns()), 0, fmt::format("bandwidth {:.4f}", collector.mean()));
    }
    transport.max(std::span(&done, 1));
  }
  progress.finish();
  return transport.rank() == 0 ? collector.finished() : FlowSummary{};
}

}  // namespace weft::tools
