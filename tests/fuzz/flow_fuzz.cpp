// Any bytes as a file of flows, a connection matrix of htsim, or a distribution of sizes.
#include <string>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "workloads/traffic/flow_file.hpp"
#include "workloads/traffic/flow_sizes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  constexpr weft::u32 nodes = 6;
  const std::string text(data, data + bytes);
  try {
    double before = 0;
    for (const weft::workloads::ListedFlow& flow : weft::workloads::read_flows(text, "fuzz", nodes)) {
      WEFT_ASSERT(flow.from < nodes && flow.to < nodes && flow.from != flow.to && flow.bytes > 0);
      WEFT_ASSERT(flow.start_ns >= before);
      before = flow.start_ns;
    }
  } catch (const weft::InputError&) {
  }
  try {
    const weft::workloads::FlowSizes sizes(weft::workloads::read_flow_sizes(text, "fuzz"), 1.0);
    for (weft::u64 k = 0; k < 10; ++k) {
      const weft::u64 size = sizes.draw(weft::engine::remix(3, k));
      WEFT_ASSERT(size >= 1 && size <= sizes.most());
    }
  } catch (const weft::InputError&) {
  }
  return 0;
}
