// Look-up of registered routers.
#include "models/routing/router_kind.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace weft::models {

const RouterKind& router_kind(const std::string& name) {
  const RouterKind* const kind = RouterRegistry::instance().find(name);
  WEFT_ASSERT(kind != nullptr);
  return *kind;
}

bool fits_family(const RouterKind& kind, const std::string& family) {
  return std::ranges::any_of(kind.families, [&](const std::string& fit) {
    return fit == family || (fit == any_family && family != linkless_family);
  });
}

bool goes_by_occupancy(const RouterKind& kind, const std::string& mode) {
  return std::ranges::any_of(kind.modes, [&](const RouterMode& m) { return m.name == mode && m.by_occupancy; });
}

bool keeps_bubbles(const RouterKind& kind, const std::string& mode) {
  return std::ranges::any_of(kind.modes, [&](const RouterMode& m) { return m.name == mode && m.keeps_bubbles; });
}

bool routes_have_numbers(const RouterKind& kind, const std::string& mode) {
  return std::ranges::any_of(kind.modes, [&](const RouterMode& m) { return m.name == mode && m.routes_have_numbers; });
}

bool ignores(const RouterKind& kind, const std::string& key) {
  return std::ranges::find(kind.ignores, key, &IgnoredKey::key) != kind.ignores.end();
}

bool is_plain(const Topology& topology, const RouterSettings& settings) {
  const RouterKind& kind = router_kind(settings.kind);
  if (!kind.bytes) return true;
  if (!kind.machine.empty()) return false;
  const bool own_loop_does =
      !settings.faults && topology.planes() == 1 && settings.arbitration != Arbitration::age_in_network;
  return kind.routing && (!own_loop_does || (kind.has_loop && !kind.has_loop(topology, settings)));
}

const RouterMode& mode_row(const RouterKind& kind, const std::string& mode) {
  if (mode.empty()) return kind.modes.front();
  const auto found = std::ranges::find(kind.modes, mode, &RouterMode::name);
  if (found == kind.modes.end())
    throw Bug("there is no mode " + mode + " among those of routers with " + kind.modes.front().name);
  return *found;
}

std::string machine_of(const std::string& kind) {
  const std::string& machine = router_kind(kind).machine;
  return machine.empty() ? kind : machine;
}

}  // namespace weft::models
