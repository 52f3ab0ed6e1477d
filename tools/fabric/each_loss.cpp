// Every rank takes every n-th loss and computes it alone; rank 0 puts them in order.
#include "tools/fabric/each_loss.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>

#include "engine/base/confidence.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/gathered.hpp"
#include "models/subnet/distances.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/what_if.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Subnet;

/// Pairs of hosts in the same part, each to the other counted.
u64 connected_pairs(const Subnet& subnet) {
  u64 pairs = 0;
  for (const u64 hosts : models::connection_of(subnet).hosts_in) pairs += hosts * (hosts - (hosts > 0 ? 1 : 0));
  return pairs;
}

/// What can be taken away, in the order of numbers.
std::vector<u32> elements_of(const Subnet& subnet, EachOf each) {
  std::vector<u32> elements;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (each == EachOf::of_switch) elements.push_back(s);
    for (u32 port = 1; each == EachOf::link && port <= subnet.switch_at(s).ports; ++port) {
      const Peer far = subnet.peer(s, port);
      if (far.kind == Peer::Kind::router && std::pair(s, port) < std::pair(far.id, far.port))
        elements.push_back(subnet.channel(s, port));
    }
  }
  return elements;
}

/// Figures of a set of hosts before anything is gone.
struct Before {
  RoutedState state;
  std::vector<u32> hosts;
};

class LossFinder {
 public:
  LossFinder(const Subnet& subnet, const LossChoice& choice)
      : subnet_(subnet),
        choice_(choice),
        tables_(models::route_subnet(subnet, choice.engine).tables),
        usual_rate_(models::usual_speed(subnet).rate) {
    pairs_ = connected_pairs(subnet);
    whole_.hosts = largest_part(subnet);
    whole_.state = state_of(subnet, tables_, choice_of(whole_.hosts));
  }
  [[nodiscard]] const RoutedState& whole() const { return whole_.state; }

  /// What is left of the fabric without an element.
  [[nodiscard]] Subnet rest_without(u32 element) const {
    return subnet_without(subnet_, choice_.each == EachOf::link ? removal_of_link(subnet_, element)
                                                                : removal_of_switch(subnet_, element));
  }

  [[nodiscard]] Loss find(u32 element) {
    Loss loss;
    loss.element = element;
    const Subnet rest = rest_without(element);
    const std::vector<u32> hosts = largest_part(rest);
    loss.hosts_cut = static_cast<u32>(whole_.hosts.size() - std::min(whole_.hosts.size(), hosts.size()));
    loss.pairs_lost = pairs_ - connected_pairs(rest);
    try {
      const models::FabricRouting routing = models::route_subnet(rest, choice_.engine);
      judge(rest, routing.tables, hosts, loss);
    } catch (const ConfigError&) {
      loss.routed = loss.judged = false;
    }
    return loss;
  }

 private:
  [[nodiscard]] StateChoice choice_of(const std::vector<u32>& hosts) const {
    return {.hosts = hosts,
            .patterns = choice_.patterns,
            .seed = choice_.seed,
            .credit_loops = false,
            .usual_rate = usual_rate_};
  }

  void judge(const Subnet& rest, const models::ForwardingTables& tables, const std::vector<u32>& hosts, Loss& loss) {
    const RoutedState after = state_of(rest, tables, choice_of(hosts));
    loss.longest = after.longest;
    loss.most_routes = after.most_routes;
    const Before& before = before_among(hosts);
    // Routes that did not arrive before either are no loss.
    loss.pairs_lost += after.lost_pairs - std::min(after.lost_pairs, before.state.lost_pairs);
    loss.judged = after.judged && before.state.judged;
    if (!loss.judged) return;
    loss.bandwidth_before = before.state.bandwidth;
    loss.bandwidth_after = after.bandwidth;
    loss.bandwidth_loss = without_rounding(1 - after.bandwidth / before.state.bandwidth);
    std::vector<double> differences(after.bandwidths.size());
    for (std::size_t k = 0; k < differences.size(); ++k)
      differences[k] = before.state.bandwidths[k] - after.bandwidths[k];
    if (differences.size() > 1)
      loss.loss_ci95 = without_rounding(stats::half_width95(differences) / before.state.bandwidth);
    loss.all_to_all_before = before.state.all_to_all;
    loss.all_to_all_after = after.all_to_all;
  }

  /// The whole fabric as these hosts have it.
  const Before& before_among(const std::vector<u32>& hosts) {
    if (hosts == whole_.hosts) return whole_;
    if (hosts != some_.hosts) some_ = {state_of(subnet_, tables_, choice_of(hosts)), hosts};
    return some_;
  }

  const Subnet& subnet_;
  const LossChoice& choice_;
  models::ForwardingTables tables_;
  double usual_rate_;
  u64 pairs_ = 0;
  Before whole_, some_;  ///< some_: of the hosts asked for last
};

void sort_losses(std::vector<Loss>& losses, LossOrder order) {
  const auto key = [order](const Loss& loss) {
    const double first = order == LossOrder::bisection ? loss.bandwidth_loss : loss.all_to_all_loss();
    const double second = order == LossOrder::bisection ? loss.all_to_all_loss() : loss.bandwidth_loss;
    return std::tuple(loss.pairs_lost, loss.judged ? 0 : 1, first, second);
  };
  std::ranges::stable_sort(losses, [&](const Loss& a, const Loss& b) { return key(a) > key(b); });
}

/// What the engine says about the first that it refuses.
std::string refusal_of(const LossFinder& finder, const std::vector<Loss>& losses, const std::string& engine) {
  const auto refused = std::ranges::find(losses, false, &Loss::routed);
  if (refused == losses.end()) return "";
  try {
    static_cast<void>(models::route_subnet(finder.rest_without(refused->element), engine));
  } catch (const ConfigError& error) {
    return error.what();
  }
  throw Bug("an engine routes a fabric that it refused");
}

}  // namespace

LossRanking rank_losses(const Subnet& subnet, const LossChoice& choice, engine::Transport& transport,
                        Progress& progress) {
  const std::vector<u32> elements = elements_of(subnet, choice.each);
  if (elements.empty()) {
    throw ConfigError(
        "there is no link between switches to take away (the fabric has one switch, or none is cabled to another); "
        "take --each-switch or another fabric");
  }
  LossFinder finder(subnet, choice);
  LossRanking ranking{finder.whole(), {}, ""};
  const u64 ranks = transport.size(), count = elements.size();
  progress.start("losses", static_cast<double>(count), choice.each == EachOf::link ? "links" : "switches");
  for (u64 first = 0; first < count; first += ranks) {
    std::vector<Loss> mine;
    if (const u64 own = first + transport.rank(); own < count) mine.push_back(finder.find(elements[own]));
    std::ranges::copy(engine::gathered(transport, mine), std::back_inserter(ranking.losses));
    if (transport.rank() == 0) progress.update(static_cast<double>(ranking.losses.size()), 0, "");
  }
  progress.finish();
  if (transport.rank() != 0) return {};
  ranking.refusal = refusal_of(finder, ranking.losses, choice.engine);
  sort_losses(ranking.losses, choice.order);
  return ranking;
}

std::string loss_name(const Subnet& subnet, EachOf each, u32 element) {
  if (each == EachOf::of_switch) return shown(subnet.switch_label(element));
  const Peer from = subnet.owner(element), to = subnet.peer(from.id, from.port);
  return fmt::format("{} port {} - {} port {}", shown(subnet.switch_label(from.id)), from.port,
                     shown(subnet.switch_label(to.id)), to.port);
}

}  // namespace weft::tools
