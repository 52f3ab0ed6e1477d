// Asks the rows and the registries which keys change nothing; what one key more than a row can say is said beside the
// row (effect_rules.hpp).
#include "tools/run/config/check/effect.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/arbiter/scheduler.hpp"
#include "models/nic/congestion.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/run/config/check/effect_rules.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/traffic/arrival_law.hpp"
#include "workloads/traffic/length_law.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools {
namespace {

using checks::is_one_of;
using Found = std::optional<WithoutEffect>;

constexpr const char* removed = "remove it";

/// What a run goes by: `auto` is resolved.
SettingValue resolved_value(const Config& config, const std::string& key) {
  if (key == "simulation.stop") return resolved_stop(config);
  if (key == "workload.packet_length") return resolved_length_law(config);
  if (key == "router.kind") return resolved_router_kind(config);
  if (key == "router.routing") return resolved_routing(config);
  return config.value(key);
}

std::string bare_text(const SettingValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : value_text(value);
}

/// The part of a key behind its table.
std::string bare_name(const std::string& key) { return key.substr(key.find('.') + 1); }

std::string quoted_list(const std::vector<std::string>& words) {
  return fmt::format("\"{}\"", fmt::join(words, "\" or \""));
}

bool holds(const Config& config, const Condition& condition) {
  const SettingValue value = resolved_value(config, condition.key);
  if (!condition.values.empty()) return is_one_of(bare_text(value), condition.values);
  const SettingValue& fallback = find_setting(condition.key)->fallback;
  const bool given = value != fallback && !bare_text(value).empty();
  return given != condition.absent;
}

std::string advice_for(const Config& config, const Condition& condition) {
  if (condition.values.empty()) return "remove it, or give " + condition.key;
  if (condition.key == "simulation.stop" && config.integer("simulation.cycles") > 0)
    return "remove it, or simulation.cycles";
  if (condition.key == "simulation.stop" && ends_by_itself(config))
    return "remove it (steady states are of synthetic traffic)";
  const SettingType type = find_setting(condition.key)->type;
  const bool text = type == SettingType::text || type == SettingType::choice;
  return fmt::format("remove it, or use {} = {}", condition.key,
                     text ? quoted_list(condition.values) : condition.values.front());
}

/// The first condition of a row that does not hold: of those that another key is absent, or of all others.
Found unmet_condition(const Config& config, const Setting& row, bool absent) {
  for (const Condition& condition : row.conditions) {
    if (condition.absent != absent || holds(config, condition)) continue;
    if (absent) return WithoutEffect{row.key, "beside " + condition.key, "remove one of them"};
    const SettingValue value = resolved_value(config, condition.key);
    return WithoutEffect{row.key, fmt::format("with {} = {}", condition.key, value_text(value)),
                         advice_for(config, condition)};
  }
  return {};
}

/// A key of kinds that are not in use.
Found key_of_others(const KindsInUse& in_use, const Setting& setting) {
  if (in_use.row(setting.key) != nullptr) return {};
  for (const bool is_router : {false, true}) {
    const std::vector<std::string> owners =
        is_router ? kinds_with<models::RouterKind>(setting.key) : kinds_with<models::TopologyKind>(setting.key);
    if (owners.empty()) continue;
    const std::string kind_key = is_router ? "router.kind" : "topology.kind";
    const std::string kind = is_router ? in_use.routers.front() : in_use.topology;
    std::string advice = removed;
    if (is_router) {
      std::vector<std::string> fitting = owners;
      const auto* const topology = models::TopologyRegistry::instance().find(in_use.topology);
      std::erase_if(fitting, [&](const std::string& name) {
        return topology == nullptr || !fits_family(models::router_kind(name), topology->family);
      });
      if (!fitting.empty()) advice = "remove it, or use router.kind = " + quoted_list(fitting);
    }
    return WithoutEffect{setting.key,
                         fmt::format("with {} = \"{}\" (it is a key of {})", kind_key, kind, fmt::join(owners, ", ")),
                         advice};
  }
  return {};
}

/// What the kind of router in use says that it ignores.
Found ignored_by_router(const KindsInUse& in_use, const std::string& key) {
  for (const models::IgnoredKey& ignored : in_use.router().ignores) {
    if (ignored.key == key)
      return WithoutEffect{key, fmt::format("on {} routers ({})", in_use.routers.front(), ignored.why), removed};
  }
  return {};
}

/// A key that only some modes go by, with others.
Found key_of_modes(const KindsInUse& in_use, const Config& config, const std::string& key) {
  const models::KeyOfModes* const declared = models::KeysOfModes::instance().find(key);
  if (declared == nullptr) return {};
  const std::vector<std::string> modes = modes_in_use(config);
  const bool any = std::ranges::any_of(in_use.routers, [&](const std::string& name) {
    return std::ranges::any_of(models::router_kind(name).modes, [&](const models::RouterMode& mode) {
      return mode.*(declared->modes) && is_one_of(mode.name, modes);
    });
  });
  if (any) return {};
  return WithoutEffect{key, fmt::format("with mode \"{}\" (it is for modes that {})", modes.back(), declared->what),
                       removed};
}

/// What the files of rows say that depends on more than one other key.
Found unused_by_rule(const Config& config, const KindsInUse& in_use, const std::string& key) {
  static const std::map<std::string, EffectRule> rules = [] {
    std::map<std::string, EffectRule> all;
    for (const auto& list :
         {rows::effects_of_router(), rows::effects_of_topology_and_link(), rows::effects_of_faults()})
      all.insert(list.begin(), list.end());
    return all;
  }();
  const auto rule = rules.find(key);
  if (rule == rules.end()) return {};
  const std::optional<NoEffect> why = rule->second(config, in_use);
  if (!why) return {};
  return WithoutEffect{key, why->why, why->advice.empty() ? removed : why->advice};
}

/// A key that only some values of a setting go by, which has another value: `choice` is that setting's key.
Found unless_chosen(const std::string& key, const std::string& choice, const std::string& chosen,
                    const std::vector<std::string>& owners) {
  if (is_one_of(chosen, owners)) return {};
  return WithoutEffect{key, fmt::format("with {} = \"{}\"", choice, chosen),
                       fmt::format("remove it, or use {} = {}", bare_name(choice), quoted_list(owners))};
}

/// A key of some entries of a registry changes nothing with others, nor where nothing is chosen of that registry.
template <class Entry>
Found key_of_choice(const Config& config, const KindsInUse& in_use, const std::string& key) {
  const std::vector<std::string>& owners = kinds_with<Entry>(key);
  if (owners.empty()) return {};
  const ChoiceKey choice = Entry::choice;
  if (choice.other != nullptr && config.text(choice.other) != choice.other_value) {
    return WithoutEffect{key, fmt::format("with {} = \"{}\"", choice.other, config.text(choice.other)),
                         fmt::format("remove it, or use {} = \"{}\" and {} = {}", bare_name(choice.other),
                                     choice.other_value, bare_name(choice.key), quoted_list(owners))};
  }
  const Setting& chooser = *find_setting(choice.key);
  Found found = key_of_others(in_use, chooser);
  if (!found) found = unmet_condition(config, chooser, false);
  if (!found) found = unless_chosen(key, choice.key, bare_text(resolved_value(config, choice.key)), owners);
  if (found) found->key = key;
  return found;
}

/// Keys of congestion control, of all schemes and of one.
Found key_of_congestion(const Config& config, const KindsInUse& in_use, const Setting& setting) {
  using models::endpoint::CongestionKind;
  if (setting.table() != "congestion") return {};
  const auto complaint = models::endpoint::congestion_without_effect(
      setting.key, table_parameters(config, "congestion"), in_use.routers.front());
  if (complaint) return WithoutEffect{setting.key, complaint->why, complaint->advice};
  return key_of_choice<CongestionKind>(config, in_use, setting.key);
}

/// What the kind of workload in use says of a key of its own.
Found unused_by_workload(const Config& config, const KindsInUse& in_use, const Setting& setting) {
  if (!in_use.workload.unused || setting.table() != "workload") return {};
  auto complaint = in_use.workload.unused(table_parameters(config, "workload"), setting.name());
  if (!complaint) return {};
  return WithoutEffect{setting.key, std::move(complaint->why), std::move(complaint->advice)};
}

/// What the rows of kinds say: reasons that hold for a key whether it is given or not.
Found reason_in_rows(const Config& config, const KindsInUse& in_use, const Setting& setting) {
  Found found = key_of_others(in_use, setting);
  const Setting* const own = in_use.row(setting.key);
  if (!found) found = unmet_condition(config, own != nullptr ? *own : setting, false);
  if (!found) found = ignored_by_router(in_use, setting.key);
  if (!found) found = key_of_choice<workloads::PatternKind>(config, in_use, setting.key);
  if (!found) found = key_of_choice<workloads::LengthLaw>(config, in_use, setting.key);
  if (!found) found = key_of_choice<workloads::ArrivalLaw>(config, in_use, setting.key);
  if (!found) found = key_of_choice<workloads::KernelKind>(config, in_use, setting.key);
  if (!found) found = key_of_choice<workloads::PlacementKind>(config, in_use, setting.key);
  if (!found) found = key_of_choice<models::arbiter::SchedulerKind>(config, in_use, setting.key);
  if (!found) found = key_of_congestion(config, in_use, setting);
  if (!found) found = unused_by_workload(config, in_use, setting);
  return found;
}

/// Keys without effect in a config without jobs.
std::vector<WithoutEffect> unused_keys(const Config& config) {
  std::vector<WithoutEffect> found;
  const KindsInUse in_use(config);
  if (in_use.routers.empty() || models::TopologyRegistry::instance().find(in_use.topology) == nullptr) return found;
  for (const Setting& setting : settings()) {
    if (!config.given(setting.key)) continue;
    Found one = reason_in_rows(config, in_use, setting);
    if (!one) one = unused_by_rule(config, in_use, setting.key);
    if (!one) one = key_of_modes(in_use, config, setting.key);
    if (!one) one = unmet_condition(config, setting, true);
    if (one) found.push_back(*std::move(one));
  }
  return found;
}

}  // namespace

