// Text that nests without end is refused before the parser sees it; text that only looks so is not.
#include "tools/run/config/toml_text.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t ix = 0; ix < times; ++ix) text += part;
  return text;
}

TEST(TomlText, DeepKeysHeadersListsAndTablesAreFoundWithTheirLine) {
  for (const std::string& deep : {repeated("a.", 40'000) + "b = 1", "[" + repeated("a.", 40'000) + "b]",
                                  "[[" + repeated("a.", 40'000) + "b]]", "a = " + repeated("[", 40'000),
                                  "a = " + repeated("{a = ", 40'000), "a = {" + repeated("a . ", 40'000) + "b = 1}",
                                  repeated("\"a\".", 40'000) + "b = 1", repeated("'a'\t.", 40'000) + "b = 1",
                                  "x = [1,\n" + repeated("[", 40'000), "a = 1.5\n" + repeated("a.", 20) + "b = 1"}) {
    const std::string text = "format = 1 # \"\n" + deep;
    EXPECT_GE(too_deep_line(text), 2U) << deep.substr(0, 20);
    EXPECT_LE(too_deep_line(text), 3U) << deep.substr(0, 20);
    EXPECT_THROW(static_cast<void>(parse_toml(text, "run.toml")), ConfigError) << deep.substr(0, 20);
  }
}

TEST(TomlText, StringsCommentsAndNumbersDoNotNest) {
  const std::string dots = repeated(".", 100), brackets = repeated("[{", 100);
  for (const std::string& text :
       {"a = \"" + dots + brackets + "\"", "a = '" + dots + brackets + "'", "a = 1 #" + dots + brackets,
        "a = \"\"\"\n" + dots + "\"\" \\\"\"\" " + brackets + "\"\"\"\"\"\nb = 1",
        "a = '''\n" + dots + "'' " + brackets + "'''''\nb = 1", "a = [" + repeated("1.5, ", 100) + "2.5]",
        "a = [\n" + repeated("1.5,\n", 100) + "]", std::string("a = \"\\\\\"\nb = '\\'\n"),
        repeated("[[a]]\nb.c = 1\n", 100), "a = [" + repeated("{b.c = [1]}, ", 100) + "]", "\"a." + dots + "\" = 1",
        std::string("a = \"\"\nb = ''\n")}) {
    EXPECT_EQ(too_deep_line(text), 0U) << text.substr(0, 40);
    EXPECT_NO_THROW(static_cast<void>(parse_toml(text, "run.toml"))) << text.substr(0, 40);
  }
}

TEST(TomlText, MistakesNameLineAndColumnOfAFileOnOneLine) {
  try {
    static_cast<void>(parse_toml("a = 1\nb = \n", "run\n.toml"));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("run\\n.toml:2:"));
  }
}

}  // namespace
}  // namespace weft::tools
