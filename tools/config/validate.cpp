// One function per subject; each message names both keys, the reason and what to write instead.
#include "tools/config/validate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <spdlog/spdlog.h>
#include <string>
#include <vector>

#include "engine/error.hpp"
#include "engine/nearest.hpp"
#include "engine/shown.hpp"
#include "engine/words.hpp"
#include "models/router/router_kind.hpp"
#include "tools/config/application.hpp"
#include "tools/config/registered_rows.hpp"

namespace weft::tools {

namespace {

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "router.queue_packets = 4", the value as the config has it.
std::string setting_text(const Config& config, const std::string& key) {
  return fmt::format("{} = {}", key, shown(value_text(config.value(key))));
}

[[noreturn]] void fail(const Config& config, const std::string& key, const std::string& why,
                       const std::string& advice) {
  throw ConfigError(fmt::format("{}: {} {}; {}", config.place(key), setting_text(config, key), why, advice));
}

/// Kinds of topology that a kind of router fits, and kinds of router for a family.
std::vector<std::string> topologies_for(const models::RouterKind& router) {
  const auto& registry = models::TopologyRegistry::instance();
  std::vector<std::string> names = registry.names();
  std::erase_if(names, [&](const std::string& name) { return !fits_family(router, registry.find(name)->family); });
  return names;
}
std::vector<std::string> routers_for(const std::string& family, const std::string& usual) {
  const auto& registry = models::RouterRegistry::instance();
  std::vector<std::string> names = registry.names();
  std::erase_if(names, [&](const std::string& name) { return !fits_family(*registry.find(name), family); });
  // Those made for the family first.
  const auto is_made_for_it = [&](const std::string& name) { return is_one_of(family, registry.find(name)->families); };
  std::stable_partition(names.begin(), names.end(), is_made_for_it);
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == usual; });
  return names;
}

void check_topology_and_router_kind(const Config& config) {
  const std::string topology = config.text("topology.kind");
  const std::vector<std::string> kinds = models::TopologyRegistry::instance().names();
  if (topology.empty()) {
    throw ConfigError(shown(config.path()) +
                      ": topology.kind is missing (there is no network to simulate); add [topology] with a kind "
                      "and its keys, which weft describe topologies lists");
  }
  if (!kinds.empty() && !is_one_of(topology, kinds)) {
    fail(config, "topology.kind", "is not known (weft describe topologies lists them)",
         fmt::format("did you mean \"{}\"?", nearest(topology, kinds)));
  }
  const std::string router = config.text("router.kind");
  const models::TopologyKind& kind = *models::TopologyRegistry::instance().find(topology);
  if (router == "auto") return;
  const models::RouterKind& chosen = models::router_kind(router);
  if (fits_family(chosen, kind.family)) return;
  fail(config, "router.kind",
       fmt::format("does not fit topology.kind = \"{}\" ({} routers are made for {})", topology, router,
                   fmt::join(topologies_for(chosen), ", ")),
       fmt::format("use router.kind = \"{}\"", fmt::join(routers_for(kind.family, kind.router), "\" or \"")));
}

/// Keys of other kinds than the one chosen change nothing. No error: sweeps over kinds give the keys of all.
template <class Kind>
void note_keys_without_meaning(const Config& config, const std::string& key_of_kind,
                               const std::vector<std::string>& in_use) {
  for (const Setting& setting : settings()) {
    if (!config.given(setting.key)) continue;
    const std::vector<std::string> owners = kinds_with<Kind>(setting.key);
    const auto owns = [&owners](const std::string& kind) { return is_one_of(kind, owners); };
    if (owners.empty() || std::ranges::any_of(in_use, owns)) continue;
    spdlog::info("{} has no meaning for {} = \"{}\" (it is a key of {})", setting_text(config, setting.key),
                 key_of_kind, in_use.front(), fmt::join(owners, ", "));
  }
}

