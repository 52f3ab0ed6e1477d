// What `weft describe` prints: complete, found by any of its names, and helpful about the others.
#include "tools/run/config/describe.hpp"

#include <gtest/gtest.h>

#include "models/topology/topology.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "workloads/generator/collective/collective.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/program/matching/matching.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/trace/trace_source.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools {
namespace {

using testing::contains;

template <class Entry>
void expect_all_names(const std::string& subject) {
  const std::string text = describe({subject});
  const auto& registry = Registry<Entry>::instance();
  EXPECT_FALSE(registry.names().empty());
  for (const std::string& name : registry.names()) {
    EXPECT_TRUE(contains(text, "  " + name + " "));
    EXPECT_TRUE(contains(text, registry.find(name)->help));
  }
}

TEST(Describe, WithoutWordsPrintsEveryKeyAndTable) {
  const std::string text = describe({});
  for (const Setting& setting : settings()) EXPECT_TRUE(contains(text, "  " + setting.key + "\n"));
  for (const SettingTable& table : setting_tables()) EXPECT_TRUE(contains(text, "[" + table.name + "]"));
}

TEST(Describe, AKeyShowsTypeRangeUnitDefaultAndHelp) {
  const std::string text = describe({"router.queue_packets"});
  EXPECT_TRUE(contains(text, "integer, 1..255 packets; default 4"));
  EXPECT_TRUE(contains(text, find_setting("router.queue_packets")->help));
  EXPECT_EQ(describe({"queue_packets"}), text);
}

TEST(Describe, ATableShowsItsKeysAlone) {
  const std::string text = describe({"packet"});
  EXPECT_TRUE(contains(text, "packet.phit_bytes"));
  EXPECT_EQ(text.find("router.queue_packets"), std::string::npos);  // kinds of routers are named with defaults
}

TEST(Describe, ANameInSeveralTablesShowsAllOfThem) {
  const std::string text = describe({"kind"});
  EXPECT_TRUE(contains(text, "router.kind"));
  EXPECT_TRUE(contains(text, "topology.kind"));
  EXPECT_TRUE(contains(text, "workload.kind"));
}

TEST(Describe, RegistriesAreListedWithTheirHelp) {
  expect_all_names<models::TopologyKind>("topologies");
  expect_all_names<workloads::PatternKind>("patterns");
  expect_all_names<workloads::KernelKind>("kernels");
  expect_all_names<workloads::PlacementKind>("placements");
  expect_all_names<workloads::MatchingKind>("matchings");
  expect_all_names<workloads::NicPolicyKind>("nic-policies");
  expect_all_names<workloads::CollectiveKind>("collectives");
  expect_all_names<workloads::TraceFormat>("formats");
}

TEST(Describe, EveryRequestModeOfTheRoutersIsExplained) {
  const std::string text = describe({"routers"});
  for (const std::string& mode : find_setting("router.routing")->choices) {
    if (mode == "auto") continue;
    EXPECT_TRUE(contains(text, "\n  " + mode + " "));
  }
}

TEST(Describe, AnythingThatASettingCanNameIsExplained) {
  EXPECT_TRUE(contains(describe({"bubble"}), "router.kind = \"bubble\": a router model\nbubble: meshes and tori."));
  EXPECT_TRUE(contains(describe({"bubble"}), "\n  oblivious  deterministic dimension order"));
  EXPECT_TRUE(
      contains(describe({"oblivious"}), "router.routing = \"oblivious\": a routing algorithm of bubble routers"));
  EXPECT_TRUE(contains(describe({"adaptive"}), "of multistage routers\n  up through the port"));
  EXPECT_TRUE(contains(describe({"torus"}), "topology.kind = \"torus\": a kind of network"));
  EXPECT_TRUE(contains(describe({"wavefront"}), "workload.name = \"wavefront\": an application kernel"));
  EXPECT_TRUE(contains(describe({"windowed"}), "parallel.protocol = \"windowed\"\n  parallel.protocol\n"));
  for (const Setting& setting : settings()) {
    for (const std::string& choice : setting.choices) EXPECT_TRUE(contains(describe({choice}), choice));
  }
}

TEST(Describe, AWordWithSeveralMeaningsHasThemAll) {
  const std::string mesh = describe({"mesh"});
  EXPECT_TRUE(contains(mesh, "topology.kind = \"mesh\""));
  EXPECT_TRUE(contains(mesh, "workload.name = \"mesh\""));
  const std::string random = describe({"random"});
  EXPECT_TRUE(contains(random, "router.routing = \"random\""));
  EXPECT_TRUE(contains(random, "router.arbitration = \"random\""));
}

TEST(Describe, IncludeIsExplainedThoughItIsNoSetting) {
  EXPECT_TRUE(contains(describe({}), "\n  include\n"));
  EXPECT_TRUE(contains(describe({"include"}), "relative to the file that includes them"));
}

TEST(Describe, CollectivesAreListedWithTheirAlgorithms) {
  const std::string text = describe({"collectives"});
  EXPECT_TRUE(
      contains(text, "algorithm = \"auto\": all-to-all linear, all-to-allv linear, all-to-allw scattered, allgather"));
  EXPECT_TRUE(contains(describe({"reduce"}), "workload.name = \"reduce\": a collective operation"));
  EXPECT_TRUE(contains(describe({"reduce"}), "workload.algorithm = \"linear\": an algorithm of reduce"));
  EXPECT_TRUE(contains(describe({"bruck"}), "workload.algorithm = \"bruck\": an algorithm of allgather"));
  EXPECT_TRUE(contains(describe({"bruck"}), "workload.algorithm = \"bruck\": an algorithm of all-to-all"));
}

TEST(Describe, AnUnknownWordNamesTheNearestKnownOne) {
  try {
    static_cast<void>(describe({"router.queue_packet"}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean \"router.queue_packets\"?"));
  }
  try {
    static_cast<void>(describe({"topologys"}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(contains(error.what(), "topolog"));
  }
  try {
    static_cast<void>(describe({"obliviuos"}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean \"oblivious\"?"));
  }
}

struct DescribeFor : testing::ConfigFile {};

TEST_F(DescribeFor, ShowsWhatAConfigCanMakeUseOfWithItsValues) {
  const Config torus = load("[topology]\nkind = \"torus\"\ndims = [6, 4]\n");
  const std::string all = describe_for(torus, {});
  EXPECT_TRUE(contains(all, "topology.dims = [6, 4]"));
  EXPECT_TRUE(contains(all, "router.queue_packets = 4"));
  EXPECT_TRUE(contains(all, "router.bubble_packets = 2"));
  for (const char* const other : {"router.buffer_cells", "congestion.kind", "nic.dispersion =", "topology.arity",
                                  "workload.message_bytes", "workload.zipf_exponent"})
    EXPECT_FALSE(contains(all, other)) << other;
  const Config cells = load(
      "[topology]\nkind = \"torus\"\ndims = [6, 4]\n[router]\nkind = \"switch\"\n[congestion]\nkind = \"swift\"\n");
  const std::string some = describe_for(cells, {"router", "congestion"});
  EXPECT_TRUE(contains(some, "router.buffer_cells = "));
  EXPECT_TRUE(contains(some, "congestion.target_cycles = 300"));
  for (const char* const other :
       {"congestion.cct_percent", "router.queue_packets", "router.bubble_packets", "[topology]"})
    EXPECT_FALSE(contains(some, other)) << other;
  EXPECT_THROW(describe_for(cells, {"rooter"}), ConfigError);
}

}  // namespace
}  // namespace weft::tools
