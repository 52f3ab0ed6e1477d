// Slow-downs are ratios of durations, for jobs that were over; alone they begin when they did together.
#include "tools/run/collect/slowdown.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/tools/run/config/config_file.hpp"

namespace weft::tools {
namespace {

using Slowdown = testing::ConfigFile;

TEST_F(Slowdown, IsTheRatioOfDurationsTogetherAndAlone) {
  const Config config = load(
      "[topology]\nkind = \"torus\"\ndims = [4, 4]\n"
      "[[job]]\nname = \"a\"\nworkload = {kind = \"kernel\", name = \"mesh\"}\n"
      "[[job]]\nname = \"b\"\nworkload = {kind = \"kernel\", name = \"mesh\"}\n"
      "[[job]]\nname = \"late\"\nworkload = {kind = \"kernel\", name = \"mesh\"}\n"
      "[[job]]\nname = \"noise\"\nrepeat = \"until-others-end\"\n");
  RunResult result;
  result.jobs = {{.name = "a", .start_cycle = 0, .finish_cycle = 300},
                 {.name = "b", .start_cycle = 1000, .finish_cycle = 1500},
                 {.name = "late", .start_cycle = 1000},
                 {.name = "noise", .background = true, .start_cycle = 0}};
  std::vector<std::pair<std::string, double>> alone;
  const auto transport = engine::single_process();
  add_slowdowns(result, config, *transport, [&alone](const std::string& job, double start) {
    alone.emplace_back(job, start);
    RunResult one;
    one.jobs = {{.name = job, .start_cycle = 0, .finish_cycle = job == "b" ? 250.0 : 300.0}};
    return one;
  });
  EXPECT_EQ(alone, (std::vector<std::pair<std::string, double>>{{"a", 0}, {"b", 1000}}));
  EXPECT_EQ(result.jobs[0].slowdown, 1.0);
  EXPECT_EQ(result.jobs[1].slowdown, 2.0);
  EXPECT_TRUE(std::isnan(result.jobs[2].slowdown));
  EXPECT_TRUE(std::isnan(result.jobs[3].slowdown));
}

}  // namespace
}  // namespace weft::tools
