// Files of factors and of recorded pauses, and what is refused in them.
#include "workloads/program/processor_files.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

template <class Read>
std::string refusal(Read&& read) {
  try {
    static_cast<void>(read());
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}
std::string refused_factors(const std::string& text) {
  return refusal([&] { return read_cpu_factors(text, "f.txt", 4); });
}
std::string refused_noise(const std::string& text) {
  return refusal([&] { return read_noise(text, "n.txt"); });
}

TEST(CpuFactors, TasksWithoutALineHaveFactorOne) {
  EXPECT_EQ(read_cpu_factors("# slow ones\n3 1.5 # a\n\n\t0   0\r\n", "f.txt", 4), (std::vector<double>{0, 1, 1, 1.5}));
  EXPECT_EQ(read_cpu_factors("", "f.txt", 2), (std::vector<double>{1, 1}));
  EXPECT_EQ(read_cpu_factors("0 3\n4 2\n99999999999 2\n", "f.txt", 2), (std::vector<double>{3, 1}));
}

TEST(CpuFactors, WhatIsWrongIsNamedByFileAndLine) {
  for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
           {"1 2\n#\n1 3\n", "f.txt:3: line gives task 1 a factor again (line 1 gave it 2); remove one of them"},
           {"1 -0.5\n", "f.txt:1: line holds \"-0.5\" as factor (it is negative); use 0 or more"},
           {"1 fast\n", "f.txt:1: line holds \"fast\" as factor (not a number)"},
           {"1 nan\n", "as factor (not a number)"},
           {"1 inf\n", "as factor (not a number)"},
           {"1 1e7\n", "f.txt:1: line holds \"1e7\" as factor (at most 1000000); use a smaller one"},
           {"-1 2\n", "f.txt:1: line holds \"-1\" as task (not a whole number >= 0)"},
           {"one 2\n", "as task (not a whole number >= 0)"},
           {"1\n", "f.txt:1: line holds \"1\" alone (expected: task factor); add what is missing"},
           {"1 2 3\n", "f.txt:1: line has more than two fields (expected: task factor); remove the rest"}}) {
    EXPECT_NE(refused_factors(text).find(problem), std::string::npos) << text << '\n' << refused_factors(text);
  }
}

TEST(NoiseFile, PausesAndPeriod) {
  const NoiseRecord plain = read_noise("# netgauge\n100\t5.5\n200 0\n300 10\n", "n.txt");
  ASSERT_EQ(plain.pauses.size(), 3U);
  EXPECT_EQ(plain.pauses[0].begin_ns, 100);
  EXPECT_EQ(plain.pauses[0].length_ns, 5.5);
  EXPECT_EQ(plain.period_ns, 310) << "the end of the last";
  EXPECT_EQ(read_noise("# period_ns = 1e6\n0 5\n5 5\n", "n.txt").period_ns, 1e6);
  EXPECT_EQ(read_noise("0 5\n#period_ns=10\n", "n.txt").period_ns, 10);
  EXPECT_EQ(read_noise("0 5\n# period_ns was not measured\n", "n.txt").period_ns, 5);
}

TEST(NoiseFile, WhatIsWrongIsNamedByFileAndLine) {
  for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
           {"", "n.txt: has no pauses"},
           {"100 5\n104 5\n", "n.txt:2: line begins a pause at 104 ns, in or before the last (which ends at 105 ns)"},
           {"100 5\n50 5\n", "n.txt:2: line begins a pause at 50 ns, in or before the last"},
           {"100 -5\n", "n.txt:1: line holds \"-5\" as length_ns (it is negative)"},
           {"x 5\n", "n.txt:1: line holds \"x\" as begin_ns (not a number)"},
           {"5\n", "n.txt:1: line holds \"5\" alone (expected: begin_ns length_ns)"},
           {"# period_ns = 100\n0 5\n98 5\n", "n.txt:3: line leaves a pause that ends at 103 ns beyond the period"},
           {"98 5\n# period_ns = 100\n", "n.txt:2: line leaves a pause that ends at 103 ns beyond the period"},
           {"# period_ns = long\n0 5\n", "n.txt:1: line holds \"long\" as period_ns (not a number)"},
           {"# period_ns = 9\n# period_ns = 9\n0 5\n", "n.txt:2: line gives period_ns again"}}) {
    EXPECT_NE(refused_noise(text).find(problem), std::string::npos) << text << '\n' << refused_noise(text);
  }
}

}  // namespace
}  // namespace weft::workloads
