// Walks the tables of a config file, finds each key's row and hands the value to the conversion.
#include "tools/run/config/load.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/run/config/check/suggest.hpp"
#include "tools/run/config/convert.hpp"
#include "tools/run/config/fault_tables.hpp"
#include "tools/run/config/named_files.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_included_levels = 8;
/// A file may be included by several others; each time counts.
constexpr std::size_t most_files = 100;

/// The one row of the values at `node`, a key that the file gives.
const Setting& row_of(const std::string& key, const std::string& place) {
  const Setting* setting = find_setting(key);
  if (setting == nullptr) {
    throw ConfigError(fmt::format("{}: unknown key {}; {}", place, shown(key), key_suggestion(key)));
  }
  return *setting;
}

bool is_table(const std::string& name) {
  return std::ranges::any_of(setting_tables(), [&](const SettingTable& table) { return table.name == name; });
}

constexpr const char* job_table = "job";

/// The row of a key of a job; `name`: the job's.
const Setting& row_of_job(const std::string& key, const std::string& name, const std::string& place) {
  const std::string whole = fmt::format("job.{}.{}", name, key.starts_with("job.") ? key.substr(4) : key);
  if (const Setting* setting = find_setting(whole)) return *setting;
  std::vector<std::string> known;
  for (const Setting& row : job_settings()) known.push_back(row.name());
  for (const Setting& row : settings()) {
    if (is_table_of_jobs(row.table())) known.push_back(row.key);
  }
  throw ConfigError(fmt::format("{}: unknown key {} in [[job]] \"{}\"; did you mean {}?", place,
                                shown(key.starts_with("job.") ? key.substr(4) : key), shown(name),
                                nearest(key.starts_with("job.") ? key.substr(4) : key, known)));
}

