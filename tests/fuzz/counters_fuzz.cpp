// Fuzz target of the reader of port counters: any bytes give counters of ports that the fabric has, whose loads can be
// told, or an InputError.
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "tools/fabric/read/counter_reader.hpp"
#include "tools/fabric/read/read_fabric.hpp"

namespace {

using namespace weft;

/// Two switches and three hosts; LIDs and GUIDs as in the inputs.
const tools::Fabric& small_fabric() {
  static const tools::Fabric fabric = *tools::read_fabric(bytes_in_memory(
      "[fabric]\nswitches = [{ name = \"leaf4\", ports = 8, guid = \"0x200003\", lid = 6 }, { name = \"spine1\", ports "
      "= 8, guid = \"0x200004\", lid = 7 }]\nhosts = [{ name = \"node13\", guid = \"0x100018\", port_guid = "
      "\"0x100019\", lid = 19, lmc = 1 }, { name = \"node14\", lid = 22 }, { name = \"node15\", lid = 23 }]\nlinks = "
      "[[\"leaf4:5\", \"spine1:4\"], [\"node13\", \"leaf4:1\"], [\"node14\", \"leaf4:2\"], [\"node15\", "
      "\"spine1:1\"]]\n",
      "fabric"));
  return fabric;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  try {
    tools::FabricLines lines(bytes_in_memory(std::string(data, data + bytes), "fuzz"));
    const tools::CounterReading reading = tools::read_counters(lines, small_fabric());
    for (const auto& [channel, counters] : reading.ports) {
      WEFT_ASSERT(channel < small_fabric().subnet.channels());
      for (const auto& [name, value] : counters) WEFT_ASSERT(!name.empty());
    }
  } catch (const InputError&) {
  }
  return 0;
}
