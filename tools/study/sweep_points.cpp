// The points of a sweep: the product of its axes, each checked as a config before anything runs.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/check/effect.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/frozen.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/study/sweep_study.hpp"

namespace weft::tools::sweep {
namespace {

constexpr u64 most_points = 100'000;
constexpr std::size_t most_name = 100;

/// Points of the product of the axes, without seeds.
u64 product_of_axes(const SweepStudy& study) {
  std::vector<i64> factors;
  for (const SweepAxis& axis : study.axes) factors.push_back(static_cast<i64>(axis.rows.size()));
  return product_up_to(factors, most_points);
}

/// All points: most_points + 1 if they are more.
u64 point_count(const SweepStudy& study) {
  const u64 different = product_of_axes(study) + study.added.size();
  return product_up_to({static_cast<i64>(std::min(different, most_points + 1)), study.repeat}, most_points);
}

/// The values of point `index` without the seed, [key].
std::vector<std::string> axis_values(const SweepStudy& study, u64 index) {
  const u64 product = product_of_axes(study);
  if (index >= product) return study.added[index - product];
  std::vector<std::string> values;
  for (auto axis = study.axes.rbegin(); axis != study.axes.rend(); ++axis) {
    const u64 row = index % axis->rows.size();
    index /= axis->rows.size();
    values.insert(values.begin(), axis->rows[row].begin(), axis->rows[row].end());
    if (!axis->labels.empty()) values.insert(values.begin(), value_text(axis->labels[row]));
  }
  return values;
}

/// "offered_load-0.3_dims-8x8": key and value as part of a file name.
std::string name_part(const std::string& key, const std::string& value) {
  std::string part = key.substr(key.find('.') + 1) + "-";
  for (const char c : value) {
    if (c == ',') {
      part += 'x';
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-') {
      part += c;
    }
  }
  return part;
}

std::string point_name(const SweepStudy& study, const std::vector<std::string>& values, u64 hash) {
  const std::vector<std::string> keys = study.keys();
  std::string name;
  for (const std::size_t ix : study.telling_keys()) name += name_part(keys[ix], values[ix]) + "_";
  if (name.size() > most_name) name = name.substr(0, most_name) + "_";
  return name + hex_digits(hash);
}

/// Hashes of the files that configs name, each read once.
class InputHashes {
 public:
  std::vector<std::pair<std::string, std::string>> of(const Config& config) {
    std::vector<std::pair<std::string, std::string>> inputs;
    for (const std::string& path : input_files(config)) {
      const auto [known, is_new] = hashes_.try_emplace(path);
      if (is_new) {
        const std::optional<u64> hash = hash_file(path);
        if (hash) known->second = hex_digits(*hash);
      }
      inputs.emplace_back(path, known->second);
    }
    return inputs;
  }

 private:
  std::map<std::string, std::string> hashes_;
};

/// Whether "table.key=value" is of one of these keys.
bool sets_one_of(const std::string& setting, const std::vector<WithoutEffect>& keys) {
  return std::ranges::any_of(keys, [&](const WithoutEffect& one) {
    return setting.size() > one.key.size() && setting.starts_with(one.key) &&
           (setting[one.key.size()] == '=' || setting[one.key.size()] == ' ');
  });
}

/// Keys that have no effect at points. At some of them that is no mistake: a study may be of several kinds of network
/// or router, each with keys of its own.
class UnusedInSweep {
 public:
  void note(const std::vector<WithoutEffect>& at_point) {
    for (const WithoutEffect& one : at_point) ++seen_.try_emplace(one.key, Seen{0, one}).first->second.points;
  }
  /// ", or router.ties has no effect": of the study's axes; empty if there are none.
  [[nodiscard]] std::string of_axes(const SweepStudy& study) const {
    std::string text;
    for (const std::string& key : study.keys()) {
      if (seen_.contains(key)) text += (text.empty() ? ", or " : ", ") + key;
    }
    return text.empty() ? text : text + " has no effect there";
  }
  /// Throws ConfigError for a key that has no effect at any of so many points.
  void check(const SweepStudy& study, u64 points) const {
    for (const auto& [key, seen] : seen_) {
      const std::vector<std::string> swept = study.keys();
      const bool of_study = std::ranges::find(swept, key) != swept.end() ||
                            (study.config.given(key) && study.config.given_by(key) == GivenBy::override);
      if (seen.points < points || (!of_study && !has_no_effect_in_file(study.config, key))) continue;
      throw ConfigError(fmt::format("{}: {} has no effect at any point ({}); {}", of_study ? study.path : study.base,
                                    key, seen.first.why, seen.first.advice));
    }
  }

