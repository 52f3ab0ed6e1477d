// Registers the switch of EXTOLL cards: six links and a host, packets of up to 32 cells of 16 bytes.
#include "models/product/switch_kind.hpp"

namespace weft::models {
namespace {

/// What is published (F. Andujar et al., CPE 2018): virtual output queues, iSLIP, cut-through, a credit for each cell,
/// multi-queue buffers that are allocated dynamically, four traffic classes of two deterministic and one adaptive
/// channel. A hop of 32 cycles and 22 cycles at the ends are what the paper's tables say; how they divide over router
/// and wire, and the buffers, are ours (docs/extoll.md).
std::vector<DefaultValue> extoll_values(const std::string& topology) {
  // TS-DOR has two classes for the packets of each of the two cards; no adaptive routes of twin tori are known.
  const bool twin_torus = topology == "ndt-torus";
  constexpr i64 classes = 4, channel_cells = 128;
  const i64 channels = twin_torus ? 2 : 3;
  return {{"packet.phits", i64{32}},
          {"packet.phit_bytes", i64{16}},
          {"link.latency_cycles", i64{20}},
          {"link.node.latency_cycles", i64{5}},
          {"router.routing_cycles", i64{6}},
          {"router.switch_latency_cycles", i64{6}},
          {"router.virtual_channels", channels},
          {"router.traffic_classes", classes},
          {"router.buffers", std::string("shared")},
          {"router.buffer_cells", classes * channels * channel_cells},
          {"router.routing", std::string(twin_torus ? "ts-dor" : "auto")}};
}

RouterKind extoll_kind() {
  RouterKind kind = cells::switch_kind();
  kind.help =
      "the switch of EXTOLL cards: a switch of cells (see switch) with virtual output queues, iSLIP and cut-through, "
      "packets of up to 32 cells of 16 bytes, a credit for each, four traffic classes of two deterministic channels "
      "and an adaptive one; in twin tori two classes for the packets of each card, without it. All of it are defaults. "
      "docs/extoll.md says what is published and what is assumed.";
  kind.defaults = extoll_values;
  return kind;
}

[[maybe_unused]] const bool extoll_registered = RouterRegistry::instance().add("extoll", extoll_kind());

}  // namespace
}  // namespace weft::models
