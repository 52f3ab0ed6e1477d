// How many messages of how many bytes collective operations send in all: closed forms in the number of tasks.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <utility>

#include "tests/workloads/generator/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

void expect_amounts(const CollectiveSpec& collective, u64 messages, u64 bytes) {
  const Outcome outcome = amounts(collective);
  EXPECT_EQ(outcome.messages, messages) << collective.operation << " " << collective.algorithm << " of "
                                        << collective.tasks;
  EXPECT_EQ(outcome.bytes, bytes) << collective.operation << " " << collective.algorithm << " of " << collective.tasks;
}

/// With messages of part_bytes, in units of which all bytes are given.
void expect_parts(const std::string& operation, const std::string& algorithm, u64 tasks, u64 messages, u64 parts) {
  expect_amounts(spec(operation, algorithm, static_cast<u32>(tasks)), messages, parts * part_bytes);
}

/// What the formulas are made of.
struct Counts {
  u64 p, levels;           ///< least k with 2^k >= p
  u64 core, steps, extra;  ///< the largest power of two 2^steps of the tasks; the tasks beyond it
  u64 ways = 0;            ///< bits set in the numbers below p
  u64 subtrees = 0;        ///< sizes of all in-order subtrees but the whole
};

std::vector<Counts> task_counts() {
  std::vector<Counts> all;
  for (const u64 p : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 64, 100}) {
    const u64 core = std::bit_floor(p);
    Counts c{p, static_cast<u64>(std::bit_width(p - 1)), core, static_cast<u64>(std::countr_zero(core)), p - core};
    for (u64 n = 1; n < p; ++n) {
      c.ways += static_cast<u64>(std::popcount(n));
      c.subtrees += std::min(n & (~n + 1), p - n);
    }
    all.push_back(c);
  }
  return all;
}

TEST(CollectiveAmounts, AreWhatTheClosedFormsSay) {
  for (const Counts& c : task_counts()) {
    const u64 p = c.p, pairs = p * (p - 1);
    for (const char* tree : {"binomial", "binomial-halving", "linear", "k-nomial", "pipeline"})
      expect_parts("broadcast", tree, p, p - 1, p - 1);
    for (const char* tree : {"binomial", "linear"}) expect_parts("reduce", tree, p, p - 1, p - 1);
    expect_parts("allgather", "gather-broadcast", p, 2 * (p - 1), c.subtrees + pairs);
    expect_parts("allgather", "linear-gather-broadcast", p, 2 * (p - 1), (p + 1) * (p - 1));
    expect_parts("allgather", "ring", p, pairs, pairs);
    expect_parts("allgather", "bruck", p, p * c.levels, pairs);
    if (c.extra == 0) expect_parts("allgather", "recursive-doubling", p, p * c.levels, pairs);
    for (const char* order : {"linear", "rank-order", "pairwise", "bridge"})
      expect_parts("all-to-all", order, p, pairs, pairs);
    if (c.extra == 0) expect_parts("all-to-all", "exclusive-or", p, pairs, pairs);
    expect_parts("all-to-all", "bruck", p, p * c.levels, p * c.ways);
    for (const char* operation : {"gather", "scatter"}) {
      expect_parts(operation, "binomial", p, p - 1, c.subtrees);
      expect_parts(operation, "linear", p, p - 1, p - 1);
    }
    for (const char* operation : {"scan", "exscan"}) {
      expect_parts(operation, "recursive-doubling", p, 2 * c.ways, 2 * c.ways);
      expect_parts(operation, "linear", p, p - 1, p - 1);
    }
    expect_parts("barrier", "dissemination", p, p * c.levels, 0);
    expect_parts("barrier", "recursive-doubling", p, 2 * c.extra + c.core * c.steps, 0);
    for (const char* tree : {"tree", "linear"}) expect_parts("barrier", tree, p, 2 * (p - 1), 0);
  }
}