void check_request(const Config& config, const std::string& router) {
  const std::string request = resolved_request(config);
  std::vector<std::string> modes;
  for (const models::RouterMode& mode : models::router_kind(router).modes) modes.push_back(mode.name);
  if (!is_one_of(request, modes)) {
    fail(config, "router.request", fmt::format("is no mode of {} routers ({})", router, fmt::join(modes, ", ")),
         fmt::format("use router.request = \"{}\"", modes.front()));
  }
  if (models::goes_by_occupancy(models::router_kind(router), request)) {
    fail(config, "router.request", "goes by how full outputs are, which only switches of cells know",
         fmt::format("use router.kind = \"switch\" and router.routing = \"{}\"", request));
  }
}

models::RouterChoice router_choice(const Config& config) {
  return {table_parameters(config, "router"), resolved_request(config), config.text("topology.kind"),
          table_parameters(config, "topology")};
}

/// What the kind of router says against the choice.
void check_router(const Config& config, const std::string& router) {
  const models::RouterKind& kind = models::router_kind(router);
  if (!kind.check) return;
  if (const auto complaint = kind.check(router_choice(config)))
    fail(config, complaint->key, complaint->why, complaint->advice);
}

/// What the models reckon with: room of an injection port in a byte, room of a queue in 31 bits of ticks.
constexpr i64 most_packets = 255;
constexpr i64 most_packet_ticks = ((i64{1} << 31) - 1) / most_packets;
/// `key` makes a phit last so many ticks on some links, or a packet have so many phits.
void check_packet_ticks(const Config& config, const std::string& key, i64 ticks_of_phit) {
  const i64 phits = config.integer("packet.phits");
  if (phits * ticks_of_phit <= most_packet_ticks) return;
  fail(config, key,
       fmt::format("makes a packet take {} ticks on a link, {} for each phit (at most {})", phits * ticks_of_phit,
                   ticks_of_phit, most_packet_ticks),
       fmt::format("use packet.phits = {} or less, or a longer simulation.tick_ps", most_packet_ticks / ticks_of_phit));
}

void check_limits_of_queues(const Config& config) {
  const i64 queue = config.integer("router.queue_packets"), nic = config.integer("router.injection_queue_packets");
  if (queue + nic > most_packets) {
    const i64 shorter = most_packets - nic;
    models::RouterChoice with_shorter = router_choice(config);
    with_shorter.keys.set("queue_packets", shorter);
    const auto& check = models::router_kind(resolved_router_kind(config)).check;
    const bool shorter_works = shorter >= 1 && (!check || !check(with_shorter));
    const std::string advice =
        queue < most_packets ? fmt::format("use injection_queue_packets = {}", most_packets - queue)
        : shorter_works      ? fmt::format("use queue_packets = {}", shorter)
                             : fmt::format("use queue_packets = {} and injection_queue_packets = 1", most_packets - 1);
    fail(config, "router.injection_queue_packets",
         fmt::format("is too much with {} (an injection port holds the packets of both, at most {})",
                     setting_text(config, "router.queue_packets"), most_packets),
         advice);
  }
  check_packet_ticks(config, "packet.phits", static_cast<i64>(time_scale(config).ticks_per_cycle));
}

/// Kinds of router with a property, as a list, and as the advice to take one of them.
std::vector<std::string> routers_with(bool models::RouterKind::*property) {
  const auto& registry = models::RouterRegistry::instance();
  std::vector<std::string> names = registry.names();
  std::erase_if(names, [&](const std::string& name) { return !(registry.find(name)->*property); });
  return names;
}
std::string listed(const std::vector<std::string>& routers) {
  return routers.empty() ? "none" : fmt::format("{}", fmt::join(routers, ", "));
}
std::string use_one_of(const std::vector<std::string>& routers) {
  return routers.empty() ? "remove it"
                         : fmt::format("use router.kind = \"{}\", or remove it", fmt::join(routers, "\" or \""));
}

/// Rates of links, those of classes included that this topology has.
void check_link_rates(const Config& config, const std::string& router) {
  const std::string topology = config.text("topology.kind"), link = "link", rate = "phits_per_cycle";
  const bool any_rate = models::router_kind(router).any_rate;
  for (const Setting& setting : settings()) {
    if (setting.table() != link || !setting.key.ends_with("." + rate) || !config.given(setting.key)) continue;
    const std::vector<std::string> owners = kinds_with<models::TopologyKind>(setting.key);
    if (!owners.empty() && !is_one_of(topology, owners)) continue;
    if (!any_rate && config.real(setting.key) != 1.0) {
      const std::vector<std::string> able = routers_with(&models::RouterKind::any_rate);
      fail(
          config, setting.key,
          fmt::format("does not fit router.kind = \"{}\" (its links carry a phit a cycle; routers that know rates: {})",
                      router, listed(able)),
          use_one_of(able));
    }
    const std::string name = setting.name();  // "phits_per_cycle", "global.phits_per_cycle"
    const std::string link_class = name == rate ? link : name.substr(0, name.find('.'));
    check_packet_ticks(config, setting.key, static_cast<i64>(cell_ticks(config, link_class, time_scale(config))));
  }
}

