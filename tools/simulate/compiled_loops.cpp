// What simulations of all routers are built from; see the header.
#include "tools/simulate/compiled_loops.hpp"

#include <algorithm>

namespace weft::tools {
namespace {

/// Packets are counted per node up to this size of a network.
constexpr u32 max_counted_nodes = 65536;

}  // namespace

engine::KernelSpec kernel_spec(const Context& context, const models::Layout& layout) {
  engine::KernelSpec spec = layout.kernel_spec();
  const models::RouterSettings& r = context.router;
  spec.lookahead = r.link_ticks;
  if (context.protocol == "null-message") spec.protocol = engine::Protocol::null_message;
  // Releases, arrivals and credits fit in; packet gaps of sources mostly do. Longer waits go to the heap.
  const Tick reach = r.packet_ticks + r.link_ticks + r.switch_ticks + 2;
  spec.horizon = std::min<Tick>(std::max<Tick>(reach, 512), 65536);
  return spec;
}

SimulationParts simulation_parts(const Context& context, models::Layout& layout) {
  return {*context.topology,
          context.router,
          layout,
          context.transport,
          kernel_spec(context, layout),
          context.topology->nodes() <= max_counted_nodes};
}

}  // namespace weft::tools
