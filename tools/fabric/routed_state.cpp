// Counts routes target by target, then sends bisections; see the header.
#include "tools/fabric/routed_state.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "models/subnet/dependencies.hpp"
#include "models/subnet/distances.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/flow_experiment.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::RouteEnd;
using models::Subnet;

/// Counts the routes between hosts of a set, and the load of each channel if all of them send to all others.
class SetRoutes {
 public:
  SetRoutes(const Subnet& subnet, const models::ForwardingTables& tables, const std::vector<u32>& hosts)
      : subnet_(subnet),
        tables_(tables),
        hosts_(hosts),
        at_(subnet.switches(), 0),
        flow_(subnet.switches(), 0),
        load_(subnet.switch_channels(), 0) {
    for (const u32 h : hosts) ++at_[subnet.peer_of_host(h).id];
  }

  void count(RoutedState& state) {
    models::TargetTree tree(subnet_, tables_);
    for (const u32 h : hosts_) {
      const u32 first = tables_.first_target(h);
      for (u32 t = first; t < first + tables_.targets_of(h); ++t) {
        tree.walk(t);
        const u64 lost = count_tree(tree, h, state);
        if (t != first) continue;
        state.lost_pairs += lost;
        add_flow(tree);
      }
    }
    const u64 arrive = state.routes - state.lost;
    state.mean_links = arrive == 0 ? 0 : static_cast<double>(links_) / static_cast<double>(arrive);
  }

  /// As RoutedState::all_to_all says; `rates`: of each channel as a multiple of the usual one, empty: 1.
  [[nodiscard]] double all_to_all(const std::vector<double>& rates) const {
    const double others = static_cast<double>(hosts_.size() - 1);
    double least = 1 / others;
    for (u32 channel = 0; channel < load_.size(); ++channel) {
      if (load_[channel] > 0)
        least = std::min(least, (rates.empty() ? 1.0 : rates[channel]) / static_cast<double>(load_[channel]));
    }
    for (const u32 h : hosts_) {
      if (!rates.empty()) least = std::min(least, rates[subnet_.host_channel(h)] / others);
    }
    return others * least;
  }

 private:
  /// How many routes of the tree do not arrive.
  u64 count_tree(const models::TargetTree& tree, u32 host, RoutedState& state) {
    state.routes += hosts_.size() - 1;
    u64 lost = 0;
    for (const u32 s : tree.switches()) {
      const u32 sources = at_[s] - (subnet_.peer_of_host(host).id == s ? 1 : 0);
      flow_[s] = sources;
      if (sources == 0) continue;
      if (tree.end(s) != RouteEnd::arrives) {
        lost += sources;
        continue;
      }
      links_ += u64{sources} * (tree.links(s) + 1);
      state.longest = std::max<u64>(state.longest, tree.links(s) + 1);
    }
    state.lost += lost;
    return lost;
  }

  void add_flow(const models::TargetTree& tree) {
    for (auto s = tree.switches().rbegin(); s != tree.switches().rend(); ++s) {
      if (tree.end(*s) != RouteEnd::arrives) continue;
      load_[subnet_.channel(*s, tree.port(*s))] += flow_[*s];
      if (const Peer next = tree.next(*s); next.kind == Peer::Kind::router) flow_[next.id] += flow_[*s];
    }
  }

  const Subnet& subnet_;
  const models::ForwardingTables& tables_;
  const std::vector<u32>& hosts_;
  std::vector<u32> at_;    ///< [switch]: hosts of the set
  std::vector<u64> flow_;  ///< [switch] of the tree at hand
  std::vector<u64> load_;  ///< [channel of a switch]
  u64 links_ = 0;
};

u64 most_routes_of(const Subnet& subnet, const models::RouteSurvey& survey) {
  u64 most = 0;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      if (subnet.peer(s, port).kind == Peer::Kind::router)
        most = std::max(most, survey.routes_through[subnet.channel(s, port)]);
    }
  }
  return most;
}

/// By how much this fabric's usual link is faster than the one that fractions refer to.
double scale_of(const Subnet& subnet, const StateChoice& choice) {
  const double own = models::usual_speed(subnet).rate;
  return choice.usual_rate > 0 && own > 0 ? own / choice.usual_rate : 1;
}

