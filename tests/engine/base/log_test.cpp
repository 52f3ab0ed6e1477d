// Messages as people see them on standard error, and as batch jobs keep them in a file.
#include "engine/base/log.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sstream>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

class LogTest : public ::testing::Test {
 protected:
  void TearDown() override { start_log({}); }
  /// What comes to standard error when all kinds of messages are written.
  static std::string shown(const LogChoice& choice, u32 rank = 0, u32 ranks = 1) {
    start_log(choice, rank, ranks);
    ::testing::internal::CaptureStderr();
    spdlog::debug("looks closely");
    spdlog::info("has done {} things", 3);
    spdlog::warn("may be wrong");
    spdlog::error("is wrong");
    return ::testing::internal::GetCapturedStderr();
  }
  ScratchFolder folder_;
  std::string file_ = folder_.file("log");
};

TEST_F(LogTest, WarningsAndErrorsAreShownUnlessAskedOtherwise) {
  EXPECT_EQ(shown({}), "weft: warning: may be wrong\nweft: error: is wrong\n");
}

TEST_F(LogTest, QuietLeavesErrorsOnly) { EXPECT_EQ(shown({.quiet = true, .file = {}}), "weft: error: is wrong\n"); }

TEST_F(LogTest, VerboseTellsAll) {
  EXPECT_EQ(shown({.verbose = true, .file = {}}),
            "weft: debug: looks closely\nweft: info: has done 3 things\nweft: warning: may be wrong\nweft: error: is "
            "wrong\n");
}

TEST_F(LogTest, RanksNameThemselvesAndOnlyTheFirstWarns) {
  EXPECT_EQ(shown({}, 0, 2), "weft: warning [rank 0]: may be wrong\nweft: error [rank 0]: is wrong\n");
  EXPECT_EQ(shown({}, 1, 2), "weft: error [rank 1]: is wrong\n");
}

TEST_F(LogTest, AFullDiskIsRememberedWhileMessagesGoOn) {
  EXPECT_EQ(shown({.quiet = true, .file = "/dev/full"}), "weft: error: is wrong\n");
  EXPECT_NE(log_problem().find("cannot write the log '/dev/full' (No space left on device); free space"),
            std::string::npos)
      << log_problem();
}

TEST_F(LogTest, AFileGetsWhatHappenedWithItsTimeAndIsAddedTo) {
  static_cast<void>(shown({.quiet = true, .file = file_}, 1, 2));
  static_cast<void>(shown({.quiet = true, .file = file_}, 0, 2));
  std::ifstream file(file_);
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  EXPECT_NE(text.find(" weft [rank 1]: info: has done 3 things\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" weft [rank 0]: warning: may be wrong\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("looks closely"), std::string::npos);
  EXPECT_EQ(text.substr(0, 2), "20");
}

TEST_F(LogTest, AFileThatCannotBeWrittenIsTheUsersMistake) {
  EXPECT_THROW(start_log({.file = "/dev/null/folder/log"}), ConfigError);
}

TEST(ErrorText, IndentsTheDetail) { EXPECT_EQ(error_text("bad", "a\nb\n"), "bad\n  a\n  b"); }

TEST(ErrorText, KeepsLinesWhole) {
  EXPECT_EQ(error_text("bad\nline\x1b[31m", ""), "bad\\nline\\x1b[31m");
  EXPECT_LE(error_text(std::string(100'000, 'a'), "").size(), 2000U);
}

}  // namespace
}  // namespace weft
