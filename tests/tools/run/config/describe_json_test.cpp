// What `weft describe --json` says: all that the settings table and the registries know.
#include "tools/run/config/describe_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "models/routing/router_kind.hpp"
#include "models/topology/topology.hpp"
#include "tools/run/config/settings.hpp"
#include "workloads/generator/collective/collective.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/program/matching/matching.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;

const json& described() {
  static const json all = json::parse(describe_json());
  return all;
}

/// The object with this value under `key`.
const json& found(const json& list, const std::string& key, const std::string& value) {
  for (const json& object : list) {
    if (object.at(key) == value) return object;
  }
  throw std::out_of_range(value);
}

template <class Entry>
void expect_all_registered(const std::string& list) {
  const auto& registry = Registry<Entry>::instance();
  EXPECT_EQ(described().at(list).size(), registry.names().size());
  for (const std::string& name : registry.names()) {
    EXPECT_EQ(found(described().at(list), "name", name).at("help"), registry.find(name)->help);
  }
}

TEST(DescribeJson, HasEverySettingWithItsTypeUnitAndHelp) {
  EXPECT_EQ(described().at("settings").size(), settings().size() + job_settings().size());
  EXPECT_EQ(found(described().at("settings"), "key", "job.after").at("table"), "job");
  for (const Setting& setting : settings()) {
    const json& row = found(described().at("settings"), "key", setting.key);
    EXPECT_EQ(row.at("type"), type_name(setting.type));
    EXPECT_EQ(row.at("unit"), setting.unit);
    EXPECT_EQ(row.at("help"), setting.help);
  }
}

TEST(DescribeJson, NumbersHaveLimitsAndChoicesAList) {
  const json& queue = found(described().at("settings"), "key", "router.queue_packets");
  EXPECT_EQ(queue.at("least"), 1);
  EXPECT_EQ(queue.at("most"), 255);
  EXPECT_EQ(queue.at("default"), 4);
  EXPECT_EQ(queue.at("choices"), nullptr);
  const json& seed = found(described().at("settings"), "key", "simulation.seed");
  EXPECT_EQ(seed.at("most"), nullptr);  // as many as there are
  const json& consumption = found(described().at("settings"), "key", "router.consumption");
  EXPECT_EQ(consumption.at("choices"), (json{"single", "multiple"}));
  EXPECT_EQ(found(described().at("settings"), "key", "placement.path").at("default"), nullptr);
}

TEST(DescribeJson, KeysOfKindsSayWhose) {
  const json& steps = found(described().at("settings"), "key", "topology.steps");
  EXPECT_EQ(steps.at("kinds"), json{"circulant"});
  EXPECT_EQ(found(described().at("settings"), "key", "router.arbitration").at("kinds"), json::array());
  EXPECT_EQ(found(described().at("settings"), "key", "workload.dimensions").at("kinds"), json{"kernel"});
  for (const char* const kind : {"collective", "exchange", "kernel", "training"}) {
    const json& kinds = found(described().at("settings"), "key", "workload.tasks").at("kinds");
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), kind), 1) << kind;
  }
}

TEST(DescribeJson, HasEveryRegisteredKind) {
  expect_all_registered<models::TopologyKind>("topologies");
  expect_all_registered<models::RouterKind>("routers");
  expect_all_registered<workloads::WorkloadKind>("workloads");
  expect_all_registered<workloads::PatternKind>("patterns");
  expect_all_registered<workloads::PlacementKind>("placements");
  expect_all_registered<workloads::MatchingKind>("matchings");
  expect_all_registered<workloads::NicPolicyKind>("nic_policies");
  expect_all_registered<workloads::KernelKind>("kernels");
  expect_all_registered<workloads::CollectiveKind>("collectives");
}

TEST(DescribeJson, PlacementsSayWhatTheyNeed) {
  const json& list = described().at("placements");
  EXPECT_EQ(found(list, "name", "hilbert").at("needs"), "grid");
  EXPECT_EQ(found(list, "name", "clustered").at("needs"), "groups");
  EXPECT_EQ(found(list, "name", "shift").at("needs"), nullptr);
  EXPECT_EQ(found(list, "name", "mapped").at("needs"), "distances");
  EXPECT_EQ(found(list, "name", "shift").at("of_network"), false);
  EXPECT_EQ(found(list, "name", "shuffle").at("of_network"), true);
  EXPECT_EQ(found(described().at("settings"), "key", "placement.shift_nodes").at("kinds"), json{"shift"});
  const json& policy = found(described().at("settings"), "key", "placement.policy");
  EXPECT_EQ(policy.at("choices").size(), list.size());
}

TEST(DescribeJson, TopologiesHaveAnExampleAndRoutersTheTopologiesThatTheyFit) {
  const json& mesh = found(described().at("topologies"), "name", "mesh");
  EXPECT_EQ(mesh.at("example").at("topology.dims").size(), 3U);
  EXPECT_EQ(mesh.at("router"), "bubble");
  const json& dally = found(described().at("routers"), "name", "dally");
  EXPECT_NE(std::ranges::find(dally.at("topologies"), json("torus")), dally.at("topologies").end());
  EXPECT_EQ(std::ranges::find(dally.at("topologies"), json("tree")), dally.at("topologies").end());
  const json& extoll = found(described().at("routers"), "name", "extoll");
  EXPECT_EQ(extoll.at("machine"), "switch");
  EXPECT_EQ(extoll.at("defaults").at("torus").at("packet.phits"), 32);
}

}  // namespace
}  // namespace weft::tools