FlowSettings settings_of(const StateChoice& choice, const std::string& pattern) {
  FlowSettings settings;
  settings.pattern = workloads::pattern_named(pattern);
  settings.mapping = Mapping::listed;
  settings.hosts = choice.hosts;
  settings.seed = choice.seed;
  return settings;
}

FlowSummary bisect_over(const Subnet& subnet, const models::ForwardingTables& tables, const StateChoice& choice,
                        engine::Transport& transport, Progress& progress) {
  FlowExperiment experiment(subnet, tables, settings_of(choice, "bisect"));
  FlowSummary summary = run_flows(experiment, {.count = choice.patterns, .precision = 0}, transport, progress);
  const double scale = scale_of(subnet, choice);
  if (scale == 1) return summary;
  for (double* value : {&summary.mean, &summary.stddev, &summary.ci95, &summary.min, &summary.max}) *value *= scale;
  for (double& value : summary.bandwidths) value *= scale;
  return summary;
}

}  // namespace

double shift_bandwidth(const Subnet& subnet, const models::ForwardingTables& tables, const StateChoice& choice) {
  FlowExperiment experiment(subnet, tables, settings_of(choice, "all-to-all"));
  return experiment.measure(0).sum_max * scale_of(subnet, choice);
}

double all_to_all_bandwidth(const Subnet& subnet, const models::ForwardingTables& tables,
                            const std::vector<u32>& hosts) {
  RoutedState unused;
  SetRoutes routes(subnet, tables, hosts);
  routes.count(unused);
  return routes.all_to_all(models::relative_rates(subnet));
}

double mean_load(const Subnet& subnet, const models::RouteSurvey& survey) {
  u64 used = 0, sum = 0;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const u64 load = survey.routes_through[subnet.channel(s, port)];
      if (subnet.peer(s, port).kind != Peer::Kind::router || load == 0) continue;
      ++used;
      sum += load;
    }
  }
  return used == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(used);
}

models::RouteSurvey routes_by_rates(const Subnet& subnet, const models::RouteSurvey& survey) {
  models::RouteSurvey weighed = survey;
  const std::vector<double> rates = models::relative_rates(subnet);
  if (rates.empty()) return weighed;
  for (u32 channel = 0; channel < subnet.switch_channels(); ++channel) {
    u64& routes = weighed.routes_through[channel];
    if (routes > 0)
      routes = std::max<u64>(1, static_cast<u64>(std::llround(static_cast<double>(routes) / rates[channel])));
  }
  return weighed;
}

RoutedState state_of(const Subnet& subnet, const models::ForwardingTables& tables, const StateChoice& choice) {
  const auto transport = engine::single_process();
  Progress quiet(Progress::Mode::never, std::cerr, false);
  return state_of(subnet, tables, choice, *transport, quiet);
}

RoutedState state_of(const Subnet& subnet, const models::ForwardingTables& tables, const StateChoice& choice,
                     engine::Transport& transport, Progress& progress) {
  RoutedState state;
  state.links = subnet.switch_links();
  state.layers = choice.layers;
  SetRoutes routes(subnet, tables, choice.hosts);
  routes.count(state);
  const models::RouteSurvey survey = models::survey_routes(subnet, tables);
  state.most_routes = most_routes_of(subnet, survey);
  state.mean_routes = mean_load(subnet, survey);
  if (choice.credit_loops) {
    const models::CreditLoops loops = models::find_credit_loops(subnet, tables);
    state.tangles = loops.tangles;
    state.looped_channels = loops.channels;
  }
  state.judged = state.lost == 0 && choice.hosts.size() >= 2;
  if (!state.judged) return state;
  state.all_to_all = routes.all_to_all(models::relative_rates(subnet)) * scale_of(subnet, choice);
  FlowSummary summary = bisect_over(subnet, tables, choice, transport, progress);
  state.bandwidth = summary.mean;
  state.ci95 = summary.ci95;
  state.bandwidths = std::move(summary.bandwidths);
  return state;
}

std::vector<u32> largest_part(const Subnet& subnet) {
  const models::Connection connection = models::connection_of(subnet);
  const auto most = std::ranges::max_element(connection.hosts_in);
  const u32 part = static_cast<u32>(most - connection.hosts_in.begin());
  std::vector<u32> hosts;
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer at = subnet.peer_of_host(h);
    if (at.kind == Peer::Kind::router && connection.part_of[at.id] == part) hosts.push_back(h);
  }
  return hosts;
}

}  // namespace weft::tools
