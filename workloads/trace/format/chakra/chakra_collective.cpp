// Which algorithms carry out Chakra's collective operations, with sizes as ASTRA-sim takes them: of an allreduce and a
// broadcast comm_size is all data, of an allgather the piece of each, of reduce-scatter and all-to-all what each has
// for all together.
#include "workloads/trace/format/chakra/chakra_collective.hpp"

#include <algorithm>
#include <array>

#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

struct KnownCollective {
  const char* operation;
  const char* algorithm;
  bool shared;  ///< its message_bytes are those of one of `ranks` pieces
  bool root;
};

/// Pipelines cut data into as many segments at most, of as many bytes at least.
constexpr u64 most_segments = 256, least_segment_bytes = 64 * 1024;

/// By number.
constexpr std::array<KnownCollective, ChakraCollective::types> chakra_collectives = {
    {{"allreduce", "ring", false, false},
     {"reduce", "pipeline", false, true},
     {"allgather", "ring", false, false},
     {"gather", "linear", false, true},
     {"scatter", "linear", false, true},
     {"broadcast", "pipeline", false, true},
     {"all-to-all", "linear", true, false},
     {"reduce-scatter", "ring", true, false},
     {"reduce-scatter-block", "ring", true, false},
     {"barrier", "dissemination", false, false}}};

}  // namespace

bool has_root(u64 type) { return chakra_collectives.at(type).root; }

std::unique_ptr<Program> chakra_program(const ChakraCollective& call, const std::string& library) {
  const KnownCollective& known = chakra_collectives.at(call.type);
  const bool barrier = std::string_view(known.operation) == "barrier";
  if (call.ranks < 2 || (call.bytes == 0 && !barrier)) return nullptr;
  CollectiveSpec spec;
  spec.operation = known.operation;
  spec.tasks = call.ranks;
  spec.message_bytes = known.shared ? (call.bytes + call.ranks - 1) / call.ranks : call.bytes;
  if (barrier) spec.message_bytes = 0;
  spec.library = library;
  if (library.empty()) {
    spec.algorithm = known.algorithm;
    if (spec.algorithm == "pipeline")
      spec.segment_bytes = std::max(least_segment_bytes, (call.bytes + most_segments - 1) / most_segments);
  }
  return make_collective(spec);
}

}  // namespace weft::workloads