std::vector<const Setting*> settings_in_use(const Config& config) {
  std::vector<const Setting*> used;
  if (!config.jobs().empty()) {  // what one of them uses
    std::set<const Setting*> of_jobs;
    for (const GivenJob& job : config.jobs()) {
      const std::vector<const Setting*> of_job = settings_in_use(config.of_job(job.name));
      of_jobs.insert(of_job.begin(), of_job.end());
    }
    for (const Setting& setting : settings()) {
      if (of_jobs.contains(&setting)) used.push_back(&setting);
    }
    return used;
  }
  const KindsInUse in_use(config);
  const bool known = !in_use.routers.empty() && models::TopologyRegistry::instance().find(in_use.topology) != nullptr;
  for (const Setting& setting : settings()) {
    if (!known || !reason_in_rows(config, in_use, setting)) used.push_back(&setting);
  }
  return used;
}

/// What jobs that follow others, or go on until others end, go by.
Found key_of_launches(const Config& config) {
  const std::string key = "simulation.launch_cycles";
  const std::vector<Job> jobs = jobs_of(config);
  const bool launches = std::ranges::any_of(jobs, [](const Job& job) { return job.background || !job.after.empty(); });
  if (launches || !config.given(key)) return {};
  return WithoutEffect{key, "without jobs that follow others or repeat until others end", removed};
}

