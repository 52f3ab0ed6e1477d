// Whether router.routing fits the network, and what their names stand for.
#include "models/machine/cells/route_choice.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "models/routing/routes.hpp"

namespace weft::models::cells {
namespace {

/// A value of router.routing: a kind of router, or a mode of one.
struct RouteName {
  std::string kind;
  std::string mode;  ///< empty: the name does not say
};

bool fits_topology(const RouterKind& kind, const std::string& topology) {
  const TopologyKind* const known = TopologyRegistry::instance().find(topology);
  return known == nullptr || fits_family(kind, known->family);
}

constexpr char between = ':';

/// Kinds go before modes, and those that are made for the topology before those that fit any. "KIND:MODE" says both.
std::optional<RouteName> find_routes(const std::string& name, const std::string& topology) {
  const auto& routers = RouterRegistry::instance();
  if (const std::size_t at = name.find(between); at != std::string::npos) {
    const std::string kind = name.substr(0, at), mode = name.substr(at + 1);
    if (kind == "auto") return RouteName{default_routes(topology), mode};
    if (routers.find(kind) == nullptr) return {};
    return RouteName{kind, mode};
  }
  if (name == "auto") return RouteName{default_routes(topology), ""};
  if (routers.find(name) != nullptr) return RouteName{name, ""};
  for (const bool any : {false, true}) {
    for (const std::string& router : routers.names()) {
      const RouterKind& kind = router_kind(router);
      if (!has_routes(kind) || !fits_topology(kind, topology) || any != (kind.families.front() == any_family)) continue;
      for (const RouterMode& mode : kind.modes) {
        if (!mode.keeps_bubbles && (mode.name == name || mode.also == name)) return RouteName{router, mode.name};
      }
    }
  }
  return {};
}

std::string kinds_with_routes() {
  std::string all;
  for (const std::string& name : RouterRegistry::instance().names()) {
    if (has_routes(router_kind(name))) all += (all.empty() ? "" : ", ") + name;
  }
  return all;
}

/// The algorithm that a word means, of kinds that fit the topology; empty if it resembles none.
std::string algorithm_near(const std::string& word, const std::string& topology) {
  std::vector<std::string> known;
  for (const std::string& name : RouterRegistry::instance().names()) {
    const RouterKind& kind = router_kind(name);
    if (!has_routes(kind) || !fits_topology(kind, topology)) continue;
    for (const RouterMode& mode : kind.modes) {
      if (mode.keeps_bubbles) continue;
      if (!mode.also.empty()) known.push_back(mode.also);
      known.push_back(mode.name);
    }
  }
  return known.empty() ? "" : nearest(word, known, std::max<std::size_t>(1, word.size() / 4));
}

std::optional<Complaint> check_mode(const RouterChoice& choice, const std::string& name, const std::string& key,
                                    const std::string& mode, bool knows_occupancy) {
  const RouterKind& kind = router_kind(name);
  if (!knows_occupancy && goes_by_occupancy(kind, mode)) {
    return Complaint{key, "goes by the occupancy of outputs, which these switches do not know",
                     "use router.kind = \"switch\", or mode \"" + default_mode(kind) + "\""};
  }
  const bool known = std::ranges::find(kind.modes, mode, &RouterMode::name) != kind.modes.end();
  if (mode != "auto" && (!known || keeps_bubbles(kind, mode))) {
    const bool one = key == "router.routing";
    std::string all;
    for (const RouterMode& other : kind.modes) {
      if (other.keeps_bubbles) continue;
      all += fmt::format("{}\"{}{}\"", all.empty() ? "" : ", ", one ? name + between : "", other.name);
    }
    std::string why = known ? fmt::format("deadlocks in switches ({} routers keep free space in rings)", name)
                            : fmt::format("{} no routing algorithm of {} routers", one ? "is" : "names", name);
    if (known && !one) why = fmt::format("names \"{}\", which {}", mode, why);
    return Complaint{key, why, all.empty() ? "remove it" : "take one of " + all};
  }
  if (!kind.check) return {};
  RouterChoice as_that = choice;
  as_that.mode = mode != "auto" ? mode : default_mode(kind);
  std::optional<Complaint> complaint = kind.check(as_that);
  if (complaint) complaint->why += fmt::format(" (the switch takes the routes of {} routers)", name);
  return complaint;
}

}  // namespace

std::optional<Complaint> check_routes(const RouterChoice& choice, bool knows_occupancy, const std::string& key,
                                      std::vector<std::string> modes) {
  const std::string routing = choice.keys.text("routing");
  const std::optional<RouteName> name = find_routes(routing, choice.topology);
  if (!name) {
    const std::string near = algorithm_near(routing, choice.topology);
    return Complaint{"router.routing", "is no routing algorithm that fits the topology, and no kind of router",
                     near.empty() ? fmt::format("take one of {}, or one of their algorithms", kinds_with_routes())
                                  : fmt::format("did you mean \"{}\"?", near)};
  }
  const RouterKind& kind = router_kind(name->kind);
  if (!has_routes(kind)) {
    return Complaint{"router.routing", "does not fit switches (its routes need routers of its own)",
                     fmt::format("take one of {}", kinds_with_routes())};
  }
  if (!fits_topology(kind, choice.topology)) {
    return Complaint{"router.routing", fmt::format("does not fit topology.kind = \"{}\"", choice.topology),
                     fmt::format("use routing = \"{}\"", default_routes(choice.topology))};
  }
  if (!name->mode.empty()) {
    if (!modes.empty()) {
      return Complaint{key,
                       fmt::format("has no effect beside router.routing = \"{}\", which names one itself", routing),
                       fmt::format("remove it, or use routing = \"{}\"", name->kind)};
    }
    modes = {name->mode};
  }
  if (modes.empty()) modes = {"auto"};
  for (const std::string& mode : modes) {
    if (auto complaint = check_mode(choice, name->kind, key, mode, knows_occupancy)) return complaint;
  }
  return {};
}

void resolve_routes(RouterSettings& settings, const std::string& topology) {
  const std::optional<RouteName> name = find_routes(settings.own.text("routing"), topology);
  if (!name) return;  // checked before
  settings.own.set("routing", name->kind);
  if (!name->mode.empty() || !settings.own.has("routing_mode"))
    settings.own.set("routing_mode", name->mode.empty() ? std::string("auto") : name->mode);
}

}  // namespace weft::models::cells
