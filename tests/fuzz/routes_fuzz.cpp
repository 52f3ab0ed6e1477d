// Fuzz target of the reader of source routes: any bytes give routes that lead from router to router or an InputError,
// nothing else.
#include <cstddef>
#include <string_view>

#include "engine/base/error.hpp"
#include "models/routing/source_routes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  using namespace weft;
  static const auto mesh = [] {
    models::TopologySpec spec;
    spec.kind = "mesh";
    spec.keys.set("dims", std::vector<i64>{3, 2});
    return models::make_topology(spec);
  }();
  try {
    const models::SourceRoutes routes("fuzz", {reinterpret_cast<const char*>(data), bytes}, *mesh, 2);
    for (u32 from = 0; from < mesh->nodes(); ++from) {
      for (u32 to = 0; to < mesh->nodes(); ++to) {
        const u32 route = routes.choose(NodeId(from), NodeId(to), bytes);
        if (route == models::SourceRoutes::none) continue;
        RouterId at(from);
        for (u32 hop = 0; hop < routes.hops(route); ++hop) {
          const models::Peer peer = mesh->peer(at, routes.output(route, hop) / 2);
          WEFT_ASSERT(peer.kind == models::Peer::Kind::router);
          at = RouterId(peer.id);
        }
        WEFT_ASSERT(at.value() == to);
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
