// Pattern "local": near nodes are wanted more than far ones, as in programs that were placed with care.
#include <algorithm>
#include <cmath>

#include "workloads/traffic/pattern/by_distance.hpp"

namespace weft::workloads {
namespace {

/// [distance]: weight of a node there; less than any double is 0.
std::vector<double> weights_of_local(const PatternSpec& spec) {
  constexpr u32 most_distance = 1 << 14;  // as many nodes as there may be
  const double decay = spec.keys.real("locality_decay");
  const bool power = spec.keys.text("locality") == "power-law";
  std::vector<double> weights{0.0};
  for (u32 distance = 1; distance < std::min(spec.nodes, most_distance); ++distance) {
    const double log = power ? std::log(static_cast<double>(distance)) : static_cast<double>(distance - 1);
    const double weight = std::exp(-decay * log);
    weights.push_back(weight < 1e-300 ? 0.0 : weight);
  }
  return weights;
}

[[maybe_unused]] const bool local_registered = PatternRegistry::instance().add(
    "local",
    {.help = "each node with a probability that falls with its distance in links, as workload.locality says",
     .make =
         [](const PatternSpec& spec) {
           return std::make_unique<ByDistance>(spec, "local", weights_of_local(spec), ByDistance::Weight::of_node);
         },
     .settings = {row::choice("workload.locality", "exponential", {"exponential", "power-law"},
                              "how the probability of a node at d links falls. exponential: as "
                              "exp(-workload.locality_decay (d - 1)); power-law: as d^-workload.locality_decay."),
                  row::real("workload.locality_decay", "", 1.0, {0.0, 20.0}, "how fast it falls; 0: not at all.")}});

}  // namespace
}  // namespace weft::workloads
