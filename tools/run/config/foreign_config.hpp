// Configs of other simulators, as far as who reads a config can know them: they are told by name, with the command that
// makes a config of weft of them.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/registry.hpp"

namespace weft::tools {

struct ForeignConfig {
  std::string help;  ///< "BookSim 2: a config file, with what it names"
  bool (*recognises)(std::string_view text) = nullptr;
};
using ForeignConfigRegistry = Registry<ForeignConfig>;

/// The name of the simulator that a text is a config of, as `weft import --from` takes it; empty if of none.
[[nodiscard]] inline std::string simulator_of(std::string_view text) {
  for (const std::string& name : ForeignConfigRegistry::instance().names()) {
    if (ForeignConfigRegistry::instance().find(name)->recognises(text)) return name;
  }
  return "";
}

}  // namespace weft::tools
