// Fuzz target of routing tables by key and mask: any bytes give tables that can be looked into, or an InputError.
#include <cstddef>
#include <memory>
#include <string>

#include "engine/base/error.hpp"
#include "models/machine/spinnaker/key_circles.hpp"
#include "models/topology/lattice.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  using namespace weft::models;
  static const std::unique_ptr<Topology> chips = make_topology({"spinnaker", {{"dims", std::vector<weft::i64>{3, 3}}}});
  const std::string text(data, data + bytes);
  try {
    const spinnaker::KeyFile file = spinnaker::parse_key_file(text, "fuzz", 9);
    WEFT_ASSERT(file.keys.size() == 9);
    const spinnaker::KeyTables tables(file, 9);
    for (weft::u32 router = 0; router < 9; ++router) {
      const weft::u8 outputs = tables.find(router, tables.key(router));
      WEFT_ASSERT(outputs < 128);
    }
    const auto circle = spinnaker::find_circle(dynamic_cast<const Lattice&>(*chips), tables);
    if (circle) WEFT_ASSERT(circle->source < 9 && circle->router < 9);
  } catch (const weft::InputError&) {
  }
  return 0;
}
