// Fuzz target of the placement reader: any bytes give a whole placement or an InputError, nothing else.
#include <cstddef>
#include <string>

#include "engine/error.hpp"
#include "workloads/placement/placement_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  constexpr weft::u32 tasks = 4;
  constexpr weft::u32 nodes = 8;
  const std::string text(data, data + bytes);
  try {
    const auto placement = weft::workloads::read_placement(text, "fuzz", tasks, nodes);
    WEFT_ASSERT(placement.node_of_task.size() == tasks);
    for (const auto node : placement.node_of_task) WEFT_ASSERT(node.value() < nodes);
  } catch (const weft::InputError&) {
  }
  return 0;
}
