// Text of users in messages: on one line, harmless to a terminal, and short.
#include "engine/base/text/shown.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Shown, PlainTextStaysAsItIs) {
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown("a \"b\" \\ 'c' [8, 8]"), "a \"b\" \\ 'c' [8, 8]");
  EXPECT_EQ(shown("Größe → 🙂"), "Größe → 🙂");
}

TEST(Shown, LineBreaksAndControlCharactersAreEscaped) {
  EXPECT_EQ(shown("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(shown(std::string_view("\x1b[31m\0\x7f", 7)), "\\x1b[31m\\x00\\x7f");
  EXPECT_EQ(shown("\xC2\x9B"), "\\u009b") << "a C1 control begins a sequence like ESC [";
}

TEST(Shown, InvisibleCharactersThatTurnTextAroundAreEscaped) {
  EXPECT_EQ(shown("a\u202Eb"), "a\\u202eb");
  EXPECT_EQ(shown("a\u200Bb\uFEFF\u2066"), "a\\u200bb\\ufeff\\u2066");
}

TEST(Shown, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(shown("\xFF\xFE"), "\\xff\\xfe");
  EXPECT_EQ(shown("\xC3"), "\\xc3");
  EXPECT_EQ(shown("\xC0\xAF"), "\\xc0\\xaf") << "longer than needed";
  EXPECT_EQ(shown("\xE0\x80\xAF"), "\\xe0\\x80\\xaf") << "longer than needed";
  EXPECT_EQ(shown("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(shown("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above 10FFFF";
  EXPECT_EQ(shown("\xE2\x82z"), "\\xe2\\x82z");
}

TEST(Utf8, IsRecognised) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\nä→🙂"));
  for (const char* bad : {"\xFF", "a\xC3", "\xC0\xAF", "\xED\xA0\x80", "ä\xF4\x90\x80\x80"}) EXPECT_FALSE(is_utf8(bad));
}

TEST(Shown, LongTextLosesItsMiddle) {
  EXPECT_EQ(shown("0123456789", 10), "0123456789");
  EXPECT_EQ(shown("0123456789ab", 11), "012345...ab");
  const std::string text = shown("begin" + std::string(100'000, 'x') + "end");
  EXPECT_EQ(text.size(), shown_characters);
  EXPECT_TRUE(text.starts_with("beginxxx"));
  EXPECT_TRUE(text.ends_with("xxxend"));
  EXPECT_NE(text.find("x...x"), std::string::npos);
}

TEST(Shown, CutsBetweenCharactersOnly) {
  EXPECT_EQ(shown("ääääääääääää", 11), "ääääää...ää");
  EXPECT_LE(shown(std::string(1000, '\n'), 20).size(), 20U);
  EXPECT_EQ(shown(std::string(1000, '\n'), 11), "\\n\\n\\n...\\n");
}

}  // namespace
}  // namespace weft
