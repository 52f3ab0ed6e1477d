// Patterns made into routes, and counted.
#include "tools/fabric/flow_experiment.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/random.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::RouteEnd;

std::string why(RouteEnd end) {
  switch (end) {
    case RouteEnd::no_entry:
      return "a table on the path has no entry";
    case RouteEnd::not_cabled:
      return "a table on the path names a port without a cable, or the host has none";
    case RouteEnd::loops:
      return "it loops";
    case RouteEnd::wrong_host:
      return "it ends at another host";
    case RouteEnd::arrives:
      break;
  }
  return "it arrives";
}

}  // namespace

void add_to(std::vector<u64>& counts, const std::vector<u64>& more) {
  if (counts.size() < more.size()) counts.resize(more.size(), 0);
  for (std::size_t c = 0; c < more.size(); ++c) counts[c] += more[c];
}

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
  if (settings_.lid == LidChoice::first || settings_.lid == LidChoice::round_robin) addresses_ = 1;
}

bool FlowExperiment::same_each_time() const {
  if (!settings_.pairs.empty()) return true;
  return settings_.mapping != Mapping::random && !settings_.pattern.pattern->random;
}

u32 FlowExperiment::scale() const {
  return settings_.pairs.empty() ? settings_.pattern.pattern->scale(settings_.pattern.argument) : 1;
}

void FlowExperiment::fill_routes(const workloads::PatternRound& round, u32 address) {
  const bool in_turn = settings_.lid == LidChoice::round_robin;
  const auto target = [&](u32 host) {
    const auto place = in_turn ? routes_.size() : std::size_t{address};
    return tables_.first_target(host) + static_cast<u32>(place % tables_.targets_of(host));
  };
  routes_.clear();
  if (!settings_.pairs.empty()) {
    for (const auto& [from, to] : settings_.pairs) routes_.push_back({from, target(to)});
    if (settings_.both_ways) {
      for (const auto& [from, to] : settings_.pairs) routes_.push_back({to, target(from)});
    }
    return;
  }
  pairs_.clear();
  settings_.pattern.pattern->fill(round, pairs_);
  const bool placed = settings_.pattern.pattern->placed, mapped = !order_.empty();
  const std::size_t one_way = pairs_.size();
  for (std::size_t k = 0; k < one_way && settings_.both_ways; ++k)
    pairs_.emplace_back(pairs_[k].second, pairs_[k].first);
  for (const auto& [from, to] : pairs_) {
    const u32 sender = placed ? from : hosts_[mapped ? order_[from] : from];
    const u32 receiver = placed ? to : hosts_[mapped ? order_[to] : to];
    routes_.push_back({sender, target(receiver)});
  }
}

void FlowExperiment::keep_round(std::vector<RoutedRound>& rounds) const {
  RoutedRound& kept = rounds.emplace_back();
  for (const models::FlowRoute& route : routes_)
    kept.hosts.emplace_back(route.from_host, tables_.host_of(route.target));
  kept.congestion = congestion_;
}

FlowResult FlowExperiment::measure_at(u64 index, u32 address, std::vector<RoutedRound>* rounds_kept) {
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
  u64 senders = 0, sending_rounds = 0;
  double shares = 0, by_sender = 0;
  for (; round.round < rounds; ++round.round) {
    fill_routes(round, address);
    congestion_.resize(routes_.size());
    if (const auto broken = counter_.count(routes_, congestion_)) {
      const auto& route = routes_[broken->route];
      throw StuckError(fmt::format("there is no route from {} to {} ({}); weft fabric check says what is wrong",
                                   shown(subnet_.host_label(route.from_host)),
                                   shown(subnet_.host_label(tables_.host_of(route.target))), why(broken->end)));
    }
    if (rounds_kept != nullptr) keep_round(*rounds_kept);
    if (routes_.empty()) continue;
    double most = 0, sum_of_round = 0;
    for (const double c : congestion_) most = std::max(most, c), sum_of_round += c;
    ++sending_rounds;
    result.pi_avg += sum_of_round / static_cast<double>(routes_.size());
    result.pi_max += most;
    if (const u32 bin = models::congestion_bin(most); result.congestions.size() <= bin)
      result.congestions.resize(bin + 1, 0);
    for (const double c : congestion_) ++result.congestions[models::congestion_bin(c)];
    if (counter_.weighted()) {
      for (const double c : congestion_) shares += 1 / c;
    }
    for (std::size_t first = 0, end = 0; first < routes_.size() && scale() > 1; first = end, ++senders) {
      double sum = 0;
      for (end = first; end < routes_.size() && routes_[end].from_host == routes_[first].from_host; ++end)
        sum += congestion_[end];
      by_sender += static_cast<double>(end - first) / sum;
    }
  }
  take_mean(shares, result);
  result.pi_avg /= static_cast<double>(sending_rounds);
  result.pi_max /= static_cast<double>(sending_rounds);
  result.task_avg = senders == 0 ? result.bandwidth : scale() * by_sender / static_cast<double>(senders);
  result.sum_avg = scale() / result.pi_avg;
  result.sum_max = scale() / result.pi_max;
  return result;
}

void FlowExperiment::take_mean(double shares, FlowResult& result) const {
  // From integers where there are some, so that the order of routes is nothing to the last digit.
  u64 routes = 0;
  double of_whole = 0;
  for (std::size_t c = 1; c < result.congestions.size(); ++c) {
    routes += result.congestions[c];
    of_whole += static_cast<double>(result.congestions[c]) / static_cast<double>(c);
  }
  if (routes == 0)
    throw ConfigError(
        "the pattern has no pair that communicates (too few hosts or switches for it); take another pattern");
  result.bandwidth = scale() * (counter_.weighted() ? shares : of_whole) / static_cast<double>(routes);
}

FlowResult FlowExperiment::measure(u64 index, std::vector<RoutedRound>* rounds) {
  FlowResult result = measure_at(index, 0, rounds);
  for (u32 address = 1; address < addresses_; ++address) {
    FlowResult other = measure_at(index, address, nullptr);
    if (settings_.lid == LidChoice::best) {
      if (other.bandwidth > result.bandwidth) result = std::move(other);
      continue;
    }
    for (const auto figure : flow_figures) result.*figure += other.*figure;
    add_to(result.congestions, other.congestions);
  }
  if (settings_.lid == LidChoice::average) {
    for (const auto figure : flow_figures) result.*figure /= addresses_;
  }
  return result;
}

}  // namespace weft::tools
