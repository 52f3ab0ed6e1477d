// The settings table and the registries as JSON: what people read in `weft describe`, for programs.
#include "tools/run/config/describe_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "models/arbiter/scheduler.hpp"
#include "models/nic/congestion_scheme.hpp"
#include "models/nic/dispersion.hpp"
#include "models/routing/router_kind.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/topology/topology.hpp"
#include "tools/result/figures.hpp"
#include "tools/run/config/describe_plugins.hpp"
#include "tools/run/config/rows/kind_defaults.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/plugin/plugins.hpp"
#include "workloads/generator/accelerator/nccl.hpp"
#include "workloads/generator/collective/collective.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/generator/patterns.hpp"
#include "workloads/program/matching/matching.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/trace/trace_source.hpp"
#include "workloads/traffic/arrival_law.hpp"
#include "workloads/traffic/length_law.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;

json value_json(const SettingValue& value) {
  return std::visit(
      [](const auto& held) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return nullptr;
        else
          return held;
      },
      value);
}

json parameter_json(const Parameters& values, const Setting& row) {
  switch (row.type) {
    case SettingType::integer:
      return values.integer(row.name());
    case SettingType::real:
      return values.real(row.name());
    case SettingType::boolean:
      return values.flag(row.name());
    case SettingType::integers:
      return values.integers(row.name());
    case SettingType::text:
    case SettingType::choice:
    case SettingType::ranges:
      return values.text(row.name());
  }
  throw Bug("setting type without a name");
}

std::vector<std::string> kinds_that_declare(const std::string& key) {
  std::vector<std::string> kinds = kinds_with<models::TopologyKind>(key);
  if (kinds.empty()) kinds = kinds_with<models::RouterKind>(key);
  if (kinds.empty()) kinds = kinds_with<workloads::PatternKind>(key);
  if (kinds.empty()) kinds = kinds_with<workloads::KernelKind>(key);
  if (kinds.empty()) kinds = kinds_with<workloads::LengthLaw>(key);
  if (kinds.empty()) kinds = kinds_with<workloads::ArrivalLaw>(key);
  if (kinds.empty()) kinds = kinds_with<workloads::PlacementKind>(key);
  if (kinds.empty()) kinds = kinds_with<models::arbiter::SchedulerKind>(key);
  if (kinds.empty()) kinds = kinds_with<workloads::WorkloadKind>(key);
  return kinds.empty() ? kinds_with<models::endpoint::CongestionKind>(key) : kinds;
}

/// Numbers have limits, choices a list; what has neither is null.
json setting_json(const Setting& setting) {
  json row = {{"key", setting.key},
              {"table", setting.table()},
              {"name", setting.name()},
              {"type", type_name(setting.type)},
              {"unit", setting.unit},
              {"default", value_json(setting.fallback)},
              {"least", nullptr},
              {"most", nullptr},
              {"choices", nullptr},
              {"path", setting.is_path},
              {"kinds", kinds_that_declare(setting.key)},
              {"help", setting.help}};
  if (setting.type == SettingType::integer || setting.type == SettingType::integers ||
      setting.type == SettingType::ranges) {
    row["least"] = setting.whole.least;
    if (setting.whole.most != std::numeric_limits<i64>::max()) row["most"] = setting.whole.most;
  } else if (setting.type == SettingType::real) {
    row["least"] = setting.real.least;
    if (setting.real.most != std::numeric_limits<double>::max()) row["most"] = setting.real.most;
  } else if (setting.type == SettingType::choice) {
    row["choices"] = setting.choices;
  }
  return row;
}

std::vector<std::string> keys_of(const std::vector<Setting>& rows) {
  std::vector<std::string> keys;
  for (const Setting& row : rows) keys.push_back(row.key);
  return keys;
}

/// A list with one object for each registered kind: name, help, and what `more` adds.
template <class Entry, class More>
json registered(More&& more) {
  json list = json::array();
  for (const std::string& name : Registry<Entry>::instance().names()) {
    const Entry& entry = *Registry<Entry>::instance().find(name);
    json object = {{"name", name}, {"help", entry.help}};
    more(object, entry);
    list.push_back(std::move(object));
  }
  return list;
}

