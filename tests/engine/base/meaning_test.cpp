// A word is what its table says, and nothing else.
#include "engine/base/meaning.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

enum class Colour { red, green };

TEST(MeaningOf, IsWhatTheTableSays) {
  EXPECT_EQ(meaning_of<Colour>("green", {{"red", Colour::red}, {"green", Colour::green}}), Colour::green);
  EXPECT_TRUE(means("on", "on", "off"));
  EXPECT_FALSE(means("off", "on", "off"));
}

TEST(MeaningOf, AWordThatTheTableLacksIsAMistakeOfTheProgram) {
  EXPECT_THROW(static_cast<void>(meaning_of<Colour>("blue", {{"red", Colour::red}})), Bug);
  EXPECT_THROW(static_cast<void>(means("perhaps", "on", "off")), Bug);
}

}  // namespace
}  // namespace weft
