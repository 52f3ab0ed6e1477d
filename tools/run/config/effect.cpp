// Conditions of rows, and what no row can say.
#include "tools/run/config/effect.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/text/words.hpp"
#include "models/arbiter/scheduler.hpp"
#include "models/nic/congestion_scheme.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/lattice.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/config/registered_rows.hpp"
#include "tools/run/config/resolve.hpp"
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
  if (key == "router.kind") return resolved_router_kind(config);
  if (key == "router.routing") return resolved_routing(config);
  return config.value(key);
}

std::string bare_text(const SettingValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : value_text(value);
}

std::string quoted_list(const std::vector<std::string>& words) {
  return fmt::format("\"{}\"", fmt::join(words, "\" or \""));
}

bool holds(const Config& config, const Condition& condition) {
  const SettingValue value = resolved_value(config, condition.key);
  if (!condition.values.empty()) return is_one_of(bare_text(value), condition.values);
  const SettingValue& fallback = find_setting(condition.key)->fallback;
  return value != fallback && !bare_text(value).empty();
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

/// The first condition of a row that does not hold.
Found unmet_condition(const Config& config, const Setting& row) {
  for (const Condition& condition : row.conditions) {
    if (holds(config, condition)) continue;
    const SettingValue value = resolved_value(config, condition.key);
    return WithoutEffect{row.key, fmt::format("with {} = {}", condition.key, value_text(value)),
                         advice_for(config, condition)};
  }
  return {};
}

/// The kinds that a run uses, and the rows that they declare.
struct KindsInUse {
  std::string topology;
  std::vector<std::string> routers;  ///< its own, then that whose routes it takes
  const workloads::WorkloadKind& workload;

  explicit KindsInUse(const Config& config)
      : topology(config.text("topology.kind")), routers(router_kinds_in_use(config)), workload(workload_kind(config)) {
    std::erase_if(routers,
                  [](const std::string& name) { return models::RouterRegistry::instance().find(name) == nullptr; });
  }
  [[nodiscard]] const models::RouterKind& router() const { return models::router_kind(routers.front()); }
  /// The row of a key that a kind in use declares.
  [[nodiscard]] const Setting* row(const std::string& key) const {
    const auto in = [&key](const std::vector<Setting>& rows) -> const Setting* {
      const auto found = std::ranges::find(rows, key, &Setting::key);
      return found == rows.end() ? nullptr : &*found;
    };
    if (const auto* kind = models::TopologyRegistry::instance().find(topology)) {
      if (const Setting* found = in(kind->settings)) return found;
    }
    for (const std::string& name : routers) {
      if (const Setting* found = in(models::router_kind(name).settings)) return found;
    }
    return in(workload.settings);
  }
};

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

/// Modes of the kinds in use that packets go by.
std::vector<std::string> modes_in_use(const Config& config) {
  std::vector<std::string> modes{resolved_routing(config)};
  const models::RouterKind& kind = models::router_kind(resolved_router_kind(config));
  if (!kind.settle) return modes;
  models::RouterSettings settings;
  settings.own = router_parameters(config);
  kind.settle(settings, config.text("topology.kind"));
  if (kind.takes_routes) modes.push_back(settings.own.text("routing_mode"));
  if (settings.own.has("class_modes")) {
    for (const std::string& mode : listed_words(settings.own.text("class_modes"))) modes.push_back(mode);
  }
  return modes;
}

bool is_key_of_choice(const std::string& key) {
  return is_one_of(key, {"router.ugal_bias_cells", "router.ugal_threshold_cells", "router.ugal_candidates"});
}

/// Whether nodes have no links of their own to routers: what only the network itself says.
bool nodes_sit_inside(const Config& config) { return models::make_topology(topology_spec(config))->direct(); }

/// Whether two ways round some ring of a lattice can be equally long; true where that is not known.
bool has_ring_ties(const Config& config) {
  const auto network = models::make_topology(topology_spec(config));
  const auto* const lattice = dynamic_cast<const models::Lattice*>(&network->whole());
  const std::vector<u32> dims = network->grid();
  if (lattice == nullptr || dims.size() != lattice->dimensions()) return true;
  for (u32 d = 0; d < dims.size(); ++d) {
    const bool ring = lattice->crosses_border(RouterId(0), 2 * d + 1);  // down from coordinate 0
    if (ring && dims[d] % 2 == 0 && !network->one_way()) return true;
  }
  return false;
}

/// What the kind of router in use says that it ignores.
Found ignored_by_router(const KindsInUse& in_use, const std::string& key) {
  for (const models::IgnoredKey& ignored : in_use.router().ignores) {
    if (ignored.key == key)
      return WithoutEffect{key, fmt::format("on {} routers ({})", in_use.routers.front(), ignored.why), removed};
  }
  return {};
}

/// Keys of all routers, as the kind in use takes them.
Found key_of_all_routers(const Config& config, const KindsInUse& in_use, const std::string& key) {
  const models::RouterKind& kind = in_use.router();
  const std::string routers = in_use.routers.front() + " routers";
  const bool bubbles = std::ranges::any_of(kind.modes, &models::RouterMode::keeps_bubbles);
  if (key == "router.lbr_packets" && !bubbles)
    return WithoutEffect{key, fmt::format("on {} (there are no bubbles to guard)", routers), removed};
  if (key == "router.injection" && config.integer("router.injection_queues") == 1) {
    return WithoutEffect{key, "with router.injection_queues = 1", "remove it, or use more router.injection_queues"};
  }
  if (key == "router.consumption" && !nodes_sit_inside(config)) {
    return WithoutEffect{key, fmt::format("on {} (a node consumes through a link of its own)", routers), removed};
  }
  if (key == "router.ipr_fraction" && !kind.any_rate && !nodes_sit_inside(config)) {
    return WithoutEffect{key, fmt::format("on {} (a node injects through a link of its own)", routers), removed};
  }
  if (key == "router.ties" && !has_ring_ties(config)) {
    return WithoutEffect{key, "in this network (no two ways round a ring of it are equally long)", removed};
  }
  if (key == "link.node.latency_cycles" && !kind.any_rate && nodes_sit_inside(config)) {
    return WithoutEffect{
        key, fmt::format("with router.kind = \"{}\" (nodes sit inside its routers)", in_use.routers.front()), removed};
  }
  if (is_key_of_choice(key)) {
    const std::vector<std::string> modes = modes_in_use(config);
    const bool chooses = std::ranges::any_of(modes, [&](const std::string& mode) {
      return std::ranges::any_of(in_use.routers, [&](const std::string& name) {
        return models::goes_by_occupancy(models::router_kind(name), mode);
      });
    });
    if (!chooses) {
      return WithoutEffect{
          key, fmt::format("with mode \"{}\" (it is for modes that choose by what waits)", modes.back()), removed};
    }
  }
  if (key == "router.notice_cells" && !is_one_of("ugal-g", modes_in_use(config))) {
    return WithoutEffect{key, "on routes that ask no neighbours (those of mode ugal-g do)", removed};
  }
  return {};
}

/// What depends on more than one other key.
Found other_reason(const Config& config, const KindsInUse& in_use, const std::string& key) {
  const auto off = [&](const char* other) { return config.integer(other) == 0; };
  if (key == "faults.seed" && off("faults.random_links") && off("faults.random_nodes"))
    return WithoutEffect{key, "without faults.random_links or random_nodes", "remove it, or give one of them"};
  if (key == "router.engine" && in_use.row("router.routes_path") != nullptr &&
      !config.text("router.routes_path").empty())
    return WithoutEffect{key, "beside router.routes_path", "remove one of them"};
  if (is_one_of(key, {"router.multicast_targets", "router.multicast_radius"}) &&
      !config.text("router.multicast_file").empty())
    return WithoutEffect{key, "beside router.multicast_file", "remove one of them"};
  if (key == "topology.tables" && in_use.row("router.engine") != nullptr && config.text("router.engine") != "auto")
    return WithoutEffect{key, "beside router.engine, which makes tables", "remove one of them"};
  if (key == "topology.tables" && in_use.row("router.engine") == nullptr) {
    return WithoutEffect{
        key, fmt::format("on {} routers (they have routes of their own)", in_use.routers.back()),
        "remove it, or use router.kind = " + quoted_list(kinds_with<models::RouterKind>("router.engine"))};
  }
  return {};
}

/// Keys of one pattern change nothing in others.
Found key_of_pattern(const Config& config, const std::string& key) {
  const std::vector<std::string> owners = kinds_with<workloads::PatternKind>(key);
  if (owners.empty()) return {};
  const std::string kind = config.text("workload.kind");
  const std::string pattern = config.text("workload.pattern");
  if (uses_patterns(config) && is_one_of(pattern, owners)) return {};
  return WithoutEffect{key, fmt::format("with workload.kind = \"{}\" and workload.pattern = \"{}\"", kind, pattern),
                       "remove it, or use pattern = " + quoted_list(owners)};
}

/// A key that only some values of a setting go by, which has another value: `choice` is that setting's key.
Found unless_chosen(const std::string& key, const std::string& choice, const std::string& chosen,
                    const std::vector<std::string>& owners) {
  if (is_one_of(chosen, owners)) return {};
  return WithoutEffect{
      key, fmt::format("with {} = \"{}\"", choice, chosen),
      fmt::format("remove it, or use {} = {}", choice.substr(choice.find('.') + 1), quoted_list(owners))};
}

/// Keys of one law of packet lengths change nothing in others.
Found key_of_length_law(const Config& config, const std::string& key) {
  const std::vector<std::string> owners = kinds_with<workloads::LengthLaw>(key);
  if (owners.empty()) return {};
  const std::string kind = config.text("workload.kind");
  if (runs_tasks(config)) return WithoutEffect{key, fmt::format("with workload.kind = \"{}\"", kind), removed};
  return unless_chosen(key, "workload.packet_length", resolved_length_law(config), owners);
}

/// Keys of one law of arrivals change nothing in others.
Found key_of_arrival_law(const Config& config, const std::string& key) {
  const std::vector<std::string> owners = kinds_with<workloads::ArrivalLaw>(key);
  if (owners.empty()) return {};
  if (!draws_arrivals(config)) {
    return WithoutEffect{key, fmt::format("with workload.kind = \"{}\"", config.text("workload.kind")), removed};
  }
  return unless_chosen(key, "workload.arrivals", config.text("workload.arrivals"), owners);
}

/// Keys of one kernel change nothing in others, nor does the size of messages in those that have sizes of their own.
Found key_of_kernel(const Config& config, const std::string& key) {
  const std::string kind = config.text("workload.kind"), name = config.text("workload.name");
  const std::vector<std::string> owners = kinds_with<workloads::KernelKind>(key);
  if (!owners.empty() && kind != "kernel") {
    return WithoutEffect{key, fmt::format("with workload.kind = \"{}\"", kind),
                         "remove it, or use kind = \"kernel\" and name = " + quoted_list(owners)};
  }
  if (!owners.empty()) return unless_chosen(key, "workload.name", name, owners);
  if (key != "workload.message_bytes" || kind != "kernel") return {};
  if (!workloads::has_own_sizes(name, table_parameters(config, "workload"))) return {};
  return WithoutEffect{
      key, fmt::format("with workload.name = \"{}\" (sizes of messages follow from its other keys)", name), removed};
}

/// Keys of one placement change nothing in others.
Found key_of_placement(const Config& config, const std::string& key) {
  const std::vector<std::string> owners = kinds_with<workloads::PlacementKind>(key);
  return owners.empty() ? Found{} : unless_chosen(key, "placement.policy", config.text("placement.policy"), owners);
}

/// Keys of one scheduler change nothing in others, nor where there is none.
Found key_of_scheduler(const Config& config, const KindsInUse& in_use, const std::string& key) {
  const std::vector<std::string> owners = kinds_with<models::arbiter::SchedulerKind>(key);
  if (owners.empty()) return {};
  if (in_use.row("router.scheduling") == nullptr)
    return WithoutEffect{key, fmt::format("on {} routers", in_use.routers.front()), removed};
  return unless_chosen(key, "router.scheduling", config.text("router.scheduling"), owners);
}

/// Keys of one scheme of congestion control change nothing in others, and none of them where there are no schemes.
Found key_of_congestion(const Config& config, const KindsInUse& in_use, const Setting& setting) {
  if (setting.table() != "congestion") return {};
  const std::string kind = config.text("congestion.kind");
  const models::endpoint::CongestionKind* const scheme = models::endpoint::CongestionRegistry::instance().find(kind);
  const bool counts = is_one_of(setting.key, {"congestion.gcc_packets", "congestion.gcc_period_cycles"});
  if (counts && scheme == nullptr) return unless_chosen(setting.key, "congestion.kind", kind, {"gcc"});
  const bool of_all = scheme != nullptr && scheme->of_all_routers && (counts || setting.key == "congestion.kind");
  if (!in_use.router().controls_congestion && !of_all) {
    return WithoutEffect{setting.key, fmt::format("on {} routers", in_use.routers.front()),
                         "remove it, use congestion.kind = \"gcc\", or router.kind = " +
                             quoted_list(kinds_that(&models::RouterKind::controls_congestion))};
  }
  if (setting.key == "congestion.window_cells" && (scheme == nullptr || !scheme->make))
    return unless_chosen(setting.key, "congestion.kind", kind, {"windows"});
  const std::vector<std::string> owners = kinds_with<models::endpoint::CongestionKind>(setting.key);
  return owners.empty() ? Found{} : unless_chosen(setting.key, "congestion.kind", kind, owners);
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
  if (!found) found = unmet_condition(config, own != nullptr ? *own : setting);
  if (!found) found = ignored_by_router(in_use, setting.key);
  if (!found) found = key_of_pattern(config, setting.key);
  if (!found) found = key_of_length_law(config, setting.key);
  if (!found) found = key_of_arrival_law(config, setting.key);
  if (!found) found = key_of_kernel(config, setting.key);
  if (!found) found = key_of_placement(config, setting.key);
  if (!found) found = key_of_scheduler(config, in_use, setting.key);
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
    if (!one) one = key_of_all_routers(config, in_use, setting.key);
    if (!one) one = other_reason(config, in_use, setting.key);
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