bool is_name_of_job(const std::string& name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

/// The name that an element of [[job]] gives itself.
std::string name_of_job(const toml::table& job, const std::string& path, const std::string& place) {
  const toml::node* const node = job.get("name");
  if (node == nullptr) {
    throw ConfigError(place + ": a [[job]] has no name (results and overrides speak of it by that); add for example " +
                      "name = \"stencil\"");
  }
  const std::string at = at_line(path, node->source());
  const std::string name = std::get<std::string>(converted(job_settings().front(), *node, at));
  if (is_name_of_job(name)) return name;
  throw ConfigError(
      fmt::format("{}: job.name = {} is no name of a job (letters, digits, - and _); write for example "
                  "name = \"stencil\"",
                  at, shown(value_text(name))));
}

/// Whether keys begin with this table in a table: "link.global".
bool is_inner_table(const std::string& name) {
  return std::ranges::any_of(settings(), [&](const Setting& row) { return row.key.starts_with(name + "."); });
}

/// The table that a top-level node stands for: itself, or the only element of [[workload]].
const toml::table* table_at(const std::string& name, const toml::node& node, const std::string& place) {
  if (const toml::table* table = node.as_table()) return table;
  const toml::array* array = node.as_array();
  if (array == nullptr || !array->is_array_of_tables()) return nullptr;
  if (name != "workload") {
    throw ConfigError(
        fmt::format("{}: [[{}]] is a list of tables (there is one {}); write [{}]", place, name, name, name));
  }
  if (array->size() > 1) {
    throw ConfigError(
        fmt::format("{}: {} [[workload]] tables (several jobs are [[job]] tables); write [[job]] with a "
                    "name and workload = {{...}} for each",
                    place, array->size()));
  }
  return array->get_as<toml::table>(0);
}

/// Tells whether two paths name one file, but for links; those end at the greatest depth.
std::string identity(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return (failed ? fs::path(path) : absolute).lexically_normal().string();
}

/// A study where a config is wanted.
void refuse_study(const toml::table& root, const std::string& path) {
  for (const char* const kind : {"sweep", "scaling"}) {
    const toml::node* const node = root.get(kind);
    if (node == nullptr || !node->is_table()) continue;
    const auto* const base = node->as_table()->get_as<std::string>("base");
    throw ConfigError(fmt::format("{}: is a study, not a config of one run (it has a table [{}]); use weft {} {}{}",
                                  shown(path), kind, kind, shown(path),
                                  base == nullptr ? "" : ", or its base " + shown(value_text(base->get()))));
  }
}

/// Reads a file, and first those that it includes.
class FileReader {
 public:
  explicit FileReader(const ReadFile& read) : read_(read) {}

  /// `folder`: of the file, seen from that of the first one.
  void file(const std::string& path, const fs::path& folder) {
    if (read_files_.paths.size() == most_files) {
      throw ConfigError(
          fmt::format("{}: is file {} of this config (at most {}; does each of several files include "
                      "several?); put some into one",
                      shown(path), most_files + 1, most_files));
    }
    read_files_.paths.push_back(path);
    const toml::table root = parse_toml(read_(path), path);
    refuse_study(root, path);
    // They bring keys, of included files too.
    load_plugins(root, path);
    for (const auto& [key, node] : root) {
      if (key.str() == include_key) include_all(node, at_line(path, key.source()), path, folder);
    }
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      if (name != include_key && name != plugins_key) top_level(name, node, at_line(path, key.source()), path, folder);
    }
  }

  ReadFiles result() && { return std::move(read_files_); }

 private:
  void include_all(const toml::node& node, const std::string& place, const std::string& path, const fs::path& folder) {
    open_.push_back(identity(path));
    const std::string wrong =
        "include is no config file (wanted a name in quotes, or a list of them); write include = \"base.toml\"";
    for (const std::string& name : file_names(node, place, wrong)) {
      const std::string included = (fs::path(path).parent_path() / name).lexically_normal().string();
      try {
        if (std::ranges::find(open_, identity(included)) != open_.end()) {
          throw ConfigError(shown(included) + ": includes itself (which never ends); leave the include out");
        }
        if (open_.size() > most_included_levels) {
          throw ConfigError(fmt::format("{}: files that include each other lie more than {} deep; include it higher up",
                                        shown(included), most_included_levels));
        }
        file(included, (folder / name).parent_path());
      } catch (const ConfigError& error) {
        throw ConfigError(fmt::format("{}: include: {}", place, error.what()), error.detail());
      }
    }
    open_.pop_back();
  }

  void top_level(const std::string& name, const toml::node& node, const std::string& place, const std::string& path,
                 const fs::path& folder) {
    if (name == job_table) {
      jobs(node, place, path, folder);
    } else if (is_table(name)) {
      const toml::table* table = table_at(name, node, place);
      if (table == nullptr) {
        throw ConfigError(fmt::format("{}: {} is a table of settings, not a value; write [{}] and its keys below",
                                      place, name, name));
      }
      for (const auto& [key, value] : *table) {
        setting(name + "." + std::string(key.str()), value, at_line(path, key.source()), folder, path);
      }
    } else if (node.is_table() || (node.is_array() && node.as_array()->is_array_of_tables())) {
      throw ConfigError(fmt::format("{}: unknown table [{}]; {}", place, shown(name), table_suggestion(name)));
    } else {
      setting(name, node, place, folder, path);
    }
  }

  void jobs(const toml::node& node, const std::string& place, const std::string& path, const fs::path& folder) {
    const toml::array* const array = node.as_array();
    if (array == nullptr || !array->is_array_of_tables()) {
      throw ConfigError(place + ": job is a list of tables, one for each job; write [[job]] and its keys below");
    }
    for (const toml::node& element : *array) {
      const toml::table& table = *element.as_table();
      ReadJob job;
      job.place = at_line(path, table.source());
      job.name = name_of_job(table, path, job.place);
      const auto same = std::ranges::find_if(
          read_files_.jobs, [&job](const ReadJob& one) { return one.name == job.name || one.instance_of == job.name; });
      if (same != read_files_.jobs.end()) {
        throw ConfigError(fmt::format("{}: job \"{}\" is there twice (the first is at {}); give it another name",
                                      job.place, job.name, same->place));
      }
      for (const auto& [key, value] : table) {
        const std::string name(key.str()), at = at_line(path, key.source());
        const toml::table* const inner = value.as_table();
        if (!is_table_of_jobs(name)) {
          take_value(job.values, row_of_job("job." + name, job.name, at), value, at, folder);
        } else if (inner == nullptr) {
          throw ConfigError(fmt::format("{}: {} of a job is a table of settings; write for example {} = {{{}}}", at,
                                        name, name, name == "workload" ? "kind = \"kernel\"" : "policy = \"random\""));
        } else {
          for (const auto& [own, of_table] : *inner) {
            const std::string where = at_line(path, own.source());
            take_value(job.values, row_of_job(name + "." + std::string(own.str()), job.name, where), of_table, where,
                       folder);
          }
        }
      }
      add_instances(std::move(job));
    }
  }

  /// The job, or so many as job.instances says: as if each stood in the file.
  void add_instances(ReadJob job) {
    const auto given = std::ranges::find(job.values, "job.instances", &ReadValue::key);
    const i64 instances = given == job.values.end() ? 1 : std::get<i64>(given->value);
    if (given != job.values.end()) job.values.erase(given);
    if (instances == 1) return read_files_.jobs.push_back(std::move(job));
    for (i64 k = 1; k <= instances; ++k) {
      ReadJob one = job;
      one.instance_of = job.name;
      one.name = fmt::format("{}-{}", job.name, k);
      if (const auto same = std::ranges::find(read_files_.jobs, one.name, &ReadJob::name);
          same != read_files_.jobs.end()) {
        throw ConfigError(
            fmt::format("{}: instance \"{}\" of a job is there already (the first is at {}); give one of them another "
                        "name",
                        job.place, one.name, same->place));
      }
      read_files_.jobs.push_back(std::move(one));
    }
  }

  void setting(const std::string& key, const toml::node& node, const std::string& place, const fs::path& folder,
               const std::string& path) {
    if (const toml::table* inner = node.as_table(); inner != nullptr && is_inner_table(key)) {  // [link.global]
      for (const auto& [name, value] : *inner) {
        setting(key + "." + std::string(name.str()), value, at_line(path, name.source()), folder, path);
      }
      return;
    }
    const toml::array* const tables = node.as_array();
    if (tables != nullptr && tables->is_array_of_tables() && takes_tables(key)) {
      const std::string text =
          fault_tables_text(key, *tables, [&path](const toml::node& at) { return at_line(path, at.source()); });
      return take_value(read_files_.values, row_of(key, place), toml::value<std::string>(text), place, folder);
    }
    take_value(read_files_.values, row_of(key, place), node, place, folder);
  }

  void take_value(std::vector<ReadValue>& values, const Setting& row, const toml::node& node, const std::string& place,
                  const fs::path& folder) {
    SettingValue value = converted(row, node, place);
    // So that the config is the same as if it were one file, in the folder of the first one.
    if (auto* text = std::get_if<std::string>(&value); row.is_path && !folder.empty() && !text->empty()) {
      *text = (folder / *text).lexically_normal().string();
    }
    values.push_back({row.key, std::move(value), place, open_.empty() ? GivenBy::file : GivenBy::included_file});
  }

  const ReadFile& read_;
  ReadFiles read_files_;
  std::vector<std::string> open_;  ///< files that are being read, each included by the one before
};

}  // namespace

