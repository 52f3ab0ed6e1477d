// Rules "openmpi-4.1": what Open MPI 4.1.4 chooses (component "tuned", its fixed decisions).
#include <bit>

#include "workloads/generator/collective/piece_counts.hpp"
#include "workloads/generator/collective/rules.hpp"

namespace weft::workloads {
namespace {

// Bytes are message_bytes, of reduce_scatter those of all pieces. Found by asking the library for 2 to 9000 tasks and
// 1 to 2^26 bytes, thresholds by bisection. "pipeline" stands for its chain of one chain too, "linear" for its linear
// all-to-all with any number of requests.
constexpr CollectiveRow openmpi_broadcast[] = {{2, 0, "pipeline"},
                                               {2, 32, "binary"},
                                               {2, 256, "pipeline"},
                                               {2, 512, "k-nomial"},
                                               {2, 1024, "linear"},
                                               {2, 32768, "binary"},
                                               {2, 131072, "pipeline"},
                                               {2, 262144, "linear"},
                                               {2, 524288, "binomial"},
                                               {2, 1048576, "binary"},
                                               {4, 0, "binary"},
                                               {4, 64, "binomial"},
                                               {4, 128, "binary"},
                                               {4, 2048, "binomial"},
                                               {4, 8192, "linear"},
                                               {4, 1048576, "pipeline"},
                                               {8, 0, "k-nomial"},
                                               {8, 8, "binary"},
                                               {8, 64, "k-nomial"},
                                               {8, 4096, "binary"},
                                               {8, 16384, "binomial"},
                                               {8, 32768, "linear"},
                                               {16, 0, "k-nomial"},
                                               {16, 4096, "binomial"},
                                               {16, 1048576, "scatter-doubling"},
                                               {32, 0, "binomial"},
                                               {32, 2048, "k-nomial"},
                                               {64, 0, "k-nomial"},
                                               {128, 0, "binomial"},
                                               {128, 2, "binary"},
                                               {128, 16384, "linear"},
                                               {128, 32768, "binary"},
                                               {128, 65536, "k-nomial"},
                                               {256, 0, "k-nomial"},
                                               {256, 16384, "split-binary"},
                                               {256, 32768, "k-nomial"},
                                               {1024, 0, "k-nomial"},
                                               {1024, 524288, "scatter-doubling"},
                                               {2048, 0, "k-nomial"},
                                               {2048, 262144, "scatter-doubling"},
                                               {4096, 0, "k-nomial"},
                                               {4096, 8192, "binary"},
                                               {4096, 16384, "k-nomial"},
                                               {4096, 262144, "scatter-doubling"}};
constexpr CollectiveRow openmpi_reduce[] = {{2, 0, "rabenseifner"},
                                            {2, 8, "binary"},
                                            {2, 16, "pipeline"},
                                            {2, 32, "linear"},
                                            {2, 262144, "pipeline"},
                                            {4, 0, "binary"},
                                            {4, 4096, "pipeline"},
                                            {4, 65536, "binomial"},
                                            {4, 262144, "linear"},
                                            {4, 524288, "binomial"},
                                            {4, 1048576, "linear"},
                                            {8, 0, "binary"},
                                            {8, 8192, "binomial"},
                                            {16, 0, "binary"},
                                            {16, 4096, "binomial"},
                                            {32, 0, "binomial"},
                                            {256, 0, "binomial"},
                                            {256, 8192, "in-order-binary"},
                                            {256, 16384, "binomial"},
                                            {512, 0, "binomial"},
                                            {2048, 0, "binomial"},
                                            {2048, 512, "in-order-binary"},
                                            {2048, 1024, "binomial"},
                                            {2048, 8192, "in-order-binary"},
                                            {2048, 16384, "binomial"},
                                            {4096, 0, "binomial"},
                                            {4096, 16, "in-order-binary"},
                                            {4096, 32, "binomial"},
                                            {4096, 1024, "in-order-binary"},
                                            {4096, 2048, "binomial"},
                                            {4096, 8192, "in-order-binary"},
                                            {4096, 16384, "binomial"}};
constexpr CollectiveRow openmpi_reduce_in_order[] = {{2, 0, "in-order-binary"},  {2, 8, "linear"},
                                                     {4, 0, "linear"},           {8, 0, "in-order-binary"},
                                                     {8, 1024, "linear"},        {8, 8192, "in-order-binary"},
                                                     {8, 16384, "linear"},       {8, 262144, "in-order-binary"},
                                                     {16, 0, "in-order-binary"}, {128, 0, "in-order-binary"},
                                                     {128, 512, "linear"},       {128, 1024, "in-order-binary"},
                                                     {256, 0, "in-order-binary"}};
constexpr CollectiveRow openmpi_allreduce[] = {{2, 0, "ring"},
                                               {2, 8, "recursive-doubling"},
                                               {2, 4096, "ring"},
                                               {2, 8192, "recursive-doubling"},
                                               {2, 16384, "ring"},
                                               {2, 65536, "segmented-ring"},
                                               {2, 262144, "rabenseifner"},
                                               {4, 0, "ring"},
                                               {4, 16, "recursive-doubling"},
                                               {4, 8192, "rabenseifner"},
                                               {8, 0, "recursive-doubling"},
                                               {8, 8192, "rabenseifner"},
                                               {16, 0, "segmented-ring"},
                                               {16, 64, "recursive-doubling"},
                                               {16, 4096, "rabenseifner"},
                                               {32, 0, "segmented-ring"},
                                               {32, 128, "rabenseifner"},
                                               {64, 0, "recursive-doubling"},
                                               {64, 262144, "rabenseifner"},
                                               {128, 0, "reduce-broadcast"},
                                               {128, 131072, "recursive-doubling"},
                                               {128, 262144, "rabenseifner"},
                                               {256, 0, "reduce-broadcast"},
                                               {256, 4096, "rabenseifner"},
                                               {512, 0, "reduce-broadcast"},
                                               {512, 2048, "recursive-doubling"},
                                               {512, 16384, "rabenseifner"},
                                               {2048, 0, "reduce-broadcast"},
                                               {2048, 2048, "segmented-ring"},
                                               {2048, 4096, "recursive-doubling"},
                                               {2048, 16384, "rabenseifner"},
                                               {4096, 0, "reduce-broadcast"},
                                               {4096, 2048, "segmented-ring"},
                                               {4096, 16384, "recursive-doubling"},
                                               {4096, 32768, "rabenseifner"}};
constexpr CollectiveRow openmpi_allreduce_in_order[] = {
    {2, 0, "recursive-doubling"},      {2, 131072, "linear"},
    {4, 0, "recursive-doubling"},      {8, 0, "recursive-doubling"},
    {8, 1048576, "reduce-broadcast"},  {16, 0, "recursive-doubling"},
    {128, 0, "reduce-broadcast"},      {128, 131072, "recursive-doubling"},
    {128, 524288, "reduce-broadcast"}, {256, 0, "reduce-broadcast"},
    {256, 4096, "recursive-doubling"}, {256, 524288, "reduce-broadcast"},
    {512, 0, "reduce-broadcast"},      {512, 2048, "recursive-doubling"}};
constexpr CollectiveRow openmpi_gather[] = {
    {2, 0, "linear-sync"},  {2, 2, "linear"},           {2, 4, "binomial"},         {2, 32768, "linear"},
    {2, 65536, "binomial"}, {2, 131072, "linear-sync"}, {4, 0, "binomial"},         {4, 1024, "linear"},
    {4, 8192, "binomial"},  {4, 32768, "linear"},       {4, 262144, "linear-sync"}, {8, 0, "binomial"},
    {256, 0, "binomial"},   {256, 2048, "linear"},      {256, 8192, "binomial"},    {512, 0, "binomial"}};
constexpr CollectiveRow openmpi_scatter[] = {
    {2, 0, "linear"},      {4, 0, "binomial"},   {4, 2048, "linear"}, {4, 4096, "binomial"}, {4, 8192, "linear"},
    {8, 0, "binomial"},    {8, 16384, "linear"}, {32, 0, "binomial"}, {32, 512, "linear"},   {32, 8192, "binomial"},
    {32, 16384, "linear"}, {64, 0, "binomial"},  {64, 512, "linear"}};
constexpr CollectiveRow openmpi_allgather[] = {{2, 0, "recursive-doubling"},
                                               {32, 0, "recursive-doubling"},
                                               {32, 1024, "neighbor-exchange"},
                                               {32, 65536, "ring"},
                                               {64, 0, "recursive-doubling"},
                                               {64, 512, "neighbor-exchange"},
                                               {64, 65536, "ring"},
                                               {128, 0, "recursive-doubling"},
                                               {128, 512, "neighbor-exchange"},
                                               {128, 131072, "ring"},
                                               {128, 524288, "neighbor-exchange"},
                                               {128, 1048576, "ring"},
                                               {256, 0, "recursive-doubling"},
                                               {256, 32, "bruck"},
                                               {256, 128, "recursive-doubling"},
                                               {256, 1024, "neighbor-exchange"},
                                               {256, 131072, "ring"},
                                               {256, 524288, "neighbor-exchange"},
                                               {256, 1048576, "ring"},
                                               {512, 0, "recursive-doubling"},
                                               {512, 64, "bruck"},
                                               {512, 256, "recursive-doubling"},
                                               {512, 2048, "neighbor-exchange"},
                                               {1024, 0, "recursive-doubling"},
                                               {1024, 4, "bruck"},
                                               {1024, 8, "recursive-doubling"},
                                               {1024, 16, "bruck"},
                                               {1024, 32, "recursive-doubling"},
                                               {1024, 256, "bruck"},
                                               {1024, 512, "recursive-doubling"},
                                               {1024, 4096, "neighbor-exchange"},
                                               {2048, 0, "bruck"},
                                               {2048, 32, "recursive-doubling"},
                                               {2048, 128, "bruck"},
                                               {2048, 512, "recursive-doubling"},
                                               {2048, 4096, "neighbor-exchange"},
                                               {4096, 0, "recursive-doubling"},
                                               {4096, 2, "bruck"},
                                               {4096, 8, "recursive-doubling"},
                                               {4096, 16, "bruck"},
                                               {4096, 512, "recursive-doubling"},
                                               {4096, 4096, "neighbor-exchange"}};
constexpr CollectiveRow openmpi_all_to_all[] = {{2, 0, "pairwise-ring"},
                                                {2, 2, "linear"},
                                                {2, 4, "pairwise-ring"},
                                                {2, 16, "linear"},
                                                {2, 64, "pairwise-ring"},
                                                {2, 256, "linear"},
                                                {2, 4096, "pairwise-ring"},
                                                {2, 32768, "linear"},
                                                {2, 1048576, "pairwise-ring"},
                                                {3, 0, "linear"},
                                                {3, 524288, "pairwise-ring"},
                                                {3, 1048576, "linear"},
                                                {8, 0, "linear"},
                                                {16, 0, "linear"},
                                                {16, 4, "bruck"},
                                                {16, 512, "linear"},
                                                {32, 0, "bruck"},
                                                {32, 512, "linear"},
                                                {64, 0, "bruck"},
                                                {64, 1024, "linear"},
                                                {64, 262144, "pairwise-ring"},
                                                {256, 0, "bruck"},
                                                {256, 1024, "linear"},
                                                {256, 32768, "pairwise-ring"},
                                                {512, 0, "bruck"},
                                                {512, 512, "linear"},
                                                {512, 262144, "pairwise-ring"},
                                                {1024, 0, "bruck"},
                                                {1024, 512, "linear"},
                                                {2048, 0, "bruck"},
                                                {2048, 1024, "linear"},
                                                {4096, 0, "bruck"},
                                                {4096, 2048, "linear"}};
constexpr CollectiveRow openmpi_reduce_scatter[] = {{2, 0, "ring"},
                                                    {2, 65536, "butterfly"},
                                                    {2, 131072, "ring"},
                                                    {4, 0, "reduce-then-scatter"},
                                                    {4, 8, "recursive-halving"},
                                                    {4, 262144, "ring"},
                                                    {8, 0, "recursive-halving"},
                                                    {8, 262144, "ring"},
                                                    {32, 0, "reduce-then-scatter"},
                                                    {32, 64, "recursive-halving"},
                                                    {32, 2048, "butterfly"},
                                                    {32, 524288, "ring"},
                                                    {64, 0, "reduce-then-scatter"},
                                                    {64, 256, "recursive-halving"},
                                                    {64, 512, "butterfly"},
                                                    {64, 2048, "recursive-halving"},
                                                    {64, 4096, "butterfly"},
                                                    {128, 0, "reduce-then-scatter"},
                                                    {128, 256, "recursive-halving"},
                                                    {128, 512, "butterfly"},
                                                    {256, 0, "recursive-halving"},
                                                    {256, 1024, "butterfly"},
                                                    {512, 0, "recursive-halving"},
                                                    {512, 2048, "butterfly"},
                                                    {512, 8192, "recursive-halving"},
                                                    {512, 16384, "butterfly"},
                                                    {1024, 0, "recursive-halving"},
                                                    {1024, 4096, "butterfly"},
                                                    {1024, 16384, "recursive-halving"},
                                                    {1024, 32768, "butterfly"},
                                                    {2048, 0, "recursive-halving"},
                                                    {2048, 4096, "butterfly"}};
constexpr CollectiveRow openmpi_reduce_scatter_block[] = {{2, 0, "recursive-doubling"},
                                                          {2, 4, "butterfly"},
                                                          {2, 8, "recursive-halving"},
                                                          {2, 16, "butterfly"},
                                                          {2, 128, "recursive-halving"},
                                                          {2, 256, "butterfly"},
                                                          {2, 4096, "recursive-halving"},
                                                          {2, 8192, "butterfly"},
                                                          {2, 131072, "reduce-then-scatter"},
                                                          {4, 0, "recursive-halving"},
                                                          {4, 8, "recursive-doubling"},
                                                          {4, 32, "butterfly"},
                                                          {4, 256, "recursive-halving"},
                                                          {4, 8192, "butterfly"},
                                                          {4, 16384, "recursive-halving"},
                                                          {4, 1048576, "reduce-then-scatter"},
                                                          {8, 0, "reduce-then-scatter"},
                                                          {8, 4, "recursive-halving"},
                                                          {8, 32, "butterfly"},
                                                          {8, 128, "recursive-halving"},
                                                          {8, 524288, "reduce-then-scatter"},
                                                          {8, 4194304, "butterfly"},
                                                          {16, 0, "reduce-then-scatter"},
                                                          {16, 32, "recursive-halving"},
                                                          {16, 524288, "reduce-then-scatter"},
                                                          {16, 2097152, "recursive-halving"},
                                                          {16, 4194304, "butterfly"},
                                                          {32, 0, "recursive-halving"},
                                                          {32, 4, "reduce-then-scatter"},
                                                          {32, 16, "butterfly"},
                                                          {32, 65536, "reduce-then-scatter"},
                                                          {32, 262144, "butterfly"}};
// Bytes of a task in the mean for allgatherv, none for all-to-allv.
constexpr CollectiveRow openmpi_allgatherv[] = {{2, 0, "ring"},
                                                {3, 0, "gather-broadcast"},
                                                {3, 256, "neighbor-exchange"},
                                                {3, 4096, "ring"},
                                                {3, 8192, "neighbor-exchange"},
                                                {3, 16384, "bruck"},
                                                {3, 262144, "neighbor-exchange"},
                                                {8, 0, "gather-broadcast"},
                                                {8, 1024, "bruck"},
                                                {16, 0, "gather-broadcast"},
                                                {16, 128, "bruck"},
                                                {16, 262144, "ring"},
                                                {32, 0, "gather-broadcast"},
                                                {32, 256, "bruck"},
                                                {32, 8192, "ring"},
                                                {64, 0, "gather-broadcast"},
                                                {64, 256, "bruck"},
                                                {64, 4096, "ring"},
                                                {128, 0, "bruck"},
                                                {128, 1024, "neighbor-exchange"},
                                                {128, 65536, "ring"},
                                                {256, 0, "bruck"},
                                                {256, 1024, "ring"},
                                                {512, 0, "bruck"},
                                                {512, 512, "gather-broadcast"},
                                                {512, 1024, "bruck"},
                                                {512, 4096, "neighbor-exchange"},
                                                {512, 1048576, "ring"},
                                                {1024, 0, "bruck"},
                                                {1024, 4096, "neighbor-exchange"}};
constexpr CollectiveRow openmpi_all_to_allv[] = {{2, 0, "pairwise-ring"},   {4, 0, "linear"},
                                                 {64, 0, "pairwise-ring"},  {128, 0, "linear"},
                                                 {256, 0, "pairwise-ring"}, {1024, 0, "linear"}};
constexpr CollectiveRow openmpi_barrier[] = {{2, 0, "recursive-doubling"},
                                             {4, 0, "linear"},
                                             {8, 0, "recursive-doubling"},
                                             {64, 0, "dissemination"},
                                             {256, 0, "tree"},
                                             {512, 0, "dissemination"},
                                             {1024, 0, "tree"},
                                             {4096, 0, "dissemination"}};

/// What algorithms do instead where they have too little data, or a number of tasks that they do not take.
std::string openmpi_instead(const CollectiveSpec& spec, const std::string& algorithm) {
  if (spec.operation == "allreduce" && (algorithm == "ring" || algorithm == "segmented-ring"))
    return spec.message_bytes < spec.tasks ? "recursive-doubling" : "ring";  // its segments are the whole data
  if (algorithm == "rabenseifner" && spec.message_bytes < std::bit_floor(spec.tasks)) return "linear";
  if (spec.operation == "allgather" && algorithm == "recursive-doubling" && !std::has_single_bit(spec.tasks))
    return "bruck";
  if (spec.operation == "reduce-scatter-block" && algorithm == "butterfly" && std::has_single_bit(spec.tasks))
    return "mirrored-halving";
  return algorithm;
}

std::optional<CollectiveChoice> openmpi_choice(const CollectiveSpec& spec) {
  const auto& operation = spec.operation;
  const auto take = [&](std::span<const CollectiveRow> rows, u64 bytes) {
    return CollectiveChoice{openmpi_instead(spec, algorithm_of(rows, std::max(2U, spec.tasks), bytes)), true};
  };
  const u64 bytes = spec.message_bytes;
  if (operation == "broadcast") return take(openmpi_broadcast, bytes);
  if (operation == "reduce")
    return spec.commutative ? take(openmpi_reduce, bytes) : take(openmpi_reduce_in_order, bytes);
  if (operation == "allreduce") {
    return spec.commutative ? take(openmpi_allreduce, bytes) : take(openmpi_allreduce_in_order, bytes);
  }
  if (operation == "gather") return take(openmpi_gather, bytes);
  if (operation == "scatter") return take(openmpi_scatter, bytes);
  if (operation == "allgather") return take(openmpi_allgather, bytes);
  if (operation == "all-to-all") return take(openmpi_all_to_all, bytes);
  if (operation == "allgatherv") return take(openmpi_allgatherv, bytes_of_all(spec) / spec.tasks);
  if (operation == "all-to-allv") return take(openmpi_all_to_allv, 0);
  if (operation == "gatherv" || operation == "scatterv") return CollectiveChoice{"linear"};  // basic: tuned has none
  if (operation == "all-to-allw") return CollectiveChoice{"rank-order"};  // component basic: tuned has none
  if (operation == "barrier") return take(openmpi_barrier, 0);
  if (operation == "scan" || operation == "exscan") return CollectiveChoice{"linear"};
  if (operation == "reduce-scatter" || operation == "reduce-scatter-block") {
    if (!spec.commutative) return CollectiveChoice{"reduce-then-scatter"};
    if (operation == "reduce-scatter") return take(openmpi_reduce_scatter, bytes * spec.tasks);
    return take(openmpi_reduce_scatter_block, bytes);
  }
  return {};
}

const bool openmpi_registered = CollectiveRulesRegistry::instance().add(
    "openmpi-4.1", {.help = "Open MPI 4.1.4, component tuned", .choose = openmpi_choice});

}  // namespace
}  // namespace weft::workloads