void add_topology(json& object, const models::TopologyKind& kind) {
  object["family"] = kind.family;
  object["router"] = kind.router;
  object["partition"] = kind.partition;
  object["keys"] = keys_of(kind.settings);
  json example = json::object();
  for (const Setting& row : kind.settings) {
    if (row.table() == "topology" && kind.example.has(row.name())) example[row.key] = parameter_json(kind.example, row);
  }
  object["example"] = std::move(example);
}

json modes_json(const std::vector<models::RouterMode>& modes) {
  json list = json::array();
  for (const models::RouterMode& mode : modes) {
    list.push_back({{"name", mode.name},
                    {"help", mode.help},
                    {"also", mode.also},
                    {"shortest", mode.shortest_paths},
                    {"by_occupancy", mode.by_occupancy}});
  }
  return list;
}

void add_router(json& object, const models::RouterKind& kind) {
  object["modes"] = modes_json(kind.takes_routes ? std::vector<models::RouterMode>{} : kind.modes);
  object["keys"] = keys_of(kind.settings);
  object["takes_routes"] = kind.takes_routes;
  object["controls_congestion"] = kind.controls_congestion;
  object["any_length"] = kind.any_length;
  object["any_rate"] = kind.any_rate;
  object["machine"] = models::machine_of(object["name"]);
  json fits = json::array(), defaults = json::object();
  for (const std::string& topology : models::TopologyRegistry::instance().names()) {
    if (!models::fits_family(kind, models::TopologyRegistry::instance().find(topology)->family)) continue;
    fits.push_back(topology);
    if (!kind.defaults) continue;
    for (const models::DefaultValue& one : kind.defaults(topology)) defaults[topology][one.key] = value_json(one.value);
  }
  object["topologies"] = std::move(fits);
  object["defaults"] = std::move(defaults);
}

void add_kernel(json& object, const workloads::KernelKind& kind) {
  object["dimensions"] = kind.dimensions;
  object["return_sweep"] = kind.return_sweep;
  object["wrap"] = kind.wrap;
  object["diagonals"] = kind.diagonals;
  object["own_sizes"] = kind.own_sizes != nullptr && kind.own_sizes(Parameters());
  object["keys"] = keys_of(kind.settings);
}

void add_congestion(json& object, const models::endpoint::CongestionKind& kind) {
  object["marks"] = kind.marks;
  object["has_windows"] = kind.has_windows;
  object["needs_window"] = kind.needs_window;
  object["measures_delay"] = kind.measures_delay;
}

void add_placement(json& object, const workloads::PlacementKind& kind) {
  object["needs"] = kind.needs == workloads::PlacementNeeds::grid        ? json("grid")
                    : kind.needs == workloads::PlacementNeeds::groups    ? json("groups")
                    : kind.needs == workloads::PlacementNeeds::distances ? json("distances")
                                                                         : json(nullptr);
  object["of_network"] = kind.of_network;
}

void add_collective(json& object, const workloads::CollectiveKind& kind) {
  object["operation"] = kind.operation;
  object["algorithm"] = kind.algorithm;
  object["usual"] = kind.is_default;
  object["data"] = !workloads::OperationRegistry::instance().find(kind.operation)->signals;
  object["segments"] = kind.segment_bytes > 0;
  object["radix"] = kind.radix > 0;
  object["nodes"] = kind.by_nodes;
  object["switches"] = kind.by_switches;
  object["combines"] = workloads::OperationRegistry::instance().find(kind.operation)->adds_up;
  object["grid"] = workloads::OperationRegistry::instance().find(kind.operation)->after_on_grid != nullptr;
  const auto counts = workloads::OperationRegistry::instance().find(kind.operation)->counts;
  object["counts"] = counts == workloads::CollectiveOperation::Counts::by_pair ? json("by pair")
                     : counts != workloads::CollectiveOperation::Counts::none  ? json("by task")
                                                                               : json(nullptr);
}

