// Shapes that the tests of every topology run on, besides the example of each registered kind: a kind's own test adds
// awkward ones.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// Shapes added so far; complete when the tests start.
inline std::vector<TopologySpec>& awkward_shapes() {
  static std::vector<TopologySpec> shapes;
  return shapes;
}

/// Adds shapes; returns true so that it can initialise a file-scope constant.
inline bool test_shapes(const std::vector<TopologySpec>& shapes) {
  awkward_shapes().insert(awkward_shapes().end(), shapes.begin(), shapes.end());
  return true;
}

/// A value as the setting's type has it; none if there is none.
inline SettingValue value_of(const Parameters& values, const Setting& setting) {
  if (!values.has(setting.name())) return {};
  switch (setting.type) {
    case SettingType::integer:
      return values.integer(setting.name());
    case SettingType::real:
      return values.real(setting.name());
    case SettingType::boolean:
      return values.flag(setting.name());
    case SettingType::integers:
      return values.integers(setting.name());
    default:
      return values.text(setting.name());
  }
}

/// The example of a registered kind as a config gives it: declared keys only, the others by default.
inline TopologySpec sample_of(const std::string& kind) {
  const TopologyKind& entry = *TopologyRegistry::instance().find(kind);
  TopologySpec spec{kind, {}};
  for (const Setting& setting : entry.settings) {
    spec.keys.set(setting.name(),
                  entry.example.has(setting.name()) ? value_of(entry.example, setting) : setting.fallback);
  }
  return spec;
}

}  // namespace weft::models::testing
