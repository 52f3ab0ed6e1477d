// Any bytes as a file with models of collective calls: what is read has times that grow with the tasks, or an
// InputError.
#include <string>

#include "engine/base/error.hpp"
#include "workloads/trace/replay/collective_costs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  using namespace weft::workloads;
  try {
    CollectiveCosts costs(10, 8, CollectivePhase::Model::constant);
    costs.read(std::string(data, data + bytes), "fuzz");
    for (const KnownCollective& known : known_collectives) {
      const weft::u64 few = costs.ps(known.operation, 2, 3, 4), many = costs.ps(known.operation, 9, 3, 4);
      WEFT_ASSERT(few <= many && costs.least_ps() <= few);
    }
  } catch (const weft::InputError&) {
  }
  return 0;
}