TEST(CollectiveAmounts, OfReductionsAreWhatTheClosedFormsSay) {
  for (const Counts& c : task_counts()) {
    const u64 p = c.p, folded = 2 * c.extra + c.core * c.steps;
    expect_parts("allreduce", "recursive-doubling", p, folded, folded);
    expect_parts("allreduce", "reduce-broadcast", p, 2 * (p - 1), 2 * (p - 1));
    // Pairs meet with all pieces; every halving moves those of half the numbers from each to the other.
    expect_parts("reduce-scatter", "recursive-halving", p, folded, c.extra * (p + 1) + (c.core - 1) * p);
    for (const char* order : {"pairwise", "ring"}) expect_parts("reduce-scatter", order, p, p * (p - 1), p * (p - 1));
    // In each step all numbers together get what is left of one, as long as no piece is empty: m >= P.
    for (const u64 m : {p, 8 * p, 8 * p + 5}) {
      const u32 tasks = static_cast<u32>(p);
      expect_amounts(spec("allreduce", "reduce-scatter-allgather", tasks, m), 2 * c.extra + 2 * c.core * c.steps,
                     2 * c.extra * m + 2 * (c.core - 1) * m);
      if (m > 1) {  // pairs exchange halves, and one of them goes back
        expect_amounts(spec("allreduce", "rabenseifner", tasks, m), 4 * c.extra + 2 * c.core * c.steps,
                       c.extra * (2 * m + (m - m / 2)) + 2 * (c.core - 1) * m);
      }
      expect_amounts(spec("allreduce", "ring", tasks, m), 2 * p * (p - 1), 2 * (p - 1) * m);
    }
    // Phases of two bytes of each block: six, and one more for what is left, if that is more than a byte of each.
    for (const auto& [m, phases] : {std::pair{12 * p, 6}, {13 * p, 6}, {13 * p + 1, 7}}) {
      CollectiveSpec ring = spec("allreduce", "segmented-ring", static_cast<u32>(p), m);
      ring.segment_bytes = 2;
      expect_amounts(ring, static_cast<u64>(phases + 1) * p * (p - 1), 2 * (p - 1) * m);
    }
    // The gather halves what goes up with each level: half of the data on each, if blocks are equal.
    const u64 m = 4 * c.core;
    const u32 tasks = static_cast<u32>(p);
    expect_amounts(spec("reduce", "reduce-scatter-gather", tasks, m), c.extra + c.core * c.steps + c.core - 1,
                   c.extra * m + (c.core - 1) * m + m / 2 * c.steps);
    expect_amounts(spec("reduce", "rabenseifner", tasks, m), 3 * c.extra + c.core * c.steps + c.core - 1,
                   c.extra * (m + m / 2) + (c.core - 1) * m + m / 2 * c.steps);
  }
}

TEST(CollectiveAmounts, OfPiecesLeaveOutThoseOfNoBytes) {
  // Two blocks of a byte in the ring of eight, which each go round twice; a half of one byte with Rabenseifner.
  expect_amounts(spec("allreduce", "ring", 8, 2), 2 * 2 * 7, 2 * 2 * 7);
  for (const u32 tasks : {3U, 8U, 100U}) {
    const Outcome outcome = run(spec("allreduce", "reduce-scatter-allgather", tasks, 1));
    EXPECT_EQ(outcome.messages, outcome.bytes);  // one byte each
    EXPECT_EQ(outcome.bytes, 2 * (u64{tasks} - std::bit_floor(tasks)) + 2 * (std::bit_floor(tasks) - 1));
  }
}

TEST(CollectiveAmounts, OfAPipelineAreThoseOfItsSegments) {
  CollectiveSpec chain = spec("broadcast", "pipeline", 6, 1000);
  chain.segment_bytes = 300;
  expect_amounts(chain, 4 * 5, 1000 * 5);
  EXPECT_EQ(amounts(chain).longest, 300U);
}

TEST(CollectiveAmounts, OfAScatteredBroadcastLeaveOutPiecesOfNoBytes) {
  const auto scattered = [](u64 p, u64 bytes) {
    return amounts(spec("broadcast", "scatter-allgather", static_cast<u32>(p), bytes));
  };
  for (const u64 p : {4U, 8U, 16U}) {
    const Outcome whole = scattered(p, p * part_bytes);
    EXPECT_EQ(whole.messages, p - 1 + p * (p - 1));
    // Each level of the scatter moves half of the data; each piece then goes over p - 1 links of the ring.
    EXPECT_EQ(whole.bytes, p * part_bytes / 2 * static_cast<u64>(std::countr_zero(p)) + (p - 1) * p * part_bytes);
  }
  // Five pieces of a byte, three of none: in the scatter, tasks 1 to 4 get something.
  EXPECT_EQ(scattered(8, 5).messages, 4U + 5 * 7);
}

