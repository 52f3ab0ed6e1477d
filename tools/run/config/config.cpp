// Typed access to the settings of a run, and the forms in which they are written: JSON, canonical TOML, hash.
#include "tools/run/config/config.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/check/suggest.hpp"
#include "tools/run/config/load.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/toml_text.hpp"
#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {

namespace {

const Setting& known(const std::string& key) {
  const Setting* setting = find_setting(key);
  if (setting == nullptr) throw Bug("setting " + key + " is asked for but not in the settings table");
  return *setting;
}

/// The value as a T, or T{} where there is none.
template <class T>
T value_as(const SettingValue& value, const std::string& key) {
  if (std::holds_alternative<std::monostate>(value)) return T{};
  if (const T* typed = std::get_if<T>(&value)) return *typed;
  throw Bug("setting " + key + " is asked for as another type than it has");
}

nlohmann::json json_of(const SettingValue& value) {
  return std::visit(
      [](const auto& typed) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(typed)>, std::monostate>) {
          return nullptr;
        } else {
          return typed;
        }
      },
      value);
}

}  // namespace

std::string plugins_line() {
  std::vector<std::string> paths;
  for (const Plugin& plugin : plugins()) paths.push_back(value_text(plugin.path));
  return paths.empty() ? "" : fmt::format("{} = [{}]\n", plugins_key, fmt::join(paths, ", "));
}

Config Config::load(const std::string& path, const std::vector<std::string>& overrides, const ReadFile& read) {
  static const ReadFile from_disk = [](const std::string& file) {
    return read_text_file<ConfigError>(file, most_toml_bytes, "config file");
  };
  ReadFiles files = read_config_files(path, read ? read : from_disk);
  Config config;
  config.path_ = path;
  config.files_ = std::move(files.paths);
  for (ReadValue& one : files.values) config.in_files_[one.key] = {std::move(one.value), std::move(one.place), one.by};
  for (ReadJob& one : files.jobs) {
    GivenJob& job = config.jobs_in_files_.emplace_back(
        GivenJob{std::move(one.name), std::move(one.place), std::move(one.instance_of), {}});
    for (ReadValue& value : one.values)
      job.values[value.key] = {std::move(value.value), std::move(value.place), value.by};
  }
  config = config.of_files().with(overrides);
  if (!config.given("format")) {
    throw ConfigError(shown(path) +
                      ": format is missing (the version of the config language); add the line format = 1 on top");
  }
  return config;
}

Config Config::with(const std::vector<std::string>& overrides) const {
  Config config = *this;
  for (const std::string& text : overrides) {
    ReadValue read = read_override(text);
    if (const auto of_job = job_key(read.key)) {
      for (GivenJob* const job : config.jobs_of_override(read))
        job->values[of_job->key] = {read.value, read.place, read.by};
    } else {
      config.given_[read.key] = {std::move(read.value), std::move(read.place), read.by};
    }
  }
  config.resolve();
  return config;
}

Config Config::without(const std::function<bool(const std::string& key)>& wanted) const {
  Config config = *this;
  for (Values* const values : {&config.given_, &config.in_files_})
    std::erase_if(*values, [&](const auto& one) { return wanted(one.first); });
  config.resolve();
  return config;
}

std::vector<GivenJob*> Config::jobs_of_override(const ReadValue& read) {
  const auto of_job = job_key(read.key);
  if (of_job->key == "job.instances") {
    throw ConfigError(fmt::format(
        "{}: job.instances stands in the file (it says how many jobs are read); change it there", read.place));
  }
  std::vector<GivenJob*> meant;
  for (GivenJob& job : jobs_) {
    if (job.name == of_job->job || job.instance_of == of_job->job) meant.push_back(&job);
  }
  if (!meant.empty()) return meant;
  std::vector<std::string> names;
  for (const GivenJob& job : jobs_) names.push_back(job.name);
  throw ConfigError(fmt::format("{}: there is no job \"{}\"; {}", read.place, shown(of_job->job),
                                names.empty() ? "the config has no [[job]]" : word_suggestion(of_job->job, names)));
}

Config Config::of_files() const {
  Config config = *this;
  config.given_ = in_files_;
  config.jobs_ = jobs_in_files_;
  config.resolve();
  return config;
}

void Config::resolve() {
  usual_.clear();
  std::map<std::string, SettingValue> usual = default_values(*this);
  usual_ = std::move(usual);
}

Config Config::of_job(const std::string& name) const {
  Config config = *this;
  const auto take = [&name](Values& values, const std::vector<GivenJob>& jobs) {
    std::erase_if(values, [](const auto& one) { return is_table_of_jobs(known(one.first).table()); });
    const auto job = std::ranges::find(jobs, name, &GivenJob::name);
    WEFT_ASSERT(job != jobs.end());
    for (const auto& [key, value] : job->values) {
      if (find_setting(key) != nullptr) values[key] = value;
    }
  };
  take(config.given_, jobs_);
  take(config.in_files_, jobs_in_files_);
  config.jobs_.clear();
  config.jobs_in_files_.clear();
  config.job_ = name;
  config.resolve();
  return config;
}

