// What every registered collective algorithm keeps to, those of plug-ins too: every task ends with the data that it
// should have, by messages that can carry it.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/workloads/generator/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

class EveryCollective : public testing::TestWithParam<Case> {};

/// The algorithm with its usual segments and radix, and with others, as far as it has any; some lengths of data that
/// can be cut evenly, and some that cannot.
std::vector<CollectiveSpec> variants(const Case& c, u32 tasks) {
  const CollectiveSpec usual = spec(c.operation, c.algorithm, tasks);
  const CollectiveKind& kind = collective_kind(usual);
  std::vector<CollectiveSpec> all;
  std::vector<u64> lengths{part_bytes};
  if (OperationRegistry::instance().find(c.operation)->whole)
    lengths = {1, part_bytes, 2 * u64{tasks}, 2 * u64{tasks} + 3};
  if (kind.segment_bytes > 0) lengths.push_back(10 * u64{tasks} + 9);
  if (tasks > 17) lengths.erase(lengths.begin(), lengths.end() - 1);
  if (tasks > 17 && kind.segment_bytes > 0) lengths = {2 * u64{tasks} + 3};
  for (const u64 bytes : lengths) {
    for (const u64 segment : {0, 1, 3, 4}) {
      if (tasks > 17 && segment > 1) continue;
      for (const u32 radix : {0, 2, 3, 7}) {
        if ((segment > 0 && kind.segment_bytes == 0) || (radix > 0 && kind.radix == 0)) continue;
        if (tasks > 17 && radix > 0 && radix != 3) continue;
        all.push_back(usual);
        all.back().message_bytes = bytes;
        all.back().segment_bytes = segment;
        all.back().radix = radix;
      }
    }
    for (const u32 each : {2U, 3U, 4U, tasks}) {
      if (!kind.by_switches || (tasks > 17 && each != 3)) continue;
      all.push_back(usual);
      all.back().message_bytes = bytes;
      all.back().switch_tasks = each;
    }
    if (!kind.by_nodes) continue;
    for (const u32 node : {2U, 3U, 4U, tasks}) {
      if (tasks > 17 && node != 4) continue;
      all.push_back(usual);
      all.back().message_bytes = bytes;
      all.back().node_tasks = node;
      if (kind.even_nodes && tasks % node != 0) all.pop_back();
    }
  }
  return all;
}

void expect_promise(const CollectiveSpec& collective, const Among* among = nullptr) {
  const std::string what = fmt::format("{} tasks, {} bytes, segments of {}, radix {}, nodes of {}, switches of {}",
                                       collective.tasks, collective.message_bytes, collective.segment_bytes,
                                       collective.radix, collective.node_tasks, collective.switch_tasks);
  SCOPED_TRACE(what);
  const CollectiveOperation& operation = *OperationRegistry::instance().find(collective.operation);
  const std::vector<Pieces> after = pieces_after(operation, collective);
  const Outcome outcome = run(collective, true, among);
  for (u32 task = 0; task < collective.tasks; ++task) {
    for (std::size_t target = 0; target < after[task].size(); ++target)
      ASSERT_TRUE(outcome.data[task].can_give(target, after[task][target])) << "task " << task << ", piece " << target;
  }
  EXPECT_EQ(outcome.unfinished, 0U);
  EXPECT_EQ(outcome.unmatched, 0U);
}

TEST_P(EveryCollective, BringsEveryTaskTheDataThatItShouldHave) {
  std::vector<u32> counts{64, 100};
  for (u32 tasks = 1; tasks <= 17; ++tasks) counts.push_back(tasks);
  u32 taken = 0;
  for (const u32 tasks : counts) {
    if (!takes(GetParam(), tasks)) {
      EXPECT_FALSE(std::has_single_bit(tasks)) << tasks;
      continue;
    }
    ++taken;
    for (const CollectiveSpec& collective : variants(GetParam(), tasks)) expect_promise(collective);
  }
  EXPECT_GE(taken, 6U);
}

TEST_P(EveryCollective, DoesTheSameAmongTheTasksOfACommunicator) {
  for (const u32 tasks : {1U, 3U, 4U, 6U, 8U}) {
    if (!takes(GetParam(), tasks)) continue;
    for (const Among& among : {Among{{0, 3, tasks}, 0}, Among{{5, 1, tasks}, 1000}, Among{{7, 4, tasks}, 1}})
      expect_promise(variants(GetParam(), tasks).back(), &among);
  }
}

TEST_P(EveryCollective, SaysWhichTaskCountsFitIfItDoesNotTakeAny) {
  for (u32 tasks = 1; tasks <= 17; ++tasks) {
    const std::string error = error_of(spec(GetParam().operation, GetParam().algorithm, tasks));
    if (error.empty()) continue;
    EXPECT_NE(error.find(fmt::format("workload.tasks = {} does not fit", tasks)), std::string::npos) << error;
    EXPECT_NE(error.find("; use "), std::string::npos) << error;
  }
}