 private:
  struct Seen {
    u64 points = 0;
    WithoutEffect first;
  };
  std::map<std::string, Seen> seen_;
};

}  // namespace

std::vector<SweepPoint> sweep_points(const SweepStudy& study) {
  const u64 count = point_count(study);
  if (count > most_points) {
    throw ConfigError(fmt::format("{}: more than {} points (the product of all axes and repeat); make axes shorter",
                                  study.path, most_points));
  }
  const std::vector<std::string> keys = study.keys();
  const i64 first_seed = study.config.integer("simulation.seed");
  std::vector<SweepPoint> points;
  std::map<std::string, u32> known;
  InputHashes hashes;
  UnusedInSweep without_effect;
  for (u64 ix = 0; ix < count; ++ix) {
    SweepPoint point;
    point.index = static_cast<u32>(ix);
    point.values = axis_values(study, ix / study.repeat);
    if (study.repeat > 1) point.values.push_back(std::to_string(first_seed + static_cast<i64>(ix % study.repeat)));
    std::vector<std::string> own;
    for (std::size_t key = 0; key < keys.size(); ++key) {
      if (is_setting(keys[key]) && !point.values[key].empty()) own.push_back(keys[key] + "=" + point.values[key]);
    }
    const auto fail = [&](const std::string& problem) {
      throw ConfigError(fmt::format("{}: point {} ({}): {}", study.path, ix, point_text(study, point), problem));
    };
    try {
      const std::vector<WithoutEffect> unused = keys_without_effect(study.config.with(own));
      without_effect.note(unused);
      std::erase_if(own, [&](const std::string& setting) { return sets_one_of(setting, unused); });
      point.settings = study.set;
      std::erase_if(point.settings, [&](const std::string& setting) { return sets_one_of(setting, unused); });
      point.settings.insert(point.settings.end(), own.begin(), own.end());
      const Config config = study.config.with(own);
      validate(config, UnusedKeys::noted);
      point.name = point_name(study, point.values, config.hash());
      point.inputs = hashes.of(config);
    } catch (const ConfigError& error) {
      fail(error.what());
    }
    const auto [same, is_new] = known.emplace(point.hash(), point.index);
    if (!is_new) {
      fail(
          fmt::format("is the same run as point {} (a value is there twice, or only [parallel] differs, which changes "
                      "no result{}); leave one out",
                      same->second, without_effect.of_axes(study)));
    }
    points.push_back(std::move(point));
  }
  without_effect.check(study, count);
  return points;
}

const SweepPoint& find_point(const SweepStudy& study, const std::vector<SweepPoint>& points, const std::string& word) {
  const auto named = std::find_if(points.begin(), points.end(),
                                  [&](const SweepPoint& point) { return point.name == word || point.hash() == word; });
  if (named != points.end()) return *named;
  const bool number = !word.empty() && word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
  if (number && std::stoul(word) < points.size()) return points[std::stoul(word)];
  throw ConfigError(fmt::format(
      "--point {}: there is no such point ({} has 0..{}, each with a name); weft sweep {} --dry-run lists them", word,
      study.path, points.size() - 1, study.path));
}

std::string point_text(const SweepStudy& study, const SweepPoint& point) {
  const std::vector<std::string> keys = study.keys();
  std::string text;
  for (const std::size_t ix : study.telling_keys()) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", keys[ix], shown(point.values[ix], 100));
  }
  return text;
}

}  // namespace weft::tools::sweep
