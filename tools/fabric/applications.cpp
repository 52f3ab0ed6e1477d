// Reads profiles of applications.
#include "tools/fabric/applications.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/study_table.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools {

std::vector<Application> read_applications(const std::string& path) {
  const std::string text = read_text_file<ConfigError>(path, most_toml_bytes, "profile");
  const toml::table document = parse_toml(text, path);
  const StudyTable top(document, "the profile", path);
  top.allow_only({"application"});
  std::vector<Application> applications;
  if (!top.has("application")) top.fail("application", "is missing; write [[application]] with name and shares");
  for (const toml::node& node : top.list("application")) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) top.fail("application", "is no list of tables; write [[application]]");
    const StudyTable keys(*table, "[[application]]", path);
    keys.allow_only({"name", "shares"});
    Application application{keys.text("name", ""), {}};
    if (application.name.empty()) keys.fail("name", "is missing; give the application a name");
    if (!keys.has("shares")) keys.fail("shares", "is missing; write for example shares = { dissemination = 0.1 }");
    const toml::table* const shares = keys.node("shares").as_table();
    if (shares == nullptr)
      keys.fail("shares", "is no table; write for example { dissemination = 0.1, \"neighbours:6\" = 0.2 }");
    double sum = 0;
    for (const auto& [pattern, value] : *shares) {
      const auto share = value.value<double>();
      if (!share || !(*share >= 0 && *share <= 1)) {
        keys.fail("shares", fmt::format("has a fraction for '{}' that is no number from 0 to 1",
                                        shown(std::string(pattern.str()))));
      }
      static_cast<void>(workloads::pattern_named(std::string(pattern.str())));
      application.shares.push_back({std::string(pattern.str()), *share});
      sum += *share;
    }
    if (sum > 1) keys.fail("shares", fmt::format("add up to {:.3f}, more than the whole run time", sum));
    applications.push_back(std::move(application));
  }
  return applications;
}

}  // namespace weft::tools