ReadFiles read_config_files(const std::string& path, const ReadFile& read) {
  FileReader reader(read);
  reader.file(path, {});
  return std::move(reader).result();
}

ReadValue read_override(const std::string& text) {
  const std::string place = "--set " + shown(text, 100);
  const auto equals = text.find('=');
  const std::string key(trimmed(std::string_view(text).substr(0, equals), " \t"));
  if (equals == std::string::npos || key.empty()) {
    throw ConfigError(place + ": not of the form table.key=value; write for example --set router.virtual_channels=2");
  }
  if (key == include_key) {
    throw ConfigError(place + ": only a file can include others; write it into the config file");
  }
  if (key == plugins_key)
    throw ConfigError(place + ": plug-ins are loaded before settings are read; use --plugin FILE");
  const std::string table = key.substr(0, key.find('.'));
  if (table == job_table && !job_key(key)) {
    throw ConfigError(
        fmt::format("{}: names no key of a job; write for example --set job.NAME.workload.tasks=32", place));
  }
  if (table != key && table != job_table && !is_table(table)) {
    throw ConfigError(
        fmt::format("{}: unknown table [{}] in {}; {}", place, shown(table), shown(key), table_suggestion(table)));
  }
  const auto of_job = job_key(key);
  const Setting& setting = of_job ? row_of_job(of_job->key, of_job->job, place) : row_of(key, place);
  if (setting.key == "job.name") {
    throw ConfigError(place + ": a job keeps the name that its file gives it; change the file");
  }
  const std::string word(trimmed(std::string_view(text).substr(equals + 1), " \t"));
  const bool wants_text = setting.type == SettingType::text || setting.type == SettingType::choice;
  if (word.empty()) throw ConfigError(fmt::format("{}: no value for {}; give one after the =", place, key));
  const std::string line = "value = " + word;
  try {
    const toml::table root = too_deep_line(line) > 0 ? toml::table() : toml::parse(line);
    const toml::node* node = root.get("value");
    // A word of digits is text where text is wanted; a second line in the word would be another key.
    if (root.size() == 1 && node != nullptr && (!wants_text || node->is_string())) {
      return {key, converted(setting, *node, place), place, GivenBy::override};
    }
  } catch (const toml::parse_error&) {
    // A bare word, which TOML does not have.
  }
  return {key, converted(setting, toml::value<std::string>(word), place), place, GivenBy::override};
}

}  // namespace weft::tools
