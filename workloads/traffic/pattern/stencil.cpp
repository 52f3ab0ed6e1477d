// Pattern "stencil": the neighbours of a periodic grid of processes, as codes on regular grids exchange halos.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Two factors, as near to each other as can be.
std::vector<u32> square(u32 nodes) {
  u32 side = 1;
  for (u32 k = 1; u64{k} * k <= nodes; ++k) {
    if (nodes % k == 0) side = k;
  }
  return {nodes / side, side};
}

/// To one of the 2 d neighbours in a grid of d dimensions, each with the same chance; process p has coordinate
/// p / (product of the sizes before) mod size in each dimension. In dimensions of one process there is no neighbour, in
/// those of two it is one and the same, twice.
class Stencil final : public Pattern {
 public:
  explicit Stencil(const PatternSpec& spec) {
    for (const i64 size : spec.keys.integers("grid")) sizes_.push_back(static_cast<u32>(size));
    if (sizes_.empty()) sizes_ = square(spec.nodes);
    u64 product = 1;
    for (const u32 size : sizes_) product = std::min<u64>(product * size, u64{spec.nodes} + 1);
    if (product != spec.nodes) {
      throw ConfigError(fmt::format(
          "workload.grid = {} is not possible (pattern \"stencil\" has a process for each of {} nodes); use for "
          "example [{}]",
          list_text({sizes_.begin(), sizes_.end()}), spec.nodes, fmt::join(square(spec.nodes), ", ")));
    }
    for (u32 d = 0, stride = 1; d < sizes_.size(); stride *= sizes_[d], ++d) {
      if (sizes_[d] > 1) neighbours_.push_back({stride, sizes_[d]});
    }
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    const u32 way = engine::scale_to(packet.bits, 2 * static_cast<u32>(neighbours_.size()));
    const auto [stride, size] = neighbours_[way / 2];
    const u32 at = source.value() / stride % size, next = (at + (way % 2 == 0 ? 1 : size - 1)) % size;
    return NodeId(source.value() - at * stride + next * stride);
  }
  bool sends(NodeId /*source*/) const override { return true; }

 private:
  struct Dimension {
    u32 stride, size;
  };
  std::vector<u32> sizes_;
  std::vector<Dimension> neighbours_;
};

const bool stencil_registered = PatternRegistry::instance().add(
    "stencil",
    {.help = "one of the neighbours in a periodic grid of processes, workload.grid; placement.policy says which node "
             "has which process",
     .make = [](const PatternSpec& spec) { return std::make_unique<Stencil>(spec); },
     .settings = {row::integers("workload.grid", "processes", {1, 1 << 30},
                                "processes in each dimension of a periodic grid, the nodes in all; not given: two "
                                "dimensions, as square as possible.")}});

}  // namespace
}  // namespace weft::workloads
