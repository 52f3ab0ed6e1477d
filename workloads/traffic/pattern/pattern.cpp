// Looks a traffic pattern up by name and makes the checks that all patterns share.
#include "workloads/traffic/pattern/pattern.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"

namespace weft::workloads {

std::unique_ptr<Pattern> make_pattern(const std::string& name, const PatternSpec& spec) {
  const auto& registry = PatternRegistry::instance();
  const PatternKind* kind = registry.find(name);
  if (kind == nullptr) {
    throw ConfigError(
        fmt::format("workload.pattern \"{}\" is unknown (weft describe patterns lists them); did you mean \"{}\"?",
                    name, nearest(name, registry.names())));
  }
  if (spec.nodes < 2) {
    throw ConfigError(
        fmt::format("workload.pattern \"{}\" needs at least 2 nodes (no node sends to itself, and this network has "
                    "{}); use a larger "
                    "topology",
                    name, spec.nodes));
  }
  u64 product = 1;
  for (const u32 size : spec.dims) product = std::min<u64>(product * size, spec.nodes + u64{1});
  if (!spec.dims.empty() && product != spec.nodes) {
    throw ConfigError(fmt::format(
        "workload.pattern \"{}\" got dims whose product is not the {} nodes of the network (in a cube each router is a "
        "node); make them agree",
        name, spec.nodes));
  }
  PatternSpec settled = spec;
  for (const Setting& setting : kind->settings) {
    if (!settled.keys.has(setting.name())) settled.keys.set(setting.name(), setting.fallback);
  }
  return kind->make(settled);
}

}  // namespace weft::workloads