const GivenValue* Config::find_given(const std::string& key) const {
  const auto in = [](const Values& values, const std::string& of) {
    const auto it = values.find(of);
    return it == values.end() ? nullptr : &it->second;
  };
  const auto of_job = job_key(key);
  if (!of_job) return in(given_, key);
  const auto job = std::ranges::find(jobs_, of_job->job, &GivenJob::name);
  return job == jobs_.end() ? nullptr : in(job->values, of_job->key);
}

GivenBy Config::given_by(const std::string& key) const {
  const GivenValue* const found = find_given(key);
  if (found == nullptr) throw Bug("setting " + key + " was not given");
  return found->by;
}

const SettingValue& Config::value(const std::string& key) const {
  const Setting& setting = known(key);
  if (const GivenValue* const found = find_given(key)) return found->value;
  const auto it = usual_.find(setting.key);
  return it == usual_.end() ? setting.fallback : it->second;
}

i64 Config::integer(const std::string& key) const { return value_as<i64>(value(key), key); }
double Config::real(const std::string& key) const { return value_as<double>(value(key), key); }
std::string Config::text(const std::string& key) const { return value_as<std::string>(value(key), key); }
bool Config::flag(const std::string& key) const { return value_as<bool>(value(key), key); }
std::vector<i64> Config::integers(const std::string& key) const { return value_as<std::vector<i64>>(value(key), key); }

bool Config::given(const std::string& key) const {
  known(key);
  return find_given(key) != nullptr;
}

std::string Config::place(const std::string& key) const {
  known(key);
  if (const GivenValue* const found = find_given(key)) return found->place;
  const auto of_job = job_key(key);
  const auto job = of_job ? std::ranges::find(jobs_, of_job->job, &GivenJob::name) : jobs_.end();
  return job == jobs_.end() ? shown(path_) : job->place;
}

nlohmann::json Config::to_json() const {
  std::vector<const Setting*> all;
  for (const Setting& setting : settings()) all.push_back(&setting);
  return to_json(all);
}

nlohmann::json Config::to_json(const std::vector<const Setting*>& some) const {
  nlohmann::json json = nlohmann::json::object();
  for (const Setting* const setting : some) {
    std::string pointer = "/" + setting->key;  // nested at each dot
    std::ranges::replace(pointer, '.', '/');
    json[nlohmann::json::json_pointer(pointer)] = json_of(value(setting->key));
  }
  for (const Plugin& plugin : plugins()) json[plugins_key].push_back(plugin.path);
  return json;
}

template <class Wanted>
std::string Config::text_of_tables(const std::string& prefix, Wanted&& wanted) const {
  std::string text;
  std::string open_table;
  for (const Setting& setting : settings()) {
    const std::string table = setting.table();
    if (!wanted(table)) continue;
    const SettingValue& current = value(setting.key);
    if (std::holds_alternative<std::monostate>(current)) continue;
    if (table != open_table) text += fmt::format("\n[{}{}]\n", prefix, table);
    open_table = table;
    text += fmt::format("{} = {}\n", setting.name(), value_text(current));
  }
  return text;
}

std::string Config::canonical_text(const std::vector<std::string>& left_out_tables) const {
  std::string text = text_of_tables("", [&](const std::string& table) {
    return std::ranges::find(left_out_tables, table) == left_out_tables.end() &&
           (jobs_.empty() || !is_table_of_jobs(table));
  });
  for (const GivenJob& job : jobs_) {
    text += fmt::format("\n[[job]]\nname = {}\n", value_text(job.name));
    for (const Setting& setting : job_settings()) {
      if (setting.name() == "name") continue;
      text += fmt::format("{} = {}\n", setting.name(),
                          value_text(value(fmt::format("job.{}.{}", job.name, setting.name()))));
    }
    text += of_job(job.name).text_of_tables("job.", is_table_of_jobs);
  }
  return text;
}

std::string Config::toml() const { return plugins_line() + canonical_text({}); }

u64 Config::hash() const { return fnv1a(canonical_text({"parallel", "checkpoint"})); }

std::string Config::directory() const {
  const std::string directory = std::filesystem::path(path_).parent_path().string();
  return directory.empty() ? "." : directory;
}

std::string Config::resolve_path(const std::string& relative) const {
  // Appending an absolute path to another one yields the absolute path.
  return (std::filesystem::path(directory()) / relative).lexically_normal().string();
}

}  // namespace weft::tools
