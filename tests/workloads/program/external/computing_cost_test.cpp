// Tables of computing times.
#include "workloads/program/external/computing_cost.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::workloads {
namespace {

class CostTables : public testing::Test {
 protected:
  void write(const std::string& text) const { put(path, text); }
  /// What is said of a bad table.
  std::string problem() const {
    try {
      (void)read_cost_table(path, 2);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }
  ScratchFolder folder;
  std::string path = folder.file("costs");
};

TEST_F(CostTables, WhatIsWrittenIsRead) {
  const CostTable table = {{5, 0, 700}, {}, {1'000'000'000'000}};
  write(cost_table_text(table, "three tasks"));
  EXPECT_EQ(read_cost_table(path, 3), table);
}

TEST_F(CostTables, LinesMayBeMixedAndCommented) {
  write("# of two\n\n1 30 # the first\n0 10\n1\t40\r\n");
  EXPECT_EQ(read_cost_table(path, 2), (CostTable{{10}, {30, 40}}));
}

TEST_F(CostTables, BadLinesAreNamed) {
  write("0 10\n0 ten\n");
  EXPECT_NE(problem().find(path + ":2:"), std::string::npos);
  for (const char* text : {"0\n", "0 1 2\n", "-1 5\n", "0 1.5\n", "zero 1\n"}) {
    write(text);
    EXPECT_NE(problem().find(":1: no task and nanoseconds"), std::string::npos) << text;
  }
  write("2 1\n");
  EXPECT_NE(problem().find("there is no task 2"), std::string::npos);
}

TEST_F(CostTables, AMissingFileIsNamed) { EXPECT_NE(problem().find("cannot read"), std::string::npos); }

TEST(ComputingCosts, ATableThatHasEndedGivesTheFixedTime) {
  ComputingCost cost(ComputingCost::Rule::table, 9, {1, 2});
  EXPECT_EQ(cost.next(77), 1U);
  EXPECT_EQ(cost.next(77), 2U);
  EXPECT_EQ(cost.missing(), 0U);
  EXPECT_EQ(cost.next(77), 9U);
  EXPECT_EQ(cost.missing(), 1U);
  EXPECT_TRUE(cost.is_known());
}

TEST(ComputingCosts, OnlyWhatIsMeasuredIsNotKnownBefore) {
  ComputingCost cost(ComputingCost::Rule::measured, 9);
  EXPECT_FALSE(cost.is_known());
  EXPECT_EQ(cost.next(77), 77U);
}

}  // namespace
}  // namespace weft::workloads
