// Multistage switches of up to 63 channels with scripted traffic, and the choice by width.
#include "models/machine/packets/mask_words.hpp"
#include "models/machine/packets/multistage.hpp"
#include "tests/models/network/scripted_multistage.hpp"

namespace weft::models::testing {

template <>
Result run_multistage<1>(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  return run_policy<MultistagePolicy<1>>(setup, topology, script);
}

namespace {

/// Without the widest masks, which no test needs.
using Widths = std::integer_sequence<unsigned, 1, 4>;

[[maybe_unused]] const bool scripted_multistage_1_registered = ScriptedLoops::instance().add(
    "multistage", {[](const Case& setup, const Topology& topology, const std::vector<Send>& script) {
      return with_mask_words<Widths>(most_channels(topology, setup.router.virtual_channels),
                                     [&]<unsigned Words>() { return run_multistage<Words>(setup, topology, script); });
    }});

}  // namespace
}  // namespace weft::models::testing
