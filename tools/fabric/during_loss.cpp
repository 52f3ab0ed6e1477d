// Each pattern is sent three times: over the whole fabric, over it without what crosses the part, and over the rest.
#include "tools/fabric/during_loss.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "engine/base/error.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/flow_experiment.hpp"
#include "tools/fabric/routed_state.hpp"

namespace weft::tools {
namespace {

using models::FlowRoute;
using models::ForwardingTables;
using models::Peer;
using models::Subnet;

/// Adds up what flows get.
class RateSums {
 public:
  void begin_round() { ++rounds_; }
  void add(double rate) {
    sum_ += rate;
    ++flows_;
    rates_.worst = std::min(rates_.worst, rate);
    rates_.stopped += rate == 0 ? 1 : 0;
  }
  [[nodiscard]] FlowRates rates() const {
    FlowRates all = rates_;
    if (flows_ == 0) return all;
    all.total = sum_ / static_cast<double>(rounds_);
    all.mean = sum_ / static_cast<double>(flows_);
    return all;
  }
  [[nodiscard]] u64 flows() const { return flows_; }

 private:
  FlowRates rates_;
  double sum_ = 0;
  u64 rounds_ = 0, flows_ = 0;
};

/// Whether the route of a flow crosses what is gone.
bool crosses(const Subnet& subnet, const ForwardingTables& tables, const Removal& removal, u32 from, u32 to) {
  const Peer leaf = subnet.peer_of_host(from);
  bool gone = removal.ports[subnet.channel(leaf.id, leaf.port)] != 0;
  static_cast<void>(models::for_channels_from_switch(subnet, tables, leaf.id, tables.first_target(to),
                                                     [&](u32 channel) { gone |= removal.ports[channel] != 0; }));
  return gone;
}

/// What is left, routed anew; nothing if no two hosts are.
class Rest {
 public:
  Rest(const Subnet& before, const Removal& removal, const std::string& engine)
      : subnet_(subnet_without(before, removal)), joined_(before.hosts(), false) {
    const std::vector<u32> hosts = largest_part(subnet_);
    if (hosts.size() < 2) return;
    for (const u32 host : hosts) joined_[host] = true;
    routing_.push_back(models::route_subnet(subnet_, engine));
    counter_.emplace(subnet_, routing_.front().tables);
    const double whole = models::usual_speed(before).rate, own = models::usual_speed(subnet_).rate;
    if (whole > 0 && own > 0) scale_ = own / whole;
  }

  /// What the flows of a round get, in order.
  const std::vector<double>& rates(const std::vector<workloads::TaskPair>& flows) {
    routes_.clear();
    for (const auto& [from, to] : flows) {
      if (joined_[from] && joined_[to]) routes_.push_back({from, routing_.front().tables.first_target(to)});
    }
    congestion_.resize(routes_.size());
    if (!routes_.empty() && counter_->count(routes_, congestion_)) {
      throw StuckError(
          "the engine finds no routes between all hosts of what is left; take another with --engine (weft fabric "
          "what-if without --during says how many do not arrive)");
    }
    rates_.clear();
    std::size_t next = 0;
    for (const auto& [from, to] : flows)
      rates_.push_back(joined_[from] && joined_[to] ? scale_ / congestion_[next++] : 0);
    return rates_;
  }

 private:
  Subnet subnet_;
  std::vector<bool> joined_;                    ///< [host]
  std::vector<models::FabricRouting> routing_;  ///< one, or none
  std::optional<models::CongestionCounter> counter_;
  double scale_ = 1;
  std::vector<FlowRoute> routes_;
  std::vector<double> congestion_, rates_;
};

}  // namespace

std::vector<LossPhase> phases_of(const LossTimes& times) {
  const double made = times.detection_us + times.sweep_us, repair = times.repair_us;
  const bool noticed = repair > times.detection_us && repair > times.sweep_us;
  const double back = noticed ? repair + made : no_time;
  std::set<double> changes{0, repair};
  if (noticed) changes.insert({made, back});
  changes.erase(no_time);
  std::vector<LossPhase> phases;
  for (auto at = changes.begin(); at != changes.end(); ++at) {
    const auto end = std::next(at);
    phases.push_back({.from_us = *at,
                      .until_us = end == changes.end() ? no_time : *end,
                      .works = *at >= repair,
                      .new_tables = noticed && *at >= made && *at < back,
                      .rates = {}});
  }
  return phases;
}

LossDuring loss_during(const Fabric& fabric, const ForwardingTables* tables, const LossDuringChoice& choice) {
  const Subnet& subnet = fabric.subnet;
  LossDuring found;
  found.removal = removal_of(subnet, choice.without);
  found.hosts = largest_part(subnet);
  std::vector<models::FabricRouting> own;
  if (tables == nullptr) tables = &own.emplace_back(models::route_subnet(subnet, choice.engine)).tables;
  FlowSettings settings;
  settings.pattern = workloads::pattern_named(choice.pattern);
  settings.mapping = Mapping::listed;
  settings.hosts = found.hosts;
  settings.seed = choice.seed;
  FlowExperiment experiment(subnet, *tables, settings);
  Rest rest(subnet, found.removal, choice.engine);
  RateSums before, without, after;
  found.patterns = experiment.same_each_time() ? 1 : choice.count;
  for (u64 index = 0; index < found.patterns; ++index) {
    std::vector<RoutedRound> rounds;
    static_cast<void>(experiment.measure(index, &rounds));
    for (const RoutedRound& round : rounds) {
      for (RateSums* const sums : {&before, &without, &after}) sums->begin_round();
      const std::vector<double>& left = rest.rates(round.hosts);
      for (std::size_t k = 0; k < round.hosts.size(); ++k) {
        const auto& [from, to] = round.hosts[k];
        const double rate = 1 / round.congestion[k];
        before.add(rate);
        without.add(crosses(subnet, *tables, found.removal, from, to) ? 0 : rate);
        after.add(left[k]);
      }
    }
  }
  found.flows = before.flows();
  found.before = before.rates();
  found.phases = phases_of(choice.times);
  for (LossPhase& phase : found.phases) {
    phase.rates = phase.new_tables ? after.rates() : phase.works ? before.rates() : without.rates();
    if (phase.until_us < no_time)
      phase.lost_us = (found.before.total - phase.rates.total) * (phase.until_us - phase.from_us);
  }
  return found;
}

}  // namespace weft::tools
