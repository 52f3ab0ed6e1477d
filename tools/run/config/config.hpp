// The configuration of one run: the values of all settings, read from TOML files and the command line, checked one by
// one.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/run/config/load.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {

/// A value that somebody gave.
struct GivenValue {
  SettingValue value;
  std::string place;
  GivenBy by = GivenBy::file;
};

/// An element of [[job]] as it was given.
struct GivenJob {
  std::string name, place;
  std::string instance_of;                   ///< the name in the file, of one of several instances; else empty
  std::map<std::string, GivenValue> values;  ///< by key: "workload.tasks", "placement.policy", "job.start_ns"
};

/// The line of a config that names the plug-ins that are loaded, by their absolute paths; empty without any.
[[nodiscard]] std::string plugins_line();

/// All settings of a run; immutable. Every value has its row's type and lies in its row's range; what several keys must
/// satisfy together is checked by `validate` (tools/run/config/check/validate.hpp). Keys of jobs are those of
/// overrides, "job.stencil.workload.tasks".
class Config {
 public:
  /// Reads the file with those that it includes, then the overrides ("table.key=value", the value as TOML or a bare
  /// word; the last one of a key wins). Throws ConfigError with the place (file:line, or the override) for a missing or
  /// malformed file, an unknown table or key, a wrong type, a value out of range, and a missing format; SystemError for
  /// a read error. `read` stands for the file system where it is given.
  [[nodiscard]] static Config load(const std::string& path, const std::vector<std::string>& overrides = {},
                                   const ReadFile& read = {});
  /// This config with more overrides; the files are not read again. Throws as `load`.
  [[nodiscard]] Config with(const std::vector<std::string>& overrides) const;
  /// This config as if nothing had given the keys of which wanted(key), but for those of jobs.
  [[nodiscard]] Config without(const std::function<bool(const std::string& key)>& wanted) const;
  /// This config without any overrides.
  [[nodiscard]] Config of_files() const;

  /// Value of a setting, or its default, that of the kinds in use before that of the setting; 0, false or empty where
  /// it has none. A key or type that the settings table does not have is a Bug.
  [[nodiscard]] i64 integer(const std::string& key) const;
  [[nodiscard]] double real(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key) const;  ///< texts and choices
  [[nodiscard]] bool flag(const std::string& key) const;
  [[nodiscard]] std::vector<i64> integers(const std::string& key) const;
  /// Whether the file or an override gave the key (even its default value).
  [[nodiscard]] bool given(const std::string& key) const;
  /// What gave a given key.
  [[nodiscard]] GivenBy given_by(const std::string& key) const;
  /// The value, or the default, or monostate.
  [[nodiscard]] const SettingValue& value(const std::string& key) const;
  /// Where a given key was given: "file.toml:12", the file perhaps an included one, or "--set table.key=value"; else
  /// the path of the file. For messages: as `shown` (engine/base/text/shown.hpp) shows it.
  [[nodiscard]] std::string place(const std::string& key) const;

  /// The jobs of [[job]], in the order of the file.
  [[nodiscard]] const std::vector<GivenJob>& jobs() const { return jobs_; }
  /// The config of a run with one job only: [workload] and [placement] are the job's. A Bug for a name that is none.
  [[nodiscard]] Config of_job(const std::string& name) const;
  /// The job that this is the config of, or empty.
  [[nodiscard]] const std::string& job() const { return job_; }

  /// All keys with defaults filled in, nested by table; null where there is no value. Of jobs, see job_json.
  [[nodiscard]] nlohmann::json to_json() const;
  /// Some settings with defaults filled in, nested by table; null where there is no value.
  [[nodiscard]] nlohmann::json to_json(const std::vector<const Setting*>& some) const;
  /// Canonical text: plugins_line, then all keys with defaults filled in, in the order of the settings table, without
  /// keys that have no value.
  [[nodiscard]] std::string toml() const;
  /// FNV-1a (64 bits) of the canonical text without plug-ins, [parallel] and [checkpoint]: equal for runs with equal
  /// results. Where results go is said on the command line only and is no part of it.
  [[nodiscard]] u64 hash() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The config file and those that it includes, once for each time: what must be kept to read it again.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  /// Directory of the config file. Never empty.
  [[nodiscard]] std::string directory() const;
  /// The file that a setting names, relative ones seen from `directory()`: a path that an included file gives is
  /// relative to that file, and is kept as seen from here, so that the canonical text is that of one file in this
  /// directory.
  [[nodiscard]] std::string resolve_path(const std::string& relative) const;

 private:
  using Values = std::map<std::string, GivenValue>;

  /// What was given for a key, a job's too; or nullptr.
  [[nodiscard]] const GivenValue* find_given(const std::string& key) const;
  /// The job that an override names, or all instances of it.
  [[nodiscard]] std::vector<GivenJob*> jobs_of_override(const ReadValue& read);
  /// Takes the defaults of the kinds in use, which may be others now.
  void resolve();

  /// The settings of all tables for which wanted(table), which are called prefix + table.
  template <class Wanted>
  [[nodiscard]] std::string text_of_tables(const std::string& prefix, Wanted&& wanted) const;
  [[nodiscard]] std::string canonical_text(const std::vector<std::string>& left_out_tables) const;

  std::string path_;
  std::vector<std::string> files_;
  Values given_;     ///< by key
  Values in_files_;  ///< those that overrides replace too
  std::vector<GivenJob> jobs_, jobs_in_files_;
  std::string job_;
  std::map<std::string, SettingValue> usual_;  ///< defaults of the kinds in use, by key
};

}  // namespace weft::tools
