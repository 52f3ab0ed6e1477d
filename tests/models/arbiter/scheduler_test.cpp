// What every registered scheduler of crossbars promises, and what those that are here promise besides.
#include "models/arbiter/scheduler.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/random.hpp"

namespace weft::models::arbiter {
namespace {

struct Schedulers : ::testing::Test {
  /// Schedulers that machines do not have built in, with the defaults of their keys.
  static std::map<std::string, std::unique_ptr<Scheduler>> all() {
    std::map<std::string, std::unique_ptr<Scheduler>> made;
    for (const std::string& name : SchedulerRegistry::instance().names()) {
      const SchedulerKind& kind = *SchedulerRegistry::instance().find(name);
      if (!kind.make) continue;
      Parameters keys;
      for (const Setting& row : kind.settings) keys.set(row.name(), std::get<i64>(row.fallback));
      made[name] = kind.make(keys);
    }
    return made;
  }
  /// Each input asks for each output with a probability, by one of three VCs.
  static std::vector<Request> requests(u32 ports, u32 percent, u64 seed) {
    std::vector<Request> made;
    for (u32 input = 0; input < ports; ++input) {
      for (u32 output = 0; output < ports; ++output) {
        const u64 bits = engine::remix(seed, u64{input} << 32 | output);
        if (bits % 100 >= percent) continue;
        made.push_back({input, output, static_cast<u32>(bits >> 8) % 3, (bits >> 16) % 1000,
                        static_cast<u32>(bits >> 32) % 50 + 1, static_cast<u32>(bits >> 40) % 2});
      }
    }
    return made;
  }
};

TEST_F(Schedulers, GrantNoInputAndNoOutputTwiceAndAtLeastOne) {
  for (const auto& [name, scheduler] : all()) {
    for (u32 turn = 0; turn < 500; ++turn) {
      const u32 ports = 1 + turn % 37;
      const std::vector<Request> asked = requests(ports, 5 + turn % 90, turn);
      if (asked.empty()) continue;
      std::vector<u32> granted;
      scheduler->grant({asked, ports, 2000, turn, engine::remix(turn, 7)}, granted);
      std::set<u32> inputs, outputs;
      for (const u32 r : granted) {
        ASSERT_LT(r, asked.size()) << name;
        EXPECT_TRUE(inputs.insert(asked[r].input).second) << name;
        EXPECT_TRUE(outputs.insert(asked[r].output).second) << name;
      }
      EXPECT_FALSE(granted.empty()) << name;
      for (const Request& request : asked)
        EXPECT_TRUE(inputs.contains(request.input) || outputs.contains(request.output)) << name << " is not maximal";
    }
  }
}

TEST_F(Schedulers, ShareOutAFullMatrixEqually) {
  constexpr u32 ports = 8, contests = 8000;
  std::vector<Request> asked;
  for (u32 input = 0; input < ports; ++input) {
    for (u32 output = 0; output < ports; ++output) asked.push_back({input, output, 0, 0, 1, 0});
  }
  for (const std::string name : {"wavefront", "longest-queue"}) {
    std::vector<u32> times(asked.size());
    const auto scheduler = SchedulerRegistry::instance().find(name)->make(Parameters());
    for (u32 turn = 0; turn < contests; ++turn) {
      std::vector<u32> granted;
      scheduler->grant({asked, ports, turn, turn, engine::remix(turn, 11)}, granted);
      EXPECT_EQ(granted.size(), ports) << name;
      for (const u32 r : granted) ++times[r];
    }
    for (const u32 count : times) EXPECT_NEAR(count, contests / ports, contests / ports / 8) << name;
  }
}

TEST_F(Schedulers, TheLongestQueueGoesFirst) {
  const std::vector<Request> asked{{0, 1, 0, 0, 3, 0}, {1, 1, 0, 0, 9, 0}, {1, 2, 0, 0, 8, 0}, {2, 2, 0, 0, 1, 0}};
  std::vector<u32> granted;
  SchedulerRegistry::instance().find("longest-queue")->make(Parameters())->grant({asked, 3, 0, 0, 5}, granted);
  EXPECT_EQ(granted, (std::vector<u32>{1, 3}));
}

}  // namespace
}  // namespace weft::models::arbiter
