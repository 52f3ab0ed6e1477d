// From the kind's name in the config to a topology: the registry look-up with a helpful error.
#include "engine/base/nearest.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

std::unique_ptr<Topology> make_topology(const TopologySpec& spec) {
  const auto& registry = TopologyRegistry::instance();
  if (const TopologyKind* kind = registry.find(spec.kind)) return kind->make(spec.keys);
  const std::vector<std::string> names = registry.names();
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  if (spec.kind.empty()) {
    throw ConfigError("topology.kind is missing (the network has no shape without it); use one of: " + known);
  }
  throw ConfigError("topology.kind = \"" + spec.kind + "\" is unknown (the kinds are: " + known + "); did you mean \"" +
                    nearest(spec.kind, names) + "\"?");
}

}  // namespace weft::models
