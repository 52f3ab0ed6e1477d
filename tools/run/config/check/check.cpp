// Words of the checks.
#include "tools/run/config/check/check.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools::checks {

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string setting_text(const Config& config, const std::string& key) {
  return fmt::format("{} = {}", key, shown(value_text(config.value(key))));
}

void fail(const Config& config, const std::string& key, const std::string& why, const std::string& advice) {
  throw ConfigError(fmt::format("{}: {} {}; {}", config.place(key), setting_text(config, key), why, advice));
}

void check_file(const Config& config, const std::string& table, const std::string& choice, const std::string& path,
                const std::string& example) {
  const std::string choice_key = table + "." + choice, path_key = table + "." + path;
  if (config.text(choice_key) != "file" || !config.text(path_key).empty()) return;
  fail(config, choice_key, fmt::format("needs a file ({} is not given)", path_key),
       fmt::format("add for example {} = \"{}\"", path, example));
}

}  // namespace weft::tools::checks
