// Quoted words come out of the shell as they went in.
#include "engine/base/system/shell.hpp"

#include <gtest/gtest.h>

#include "engine/base/system/child_process.hpp"

namespace weft::process {
namespace {

TEST(Shell, EveryWordComesOutAsItWentIn) {
  const std::string script = "printf '%s|' ";
  std::string words, expected;
  for (const std::string word :
       {"plain", "a b", "it's", "$(echo no) `echo no` \"$HOME\" \\", "line\nbreak", "*", "", "'"}) {
    words += " " + shell_quoted(word);
    expected += word + "|";
  }
  EXPECT_EQ(run_child({"sh", "-c", script + words}).output, expected);
}

TEST(Shell, OptionsOfSbatchAreQuotedOnlyWhereTheyNeedIt) {
  EXPECT_EQ(sbatch_quoted("02:00:00"), "02:00:00");
  EXPECT_EQ(sbatch_quoted("/a/%A_%a.log"), "/a/%A_%a.log");
  EXPECT_EQ(sbatch_quoted("a b"), "\"a b\"");
  EXPECT_EQ(sbatch_quoted("a#b\"c\\"), "\"a#b\\\"c\\\\\"");
  EXPECT_EQ(sbatch_quoted(""), "\"\"");
}

TEST(Shell, ControlCharactersAreFound) {
  EXPECT_TRUE(has_control_character("a\nb"));
  EXPECT_TRUE(has_control_character("\x7f"));
  EXPECT_FALSE(has_control_character("a b\xc3\xa4"));
}

}  // namespace
}  // namespace weft::process
