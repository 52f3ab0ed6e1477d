// The settings table itself: every row is complete and its default obeys its own range.
#include "tools/run/config/settings.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "tools/run/config/output_keys.hpp"

namespace weft::tools {
namespace {

TEST(Settings, EveryKeyIsThereOnceAndHasHelpAndAKnownTable) {
  std::set<std::string> keys;
  for (const Setting& setting : settings()) {
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
    EXPECT_FALSE(setting.help.empty()) << setting.key;
    EXPECT_EQ(setting.help.back(), '.') << setting.key;
    const auto& tables = setting_tables();
    const bool known =
        std::any_of(tables.begin(), tables.end(), [&](const auto& t) { return t.name == setting.table(); });
    EXPECT_TRUE(known || setting.key == "format") << setting.key;
  }
}

TEST(Settings, ThatNameAFileAreKnownAsInputsOrOutputs) {
  for (const Setting& setting : settings()) {
    const bool output = std::ranges::find(output_keys, setting.key) != output_keys.end();
    EXPECT_FALSE(output && setting.is_path) << setting.key;
    if (setting.type != SettingType::text || setting.is_path) continue;
    const bool names_a_file = setting.help.find("relative to the") != std::string::npos;
    EXPECT_EQ(output, names_a_file) << setting.key << ": row::path for what is read, output_keys for what is written";
  }
}

TEST(Settings, EveryDefaultHasTheTypeOfItsRowAndLiesInItsRange) {
  for (const Setting& setting : settings()) {
    if (std::holds_alternative<std::monostate>(setting.fallback)) continue;
    switch (setting.type) {
      case SettingType::integer: {
        const i64 value = std::get<i64>(setting.fallback);
        EXPECT_TRUE(value >= setting.whole.least && value <= setting.whole.most) << setting.key;
        break;
      }
      case SettingType::real: {
        const double value = std::get<double>(setting.fallback);
        EXPECT_TRUE(value >= setting.real.least && value <= setting.real.most) << setting.key;
        break;
      }
      case SettingType::choice: {
        const auto& choices = setting.choices;
        EXPECT_NE(std::find(choices.begin(), choices.end(), std::get<std::string>(setting.fallback)), choices.end())
            << setting.key;
        break;
      }
      case SettingType::boolean:
        EXPECT_TRUE(std::holds_alternative<bool>(setting.fallback)) << setting.key;
        break;
      case SettingType::text:
        EXPECT_TRUE(std::holds_alternative<std::string>(setting.fallback)) << setting.key;
        break;
      case SettingType::integers:
      case SettingType::ranges:
        ADD_FAILURE() << setting.key << ": lists have no defaults";
        break;
    }
  }
}

TEST(Settings, RowsOfATableStandTogetherSoThatTheCanonicalTextOpensItOnce) {
  std::set<std::string> closed;
  std::string open;
  for (const Setting& setting : settings()) {
    if (setting.table() == open) continue;
    EXPECT_TRUE(closed.insert(setting.table()).second || setting.table().empty()) << setting.key;
    open = setting.table();
  }
}

TEST(Settings, RealsAreWrittenShortlyAndAlwaysAsReals) {
  EXPECT_EQ(real_text(0.3), "0.3");
  EXPECT_EQ(real_text(1.0), "1.0");
  EXPECT_EQ(real_text(1e300), "1e+300");
  EXPECT_EQ(std::stod(real_text(1.0 / 3.0)), 1.0 / 3.0);
}

TEST(Settings, ValuesAreWrittenAsToml) {
  EXPECT_EQ(value_text(i64{4}), "4");
  EXPECT_EQ(value_text(true), "true");
  EXPECT_EQ(value_text(std::vector<i64>{8, 4}), "[8, 4]");
  EXPECT_EQ(value_text(std::string("a\"b\\c\n")), "\"a\\\"b\\\\c\\u000A\"");
  EXPECT_EQ(value_text(SettingValue{}), "none");
}

}  // namespace
}  // namespace weft::tools
