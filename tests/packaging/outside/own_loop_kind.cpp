// The router of examples/plugin as one with an event loop of its own: its kind.
#include "own_loop.hpp"

namespace {

using namespace weft;
using namespace weft::models;

const bool own_loop_registered = [] {
  RouterKind kind = router_kind("halfway");
  kind.help = "the same with an event loop of its own";
  kind.bytes = [](const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
    return network_bytes_of(outside::AsksAll(topology, settings), topology, settings, packet_bytes);
  };
  return RouterRegistry::instance().add("halfway-loop", kind);
}();

}  // namespace
