// Fuzz target of the fabric readers: any bytes give a fabric whose cables have two ends, or an InputError, or are no
// fabric.
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "models/subnet/distances.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/read/read_fabric.hpp"

namespace {

using weft::models::Peer;

void check(const weft::models::Subnet& subnet) {
  for (weft::u32 s = 0; s < subnet.switches(); ++s) {
    for (weft::u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer far = subnet.peer(s, port);
      if (far.kind == Peer::Kind::router) {
        const Peer back = subnet.peer(far.id, far.port);
        WEFT_ASSERT(back.kind == Peer::Kind::router && back.id == s && back.port == port);
      } else if (far.kind == Peer::Kind::node) {
        const Peer back = subnet.peer_of_host(far.id);
        WEFT_ASSERT(back.id == s && back.port == port);
      }
    }
  }
  const weft::tools::HostNames names(subnet);
  for (weft::u32 h = 0; h < subnet.hosts(); ++h) {
    try {
      static_cast<void>(names.find(subnet.host_at(h).name));
    } catch (const weft::ConfigError&) {  // several have that name
    }
  }
  static_cast<void>(weft::models::connection_of(subnet));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  try {
    const auto fabric = weft::tools::read_fabric(weft::bytes_in_memory(std::string(data, data + bytes), "fuzz"));
    if (fabric) check(fabric->subnet);
  } catch (const weft::InputError&) {
  }
  return 0;
}
