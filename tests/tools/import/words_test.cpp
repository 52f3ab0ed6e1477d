// Words of other simulators must mean something that weft has.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "engine/base/synonyms.hpp"
#include "tools/run/config/describe.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

TEST(Words, MeanKeysAndValuesThatThereAre) {
  std::map<std::string, std::string> values;  // a word that means it
  ASSERT_GT(all_synonyms().size(), 200U);
  for (const Synonym& synonym : all_synonyms()) {
    EXPECT_FALSE(synonym.word.empty());
    EXPECT_FALSE(synonym.whose.empty()) << synonym.word;
    for (const Meaning& here : synonym.here) {
      const bool is_of_jobs = std::ranges::find(job_settings(), here.key, &Setting::key) != job_settings().end();
      EXPECT_TRUE(is_of_jobs || find_setting(here.key) != nullptr) << synonym.word << " -> " << here.key;
      if (!here.value.empty()) values[here.key + " = \"" + here.value + "\""] = synonym.word;
    }
  }
  for (const auto& [value, word] : values) {
    const std::string text = describe({word});
    const bool is_described =
        text.find(value + ": ") != std::string::npos || text.find(value + "\n") != std::string::npos;
    // A word that weft has itself is described, with a line of what others mean by it.
    const bool is_told =
        text.find(value + " here") != std::string::npos || text.find(value + ", ") != std::string::npos;
    EXPECT_TRUE(is_described || (synonyms_of(word).size() == 1 && is_told)) << word << ": " << value;
  }
}

TEST(Words, AreFoundWhateverTheirCaseAndJoints) {
  for (const char* const form : {"FAT_TREE", "fat-tree", "FatTree", "fattree"})
    EXPECT_FALSE(synonyms_of(form).empty()) << form;
  EXPECT_TRUE(synonyms_of("").empty());
  EXPECT_TRUE(synonyms_of("--").empty());
  EXPECT_EQ(plain_word("FAT_TREE-2"), "fattree2");
}

}  // namespace
}  // namespace weft::tools
