// Writes and reads the files of a frozen sweep.
#include "tools/study/frozen_sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/frozen.hpp"
#include "tools/run/config/named_files.hpp"
#include "tools/run/config/study_table.hpp"
#include "version.hpp"

namespace weft::tools::sweep {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format_name = "weft-frozen-sweep";
constexpr u64 format_version = 1;
constexpr u64 most_json_bytes = u64{1} << 32;

/// Hash of a regular file; empty for anything else.
std::string hash_of(const std::string& path) {
  const std::optional<u64> hash = hash_file(path);
  return hash ? hex_digits(*hash) : "";
}

std::string text_hash(const std::string& text) { return hex_digits(fnv1a(text)); }

/// Settings of the point (those of the study too), to which the paths of files are added as seen from everywhere.
std::vector<std::string> settings_anywhere(const SweepPoint& point, const Config& config) {
  std::vector<std::string> settings = point.settings;
  for (const std::string& file : absolute_paths(config)) {
    // What the base alone says is absolute in its frozen text.
    const std::string key = file.substr(0, file.find('=') + 1);
    const bool own =
        std::any_of(settings.begin(), settings.end(), [&](const std::string& s) { return s.starts_with(key); });
    if (own) settings.push_back(file);
  }
  return settings;
}

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw InputError(fmt::format("{}: {}; start or submit the study again", path, problem));
}

json parsed_file(const std::string& path) {
  const FileText file = file_text(path, most_json_bytes);
  if (file.status != FileText::Status::whole)
    fail(path, fmt::format("cannot read the frozen sweep ({})", file.problem));
  const json read = json::parse(file.text, nullptr, false);
  if (!read.is_object() || read.value("format", "") != format_name ||
      read.value("format_version", u64{0}) != format_version) {
    fail(path, "not a frozen sweep of this version (it is damaged, or another weft wrote it)");
  }
  return read;
}

/// The text of a file beside sweep.json, which must be what it was.
std::string unchanged_text(const fs::path& path, const std::string& hash) {
  const std::string text = study_text(path.string());
  if (text_hash(text) != hash) fail(path.string(), "was changed after the sweep was frozen (edit the study instead)");
  return text;
}

/// Writes the text unless it is there: the date of the file says since when it has been frozen.
void keep(const std::string& path, const std::string& text) {
  if (file_text(path, most_json_bytes).text != text) files::write_file_atomically(path, text);
}

}  // namespace

FrozenSweep freeze(const SweepStudy& study, const std::vector<SweepPoint>& points) {
  FrozenSweep sweep{"", study, points, {}};
  json list = json::array();
  for (SweepPoint& point : sweep.points) {
    const Config config = study.config.with(point.settings);
    point.settings = settings_anywhere(point, config);
    sweep.inputs.insert(point.inputs.begin(), point.inputs.end());
    list.push_back({{"name", point.name}, {"values", point.values}, {"settings", point.settings}});
  }
  const std::string base = frozen_toml(study.config);
  const json content = {{"format", format_name},
                        {"format_version", format_version},
                        {"version", version},
                        {"study", fs::absolute(study.path).lexically_normal().string()},
                        {"study_hash", text_hash(study.text)},
                        {"quick", study.quick},
                        {"base_hash", text_hash(base)},
                        {"inputs", sweep.inputs},
                        {"points", list}};
  // File names need not be UTF-8; a replacement character is better than no sweep.
  const std::string text = content.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  const fs::path folder = fs::path(study.out) / "frozen" / text_hash(text);
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    throw SystemError(
        fmt::format("cannot make the folder '{}' ({}); choose another one with out = \"...\" in the study",
                    folder.string(), failed.message()));
  }
  sweep.study.base = (folder / "base.toml").string();
  sweep.path = (folder / "sweep.json").string();
  keep((folder / "study.toml").string(), study.text);
  keep(sweep.study.base, base);
  keep(sweep.path, text);
  return sweep;
}

bool is_frozen(const std::string& path) { return fs::path(path).filename() == "sweep.json"; }

FrozenSweep load_frozen(const std::string& path) {
  const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
  const json content = parsed_file(path);
  FrozenSweep sweep;
  sweep.path = path;
  try {
    const std::string text = unchanged_text(folder / "study.toml", content.at("study_hash").get<std::string>());
    static_cast<void>(unchanged_text(folder / "base.toml", content.at("base_hash").get<std::string>()));
    load_plugins_of((folder / "base.toml").string());
    sweep.study = read_sweep(text, content.at("study").get<std::string>(), content.value("quick", false));
    sweep.study.base = (folder / "base.toml").string();
    sweep.study.out = folder.parent_path().parent_path().string();
    sweep.study.config = Config::load(sweep.study.base);
    content.at("inputs").get_to(sweep.inputs);
    for (const json& entry : content.at("points")) {
      SweepPoint point;
      point.index = static_cast<u32>(sweep.points.size());
      entry.at("name").get_to(point.name);
      entry.at("values").get_to(point.values);
      entry.at("settings").get_to(point.settings);
      if (!sweep.inputs.empty()) {
        for (const std::string& file : input_files(sweep.study.config.with(point.settings))) {
          const auto known = sweep.inputs.find(file);
          point.inputs.emplace_back(file, known == sweep.inputs.end() ? "" : known->second);
        }
      }
      if (point.name.size() < 16 || point.values.size() != sweep.study.keys().size()) fail(path, "is damaged");
      sweep.points.push_back(std::move(point));
    }
  } catch (const json::exception&) {
    fail(path, "is damaged");
  }
  if (sweep.points.empty()) fail(path, "is damaged");
  return sweep;
}

void check_inputs(const FrozenSweep& sweep, const SweepPoint& point) {
  const auto fail_changed = [](const std::string& file) {
    throw InputError(fmt::format(
        "'{}' has changed since the sweep was frozen (its runs would not belong together); put the old file back, or "
        "start or submit the study again",
        file));
  };
  for (const std::string& file : input_files(sweep.study.config.with(point.settings))) {
    const auto frozen = sweep.inputs.find(file);
    if (frozen == sweep.inputs.end()) fail_changed(file);  // another one behind a folder or pattern
    // Where nothing could be read then, the run itself will say what is wrong.
    if (!frozen->second.empty() && hash_of(file) != frozen->second) fail_changed(file);
  }
  for (const auto& [file, hash] : sweep.inputs) {
    if (!hash.empty() && !fs::exists(file)) fail_changed(file);
  }
}

}  // namespace weft::tools::sweep