void add_workload(json& object, const workloads::WorkloadKind& kind) {
  object["tasks"] = kind.runs_tasks();
  object["ends"] = kind.ends;
  object["keys"] = keys_of(kind.settings);
  object["defaults"] = json::object();
  for (const models::DefaultValue& one : defaults_of(kind)) object["defaults"][one.key] = value_json(one.value);
}

void add_exchange(json& object, const workloads::FlowPattern& pattern) {
  object["argument"] = pattern.argument;
  object["random"] = pattern.random;
  object["placed"] = pattern.placed;
}

json figures_json() {
  json list = json::array();
  for (const AnyFigure& figure : all_figures()) {
    list.push_back({{"name", figure.name},
                    {"path", figure.path.empty() ? json(nullptr) : json(figure.path)},
                    {"unit", figure.unit},
                    {"seeds", name_of(figure.merge)},
                    {"help", figure.help}});
  }
  return list;
}

}  // namespace

std::string describe_json() {
  const auto nothing = [](json&, const auto&) {};
  json all;
  for (const SettingTable& table : setting_tables())
    all["tables"].push_back({{"name", table.name}, {"help", table.help}});
  all["tables"].push_back({{"name", "job"}, {"help", "[[job]], one for each of several jobs"}});
  for (const Setting& setting : settings()) all["settings"].push_back(setting_json(setting));
  for (const Setting& setting : job_settings()) all["settings"].push_back(setting_json(setting));
  all["topologies"] = registered<models::TopologyKind>(add_topology);
  all["routers"] = registered<models::RouterKind>(add_router);
  all["workloads"] = registered<workloads::WorkloadKind>(add_workload);
  all["patterns"] = registered<workloads::PatternKind>(
      [](json& object, const workloads::PatternKind& kind) { object["keys"] = keys_of(kind.settings); });
  all["placements"] = registered<workloads::PlacementKind>(add_placement);
  all["matchings"] = registered<workloads::MatchingKind>([](json& object, const workloads::MatchingKind& kind) {
    object["in_order"] = kind.rule.in_order;
    object["graphs"] = kind.rule.wildcards;
  });
  all["nic_policies"] = registered<workloads::NicPolicyKind>(nothing);
  all["lengths"] = registered<workloads::LengthLaw>(nothing);
  all["arrivals"] = registered<workloads::ArrivalLaw>(
      [](json& object, const workloads::ArrivalLaw& law) { object["keys"] = keys_of(law.settings); });
  all["schedulers"] = registered<models::arbiter::SchedulerKind>(
      [](json& object, const models::arbiter::SchedulerKind& kind) { object["fits"] = kind.machines; });
  all["congestion"] = registered<models::endpoint::CongestionKind>(add_congestion);
  all["kernels"] = registered<workloads::KernelKind>(add_kernel);
  all["operations"] = registered<workloads::CollectiveOperation>(nothing);
  all["collectives"] = registered<workloads::CollectiveKind>(add_collective);
  all["accelerators"] = registered<workloads::NcclKind>([](json& object, const workloads::NcclKind& kind) {
    object["operation"] = kind.operation;
    object["algorithm"] = kind.algorithm;
    object["relays"] = kind.relays;
    object["lanes_of_channel"] = kind.lanes_of_channel;
  });
  all["exchanges"] = registered<workloads::FlowPattern>(add_exchange);
  all["formats"] = registered<workloads::TraceFormat>(
      [](json& object, const workloads::TraceFormat& format) { object["graphs"] = format.program != nullptr; });
  all["engines"] = registered<models::RoutingEngine>(nothing);
  all["dispersions"] = registered<models::endpoint::DispersionKind>(nothing);
  all["figures"] = figures_json();
  if (!plugins().empty()) all["plugins"] = plugins_json();
  return all.dump(2) + "\n";
}

}  // namespace weft::tools