TEST_P(EveryCollective, SaysHowLongItsLongestMessageIs) {
  const Case& c = GetParam();
  for (u32 tasks = 2; tasks <= 17; ++tasks) {
    if (!takes(c, tasks)) continue;
    const u64 said = longest_message_bytes(spec(c.operation, c.algorithm, tasks));
    const u64 seen = amounts(spec(c.operation, c.algorithm, tasks)).longest;
    EXPECT_LE(seen, said) << tasks;
    if (collective_kind(spec(c.operation, c.algorithm, tasks)).divides || said == 0) continue;
    EXPECT_LT(said, 2 * seen) << tasks;
  }
}

TEST_P(EveryCollective, EndsWithAnyLengthAndNumberOfRepetitions) {
  const Case& c = GetParam();
  for (const u64 bytes : {1U, 5U, 16U, 100U}) {
    CollectiveSpec collective = spec(c.operation, c.algorithm, 8, bytes);
    const Outcome once = amounts(collective);
    collective.repetitions = 3;
    const Outcome often = amounts(collective);
    EXPECT_EQ(often.messages, 3 * once.messages);
    EXPECT_EQ(often.bytes, 3 * once.bytes);
    EXPECT_EQ(once.unfinished + often.unfinished + once.unmatched + often.unmatched, 0U);
  }
}

TEST_P(EveryCollective, OpensTheSameStreamTwiceAndOutlivesTheProgram) {
  const Case& c = GetParam();
  auto program = make_collective(spec(c.operation, c.algorithm, 16));
  const auto one = program->open(TaskId(5)), two = program->open(TaskId(5));
  EXPECT_NE(program->name().find(c.operation + " (" + c.algorithm + ") of 16"), std::string::npos) << program->name();
  program.reset();
  for (u32 k = 0; k < 100; ++k) ASSERT_EQ(one->next(), two->next());
  EXPECT_EQ(one->next(), Op{});
}

TEST_P(EveryCollective, RefusesToDoNothing) {
  const Case& c = GetParam();
  EXPECT_NE(error_of(spec(c.operation, c.algorithm, 0)).find("workload.tasks = 0"), std::string::npos);
  if (!OperationRegistry::instance().find(c.operation)->signals) {
    EXPECT_NE(error_of(spec(c.operation, c.algorithm, 4, 0)).find("workload.message_bytes = 0"), std::string::npos);
  }
  auto none = spec(c.operation, c.algorithm, 4);
  none.repetitions = 0;
  EXPECT_NE(error_of(none).find("workload.repetitions = 0"), std::string::npos);
}

TEST_P(EveryCollective, RefusesSegmentsAndARadixThatItHasNoUseFor) {
  CollectiveSpec cut = spec(GetParam().operation, GetParam().algorithm, 8), wide = cut;
  const CollectiveKind& kind = collective_kind(cut);
  cut.segment_bytes = 2;
  wide.radix = 3;
  const std::string refused = "has no effect with " + kind.operation + " \"" + kind.algorithm + "\"";
  EXPECT_EQ(error_of(cut).find(refused) != std::string::npos, kind.segment_bytes == 0) << error_of(cut);
  EXPECT_EQ(error_of(wide).find(refused) != std::string::npos, kind.radix == 0) << error_of(wide);
}

std::vector<Case> all_cases() {
  std::vector<Case> result;
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) {
    result.push_back({registry.find(name)->operation, registry.find(name)->algorithm});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryCollective, testing::ValuesIn(all_cases()), [](const auto& test) {
  std::string name = test.param.operation + "_" + test.param.algorithm;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(EveryOperation, HasOneUsualAlgorithm) {
  for (const std::string& operation : OperationRegistry::instance().names()) {
    const auto& registry = CollectiveRegistry::instance();
    u32 usual = 0;
    for (const std::string& name : registry.names()) {
      usual += registry.find(name)->operation == operation && registry.find(name)->is_default ? 1 : 0;
    }
    EXPECT_EQ(usual, 1U) << operation;
  }
}

TEST(Contributions, MakeSumsWithoutTakingAnythingTwice) {
  const auto set = [](std::initializer_list<u32> tasks) {
    Origins all;
    for (const u32 task : tasks) all = all.with(Origins::one(task));
    return all;
  };
  EXPECT_TRUE(can_be_made(set({0, 1, 99}), {set({0}), set({1}), set({99})}));
  EXPECT_TRUE(can_be_made(set({0, 1, 99}), {set({0, 1}), set({1}), set({99})}));
  EXPECT_FALSE(can_be_made(set({0, 1, 99}), {set({0, 1}), set({1, 99})}));  // 1 would be in it twice
  EXPECT_FALSE(can_be_made(set({0}), {set({0, 1})}));                       // nothing can be taken out of a sum
  EXPECT_TRUE(can_be_made({}, {set({0, 1})}));
}

}  // namespace
}  // namespace weft::workloads::collective_test
