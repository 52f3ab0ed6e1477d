// Stamps of plug-ins: which files have one, and what is said where two differ.
#include "tools/run/plugin/stamp_of_file.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tools/run/plugin/stamp.hpp"

namespace weft::tools::plugin {
namespace {

TEST(StampOfFile, AProgramThatIncludesTheStampHasIt) {
  const FileStamp file = stamp_of_file("/proc/self/exe");
  EXPECT_TRUE(file.is_library);  // position-independent, as a library is
  EXPECT_EQ(file.stamp, WEFT_ABI);
}

TEST(StampOfFile, OtherFilesHaveNone) {
  EXPECT_EQ(stamp_of_file("/bin/sh").stamp, "");
  EXPECT_FALSE(stamp_of_file("/etc/passwd").is_library);
  EXPECT_THROW(static_cast<void>(stamp_of_file("/no/such/file")), ConfigError);
}

TEST(StampOfFile, WhatDiffersIsNamed) {
  EXPECT_EQ(stamp_difference("weft=1; compiler=gcc 12", "weft=1; compiler=gcc 12"), "");
  EXPECT_EQ(stamp_difference("weft=1; compiler=gcc 11", "weft=1; compiler=gcc 12"), "compiler gcc 11, here gcc 12");
  EXPECT_EQ(stamp_difference("compiler=gcc 12", "weft=1; compiler=gcc 12"), "weft unknown, here 1");
  EXPECT_EQ(stamp_difference("weft=1; more=2", "weft=1"), "it has a stamp of another form");
}

}  // namespace
}  // namespace weft::tools::plugin
