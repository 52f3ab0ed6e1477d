// Builds networks and keeps what they are; see the header.
#include "tools/study/sweep_networks.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/topology/topology.hpp"
#include "tools/report/cost/network_cost.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools::sweep {
namespace {

/// What a network is built from, as text.
std::string network_text(const Config& config) {
  std::string text;
  for (const Setting& setting : settings()) {
    if (setting.table() == "topology" || setting.table() == "faults")
      text += fmt::format("{} = {}\n", setting.key, value_text(config.value(setting.key)));
  }
  return text;
}

NetworkSize size_of(const models::Topology& network, const std::optional<cost::CostTable>& prices) {
  NetworkSize size{network.nodes(), network.routers(), {}};
  const cost::Measures measures = cost::measures_of(network);
  size.figures = {static_cast<double>(measures.switches), static_cast<double>(measures.radix), measures.ports(),
                  measures.crosspoints()};
  size.figures.resize(network_figures().size(), std::numeric_limits<double>::quiet_NaN());
  if (!prices) return size;
  const cost::NetworkCost cost = cost::cost_of(network, *prices);
  const auto nodes = static_cast<double>(network.plane().nodes());
  const std::initializer_list<double> priced = {cost.price(),   cost.watts(),         static_cast<double>(cost.racks),
                                                cost.cable_m(), cost.price() / nodes, cost.watts() / nodes};
  std::ranges::copy(priced, size.figures.end() - static_cast<std::ptrdiff_t>(priced.size()));
  return size;
}

}  // namespace

const std::vector<NetworkFigure>& network_figures() {
  static const std::vector<NetworkFigure> figures = {
      {"switches", "", false},       {"radix", "ports", false}, {"switch_ports", "ports", false},
      {"crosspoints", "", false},    {"price", nullptr, true},  {"watts", "W", true},
      {"racks", "", true},           {"cable_m", "m", true},    {"price_per_node", nullptr, true},
      {"watts_per_node", "W", true},
  };
  return figures;
}

Networks::Networks(const SweepStudy& study) {
  if (!study.cost.empty()) prices_ = cost::load_cost_table(study.cost);
}

const std::optional<NetworkSize>& Networks::of(const Config& config) {
  const auto [found, is_new] = known_.try_emplace(network_text(config));
  if (is_new) {
    std::unique_ptr<models::Topology> network;
    try {
      network = make_network(config);
    } catch (const Error&) {  // its run will say so
    }
    if (network) found->second = size_of(*network, prices_);
  }
  return found->second;
}

std::vector<std::optional<NetworkSize>> Networks::of(const SweepStudy& study, const std::vector<SweepPoint>& points) {
  std::vector<std::optional<NetworkSize>> sizes;
  for (const SweepPoint& point : points) sizes.push_back(of(study.config.with(point.settings)));
  return sizes;
}

std::string Networks::unit_of(const NetworkFigure& figure) const {
  return figure.unit != nullptr ? figure.unit : prices_ ? prices_->currency : "";
}

}  // namespace weft::tools::sweep
