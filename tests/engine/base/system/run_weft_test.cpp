// Child processes: exit codes, what they said, and programs that are not there. Programs of the system stand in for
// weft.
#include "engine/base/system/run_weft.hpp"

#include <filesystem>
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "engine/base/system/cores.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::process {
namespace {

class ProcessTest : public ::testing::Test {
 protected:
  /// A program in place of weft; its arguments are: run CONFIG --progress never --json FILE ...
  std::string program(const std::string& script) const {
    const std::string path = folder_.write("program", "#!/bin/sh\n" + script);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  ScratchFolder folder_;
};

TEST_F(ProcessTest, a_good_run_gives_its_summary) {
  const RunOutcome outcome = run_weft(program("echo said; echo '{\"ranks\": 1}' > $6\n"), {"a.toml", {}, 1, "", ""});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.summary.at("ranks"), 1);
  EXPECT_EQ(outcome.error, "");
  EXPECT_GT(outcome.wall_s, 0);
}

TEST_F(ProcessTest, arguments_arrive_as_they_are_without_a_shell) {
  const std::string script = "printf '{\"words\": \"%s\"}' \"$2|$8|${10}|${12}|$#\" > $6\n";
  const RunOutcome outcome = run_weft(program(script), {"a b.toml", {"x.y=$(z) *"}, 1, "o.h5", "c.h5"});
  EXPECT_EQ(outcome.summary.at("words"), "a b.toml|x.y=$(z) *|o.h5|c.h5|12");
}

TEST_F(ProcessTest, a_failed_run_gives_its_exit_code_and_words) {
  const RunOutcome outcome = run_weft(program("echo 'weft: error: no' >&2; exit 4\n"), {"a.toml", {}, 1, "", ""});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.error, "weft: error: no\n");
  EXPECT_TRUE(outcome.summary.empty());
}

TEST_F(ProcessTest, a_signal_is_told_from_an_exit) {
  EXPECT_EQ(run_weft(program("kill -9 $$\n"), {"a.toml", {}, 1, "", ""}).exit_code, 128 + 9);
}

TEST_F(ProcessTest, no_summary_after_a_good_end_is_an_error) {
  EXPECT_THROW(static_cast<void>(run_weft(program("exit 0\n"), {"a.toml", {}, 1, "", ""})), SystemError);
}

TEST_F(ProcessTest, a_program_that_is_not_there_is_an_error) {
  EXPECT_THROW(static_cast<void>(run_weft("/no/such/program", {"a.toml", {}, 1, "", ""})), SystemError);
}

TEST(Process, this_program_exists) { EXPECT_TRUE(std::filesystem::exists(this_program())); }

TEST(Process, there_is_a_core) { EXPECT_GE(usable_cores(), 1u); }

}  // namespace
}  // namespace weft::process
