// Registers Myrinet: wormhole crossbars with STOP and GO, and NICs that choose routes.
#include "models/product/wormhole_kind.hpp"

namespace weft::models {
namespace {

/// Myri-10G as P. Geoffray, T. Hoefler, HotI 2008 describe it: 10 Gb/s, packets of 4 KB, "input buffers on each
/// crossbar are large enough to contain a full 4KB packet": that many cells, and those that come after a STOP on the
/// longest link. Cells of 16 bytes, headers of one, and the latencies are ours (docs/myrinet.md).
std::vector<DefaultValue> myrinet_values(const std::string& topology) {
  const TopologyKind* const kind = TopologyRegistry::instance().find(topology);
  const bool tree = kind != nullptr && fits_family(router_kind("fat-tree"), kind->family);
  constexpr i64 packet_cells = 257, after_stop = 13;
  return {{"packet.phits", packet_cells},
          {"packet.phit_bytes", i64{16}},
          {"packet.header_phits", i64{1}},
          {"link.rate_gbps", 10.0},
          {"link.latency_cycles", i64{4}},
          {"router.virtual_channels", i64{1}},
          {"router.routing_cycles", i64{8}},
          {"router.switch_latency_cycles", i64{4}},
          {"router.buffer_cells", i64{packet_cells + after_stop}},
          {"router.flow_control", std::string("stop-go")},
          {"nic.dispersion", std::string("static")},
          {"router.routing", std::string(tree ? "fat-tree:random" : "source-route")}};
}

RouterKind myrinet_kind() {
  RouterKind kind = worms::wormhole_kind();
  kind.help =
      "crossbars and NICs of Myrinet: wormhole switches (see wormhole) with STOP and GO, buffers of a packet at each "
      "input, "
      "10 Gb/s, packets of 4 KB, routes that NICs choose (nic.dispersion). All of it are defaults. docs/myrinet.md "
      "says what is published and what is assumed.";
  kind.defaults = myrinet_values;
  return kind;
}

[[maybe_unused]] const bool myrinet_registered = RouterRegistry::instance().add("myrinet", myrinet_kind());

}  // namespace
}  // namespace weft::models