std::vector<WithoutEffect> keys_without_effect(const Config& config) {
  std::vector<WithoutEffect> found;
  if (config.jobs().empty()) found = unused_keys(config);
  if (Found launches = key_of_launches(config)) found.push_back(*std::move(launches));
  if (config.jobs().empty()) return found;
  std::map<std::string, std::pair<WithoutEffect, std::size_t>> in_jobs;  // keys of all jobs, and in how many
  for (const Setting& setting : settings()) {
    if (!is_table_of_jobs(setting.table()) || !config.given(setting.key)) continue;
    found.push_back({setting.key, "beside [[job]] (each job has a workload and a placement of its own)",
                     "write it into the jobs that it is for"});
  }
  for (const GivenJob& job : config.jobs()) {
    for (WithoutEffect& one : unused_keys(config.of_job(job.name))) {
      if (is_table_of_jobs(find_setting(one.key)->table())) {
        one.key = fmt::format("job.{}.{}", job.name, one.key);
        found.push_back(std::move(one));
      } else {
        const std::string key = one.key;
        ++in_jobs.try_emplace(key, std::move(one), 0).first->second.second;
      }
    }
  }
  for (auto& [key, one] : in_jobs) {
    if (one.second == config.jobs().size()) found.push_back(std::move(one.first));
  }
  return found;
}

bool has_no_effect_in_file(const Config& config, const std::string& key) {
  const Config of_files = config.of_files();
  if (!of_files.given(key) || of_files.given_by(key) != GivenBy::file) return false;
  try {
    const std::vector<WithoutEffect> found = keys_without_effect(of_files);
    return std::ranges::find(found, key, &WithoutEffect::key) != found.end();
  } catch (const ConfigError&) {
    return false;  // the file alone is no whole config
  }
}

}  // namespace weft::tools