void check_header(const Config& config) {
  const std::string key = "packet.header_phits";
  if (!config.given(key) || config.integer(key) == 0) return;
  if (!runs_tasks(config)) {
    fail(config, key,
         fmt::format("has no effect with workload.kind = \"{}\" (its nodes send packets, not messages)",
                     config.text("workload.kind")),
         "remove it");
  }
  if (config.integer(key) >= config.integer("packet.phits")) {
    fail(config, key, fmt::format("leaves nothing of {} for messages", setting_text(config, "packet.phits")),
         fmt::format("use header_phits = {} or less, or longer packets", config.integer("packet.phits") - 1));
  }
}

void check_packet_cells(const Config& config, const std::string& router) {
  const std::string key = "workload.packet_cells";
  if (!config.given(key)) return;
  const std::string workload = config.text("workload.kind");
  if (!is_one_of(workload, {"synthetic", "burst"})) {
    fail(config, key,
         fmt::format("does not fit workload.kind = \"{}\" (its messages say how long packets are)", workload),
         "remove it");
  }
  if (!models::router_kind(router).any_length) {
    const std::vector<std::string> able = routers_with(&models::RouterKind::any_length);
    fail(config, key,
         fmt::format(
             "does not fit router.kind = \"{}\" (all its packets have packet.phits; routers that take packets of "
             "any length: {})",
             router, listed(able)),
         use_one_of(able));
  }
  const std::vector<i64> range = config.integers(key);
  const i64 phits = config.integer("packet.phits");
  if (range.size() != 2) {
    fail(config, key, "is no range (wanted the least and the most phits of a packet)",
         fmt::format("write for example packet_cells = [1, {}]", phits));
  }
  if (range[0] > range[1]) {
    fail(config, key, "is no range (the least comes first)",
         fmt::format("use packet_cells = [{}, {}]", range[1], range[0]));
  }
  if (range[1] > phits) {
    fail(config, key, fmt::format("is more than {} (the longest packet)", setting_text(config, "packet.phits")),
         fmt::format("use packet_cells = [{}, {}] or packet.phits = {}", std::min(range[0], phits), phits, range[1]));
  }
}

void check_stop(const Config& config) {
  const std::string stop = config.text("simulation.stop");
  const std::string workload = config.text("workload.kind");
  const i64 cycles = config.integer("simulation.cycles");
  if (stop == "cycles" && cycles == 0) {
    fail(config, "simulation.stop", "does not say how many (simulation.cycles is not given)",
         "add for example cycles = 100000");
  }
  if (cycles > 0 && is_one_of(stop, {"steady-state", "workload-complete"})) {
    fail(config, "simulation.cycles", fmt::format("contradicts stop = \"{}\" (two ways to end the run)", stop),
         "remove one of them, or use max_cycles for a safety limit");
  }
  if (stop == "steady-state" && workload != "synthetic") {
    fail(config, "simulation.stop", fmt::format("does not fit workload.kind = \"{}\" (it ends by itself)", workload),
         "use stop = \"workload-complete\"");
  }
  if (stop == "workload-complete" && workload == "synthetic") {
    fail(config, "simulation.stop", "does not fit workload.kind = \"synthetic\" (it never ends)",
         "use stop = \"steady-state\" or give cycles");
  }
}

