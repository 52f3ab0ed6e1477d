// What the blocks of figures hold, read back as the scripts of a page read them.
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tools/report/figures/network_figure.hpp"
#include "tools/report/figures/timeline_figure.hpp"
#include "tools/report/figures/traffic_figure.hpp"
#include "tools/report/figures/varint.hpp"

namespace weft::tools {
namespace {

using page::Json;
using page::Page;

std::vector<u64> read_back(const std::vector<u8>& bytes) {
  std::vector<u64> values;
  u64 value = 0;
  u32 shift = 0;
  for (const u8 byte : bytes) {
    value |= u64{byte & 127U} << shift;
    shift += 7;
    if (byte > 127) continue;
    values.push_back(value);
    value = shift = 0;
  }
  return values;
}

TEST(Varints, KeepValuesOfEverySizeAndSign) {
  Varints values;
  const std::vector<u64> given{0, 1, 127, 128, 300, 16383, 16384, u64{1} << 40, ~u64{0}};
  for (const u64 value : given) values.add(value);
  EXPECT_EQ(read_back(values.bytes), given);
  Varints folded;
  for (const i64 value : {0, -1, 1, -2, 2}) folded.add_signed(value);
  EXPECT_EQ(read_back(folded.bytes), (std::vector<u64>{0, 1, 2, 3, 4}));
}

TEST(TimelineFigure, SortsRecordsByTaskAndLeavesOutWhatIsNone) {
  Page page("test");
  const std::vector<TimelineRow> rows{{.task = 2, .lane = 0, .activity = 1, .begin = 10, .end = 20},
                                      {.task = 1, .lane = 1, .activity = 0, .begin = 7, .end = 9},
                                      {.task = 1, .lane = 1, .activity = 0, .begin = 5, .end = 7},
                                      {.task = 0, .lane = 0, .activity = 9, .begin = 0, .end = 1},
                                      {.task = 0, .lane = 0, .activity = 0, .begin = 3, .end = 2},
                                      {.task = 0, .lane = 0, .activity = 0, .begin = 1, .end = no_figure}};
  const Json figure = timeline_figure(page, rows, {"compute", "wait"});
  EXPECT_EQ(figure["blocks"]["task"]["shape"], Json::array({2}));
  EXPECT_EQ(figure["blocks"]["activity"]["shape"], Json::array({3}));
  EXPECT_EQ(figure["origin"], 5);
  EXPECT_EQ(figure["quantum"], 1);
  EXPECT_EQ(figure["steps"], 15);
  EXPECT_TRUE(timeline_figure(page, {rows[3]}, {"compute"}).is_null());
}

TEST(TimelineFigure, CountsInTheLargestPartOfACycleThatIsExact) {
  Page page("test");
  const auto quantum = [&](double end) {
    const std::vector<TimelineRow> rows{{.task = 0, .lane = 0, .activity = 0, .begin = 1, .end = end}};
    return timeline_figure(page, rows, {"compute"})["quantum"].get<double>();
  };
  EXPECT_EQ(quantum(3), 1);
  EXPECT_EQ(quantum(3.5), 0.5);
  EXPECT_EQ(quantum(3.125), 0.125);
  EXPECT_LT(quantum(10.0 / 3), 1e-8);
}

TEST(TrafficFigure, IsNothingWithoutPairsAndKeepsThoseThereAre) {
  Page page("test");
  RunResult result;
  result.nodes = 4;
  EXPECT_TRUE(traffic_figure(page, result).is_null());
  result.extra.pairs = {{3, 1, 7, 20.5}, {0, 2, 1, 10}, {9, 0, 1, 1}};
  const Json figure = traffic_figure(page, result);
  EXPECT_EQ(figure["side"], 4);
  EXPECT_EQ(figure["blocks"]["gap"]["shape"], Json::array({2}));
  EXPECT_EQ(figure["values"][1]["quantity"], "time");
}

RunResult run_on(const std::string& config, u64 routers, u64 nodes) {
  RunResult result;
  result.config_toml = "format = 1\n" + config;
  result.routers = routers;
  result.nodes = nodes;
  result.extra.ports = {{2, 1, 0, 10, 0.25}, {2, 1, 1, 30, 0.5}, {0, 0, 0, 1, 0.125}};
  return result;
}

TEST(NetworkFigure, HasALinkForEachPortAndARowForEachChannel) {
  Page page("test");
  const RunResult result = run_on("[topology]\nkind = \"torus\"\ndims = [4, 3]\n", 12, 12);
  const auto topology = network_of(result);
  const Json figure = network_figure(page, *topology, result);
  EXPECT_EQ(figure["layout"]["rule"], "planes");
  EXPECT_EQ(figure["blocks"]["peer"]["shape"], Json::array({48}));
  EXPECT_EQ(figure["blocks"]["load"]["shape"], Json::array({3}));
  EXPECT_EQ(figure["load_unit"], 0.5 / 65'535);
  EXPECT_EQ(figure["port_names"].size(), 4U);
}

TEST(NetworkFigure, RefusesCountsOfLinksThatTheNetworkDoesNotHave) {
  Page page("test");
  RunResult result = run_on("[topology]\nkind = \"torus\"\ndims = [4, 3]\n", 12, 12);
  const auto topology = network_of(result);
  result.extra.ports.push_back({12, 0, 0, 1, 0.5});
  EXPECT_THROW(static_cast<void>(network_figure(page, *topology, result)), InputError);
  result.extra.ports.back() = {0, 4, 0, 1, 0.5};
  // A port behind the last is that to the node inside the router.
  EXPECT_EQ(network_figure(page, *topology, result)["blocks"]["peer"]["shape"], Json::array({60}));
  result.extra.ports.back() = {0, 5, 0, 1, 0.5};
  EXPECT_THROW(static_cast<void>(network_figure(page, *topology, result)), InputError);
}

TEST(NetworkFigure, KnowsTheNetworkFromTheConfigInTheResult) {
  EXPECT_THROW(static_cast<void>(network_of(run_on("[topology]\nkind = \"torus\"\ndims = [4, 3]\n", 13, 12))),
               InputError);
  EXPECT_THROW(static_cast<void>(network_of(run_on("include = \"/etc/passwd\"\n", 12, 12))), Error);
  EXPECT_THROW(static_cast<void>(network_of(run_on("no config", 12, 12))), ConfigError);
  RunResult none = run_on("", 12, 12);
  none.config_toml.clear();
  EXPECT_THROW(static_cast<void>(network_of(none)), InputError);
}

}  // namespace
}  // namespace weft::tools
