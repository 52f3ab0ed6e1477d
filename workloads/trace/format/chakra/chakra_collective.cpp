// Which algorithms carry out Chakra's collective operations, with sizes as ASTRA-sim takes them: of an allreduce and a
// broadcast comm_size is all data, of an allgather the piece of each, of reduce-scatter and all-to-all what each has
// for all together.
#include "workloads/trace/format/chakra/chakra_collective.hpp"

#include <algorithm>
#include <array>

#include "workloads/generator/collective/collective.hpp"
#include "workloads/trace/collectives.hpp"

namespace weft::workloads {
namespace {

struct ChakraOperation {
  Collective operation;
  const char* algorithm;
  bool shared = false;  ///< its message_bytes are those of one of `ranks` pieces
};

/// Pipelines cut data into as many segments at most, of as many bytes at least.
constexpr u64 most_segments = 256, least_segment_bytes = 64 * 1024;

/// By number.
constexpr std::array<ChakraOperation, ChakraCollective::types> chakra_collectives = {
    {{Collective::allreduce, "ring"},
     {Collective::reduce, "pipeline"},
     {Collective::allgather, "ring"},
     {Collective::gather, "linear"},
     {Collective::scatter, "linear"},
     {Collective::broadcast, "pipeline"},
     {Collective::all_to_all, "linear", true},
     {Collective::reduce_scatter, "ring", true},
     {Collective::reduce_scatter_block, "ring", true},
     {Collective::barrier, "dissemination"}}};

}  // namespace

bool has_root(const ChakraCollective& call) { return has_root(chakra_collectives.at(call.type).operation); }

std::unique_ptr<Program> chakra_program(const ChakraCollective& call, const std::string& library) {
  const ChakraOperation& made = chakra_collectives.at(call.type);
  const bool barrier = made.operation == Collective::barrier;
  if (call.ranks < 2 || (call.bytes == 0 && !barrier)) return nullptr;
  CollectiveSpec spec;
  spec.operation = name_of(made.operation);
  spec.tasks = call.ranks;
  spec.message_bytes = made.shared ? (call.bytes + call.ranks - 1) / call.ranks : call.bytes;
  if (barrier) spec.message_bytes = 0;
  spec.library = library;
  if (library.empty()) {
    spec.algorithm = made.algorithm;
    if (spec.algorithm == "pipeline")
      spec.segment_bytes = std::max(least_segment_bytes, (call.bytes + most_segments - 1) / most_segments);
  }
  return make_collective(spec);
}

}  // namespace weft::workloads