/// Several jobs of synthetic traffic.
void check_jobs(const Config& config) {
  const std::size_t jobs = config.integers("workload.job_nodes").size();
  const std::string kind = config.text("workload.kind");
  for (const std::string key : {"workload.job_nodes", "workload.job_patterns", "workload.job_load_percent"}) {
    if (!config.given(key)) continue;
    if (!is_one_of(kind, {"synthetic", "burst"})) {
      fail(config, key, fmt::format("has no effect with workload.kind = \"{}\"", kind),
           "remove it, or use kind = \"synthetic\"");
    }
    if (jobs == 0) fail(config, key, "needs the nodes of each job", "add for example job_nodes = [32, 32]");
  }
  if (jobs == 0) return;
  if (config.given("workload.pattern")) {
    fail(config, "workload.pattern", "has no effect beside workload.job_nodes", "remove it, and use job_patterns");
  }
  const std::size_t patterns = listed_words(config.text("workload.job_patterns")).size();
  if (patterns != jobs) {
    const std::vector<std::string> example(jobs, "uniform");
    fail(config, "workload.job_patterns", fmt::format("has {} patterns for {} jobs", patterns, jobs),
         fmt::format("write one for each, for example job_patterns = \"{}\"", fmt::join(example, ", ")));
  }
  const std::size_t loads = config.integers("workload.job_load_percent").size();
  if (loads != 0 && loads != jobs) {
    fail(config, "workload.job_load_percent", fmt::format("has {} loads for {} jobs", loads, jobs),
         fmt::format("write one for each, for example job_load_percent = {}", list_text(std::vector<i64>(jobs, 100))));
  }
}

/// Keys of one pattern change nothing in others.
void check_pattern_keys(const Config& config) {
  const std::string kind = config.text("workload.kind"), pattern = config.text("workload.pattern");
  const bool sends = is_one_of(kind, {"synthetic", "burst"}), jobs = config.given("workload.job_nodes");
  for (const auto& [key, of] : {std::pair<std::string, std::string>{"workload.zipf_exponent", "zipf"},
                                {"workload.group_shift", "next-group"},
                                {"workload.grid", "stencil"}}) {
    if (!config.given(key)) continue;
    if (jobs && of != "zipf") {
      fail(config, key, "has no effect beside workload.job_nodes (jobs know no groups, their grids are square)",
           "remove it");
    }
    const std::vector<std::string> patterns =
        jobs ? listed_words(config.text("workload.job_patterns")) : std::vector{pattern};
    if (sends && std::ranges::find(patterns, of) != patterns.end()) continue;
    fail(config, key,
         fmt::format("has no effect with workload.kind = \"{}\" and workload.pattern = \"{}\"", kind,
                     fmt::join(patterns, ", ")),
         fmt::format("remove it, or use pattern = \"{}\"", of));
  }
}

/// Keys of exchanges alone.
void check_exchange(const Config& config) {
  const std::string kind = config.text("workload.kind"), name = config.text("workload.name");
  const bool exchange = kind == "exchange";
  if (config.given("workload.both_ways") && !exchange) {
    fail(config, "workload.both_ways", fmt::format("has no effect with workload.kind = \"{}\"", kind),
         "remove it, or use kind = \"exchange\"");
  }
  if (config.given("workload.pairs") && !(exchange && name == "pairs")) {
    fail(config, "workload.pairs",
         fmt::format("has no effect with workload.kind = \"{}\" and workload.name = \"{}\"", kind, name),
         "remove it, or use kind = \"exchange\" and name = \"pairs\"");
  }
}

void check_workload(const Config& config) {
  check_jobs(config);
  const std::string kind = config.text("workload.kind");
  if (kind == "trace" && config.text("workload.path").empty()) {
    fail(config, "workload.kind", "needs a trace file (workload.path is not given)",
         "add for example path = \"traces/is.S.16.trc.xz\"");
  }
  if (kind == "kernel" && config.text("workload.name").empty()) {
    fail(config, "workload.kind", "needs the name of a kernel (workload.name is not given)",
         "add for example name = \"wavefront\"; weft describe kernels lists them");
  }
  if (kind == "collective" && config.text("workload.name").empty()) {
    fail(config, "workload.kind", "needs the name of an operation (workload.name is not given)",
         "add for example name = \"reduce\"; weft describe collectives lists them");
  }
  if (kind == "exchange" && config.text("workload.name").empty()) {
    fail(config, "workload.kind", "needs the name of a pattern (workload.name is not given)",
         "add for example name = \"bisect\"; weft describe exchanges lists them");
  }
  check_exchange(config);
  if (kind != "collective" && config.given("workload.algorithm")) {
    fail(config, "workload.algorithm", fmt::format("has no effect with workload.kind = \"{}\"", kind),
         "remove it, or use kind = \"collective\"");
  }
  for (const std::string key : {"dimensions", "return_sweep", "wrap", "diagonals"}) {
    if ((kind != "collective" && kind != "exchange") || !config.given("workload." + key)) continue;
    fail(config, "workload." + key,
         fmt::format("has no effect with workload.kind = \"{}\" (its tasks have no places)", kind), "remove it");
  }
  check_pattern_keys(config);
  if (config.text("workload.mode") == "at-will" && kind != "trace") {
    fail(config, "workload.mode",
         fmt::format("does not fit workload.kind = \"{}\" (only traces can be sent at will)", kind), "remove the key");
  }
}

