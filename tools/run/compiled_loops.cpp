// What simulations of all routers are built from; see the header.
#include "tools/run/compiled_loops.hpp"

#include <algorithm>

#include "tools/run/collect/recorder.hpp"

namespace weft::tools {
namespace {

/// Packets are counted per node up to this size of a network.
constexpr u32 max_counted_nodes = 65536;

/// Least latency of the links that leave any part, in ticks. Collective.
Tick least_cut_latency(const Context& context, const models::Layout& layout) {
  const models::RouterSettings& r = context.router;
  if (r.class_link_ticks.empty()) return r.link_ticks;
  Tick least = never;
  for (u32 c = 0; c < r.class_link_ticks.size(); ++c) {
    if ((layout.cut_classes() >> c & 1) != 0) least = std::min(least, r.class_link_ticks[c]);
  }
  u64 inverse = ~least;
  context.transport.max({&inverse, 1});
  return inverse == 0 ? r.link_ticks : ~inverse;
}

}  // namespace

engine::KernelSpec kernel_spec(const Context& context, const models::Layout& layout) {
  engine::KernelSpec spec = layout.kernel_spec();
  const models::RouterSettings& r = context.router;
  spec.lookahead = least_cut_latency(context, layout);
  if (context.protocol == "null-message") spec.protocol = engine::Protocol::null_message;
  // Releases, arrivals and credits fit in; packet gaps of sources mostly do. Longer waits go to the heap.
  const Tick longest = r.class_link_ticks.empty() ? r.link_ticks : *std::ranges::max_element(r.class_link_ticks);
  const Tick reach = r.longest_packet_ticks() + longest + r.switch_ticks + 2;
  spec.horizon = std::min<Tick>(std::max<Tick>(reach, 512), 65536);
  return spec;
}

SimulationParts simulation_parts(const Context& context, models::Layout& layout) {
  return {*context.topology,
          context.router,
          layout,
          context.transport,
          kernel_spec(context, layout),
          context.topology->nodes() <= max_counted_nodes,
          detail_settings(context)};
}

}  // namespace weft::tools
