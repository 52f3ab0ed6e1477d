// What a config chooses of the kinds that there are; see the header.
#include "tools/run/config/check/effect_rules.hpp"

#include <algorithm>

#include "engine/base/text/words.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {

KindsInUse::KindsInUse(const Config& config)
    : topology(config.text("topology.kind")), routers(router_kinds_in_use(config)), workload(workload_kind(config)) {
  std::erase_if(routers,
                [](const std::string& name) { return models::RouterRegistry::instance().find(name) == nullptr; });
}

const Setting* KindsInUse::row(const std::string& key) const {
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

std::vector<std::string> modes_in_use(const Config& config) {
  std::vector<std::string> modes{resolved_routing(config)};
  const models::RouterKind& kind = models::router_kind(resolved_router_kind(config));
  if (!kind.resolve) return modes;
  models::RouterSettings settings;
  settings.own = router_parameters(config);
  kind.resolve(settings, config.text("topology.kind"));
  if (kind.takes_routes) modes.push_back(settings.own.text("routing_mode"));
  if (settings.own.has("class_modes")) {
    for (const std::string& mode : listed_words(settings.own.text("class_modes"))) modes.push_back(mode);
  }
  return modes;
}

bool nodes_sit_inside(const Config& config) { return models::make_topology(topology_spec(config))->direct(); }

}  // namespace weft::tools