/// What only nodes that run tasks have.
void check_tasks(const Config& config) {
  if (!runs_tasks(config)) {
    for (const std::string key : {"tasks_per_node", "local_latency_cycles", "turnaround_cycles", "send_gap_cycles"}) {
      if (!config.given("workload." + key)) continue;
      fail(config, "workload." + key,
           fmt::format("has no effect with workload.kind = \"{}\" (its nodes run no tasks)",
                       config.text("workload.kind")),
           "remove it, or use kind = \"kernel\", \"collective\", \"exchange\" or \"trace\"");
    }
  }
  if (config.integer("workload.turnaround_cycles") > 0 && config.text("workload.mode") == "at-will") {
    fail(config, "workload.turnaround_cycles", "has no effect with workload.mode = \"at-will\" (nobody receives)",
         "remove it, or use mode = \"causal\"");
  }
}

/// A choice of "file" needs a path, and a path that choice. `example`: of a file name.
void check_file(const Config& config, const std::string& table, const std::string& choice, const std::string& path,
                const std::string& example) {
  const std::string choice_key = table + "." + choice, path_key = table + "." + path;
  const bool from_file = config.text(choice_key) == "file";
  const bool given = !config.text(path_key).empty();
  if (from_file && !given) {
    fail(config, choice_key, fmt::format("needs a file ({} is not given)", path_key),
         fmt::format("add for example {} = \"{}\"", path, example));
  }
  if (!from_file && given) {
    fail(config, path_key, fmt::format("has no effect with {} = {}", choice, value_text(config.value(choice_key))),
         fmt::format("use {} = \"file\" or remove the path", choice));
  }
}

void check_measure(const Config& config) {
  const i64 warmup = config.integer("measure.warmup_cycles");
  if (config.integer("measure.max_warmup_cycles") < warmup) {
    fail(config, "measure.max_warmup_cycles", "is less than " + setting_text(config, "measure.warmup_cycles"),
         fmt::format("the nearest valid value is {}", warmup));
  }
}

/// Keys of one method change nothing in the other.
void check_measure_method(const Config& config) {
  const bool mser = config.text("measure.method") == "mser";
  const std::vector<std::string> published_keys{"warmup_cycles", "tolerance_fraction", "intervals", "max_warmup_cycles",
                                                "batch_cycles"};
  const std::vector<std::string> mser_keys{"precision_fraction", "max_cycles"};
  for (const std::string& name : mser ? published_keys : mser_keys) {
    if (!config.given("measure." + name)) continue;
    fail(config, "measure." + name, fmt::format("has no meaning for {}", setting_text(config, "measure.method")),
         fmt::format("remove it, or use method = \"{}\"", mser ? "published" : "mser"));
  }
  if (!mser) return;
  if (resolved_stop(config) != "steady-state") {
    fail(config, "measure.method", "has no effect on a run that looks for no steady state",
         "use synthetic traffic without simulation.cycles, or remove it");
  }
  // Groups of five intervals; a run is judged when there are two for each batch.
  const i64 batches = config.integer("measure.batches"), interval = config.integer("measure.interval_cycles");
  const i64 most = config.integer("measure.max_cycles");
  constexpr i64 group = 5, most_intervals = 10'000;
  if (batches < 2) fail(config, "measure.batches", "leaves no confidence interval", "use 10");
  if (most / interval / group < 2 * batches) {
    fail(config, "measure.max_cycles",
         fmt::format("is not enough for {} groups of {} intervals with {}", 2 * batches, group,
                     setting_text(config, "measure.interval_cycles")),
         fmt::format("use measure.interval_cycles = {}, fewer batches or a longer run",
                     std::max<i64>(1, most / (group * 2 * batches))));
  }
  if (most / interval > most_intervals) {
    fail(config, "measure.max_cycles",
         fmt::format("is {} intervals of {} (at most {}, of which the counts are kept)", most / interval,
                     setting_text(config, "measure.interval_cycles"), most_intervals),
         fmt::format("use measure.interval_cycles = {}", (most + most_intervals - 1) / most_intervals));
  }
}

