// Topology, router, packets and links: one function per subject.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "models/nic/congestion.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/run/config/given.hpp"
#include "tools/run/config/link_rates.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "workloads/traffic/length_law.hpp"

namespace weft::tools::checks {
namespace {

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
  // First the routers made for the family.
  const auto is_made_for_it = [&](const std::string& name) { return is_one_of(family, registry.find(name)->families); };
  std::stable_partition(names.begin(), names.end(), is_made_for_it);
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == usual; });
  return names;
}

}  // namespace

void check_kinds(const Config& config) {
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

namespace {

void check_routing(const Config& config, const std::string& router) {
  const std::string routing = resolved_routing(config);
  std::vector<std::string> modes;
  for (const models::RouterMode& mode : models::router_kind(router).modes) modes.push_back(mode.name);
  if (!is_one_of(routing, modes)) {
    const std::string near = nearest(routing, modes, std::max<std::size_t>(2, routing.size() / 3));
    fail(config, "router.routing",
         fmt::format("is no routing algorithm of {} routers ({})", router, fmt::join(modes, ", ")),
         fmt::format("use router.routing = \"{}\"", near.empty() ? modes.front() : near));
  }
  if (models::goes_by_occupancy(models::router_kind(router), routing)) {
    fail(config, "router.routing", "goes by the occupancy of outputs, which only switches of cells know",
         fmt::format("use router.kind = \"switch\" and router.routing = \"{}\"", routing));
  }
}

models::RouterChoice router_choice(const Config& config) {
  return {router_parameters(config), resolved_routing(config), config.text("topology.kind"),
          table_parameters(config, "topology")};
}

/// What the kind of router says against the choice.
void check_router(const Config& config, const std::string& router) {
  const models::RouterKind& kind = models::router_kind(router);
  if (!kind.check) return;
  if (const auto complaint = kind.check(router_choice(config)))
    fail(config, complaint->key, complaint->why, complaint->advice);
}

void check_congestion(const Config& config, const std::string& router) {
  const Parameters keys = table_parameters(config, "congestion");
  if (!models::router_kind(router).controls_congestion && !models::endpoint::controls_any_router(keys)) return;
  if (const auto complaint = models::endpoint::check_congestion(keys, config.integer("packet.phits")))
    fail(config, complaint->key, complaint->why, complaint->advice);
  if (keys.real("gcc_fraction") > 0 && models::ignores(models::router_kind(router), "router.queue_packets")) {
    fail(config, "congestion.gcc_fraction",
         fmt::format("does not fit {} routers (their queues do not hold a number of packets)", router),
         "use congestion.gcc_packets");
  }
}

/// What the models reckon with: capacity of an injection port in a byte, capacity of a queue in 31 bits of ticks.
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
  const bool has_queues = !ignores(models::router_kind(resolved_router_kind(config)), "router.queue_packets");
  if (has_queues && queue + nic > most_packets) {
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
std::string listed(const std::vector<std::string>& routers) {
  return routers.empty() ? "none" : fmt::format("{}", fmt::join(routers, ", "));
}
std::string use_one_of(const std::vector<std::string>& routers) {
  return routers.empty() ? "remove it"
                         : fmt::format("use router.kind = \"{}\", or remove it", fmt::join(routers, "\" or \""));
}

/// The class of links whose rate a key says: "global" of "link.global.rate_gbps", "link" of "link.phits_per_cycle";
/// empty if it says none. link.rate_gbps says what a cycle is.
std::string class_of_rate(const std::string& key) {
  const std::vector<std::string> parts = listed_words(key, ".");
  if (parts.front() != "link") return "";
  if (parts.size() == 2) return parts[1] == "phits_per_cycle" ? "link" : "";
  return parts[2] == "phits_per_cycle" || parts[2] == "rate_gbps" ? parts[1] : "";
}

/// Rates of links, those of classes included that this topology has.
void check_link_rates(const Config& config, const std::string& router) {
  const std::string topology = config.text("topology.kind");
  const bool any_rate = models::router_kind(router).any_rate;
  for (const Setting& setting : settings()) {
    const std::string link_class = class_of_rate(setting.key);
    if (link_class.empty() || !config.given(setting.key)) continue;
    const std::vector<std::string> owners = kinds_with<models::TopologyKind>(setting.key);
    if (!owners.empty() && !is_one_of(topology, owners)) continue;
    if (!any_rate && class_rate(config, link_class).phits_per_cycle != 1.0) {
      const std::vector<std::string> able = kinds_that(&models::RouterKind::any_rate);
      fail(
          config, setting.key,
          fmt::format("does not fit router.kind = \"{}\" (its links carry a phit a cycle; routers that know rates: {})",
                      router, listed(able)),
          use_one_of(able));
    }
    check_packet_ticks(config, setting.key, static_cast<i64>(cell_ticks(config, link_class, time_scale(config))));
  }
}

void check_header(const Config& config) {
  const std::string key = "packet.header_phits";
  const bool messages = runs_tasks(config) || !config.job().empty();  // sources of jobs send messages, too
  if (!messages || config.integer(key) == 0) return;
  if (config.integer(key) >= config.integer("packet.phits")) {
    fail(config, key, fmt::format("leaves nothing of {} for messages", setting_text(config, "packet.phits")),
         fmt::format("use header_phits = {}{}, or packet.phits = {} or more", config.integer("packet.phits") - 1,
                     config.integer("packet.phits") > 1 ? " or less" : "", config.integer(key) + 1));
  }
}

/// Copies of the network beside each other.
void check_planes(const Config& config, const std::string& router) {
  const i64 planes = config.integer("topology.planes"), nics = config.integer("node.nics");
  if (planes == 1) return;
  if (nics % planes != 0) {
    fail(config, "topology.planes",
         fmt::format("does not divide {} (each node has as many in each plane)", setting_text(config, "node.nics")),
         fmt::format("use node.nics = {}", (nics / planes + 1) * planes));
  }
  const models::RouterKind& kind = models::router_kind(router);
  if (!kind.routing && !kind.searched_routes) {
    fail(config, "topology.planes",
         fmt::format("does not fit router.kind = \"{}\" (its routes are those of one network)", router),
         "remove it, or use other routers");
  }
  for (const Setting& setting : settings()) {
    if (setting.table() == "faults" && given_otherwise(config, setting.key))
      fail(config, "topology.planes", fmt::format("does not fit {} (planes are alike)", setting.key),
           "remove one of them");
  }
}

void check_replies(const Config& config, const std::string& router) {
  const std::string key = "workload.reply_phits";
  if (!config.given(key)) return;
  if (!models::router_kind(router).any_length) {
    const std::vector<std::string> able = kinds_that(&models::RouterKind::any_length);
    fail(config, key,
         fmt::format("does not fit router.kind = \"{}\" (all its packets have packet.phits; routers that take packets "
                     "of any length: {})",
                     router, listed(able)),
         use_one_of(able));
  }
  if (config.integer(key) > config.integer("packet.phits"))
    fail(config, key, fmt::format("is more than {} (the longest packet)", setting_text(config, "packet.phits")),
         fmt::format("use packet.phits = {}", config.integer(key)));
}

void check_packet_lengths(const Config& config, const std::string& router) {
  if (runs_tasks(config)) return;
  const std::string law = resolved_length_law(config);
  const std::string key = config.text("workload.packet_length") == "auto" && config.given("workload.packet_cells")
                              ? "workload.packet_cells"
                              : "workload.packet_length";
  if (law != "fixed" && !models::router_kind(router).any_length) {
    const std::vector<std::string> able = kinds_that(&models::RouterKind::any_length);
    fail(config, key,
         fmt::format(
             "does not fit router.kind = \"{}\" (all its packets have packet.phits; routers that take packets of "
             "any length: {})",
             router, listed(able)),
         use_one_of(able));
  }
  check_replies(config, router);
  const workloads::LengthLaw& kind = *workloads::LengthRegistry::instance().find(law);
  if (!kind.check) return;
  if (const auto complaint =
          kind.check(table_parameters(config, "workload"), static_cast<u32>(config.integer("packet.phits"))))
    fail(config, complaint->key, complaint->why, complaint->advice);
}

}  // namespace

void check_network(const Config& config) {
  const std::string router = resolved_router_kind(config);
  check_routing(config, router);
  check_router(config, router);
  check_congestion(config, router);
  check_limits_of_queues(config);
  check_link_rates(config, router);
  check_packet_lengths(config, router);
  check_header(config);
  check_planes(config, router);
}

}  // namespace weft::tools::checks
