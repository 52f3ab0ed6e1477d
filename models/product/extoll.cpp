// Registers the switch of EXTOLL cards: six links and a host, packets of up to 32 cells of 16 bytes.
#include "models/product/switch_kind.hpp"

namespace weft::models {
namespace {

/// What is published (F. Andujar et al., CPE 2018): virtual output queues, iSLIP, cut-through, a credit for each cell,
/// four traffic classes of two deterministic and one adaptive channel. A hop of 32 cycles and 22 cycles at the ends are
/// what the paper's tables say; how they divide over router and wire, and the buffers, are ours (docs/extoll.md).
std::vector<DefaultValue> extoll_values(const std::string& topology) {
  const bool twin_torus =
      topology == "ndt-torus";  // its internal links need four channels; no adaptive routes are known
  return {{"packet.phits", i64{32}},
          {"packet.phit_bytes", i64{16}},
          {"link.latency_cycles", i64{20}},
          {"link.node.latency_cycles", i64{5}},
          {"router.routing_cycles", i64{6}},
          {"router.switch_latency_cycles", i64{6}},
          {"router.virtual_channels", twin_torus ? i64{4} : i64{3}},
          {"router.traffic_classes", twin_torus ? i64{1} : i64{4}},
          {"router.buffer_cells", i64{128}},
          {"router.routing", std::string(twin_torus ? "ts-dor" : "auto")}};
}

RouterKind extoll_kind() {
  RouterKind kind = cells::switch_kind();
  kind.help =
      "the switch of EXTOLL cards: a switch of cells (see switch) with virtual output queues, iSLIP and cut-through, "
      "packets of up to 32 cells of 16 bytes, a credit for each, four traffic classes of two deterministic channels "
      "and "
      "an adaptive one; in twin tori two classes with an order of dimensions each. All of it are defaults. "
      "docs/extoll.md says what is published and what is assumed.";
  kind.defaults = extoll_values;
  return kind;
}

[[maybe_unused]] const bool extoll_registered = RouterRegistry::instance().add("extoll", extoll_kind());

}  // namespace
}  // namespace weft::models
