// What shells offer for a value goes by the name that help texts have for it.
#include "tools/weft/completion.hpp"

#include <gtest/gtest.h>

#include "engine/error.hpp"

namespace weft::tools {
namespace {

using Kind = Completion::Kind;

Completion of(const std::string& value) {
  OptionText option;
  option.value = value;
  return completion_of(option);
}

TEST(Completion, FilesAreThoseOfTheEndings) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"RESULT.h5", {"h5"}},
      {"FILE.{graphml,dot,json}", {"graphml", "dot", "json"}},
      {"FILE.trc|FILE.goal", {"trc", "goal"}},
      {"CONFIG", {"toml"}},
      {"FILE|-", {}},
      {"FILE", {}}};
  for (const auto& [value, endings] : cases) {
    EXPECT_EQ(of(value).kind, Kind::files) << value;
    EXPECT_EQ(of(value).endings, endings) << value;
  }
}

TEST(Completion, OtherValuesAreWordsKeysFoldersOrNothing) {
  EXPECT_EQ(of("WHEN").words, (std::vector<std::string>{"auto", "always", "never"}));
  EXPECT_EQ(of("TABLE.KEY=VALUE").kind, Kind::settings);
  EXPECT_EQ(of("FOLDER").kind, Kind::folders);
  for (const char* const value : {"N", "UINT", "A,B,...", "N,N,..."}) EXPECT_EQ(of(value).kind, Kind::nothing) << value;
}

TEST(Completion, AShellWithoutAScriptIsRefused) {
  EXPECT_THROW(static_cast<void>(shell_completion("csh", {})), ConfigError);
}

}  // namespace
}  // namespace weft::tools
