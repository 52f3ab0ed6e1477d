// Compares what was given with what would be there without it.
#include "tools/run/config/given.hpp"

#include <map>

#include "tools/run/config/resolve.hpp"

namespace weft::tools {

bool given_otherwise(const Config& config, const std::string& key) {
  if (!config.given(key)) return false;
  const auto of_job = job_key(key);
  if (of_job && find_setting(of_job->key) != nullptr && is_table_of_jobs(find_setting(of_job->key)->table()))
    return given_otherwise(config.of_job(of_job->job), of_job->key);
  const std::map<std::string, SettingValue> usual = default_values(config);
  const auto of_kinds = usual.find(key);
  return config.value(key) != (of_kinds != usual.end() ? of_kinds->second : find_setting(key)->fallback);
}

}  // namespace weft::tools
