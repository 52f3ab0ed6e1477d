// What shells offer for a value goes by the name that help texts have for it.
#include "tools/cli/completion.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

Completion completion_for(const std::string& value) {
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
    EXPECT_EQ(completion_for(value).kind, Completion::Kind::files) << value;
    EXPECT_EQ(completion_for(value).endings, endings) << value;
  }
}

TEST(Completion, OtherValuesAreWordsKeysFoldersOrNothing) {
  EXPECT_EQ(completion_for("WHEN").words, (std::vector<std::string>{"auto", "always", "never"}));
  EXPECT_EQ(completion_for("TABLE.KEY=VALUE").kind, Completion::Kind::settings);
  EXPECT_EQ(completion_for("FOLDER").kind, Completion::Kind::folders);
  for (const char* const value : {"N", "UINT", "A,B,...", "N,N,..."})
    EXPECT_EQ(completion_for(value).kind, Completion::Kind::nothing) << value;
}

TEST(Completion, AShellWithoutAScriptIsRefused) {
  EXPECT_THROW(static_cast<void>(shell_completion("csh", {})), ConfigError);
}

}  // namespace
}  // namespace weft::tools
