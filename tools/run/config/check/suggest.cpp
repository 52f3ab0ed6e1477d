// Finds the nearest known key by meaning first (same quantity, other unit) and by spelling second.
#include "tools/run/config/check/suggest.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "engine/base/nearest.hpp"
#include "engine/base/synonyms.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {

namespace {

/// Keys of earlier versions.
struct Renamed {
  std::string_view key, now;
  std::string_view how = "";  ///< what to write there, if not the same value
};
/// What is longer is no word of anybody's.
constexpr std::size_t longest_key = 100;
constexpr std::string_view job_of_its_own = " (write one for each, with a workload of its own)";
constexpr std::array renamed_keys{
    Renamed{"router.request", "router.routing"},
    Renamed{"router.routing_mode", "router.routing", " (router.routing = \"KIND:ALGORITHM\" where it must say both)"},
    Renamed{"router.ecn", "congestion.kind"},
    Renamed{"router.window_cells", "congestion.window_cells",
            " (with congestion.kind = \"windows\", if it is all that is given)"},
    Renamed{"router.gcc_packets", "congestion.gcc_packets",
            " (with congestion.kind = \"gcc\", if it is all that is given)"},
    Renamed{"router.gcc_period_cycles", "congestion.gcc_period_cycles"},
    Renamed{"router.ecn_min_cells", "congestion.min_cells"},
    Renamed{"router.ecn_max_cells", "congestion.max_cells"},
    Renamed{"router.ecn_max_probability", "congestion.max_probability"},
    Renamed{"router.cnp_cycles", "congestion.cnp_cycles"},
    Renamed{"router.rate_timer_cycles", "congestion.rate_timer_cycles"},
    Renamed{"router.rate_counter_cells", "congestion.rate_counter_cells"},
    Renamed{"router.rate_gain", "congestion.rate_gain"},
    Renamed{"router.rate_stages", "congestion.rate_stages"},
    Renamed{"router.rate_step", "congestion.rate_step"},
    Renamed{"router.rate_fast_step", "congestion.rate_fast_step"},
    Renamed{"router.rate_least", "congestion.rate_least"},
    Renamed{"router.ecn_marking_rate", "congestion.marking_rate"},
    Renamed{"router.ecn_least_cells", "congestion.least_cells"},
    Renamed{"router.cct_percent", "congestion.cct_percent"},
    Renamed{"router.cct_increase", "congestion.cct_increase"},
    Renamed{"router.cct_timer_cycles", "congestion.cct_timer_cycles"},
    Renamed{"router.dispersion", "nic.dispersion"},
    Renamed{"router.dispersion_threshold", "nic.dispersion_threshold"},
    Renamed{"router.dispersion_percent", "nic.dispersion_percent"},
    Renamed{"router.dispersion_count", "nic.dispersion_count"},
    Renamed{"router.probe_cells", "nic.probe_cells"},
    Renamed{"router.probe_travel_cycles", "nic.probe_travel_cycles"},
    Renamed{"router.probe_tries", "nic.probe_tries"},
    Renamed{"router.threshold_factor", "nic.threshold_factor"},
    Renamed{"router.deadlock_check", "deadlock.check"},
    Renamed{"router.unsafe", "deadlock.unsafe"},
    Renamed{"workload.job_nodes", "nodes of a [[job]]", job_of_its_own},
    Renamed{"workload.job_patterns", "workload.pattern of a [[job]]", job_of_its_own},
    Renamed{"workload.job_load_percent", "workload.offered_load of a [[job]]", job_of_its_own}};

/// The key without the unit it ends in: link.latency_ns -> link.latency. Units are part of names, so that a key with
/// the wrong unit names the right quantity.
std::string without_unit(const std::string& key) {
  static constexpr std::array<std::string_view, 22> units{
      "_cycles",   "_ticks",   "_ps",    "_ns",    "_us",    "_ms",   "_s",    "_seconds",
      "_minutes",  "_packets", "_phits", "_flits", "_bytes", "_bits", "_gbps", "_mbps",
      "_fraction", "_percent", "_kb",    "_kib",   "_gbit",  "_load"};
  for (const std::string_view unit : units) {
    if (key.ends_with(unit)) return key.substr(0, key.size() - unit.size());
  }
  return key;
}

std::string did_you_mean(const Setting& setting) {
  return fmt::format("did you mean {}{}?", setting.key, setting.unit.empty() ? "" : " (" + setting.unit + ")");
}

/// The setting that a key of another simulator is here, one of the same table if there is any; nullptr if it is none.
const Setting* setting_meant_by(const std::string& key) {
  const std::size_t dot = key.find('.');
  const std::string name = key.substr(dot + 1);
  const Setting* meant = nullptr;
  for (const std::string& word : {name, without_unit(name)}) {
    for (const Synonym& synonym : synonyms_of(word)) {
      for (const Meaning& here : synonym.here) {
        const Setting* const setting = here.value.empty() ? find_setting(here.key) : nullptr;
        if (setting == nullptr) continue;
        if (dot != std::string::npos && setting->table() == key.substr(0, dot)) return setting;
        if (meant == nullptr) meant = setting;
      }
    }
  }
  return meant;
}

}  // namespace

std::string key_suggestion(const std::string& key) {
  for (const Renamed& renamed : renamed_keys) {
    if (renamed.key == key) return fmt::format("its name is {} now{}", renamed.now, renamed.how);
  }
  for (const Setting& setting : settings()) {
    if (without_unit(setting.key) == without_unit(key)) return did_you_mean(setting);
  }
  const std::string name = key.substr(key.find('.') + 1);
  for (const Setting& setting : settings()) {
    if (setting.name() == name) return did_you_mean(setting);
  }
  std::vector<std::string> keys{include_key, plugins_key};
  for (const Setting& setting : settings()) {
    if (without_unit(setting.name()) == without_unit(name)) return did_you_mean(setting);
    keys.push_back(setting.key);
  }
  if (const Setting* const meant = setting_meant_by(key.substr(0, longest_key))) return did_you_mean(*meant);
  const std::string best = nearest(key, keys);
  const Setting* const setting = find_setting(best);
  return setting == nullptr ? fmt::format("did you mean {}?", best) : did_you_mean(*setting);
}

std::string table_suggestion(const std::string& table) {
  if (table == "jobs") return "did you mean [[job]], a table for each job?";
  std::vector<std::string> names;
  for (const SettingTable& known : setting_tables()) names.push_back(known.name);
  return fmt::format("did you mean [{}]?", nearest(table, names));
}

std::string word_suggestion(const std::string& word, const std::vector<std::string>& words) {
  return words.empty() ? "there is none" : fmt::format("did you mean \"{}\"?", nearest(word, words));
}

}  // namespace weft::tools