TEST(CollectiveAmounts, OfTreesInSegmentsAndOfNeighboursAreWhatTheClosedFormsSay) {
  for (const Counts& c : task_counts()) {
    const u64 p = c.p, pairs = p * (p - 1), edges = p - 1;
    expect_parts("broadcast", "binary", p, edges, edges);
    for (const char* tree : {"binary", "pipeline"}) expect_parts("reduce", tree, p, edges, edges);
    expect_parts("reduce", "in-order-binary", p, p > 1 ? p : 0, p > 1 ? p : 0);  // and once more to task 0
    expect_amounts(spec("broadcast", "split-binary", static_cast<u32>(p), 100), 2 * edges, edges * 100);
    CollectiveSpec cut = spec("reduce", "binary", static_cast<u32>(p), 1000);
    cut.segment_bytes = 300;
    expect_amounts(cut, 4 * edges, 1000 * edges);
    expect_parts("allgather", "neighbor-exchange", p, p % 2 == 0 ? p * p / 2 : pairs, pairs);
    expect_parts("all-to-all", "pairwise-ring", p, pairs, pairs);
    CollectiveSpec wide = spec("all-to-all", "bruck", static_cast<u32>(p));
    wide.radix = static_cast<u32>(std::max<u64>(2, p));  // each path is one digit
    expect_amounts(wide, pairs, pairs * part_bytes);
    expect_parts("gather", "linear-sync", p, 3 * edges, edges);
    expect_parts("barrier", "double-ring", p, p > 1 ? 2 * p : 0, 0);
    expect_parts("allreduce", "linear", p, 2 * edges, 2 * edges);
  }
}

TEST(CollectiveAmounts, OfReduceScattersAreWhatTheClosedFormsSay) {
  for (const Counts& c : task_counts()) {
    const u64 p = c.p;
    for (const char* operation : {"reduce-scatter", "reduce-scatter-block"}) {
      expect_parts(operation, "reduce-then-scatter", p, 2 * (p - 1), (p - 1) * (p + 1));
      if (c.extra > 0) continue;
      expect_parts(operation, "mirrored-halving", p, p * c.levels, p * (p - 1));
      expect_parts(operation, "recursive-doubling", p, p * c.levels, p * (p * c.levels - (p - 1)));
      // Numbers that are the same backwards, 2^ceil(levels / 2), have their piece in the end.
      const u64 moved = p - (u64{1} << ((c.levels + 1) / 2));
      expect_parts(operation, "butterfly", p, p * c.levels + moved, p * (p - 1) + moved);
    }
    if (c.extra > 0) continue;
    const u64 m = p * part_bytes;
    expect_amounts(spec("broadcast", "scatter-doubling", static_cast<u32>(p), m), p - 1 + p * c.levels,
                   m / 2 * c.levels + (p - 1) * m);
  }
}

TEST(CollectiveAmounts, OfNodesAreThoseInsideAndAmongThem) {
  for (const auto& [p, n] : {std::pair{12U, 4U}, {16U, 4U}, {64U, 8U}, {100U, 10U}, {6U, 3U}, {6U, 1U}}) {
    const u64 nodes = p / n, inside = p - nodes, core = std::bit_floor(nodes);
    const auto of = [p, n](const char* operation) {
      CollectiveSpec one = spec(operation, "hierarchical", p, 100);
      one.node_tasks = n;
      return one;
    };
    for (const char* operation : {"broadcast", "reduce"}) expect_amounts(of(operation), p - 1, 100 * (p - 1));
    const u64 among = 2 * (nodes - core) + core * static_cast<u64>(std::countr_zero(core));
    expect_amounts(of("allreduce"), 2 * inside + among, 100 * (2 * inside + among));
    // Up and down a tree of each node, a message for each edge.
    EXPECT_EQ(amounts(of("barrier")).messages, 2 * inside + nodes * static_cast<u64>(std::bit_width(nodes - 1)));
    EXPECT_EQ(amounts(of("allgather")).messages, 2 * inside + nodes * (nodes - 1));
  }
  CollectiveSpec uneven = spec("allgather", "hierarchical", 12, 100);
  uneven.node_tasks = 5;
  EXPECT_NE(error_of(uneven).find("use node_tasks = 4 or 6"), std::string::npos) << error_of(uneven);
}

}  // namespace
}  // namespace weft::workloads::collective_test
