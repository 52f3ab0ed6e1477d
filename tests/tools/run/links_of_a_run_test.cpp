// Latencies and rates of links as the routers of a run are told them, class by class.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sstream>

#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/context.hpp"

namespace weft::tools::testing {
namespace {

constexpr const char* torus = "topology = {kind = \"torus\", dims = [4, 4]}\n";
constexpr const char* tree = "topology = {kind = \"tree\", arity = 4, levels = 2}\n";
constexpr const char* dragonfly =
    "topology = {kind = \"dragonfly\", nodes_per_router = 2, routers_per_group = 4, global_links = 2}\n";

class LinksOfARun : public ConfigFile {
 protected:
  struct Links {
    std::vector<u32> latency, cell;  ///< ticks, of classes link, node and the topology's others
    bool alike = false;              ///< no class differs
    bool counts_cells = false;
  };
  [[nodiscard]] Links links(const std::string& network, const std::vector<std::string>& overrides) const {
    const Config config = load(network, overrides);
    const auto transport = engine::single_process();
    Context context(config, *transport, nullptr);
    prepare(context);
    Links found;
    for (u32 c = 0; c < context.topology->link_classes().size(); ++c) {
      found.latency.push_back(context.router.link_ticks_of(c));
      found.cell.push_back(context.router.cell_ticks_of(c));
    }
    found.alike = context.router.class_link_ticks.empty() && context.router.class_cell_ticks.empty();
    found.counts_cells = context.counts_cells;
    return found;
  }
};

TEST_F(LinksOfARun, AreAlikeUnlessAClassDiffers) {
  for (const char* const network : {torus, tree, dragonfly}) {
    const Links found = links(network, {"link.latency_cycles=5"});
    EXPECT_TRUE(found.alike);
    EXPECT_FALSE(found.counts_cells);
    for (const u32 ticks : found.latency) EXPECT_EQ(ticks, 5U);
    for (const u32 ticks : found.cell) EXPECT_EQ(ticks, 1U);
  }
}

TEST_F(LinksOfARun, OfNodesMayHaveALatencyOfTheirOwnWhereTheyAreLinks) {
  EXPECT_EQ(links(tree, {"link.node.latency_cycles=7"}).latency, (std::vector<u32>{1, 7}));
  EXPECT_EQ(links(dragonfly, {"link.node.latency_cycles=7", "link.global.latency_cycles=9"}).latency,
            (std::vector<u32>{1, 7, 9}));
}

TEST_F(LinksOfARun, OfNodesInsideRoutersAreNoneAndTheRunSaysSo) {
  std::ostringstream said;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_st>(said)));
  const Links found = links(torus, {"link.node.latency_cycles=7"});
  spdlog::set_default_logger(before);
  EXPECT_TRUE(found.alike);
  EXPECT_TRUE(contains(said.str(), "link.node.latency_cycles = 7 has no meaning for router.kind = \"bubble\""));
}

TEST_F(LinksOfARun, OfSwitchesHaveRatesAndNodesAreAtTheEndOfOne) {
  const std::string kind = "router.kind=switch";
  Links found = links(torus, {kind, "link.node.latency_cycles=7", "link.node.phits_per_cycle=0.25"});
  EXPECT_EQ(found.latency, (std::vector<u32>{1, 7}));
  EXPECT_EQ(found.cell, (std::vector<u32>{1, 4}));
  EXPECT_TRUE(found.counts_cells);
  found = links(torus, {kind, "link.latency_cycles=3", "link.phits_per_cycle=0.5"});
  EXPECT_EQ(found.latency, (std::vector<u32>{3, 3}));
  EXPECT_EQ(found.cell, (std::vector<u32>{2, 2}));
}

}  // namespace
}  // namespace weft::tools::testing
