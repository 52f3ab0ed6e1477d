// Pattern "shift": every node sends to the one a number of nodes further on, as in rounds of ring and all-to-all
// algorithms.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

/// (i + workload.shift_nodes) mod nodes (INSEE's shift_<stride>).
class Shift final : public Permutation {
 public:
  explicit Shift(const PatternSpec& spec)
      : nodes_(spec.nodes), shift_(static_cast<u32>(spec.keys.integer("shift_nodes") % spec.nodes)) {
    if (shift_ == 0) {
      throw ConfigError(
          fmt::format("workload.shift_nodes = {} leads each of the {} nodes to itself; use a number between 1 and {}",
                      spec.keys.integer("shift_nodes"), nodes_, nodes_ - 1));
    }
  }
  u32 image(u32 node) const override { return static_cast<u32>((u64{node} + shift_) % nodes_); }

 private:
  u32 nodes_, shift_;
};

const bool shift_registered = PatternRegistry::instance().add(
    "shift", {.help = "the node workload.shift_nodes further on, round the end",
              .make = [](const PatternSpec& spec) { return std::make_unique<Shift>(spec); },
              .settings = {row::integer("workload.shift_nodes", "nodes", 1, {1, 1 << 30},
                                        "how many nodes further on packets go.")}});

}  // namespace
}  // namespace weft::workloads
