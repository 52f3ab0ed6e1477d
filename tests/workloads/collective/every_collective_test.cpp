// What every registered collective algorithm keeps to, those of plug-ins too: every task ends with the data that it
// should have, by messages that can carry it.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/workloads/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

class EveryCollective : public testing::TestWithParam<Case> {};

TEST_P(EveryCollective, BringsEveryTaskTheDataThatItShouldHave) {
  const Case& c = GetParam();
  for (u32 tasks = 1; tasks <= 17; ++tasks) {
    if (!takes(c, tasks)) continue;
    const CollectiveOperation& operation = *OperationRegistry::instance().find(c.operation);
    const std::vector<Pieces> after = pieces_of(operation, operation.after, tasks);
    const Outcome outcome = run(c, tasks, operation.whole ? tasks * part_bytes : part_bytes);
    for (u32 task = 0; task < tasks; ++task) {
      EXPECT_TRUE(std::ranges::includes(outcome.data[task], after[task])) << task << " of " << tasks;
    }
    EXPECT_EQ(outcome.unfinished, 0U) << tasks;
    EXPECT_EQ(outcome.unmatched, 0U) << tasks;
  }
}

TEST_P(EveryCollective, SaysHowLongItsLongestMessageIs) {
  const Case& c = GetParam();
  for (u32 tasks = 3; tasks <= 17; ++tasks) {
    if (!takes(c, tasks)) continue;
    const u64 said = longest_message_bytes(spec(c.operation, c.algorithm, tasks));
    const u64 seen = run(c, tasks).longest;
    EXPECT_LE(seen, said) << tasks;
    if (collective_kind(spec(c.operation, c.algorithm, tasks)).divides) continue;
    EXPECT_LT(said, 2 * seen) << tasks;
  }
}

TEST_P(EveryCollective, EndsWithAnyLengthAndNumberOfRepetitions) {
  const Case& c = GetParam();
  for (const u64 bytes : {1U, 5U, 16U, 100U}) {
    const Outcome once = run(c, 8, bytes), often = run(c, 8, bytes, 3);
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
  EXPECT_NE(error_of(spec(c.operation, c.algorithm, 4, 0)).find("workload.message_bytes = 0"), std::string::npos);
  auto none = spec(c.operation, c.algorithm, 4);
  none.repetitions = 0;
  EXPECT_NE(error_of(none).find("workload.repetitions = 0"), std::string::npos);
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
      usual += registry.find(name)->operation == operation && registry.find(name)->usual ? 1 : 0;
    }
    EXPECT_EQ(usual, 1U) << operation;
  }
}

}  // namespace
}  // namespace weft::workloads::collective_test
