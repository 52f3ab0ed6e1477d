// Words of other simulators must mean something that weft has.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "engine/base/synonyms.hpp"
#include "tools/run/config/describe.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

TEST(Words, MeanKeysAndValuesThatThereAre) {
  std::set<std::string> values;
  ASSERT_GT(all_synonyms().size(), 200U);
  for (const Synonym& synonym : all_synonyms()) {
    EXPECT_FALSE(synonym.word.empty());
    EXPECT_FALSE(synonym.whose.empty()) << synonym.word;
    for (const Meaning& here : synonym.here) {
      EXPECT_NE(find_setting(here.key), nullptr) << synonym.word << " -> " << here.key;
      if (!here.value.empty()) values.insert(here.key + " = \"" + here.value + "\"");
    }
  }
  for (const std::string& value : values) {
    const std::size_t begin = value.find('"') + 1;
    const std::string word = value.substr(begin, value.size() - begin - 1);
    EXPECT_NE(describe({word}).find(value), std::string::npos) << value;
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
