// What every registered policy promises, whoever wrote it.
#include <fstream>
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

/// Networks with grids of odd and even sides, with groups that fit and that do not, with neither, with routers of some
/// nodes, and with distances.
std::vector<PlacementSpec> networks() {
  std::vector<PlacementSpec> specs;
  for (const std::vector<u32>& grid : std::vector<std::vector<u32>>{
           {1}, {2}, {7}, {4, 4}, {5, 3}, {1, 6}, {3, 4, 5}, {8, 2, 2}, {2, 2, 2, 2, 2, 2}, {33, 17}}) {
    PlacementSpec spec{.nodes = 1, .grid = grid};
    for (const u32 size : grid) spec.nodes *= size;
    specs.push_back(spec);
  }
  for (const auto& [nodes, group] : std::vector<std::pair<u32, u32>>{{8, 2}, {9, 3}, {10, 4}, {2, 1}, {288, 32}}) {
    specs.push_back({.nodes = nodes, .group_nodes = group, .router_of = [](u32 node) { return node / 2; }});
    specs.push_back({.nodes = nodes, .grid = {nodes}, .group_nodes = group});
  }
  specs.push_back({.nodes = 12, .distance = [](u32 from, u32 to) { return from > to ? from - to : to - from; }});
  specs.push_back({.nodes = 1});
  specs.push_back({.nodes = 100});
  specs.push_back({.nodes = 100, .router_of = [](u32 node) { return node * node % 7; }});
  return specs;
}

class EveryPlacement : public testing::Test {
 protected:
  /// With a file for a policy that wants one.
  [[nodiscard]] PlacementSpec with_file(const std::string& policy, PlacementSpec spec) const {
    for (const Setting& setting : placement_kind(policy).settings) {
      if (!setting.is_path) continue;
      std::ofstream file(path_);
      if (setting.key == "placement.matrix_path") {
        file << "from,to,bytes\n0," << spec.nodes - 1 << ",8\n";
        spec.keys.set(setting.name(), path_);
        continue;
      }
      for (u32 node = 0; node < spec.nodes; ++node) file << node << ' ' << spec.nodes - 1 - node << '\n';
      spec.keys.set(setting.name(), path_);
    }
    return spec;
  }

  ScratchFolder folder_;
  std::string path_ = folder_.file("nodes.txt");
};

TEST_F(EveryPlacement, IsAPermutationOrSaysWhichOtherIs) {
  u32 refused = 0;
  for (const std::string& policy : PlacementRegistry::instance().names()) {
    u32 possible = 0;
    for (const PlacementSpec& network : networks()) {
      const PlacementSpec spec = with_file(policy, network);
      try {
        const std::vector<NodeId> order = fill_order(policy, spec);
        std::vector<bool> seen(spec.nodes, false);
        for (const NodeId node : order) {
          ASSERT_LT(node.value(), spec.nodes) << policy;
          ASSERT_FALSE(seen[node.value()]) << policy;
          seen[node.value()] = true;
        }
        ASSERT_EQ(order.size(), spec.nodes) << policy;
        ASSERT_EQ(order, fill_order(policy, spec)) << policy;  // the same again
        ++possible;
      } catch (const ConfigError& error) {
        // The policy that it names in its place is possible.
        const std::string text = error.what();
        const std::size_t begin = text.find("; use \"");
        ASSERT_NE(begin, std::string::npos) << text;
        const std::string instead = text.substr(begin + 7, text.find('"', begin + 7) - begin - 7);
        EXPECT_NO_THROW((void)fill_order(instead, spec)) << text;
        ++refused;
      }
    }
    EXPECT_GT(possible, 0U) << policy << " fits no network";
  }
  EXPECT_GT(refused, 0U);
}

TEST_F(EveryPlacement, OfTheNetworkIsSoWhereItSaysSo) {
  for (const std::string& policy : PlacementRegistry::instance().names()) {
    const PlacementKind& kind = placement_kind(policy);
    EXPECT_FALSE(kind.help.empty()) << policy;
    EXPECT_TRUE(kind.of_network || kind.needs == PlacementNeeds::nothing) << policy;
    if (kind.of_network) continue;
    PlacementSpec bare{.nodes = 24, .seed = 7}, whole = bare;
    whole.grid = {4, 6};
    whole.group_nodes = 8;
    whole.router_of = [](u32 node) { return node / 4; };
    EXPECT_EQ(fill_order(policy, with_file(policy, bare)), fill_order(policy, with_file(policy, whole))) << policy;
  }
}

TEST_F(EveryPlacement, PlacesTasksOnItsFirstNodes) {
  const PlacementSpec network{.nodes = 24, .grid = {4, 6}, .group_nodes = 8};
  for (const std::string& policy : PlacementRegistry::instance().names()) {
    const PlacementSpec spec = with_file(policy, network);
    if (placement_kind(policy).of_job) continue;      // of which the file must have so many tasks
    if (placement_kind(policy).among_free) continue;  // whose tasks differ
    EXPECT_EQ(place_tasks(policy, spec, 10, 3).node_of_task, in_order(fill_order(policy, spec), 10, 3).node_of_task);
  }
}

}  // namespace
}  // namespace weft::workloads
