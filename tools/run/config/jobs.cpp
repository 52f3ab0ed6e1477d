// Jobs from the tables of a config.
#include "tools/run/config/jobs.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "tools/run/config/check/effect.hpp"

namespace weft::tools {
namespace {

/// Settings of the tables that each job has, or of all others.
std::vector<const Setting*> in_use(const Config& config, bool of_jobs) {
  std::vector<const Setting*> some = settings_in_use(config);
  std::erase_if(some, [of_jobs](const Setting* setting) { return is_table_of_jobs(setting->table()) != of_jobs; });
  return some;
}

nlohmann::json json_of_job(const Config& config, const Job& job) {
  nlohmann::json object = job.config.to_json(in_use(job.config, true));
  const std::string prefix = fmt::format("job.{}.", job.name);
  object["name"] = job.name;
  object["start_ns"] = config.real(prefix + "start_ns");
  object["start_cycles"] = config.integer(prefix + "start_cycles");
  for (const char* const key : {"after", "repeat", "restart"}) object[key] = config.text(prefix + key);
  for (const char* const key : {"checkpoint_interval_s", "checkpoint_cost_s", "restart_cost_s"})
    object[key] = config.real(prefix + key);
  for (const char* const key : {"traffic_class", "nodes"}) object[key] = config.integer(prefix + key);
  return object;
}

}  // namespace

Tick Job::start_tick(const TimeScale& time) const {
  if (start_ns <= 0) return start_cycles * time.ticks_per_cycle;
  if (time.cycle_ns <= 0) {
    throw ConfigError(
        fmt::format("{}: job \"{}\" begins after {} ns, but a cycle has no stated length; give "
                    "link.rate_gbps or simulation.tick_ps, or use start_cycles",
                    place, name, real_text(start_ns)));
  }
  return static_cast<Tick>(std::floor(start_ns / time.cycle_ns * static_cast<double>(time.ticks_per_cycle)));
}

std::vector<Job> jobs_of(const Config& config) {
  std::vector<Job> jobs;
  for (const GivenJob& given : config.jobs()) {
    const std::string prefix = fmt::format("job.{}.", given.name);
    jobs.push_back({.name = given.name,
                    .place = given.place,
                    .config = config.of_job(given.name),
                    .start_ns = config.real(prefix + "start_ns"),
                    .start_cycles = static_cast<u64>(config.integer(prefix + "start_cycles")),
                    .after = config.text(prefix + "after"),
                    .background = means(config.text(prefix + "repeat"), "until-others-end", "once"),
                    .restarts = config.text(prefix + "restart") != "never",
                    .moves = config.text(prefix + "restart") == "any-nodes",
                    .checkpoint_interval_s = config.real(prefix + "checkpoint_interval_s"),
                    .checkpoint_cost_s = config.real(prefix + "checkpoint_cost_s"),
                    .restart_cost_s = config.real(prefix + "restart_cost_s"),
                    .traffic_class = static_cast<u32>(config.integer(prefix + "traffic_class")),
                    .nodes = static_cast<u32>(config.integer(prefix + "nodes"))});
  }
  return jobs;
}

nlohmann::json json_in_use(const Config& config) {
  const std::vector<Job> jobs = jobs_of(config);
  if (jobs.empty()) return config.to_json(settings_in_use(config));
  nlohmann::json all = config.to_json(in_use(config, false));
  for (const Job& job : jobs) all["job"].push_back(json_of_job(config, job));
  return all;
}

}  // namespace weft::tools
