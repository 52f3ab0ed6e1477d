// Times of pauses become ticks here.
#include "tools/run/setup/processors.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/random.hpp"
#include "models/machine/ideal/settings.hpp"
#include "workloads/program/processor_files.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::tools {
namespace {

/// The first of the keys about processors that is given; empty: none is.
std::string key_of_processors(const Config& config) {
  if (!config.text("workload.cpu_factors").empty()) return "workload.cpu_factors";
  if (config.text("workload.noise") != "none") return "workload.noise";
  return config.text("workload.noise_file").empty() ? "" : "workload.noise_file";
}

/// Seed of the draws of a job, which are the same when it runs alone.
u64 noise_seed(const Context& context, const Config& config) {
  const std::string& job = config.job();
  return job.empty() ? context.router.seed : engine::remix(context.router.seed, fnv1a(job));
}

double noise_ticks_per_ns(const Context& context, const std::string& key) {
  if (context.time.cycle_ns <= 0) {
    throw ConfigError(
        fmt::format("{} needs the length of a cycle (pauses are in ns); give link.rate_gbps, e.g. 100", key));
  }
  return static_cast<double>(context.time.ticks_per_cycle) / context.time.cycle_ns;
}

std::unique_ptr<const workloads::Noise> random_noise(const Context& context, const Config& config) {
  const double ticks_per_ns = noise_ticks_per_ns(context, "workload.noise");
  const auto ticks_of = [&](const char* key) {
    const double ticks = config.real(key) * ticks_per_ns;
    if (ticks < 1) {
      throw ConfigError(
          fmt::format("{} = {} is less than a tick ({} ns); use longer pauses, or a shorter "
                      "simulation.tick_ps",
                      key, config.real(key), 1 / ticks_per_ns));
    }
    return ticks;
  };
  const double interval = ticks_of("workload.noise_interval_ns"), length = ticks_of("workload.noise_ns");
  return std::make_unique<workloads::RandomNoise>(interval, length, config.text("workload.noise") == "exponential",
                                                  noise_seed(context, config));
}

std::unique_ptr<const workloads::Noise> recorded_noise(const Context& context, const Config& config) {
  const double ticks_per_ns = noise_ticks_per_ns(context, "workload.noise_file");
  const std::string path = config.resolve_path(config.text("workload.noise_file"));
  const workloads::NoiseRecord record = workloads::noise_from_file(path);
  constexpr double most_ticks = 1e18;
  if (record.period_ns * ticks_per_ns > most_ticks) {
    throw ConfigError(fmt::format("{}: a period of {} ns is beyond what can be counted (at most {:g} ns); cut it down",
                                  path, record.period_ns, most_ticks / ticks_per_ns));
  }
  const auto ticks_of = [&](double ns) { return static_cast<Tick>(std::llround(ns * ticks_per_ns)); };
  std::vector<workloads::Pause> pauses;
  Tick paused = 0;
  for (const auto& [begin_ns, length_ns] : record.pauses) {
    const Tick begin = ticks_of(begin_ns);
    pauses.push_back({begin, ticks_of(begin_ns + length_ns) - begin});
    paused += pauses.back().length;
  }
  const Tick period = ticks_of(record.period_ns);
  if (paused >= period) {
    throw ConfigError(
        fmt::format("{}: the pauses fill all of the period, {} ns (there would be no time to work); add a comment with "
                    "a longer one, "
                    "for example \"# period_ns = {}\"",
                    path, record.period_ns, 10 * std::ceil(std::max(1.0, record.period_ns))));
  }
  return std::make_unique<workloads::RecordedNoise>(pauses, period, noise_seed(context, config));
}

/// By MessageCosts::lookahead, with the processor of the fastest task.
void shorten_lookahead(Context& context, double least_factor) {
  if (!context.topology->joins_all() || least_factor >= 1) return;
  const models::MessageCosts costs = models::ideal::costs_of(context.router.own);
  const auto overhead = static_cast<Tick>(static_cast<double>(costs.cpu(1)) * least_factor);
  const Tick message = costs.flight(1) + overhead;
  const Tick answer = costs.rendezvous_bytes() != 0 ? costs.receive_gap() + overhead : never;
  context.router.link_ticks = std::min(context.router.link_ticks, std::max<Tick>(1, std::min(message, answer)));
}

}  // namespace

std::shared_ptr<const workloads::Processors> processors(Context& context, const Config& config, u32 tasks) {
  if (key_of_processors(config).empty()) return nullptr;
  auto result = std::make_shared<workloads::Processors>();
  if (const std::string path = config.text("workload.cpu_factors"); !path.empty())
    result->factors = workloads::cpu_factors_from_file(config.resolve_path(path), tasks);
  if (config.text("workload.noise") != "none") result->noise = random_noise(context, config);
  if (!config.text("workload.noise_file").empty()) result->noise = recorded_noise(context, config);
  shorten_lookahead(context, result->least_factor());
  return result;
}

void check_processors_work(const Config& config, const workloads::ProgramJob& job) {
  constexpr u64 long_message = u64{1} << 40;
  if (!job.processors || job.ticks_per_ns > 0 || job.costs.cpu(long_message) > 0) return;
  throw ConfigError(
      fmt::format("{} has no effect (computations take no time with workload.cpu_scale = 0, and messages have no "
                  "overheads); remove "
                  "it, or give workload.cpu_scale, or overhead_ns",
                  key_of_processors(config)));
}

}  // namespace weft::tools