/// Runs one after the other have no state that a checkpoint could hold.
void check_seeds(const Config& config) {
  const i64 seeds = config.integer("measure.seeds");
  if (seeds == 1) return;
  for (const char* key : {"checkpoint.every_seconds", "checkpoint.every_cycles"}) {
    if (config.integer(key) == 0) continue;
    fail(config, key,
         fmt::format("does not go with {} (a checkpoint holds one run, not several)",
                     setting_text(config, "measure.seeds")),
         "remove it, or run one seed at a time (weft sweep with repeat does that)");
  }
  constexpr i64 most = std::numeric_limits<i64>::max();
  if (config.integer("simulation.seed") > most - (seeds - 1)) {
    fail(config, "simulation.seed", fmt::format("leaves no room for {} seeds", seeds),
         fmt::format("use {} or less", most - (seeds - 1)));
  }
}

void check_statistics(const Config& config) {
  if (config.given("statistics.events") && config.text("statistics.events").empty()) {
    fail(config, "statistics.events", "is empty", "name a file, e.g. \"events.txt\"");
  }
  if (config.given("statistics.event_nodes") && !config.given("statistics.events")) {
    fail(config, "statistics.event_nodes", "has no effect (statistics.events is not given)",
         "add for example events = \"events.txt\"");
  }
}

void check_checkpoint(const Config& config) {
  if (config.given("checkpoint.path") && config.text("checkpoint.path").empty()) {
    fail(config, "checkpoint.path", "is empty", "name a file, e.g. \"run.ckpt.h5\"");
  }
}

void check_weights(const Config& config) {
  const std::string partition = config.text("parallel.partition");
  if (config.text("parallel.weights").empty() || partition == "auto" || partition == "metis") return;
  fail(config, "parallel.weights",
       "has no effect with " + setting_text(config, "parallel.partition") + ", which balances no work",
       "use partition = \"metis\" or \"auto\", or leave weights out");
}

void check_rebalancing(const Config& config) {
  const double above = config.real("parallel.rebalance_above");
  if (above == 0) return;
  if (above < 1) {
    fail(config, "parallel.rebalance_above", "is always exceeded (the busiest rank has at least the mean)",
         "use 1.2, or 0 for never");
  }
  if (config.integer("checkpoint.every_cycles") == 0 && config.integer("checkpoint.every_seconds") == 0) {
    fail(config, "parallel.rebalance_above", "has no effect without checkpoints while the run goes on",
         "add for example [checkpoint] every_seconds = 600");
  }
}

}  // namespace

void validate(const Config& config) {
  check_topology_and_router_kind(config);
  const std::string router = resolved_router_kind(config);
  note_keys_without_meaning<models::TopologyKind>(config, "topology.kind", {config.text("topology.kind")});
  note_keys_without_meaning<models::RouterKind>(config, "router.kind", router_kinds_in_use(config));
  check_request(config, router);
  check_router(config, router);
  check_limits_of_queues(config);
  check_link_rates(config, router);
  check_stop(config);
  check_workload(config);
  check_tasks(config);
  check_packet_cells(config, router);
  check_header(config);
  check_file(config, "placement", "policy", "path", "nodes.txt");
  check_measure(config);
  check_measure_method(config);
  check_seeds(config);
  check_statistics(config);
  check_checkpoint(config);
  check_file(config, "parallel", "partition", "partition_path", "ranks.txt");
  check_weights(config);
  check_rebalancing(config);
}

}  // namespace weft::tools
