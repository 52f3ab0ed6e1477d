// Decides what `auto` means and converts units of time.
#include "tools/run/config/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/faulty.hpp"
#include "models/topology/planes.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/given.hpp"
#include "tools/run/config/link_rates.hpp"
#include "tools/run/config/rows/kind_defaults.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/traffic/length_law.hpp"

namespace weft::tools {

namespace {

/// Highest number of ticks in a cycle or a latency: keeps 10^12 cycles within 64 bits of ticks.
constexpr double most_ticks = 1'000'000;

/// Whether `value` is a whole number up to the rounding of the few operations that made it.
bool is_whole(double value) { return std::abs(value - std::round(value)) <= 1e-9 * std::max(1.0, std::abs(value)); }

/// The divisor of `whole` nearest to `wanted`; the larger of two.
i64 nearest_divisor(i64 whole, i64 wanted) {
  i64 best = 1;
  const auto consider = [&](i64 divisor) {
    if (std::abs(divisor - wanted) <= std::abs(best - wanted)) best = divisor;
  };
  for (i64 divisor = 1; divisor * divisor <= whole; ++divisor) {
    if (whole % divisor != 0) continue;
    consider(divisor);
    consider(whole / divisor);
  }
  return best;
}

/// The rate at which a phit lasts `phit_ticks` ticks, with all digits, so that it is valid when copied.
std::string nearest_rate_text(double phit_bits, double phit_ticks, i64 tick_ps) {
  return real_text(phit_bits * 1000.0 / (phit_ticks * static_cast<double>(tick_ps)));
}

u64 phit_ticks(const Config& config, i64 tick_ps, double rate_gbps) {
  const double phit_bits = 8.0 * static_cast<double>(config.integer("packet.phit_bytes"));
  const double phit_ps = phit_bits * 1000.0 / rate_gbps;
  const double ticks = phit_ps / static_cast<double>(tick_ps);
  if (ticks > most_ticks) {
    throw ConfigError(fmt::format(
        "{}: simulation.tick_ps = {} makes a phit last {} ticks (at most {}); use simulation.tick_ps = {} or more",
        config.place("simulation.tick_ps"), tick_ps, real_text(ticks), static_cast<i64>(most_ticks),
        static_cast<i64>(std::ceil(phit_ps / most_ticks))));
  }
  if (is_whole(ticks) && std::round(ticks) >= 1) return static_cast<u64>(std::llround(ticks));
  std::string advice =
      "use link.rate_gbps = " + nearest_rate_text(phit_bits, std::max(1.0, std::round(ticks)), tick_ps);
  if (is_whole(phit_ps) && phit_ps >= 1) {
    const i64 divisor = nearest_divisor(static_cast<i64>(std::llround(phit_ps)), tick_ps);
    advice = fmt::format("use simulation.tick_ps = {}, or {}", divisor, advice.substr(4));
  }
  throw ConfigError(fmt::format(
      "{}: link.rate_gbps = {} and packet.phit_bytes = {} make a phit last {} ps (no positive whole number of "
      "ticks of {} ps); {}",
      config.place("link.rate_gbps"), real_text(rate_gbps), config.integer("packet.phit_bytes"), real_text(phit_ps),
      tick_ps, advice));
}

u64 latency_ticks(const Config& config, i64 tick_ps, u64 ticks_per_cycle) {
  const double latency_ns = config.real("link.latency_ns");
  const std::string place =
      fmt::format("{}: link.latency_ns = {}", config.place("link.latency_ns"), real_text(latency_ns));
  if (latency_ns == 0.0) return static_cast<u64>(config.integer("link.latency_cycles")) * ticks_per_cycle;
  if (given_otherwise(config, "link.latency_cycles")) {
    throw ConfigError(place +
                      " and link.latency_cycles are both given (two values for one latency); remove one of them");
  }
  if (tick_ps == 0) {
    throw ConfigError(place +
                      " has no meaning without simulation.tick_ps (a cycle has no stated length); give "
                      "simulation.tick_ps or use link.latency_cycles");
  }
  const double ticks = latency_ns * 1000.0 / static_cast<double>(tick_ps);
  const double valid = std::clamp(std::round(ticks), 1.0, 1e15);
  if (!is_whole(ticks) || ticks < 0.5) {
    throw ConfigError(
        fmt::format("{} is no positive whole number of ticks of {} ps (link.latency_ns, "
                    "simulation.tick_ps); the nearest valid value is {}",
                    place, tick_ps, real_text(valid * static_cast<double>(tick_ps) / 1000.0)));
  }
  return static_cast<u64>(valid);
}

/// The rates beside `rate` at which a phit lasts a whole number of ticks, the lower one first: "0.5 or 1.0".
std::string rates_beside(double rate, u64 ticks_per_cycle) {
  const double ticks = static_cast<double>(ticks_per_cycle), above = std::floor(ticks / rate + 1e-9);
  const std::string lower = real_text(ticks / (std::max(above, 0.0) + 1));
  return above < 1 ? lower : fmt::format("{} or {}", lower, real_text(ticks / above));
}

/// The fewest ticks of a cycle with which a rate near to `rate` can be had, and that rate.
struct NearRate {
  u64 ticks;
  double rate;
};
NearRate near_rate(double rate) {
  constexpr double near_enough = 0.001;
  for (u64 ticks = 1;; ++ticks) {
    const double found = static_cast<double>(ticks) / std::max(1.0, std::round(static_cast<double>(ticks) / rate));
    if (std::abs(found - rate) <= near_enough * rate || ticks > most_ticks) return {ticks, found};
  }
}

/// What makes `rate` phits a cycle a whole number of ticks each: a finer tick, or else another rate.
std::string rate_advice(const Config& config, const std::string& key, double rate, const TimeScale& time) {
  const i64 tick_ps = config.integer("simulation.tick_ps");
  const double rate_gbps = config.real("link.rate_gbps");
  const double phit_bits = 8.0 * static_cast<double>(config.integer("packet.phit_bytes"));
  const std::string other_rate =
      fmt::format("use {} = {}, nearest to it with this tick", key, rates_beside(rate, time.ticks_per_cycle));
  if (time.cycle_ns == 0.0) {  // a cycle of as few ticks as will do
    constexpr u64 most_tried = 1000, ns_ps = 1000;
    for (u64 ticks = 2; ticks <= most_tried; ++ticks) {
      const double cell = static_cast<double>(ticks) / rate;
      if (!is_whole(cell) || cell < 0.5) continue;
      const NearRate near = near_rate(rate);
      const std::string fewer =
          near.ticks < ticks ? fmt::format(" (of {} ticks for {})", near.ticks, real_text(near.rate)) : "";
      return fmt::format(
          "{}, or give a cycle {} ticks{}, for example by simulation.tick_ps = {} and link.rate_gbps = {}", other_rate,
          ticks, fewer, ns_ps, nearest_rate_text(phit_bits, static_cast<double>(ticks), ns_ps));
    }
    return other_rate;
  }
  const double cycle_ps = time.cycle_ns * 1000.0, cell_ps = cycle_ps / rate;
  if (!is_whole(cycle_ps) || cell_ps < 0.5) return other_rate;
  const i64 whole_ps = tick_ps > 0 ? tick_ps : static_cast<i64>(std::llround(cycle_ps));
  const i64 finer_ps = std::gcd(whole_ps, static_cast<i64>(std::llround(cell_ps)));
  const std::string near =
      is_whole(cell_ps) ? "" : fmt::format(" and {} = {}", key, real_text(cycle_ps / std::round(cell_ps)));
  return fmt::format("{}, or simulation.tick_ps = {}{}{}", other_rate, finer_ps, near,
                     rate_gbps > 0 ? "" : " and link.rate_gbps = " + nearest_rate_text(phit_bits, 1.0, whole_ps));
}

void add_table(Parameters& values, const Config& config, const std::string& table) {
  for (const Setting& setting : settings()) {
    if (setting.table() != table) continue;
    const bool file = setting.is_path && !config.text(setting.key).empty();
    values.set(setting.name(), file ? config.resolve_path(config.text(setting.key)) : config.value(setting.key));
  }
}

}  // namespace

u64 cell_ticks(const Config& config, const std::string& link_class, const TimeScale& time) {
  const auto [key, rate] = class_rate(config, link_class);
  const double ticks = static_cast<double>(time.ticks_per_cycle) / rate;
  if (ticks <= most_ticks && is_whole(ticks) && ticks > 0.5) return static_cast<u64>(std::llround(ticks));
  const std::string place = fmt::format("{}: {} = {}", config.place(key), key, real_text(rate));
  if (ticks > most_ticks) {
    throw ConfigError(
        fmt::format("{} makes a phit last {} ticks (at most {}); use {} = {} or more, or a longer simulation.tick_ps",
                    place, real_text(ticks), static_cast<i64>(most_ticks), key,
                    real_text(static_cast<double>(time.ticks_per_cycle) / most_ticks)));
  }
  const i64 tick_ps = config.integer("simulation.tick_ps");
  throw ConfigError(fmt::format("{} makes a phit last {} ticks (no positive whole number; a cycle is {} tick{}{}); {}",
                                place, real_text(ticks), time.ticks_per_cycle, time.ticks_per_cycle == 1 ? "" : "s",
                                tick_ps > 0 ? fmt::format(" of {} ps", tick_ps) : "",
                                rate_advice(config, key, rate, time)));
}

void check_speedup(const Config& config, const TimeScale& time, const std::vector<u64>& cell_ticks) {
  const u64 speedup = static_cast<u64>(config.integer("router.speedup"));
  u64 finer = 1, common = 0;  // by how much a tick is too long; what divides all cells' ticks
  for (const u64 ticks : cell_ticks) {
    finer = std::lcm(finer, speedup / std::gcd(speedup, ticks));
    common = std::gcd(common, ticks);
  }
  if (finer == 1) return;
  u64 slower = speedup;
  while (common % slower != 0) --slower;
  std::string advice = fmt::format("use router.speedup = {}", slower);
  const i64 tick_ps = config.integer("simulation.tick_ps");
  const double phit_bits = 8.0 * static_cast<double>(config.integer("packet.phit_bytes"));
  const u64 cycle_ticks = time.ticks_per_cycle * finer;
  const double finer_ps = time.cycle_ns * 1000.0 / static_cast<double>(cycle_ticks);
  if (time.cycle_ns == 0.0) {
    constexpr i64 ns_ps = 1000;
    advice += fmt::format(", or give a cycle {} ticks, for example by simulation.tick_ps = {} and link.rate_gbps = {}",
                          cycle_ticks, ns_ps, nearest_rate_text(phit_bits, static_cast<double>(cycle_ticks), ns_ps));
  } else if (is_whole(finer_ps) && finer_ps >= 1) {
    advice += fmt::format(", or simulation.tick_ps = {}", std::llround(finer_ps));
    if (config.real("link.rate_gbps") == 0.0)
      advice += " and link.rate_gbps = " + nearest_rate_text(phit_bits, 1.0, tick_ps);
  }
  throw ConfigError(fmt::format(
      "{}: router.speedup = {} makes a phit pass switches in no whole number of ticks (links take {} tick{}); {}",
      config.place("router.speedup"), speedup, fmt::join(cell_ticks, ", "),
      cell_ticks.size() == 1 && cell_ticks.front() == 1 ? "" : "s", advice));
}

std::string resolved_length_law(const Config& config) {
  const std::string law = config.text("workload.packet_length");
  if (law != "auto") return law;
  return config.given("workload.packet_cells") ? "uniform" : "fixed";
}

workloads::PacketLengths packet_lengths(const Config& config) {
  const workloads::LengthLaw* const law = workloads::LengthRegistry::instance().find(resolved_length_law(config));
  return law->lengths(table_parameters(config, "workload"), static_cast<u32>(config.integer("packet.phits")));
}

std::string resolved_router_kind(const Config& config) {
  const std::string kind = config.text("router.kind");
  if (kind != "auto") return kind;
  const models::TopologyKind* const topology = models::TopologyRegistry::instance().find(config.text("topology.kind"));
  return topology != nullptr ? topology->router : models::RouterRegistry::instance().names().front();
}

std::vector<std::string> router_kinds_in_use(const Config& config) {
  std::vector<std::string> kinds{resolved_router_kind(config)};
  const models::RouterKind* const kind = models::RouterRegistry::instance().find(kinds.front());
  if (kind == nullptr || !kind->resolve) return kinds;
  models::RouterSettings settings;
  settings.own = router_parameters(config);
  kind->resolve(settings, config.text("topology.kind"));
  if (kind->takes_routes) kinds.push_back(settings.own.text("routing"));
  return kinds;
}

std::vector<models::DefaultValue> defaults_of(const workloads::WorkloadKind& kind) {
  std::vector<models::DefaultValue> own;
  for (const Setting& row : kind.settings) {
    const Setting* const of_all = find_setting(row.key);
    if (of_all != nullptr && of_all->fallback != row.fallback) own.push_back({row.key, row.fallback});
  }
  return own;
}

std::map<std::string, SettingValue> default_values(const Config& config) {
  std::map<std::string, SettingValue> values;
  const auto* const workload = workloads::WorkloadRegistry::instance().find(config.text("workload.kind"));
  if (workload != nullptr) {
    for (models::DefaultValue& one : defaults_of(*workload)) values[one.key] = std::move(one.value);
  }
  const models::RouterKind* const kind = models::RouterRegistry::instance().find(resolved_router_kind(config));
  if (kind == nullptr || !kind->defaults) return values;
  for (models::DefaultValue& one : kind->defaults(config.text("topology.kind"))) values[one.key] = std::move(one.value);
  return values;
}

std::string resolved_routing(const Config& config) {
  const std::string routing = config.text("router.routing");
  const models::RouterKind& kind = models::router_kind(resolved_router_kind(config));
  return routing == "auto" || kind.takes_routes ? kind.modes.front().name : routing;
}

std::string resolved_stop(const Config& config) {
  const std::string stop = config.text("simulation.stop");
  if (stop != "auto") return stop;
  if (config.integer("simulation.cycles") > 0) return "cycles";
  return ends_by_itself(config) || !config.job().empty() ? "workload-complete" : "steady-state";
}

std::string resolved_protocol(const Config& config, u32 ranks) {
  if (ranks == 1) return "sequential";
  const std::string protocol = config.text("parallel.protocol");
  if (protocol == "sequential") {
    throw ConfigError(
        fmt::format("parallel.protocol = \"sequential\" runs on 1 rank only (there are {}); use protocol = "
                    "\"auto\", \"windowed\" or \"null-message\"",
                    ranks));
  }
  return protocol == "auto" ? automatic_protocol(ranks) : protocol;
}

std::string automatic_protocol(u32 ranks) {
  // Measured (docs/engine.md): alike on 2, where windows are the simpler way; with more, who waits for all waits
  // longer.
  return ranks <= 2 ? "windowed" : "null-message";
}

TimeScale time_scale(const Config& config) {
  const models::RouterKind* const kind = models::RouterRegistry::instance().find(resolved_router_kind(config));
  if (kind != nullptr && kind->time) {
    const models::OwnTime own = kind->time(router_parameters(config));
    return {own.ticks_per_cycle, own.link_ticks, own.cycle_ns};
  }
  const i64 automatic = automatic_tick_ps(config);
  const i64 tick_ps = automatic != 0 ? automatic : config.integer("simulation.tick_ps");
  const double rate_gbps = config.real("link.rate_gbps");
  TimeScale scale;
  if (tick_ps > 0 && rate_gbps > 0) scale.ticks_per_cycle = phit_ticks(config, tick_ps, rate_gbps);
  scale.latency_ticks = latency_ticks(config, tick_ps, scale.ticks_per_cycle);
  if (tick_ps > 0) {
    scale.cycle_ns = static_cast<double>(scale.ticks_per_cycle) * static_cast<double>(tick_ps) / 1000.0;
  } else if (rate_gbps > 0) {
    scale.cycle_ns = 8.0 * static_cast<double>(config.integer("packet.phit_bytes")) / rate_gbps;
  }
  return scale;
}

models::TopologySpec topology_spec(const Config& config) {
  models::TopologySpec spec;
  spec.kind = config.text("topology.kind");
  if (const models::TopologyKind* kind = models::TopologyRegistry::instance().find(spec.kind)) {
    for (const Setting& setting : kind->settings) {
      const bool is_file = setting.is_path && !config.text(setting.key).empty();
      spec.keys.set(setting.name(),
                    is_file ? SettingValue(config.resolve_path(config.text(setting.key))) : config.value(setting.key));
    }
  }
  return spec;
}

std::unique_ptr<models::Topology> make_network(const Config& config) {
  const Parameters keys = table_parameters(config, "faults");
  models::FaultSpec faults;
  faults.links = keys.integers("links");
  faults.routers = keys.integers("routers");
  faults.nodes = keys.integers("nodes");
  faults.random_links = static_cast<u64>(keys.integer("random_links"));
  faults.random_nodes = static_cast<u64>(keys.integer("random_nodes"));
  faults.seed = static_cast<u64>(keys.integer("seed"));
  const u32 planes = static_cast<u32>(config.integer("topology.planes"));
  return models::with_faults(models::with_planes(models::make_topology(topology_spec(config)), planes), faults);
}

bool has_live_faults(const Config& config) {
  return !config.text("faults.event").empty() || !config.text("faults.file").empty() ||
         !config.text("faults.process").empty();
}

Parameters table_parameters(const Config& config, const std::string& table) {
  Parameters values;
  add_table(values, config, table);
  return values;
}

Parameters router_parameters(const Config& config) {
  Parameters values;
  for (const char* const table : {"router", "nic", "deadlock", "ideal"}) add_table(values, config, table);
  return values;
}

}  // namespace weft::tools
