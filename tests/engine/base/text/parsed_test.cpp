// Numbers out of texts, and texts without the blanks around them.
#include "engine/base/text/parsed.hpp"

#include <gtest/gtest.h>

#include "engine/base/text/words.hpp"

namespace weft {
namespace {

TEST(Parsed, TakesTextsThatAreNumbersAsAWhole) {
  EXPECT_EQ(parsed<u32>("12"), 12U);
  EXPECT_EQ(parsed<i64>("-7"), -7);
  EXPECT_EQ(parsed<u64>("ff", 16), 255U);
  EXPECT_EQ(parsed<double>("1.5e3"), 1500.0);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "x", "-1", "1.5", "0x10"})
    EXPECT_FALSE(parsed<u32>(text)) << text;
  for (const char* text : {"", "inf", "nan", "1e999", "1.5 "}) EXPECT_FALSE(parsed<double>(text)) << text;
}

TEST(Parsed, TellsWhatDoesNotFitFromWhatIsNoNumber) {
  EXPECT_EQ(parsed<u32>("4294967295"), 4294967295U);
  EXPECT_FALSE(parsed<u32>("4294967296"));
  EXPECT_TRUE(is_too_large<u32>("4294967296"));
  for (const char* text : {"", "4294967295", "many", "-1", "99999999999 nodes"})
    EXPECT_FALSE(is_too_large<u32>(text)) << text;
}

TEST(Parsed, ANumberIsTakenOffTheTextBehindIt) {
  std::string_view text = "12:8";
  EXPECT_EQ(take_number<u32>(text), 12U);
  EXPECT_EQ(text, ":8");
  EXPECT_FALSE(take_number<u32>(text));
  EXPECT_EQ(text, ":8");
}

TEST(Trimmed, TakesBlanksFromBothEnds) {
  EXPECT_EQ(trimmed(" \tone two\r"), "one two");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed("-a-", "-"), "a");
  EXPECT_EQ(trimmed(" a ", "-"), " a ");
}

}  // namespace
}  // namespace weft
