// Operations whose pieces differ in length, with counts of all kinds: data, messages and bytes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/random.hpp"
#include "tests/workloads/generator/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

using PieceBy = CollectiveOperation::Counts;
using SharedCounts = std::shared_ptr<const PieceCounts>;

/// From 0 to 9, many of them 0.
SharedCounts scattered(u32 tasks, bool pairs) {
  std::vector<u64> bytes;
  for (u64 k = 0; k < (pairs ? u64{tasks} * tasks : tasks); ++k) {
    const u64 bits = engine::random_bits(3, tasks, k, engine::Use::test);
    bytes.push_back(bits % 3 == 0 ? 0 : bits / 3 % 10);
  }
  return std::make_shared<const PieceCounts>(std::move(bytes), tasks);
}

SharedCounts only_of(u32 task, u32 tasks) {
  std::vector<u64> bytes(tasks, 0);
  bytes[task] = 100;
  return std::make_shared<const PieceCounts>(std::move(bytes), tasks);
}

std::vector<SharedCounts> some_counts(u32 tasks, bool pairs) {
  return {scattered(tasks, pairs),
          scattered(tasks, false),
          only_of(0, tasks),
          only_of(tasks - 1, tasks),
          std::make_shared<const PieceCounts>(std::vector<u64>(tasks, 0), tasks),
          drawn_counts(CountsLaw::uniform, 0, 2, tasks, pairs, 5),
          drawn_counts(CountsLaw::zipf, 1.2, 3, tasks, pairs, 5)};
}

/// Messages and bytes of a piece: how often it has to go on until all who need it have it, a hop to each.
std::pair<u64, u64> hops_of_pieces(const CollectiveSpec& collective) {
  const auto& operation = *OperationRegistry::instance().find(collective.operation);
  std::pair<u64, u64> all{0, 0};
  for (u32 origin = 0; origin < collective.tasks; ++origin) {
    for (u32 target = 0; target < targets(operation, collective); ++target) {
      const u64 bytes = counted_bytes(operation, *collective.counts, {origin, target});
      if (bytes == 0) continue;
      for (u32 task = 0; task < collective.tasks; ++task) {
        const DataPiece piece{origin, target};
        bool is_somewhere = false;
        for (u32 owner = 0; owner < collective.tasks; ++owner)
          is_somewhere = is_somewhere || operation.before(piece, owner, collective.tasks);
        if (!is_somewhere || operation.before(piece, task, collective.tasks)) continue;
        // What is wanted of pieces that nobody has at first is not asked for.
        if (operation.to_each ? target != task : !operation.after(piece, task, collective.tasks)) continue;
        ++all.first;
        all.second += bytes;
      }
    }
  }
  return all;
}

void expect_counted(const CollectiveSpec& collective) {
  SCOPED_TRACE(fmt::format("{} {} of {}", collective.operation, collective.algorithm, collective.tasks));
  const CollectiveOperation& operation = *OperationRegistry::instance().find(collective.operation);
  const std::vector<Pieces> after = pieces_after(operation, collective);
  const Outcome outcome = run(collective);
  for (u32 task = 0; task < collective.tasks; ++task) {
    for (std::size_t target = 0; target < after[task].size(); ++target)
      ASSERT_TRUE(outcome.data[task].can_give(target, after[task][target])) << "task " << task << ", piece " << target;
  }
  EXPECT_EQ(outcome.unfinished + outcome.unmatched, 0U);
  EXPECT_LE(outcome.longest, longest_message_bytes(collective));
  const auto [messages, bytes] = hops_of_pieces(collective);
  // Algorithms that go by one task bring pieces to tasks that have them.
  if (!collective_kind(collective).parts.empty()) {
    EXPECT_GE(outcome.bytes, bytes);
    return;
  }
  EXPECT_EQ(outcome.bytes, bytes);
  // One message a piece and hop, but for algorithms that send several pieces at once.
  if (collective_kind(collective).longest)
    EXPECT_LE(outcome.messages, messages);
  else
    EXPECT_EQ(outcome.messages, messages);
}

TEST(CountedCollectives, BringPiecesOfAnyLengthToThoseWhoNeedThemAndSendNoEmptyOnes) {
  u32 algorithms = 0;
  for (const std::string& name : CollectiveRegistry::instance().names()) {
    const CollectiveKind& kind = *CollectiveRegistry::instance().find(name);
    const PieceBy by = OperationRegistry::instance().find(kind.operation)->counts;
    if (by == PieceBy::none) continue;
    ++algorithms;
    for (const u32 tasks : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 12U, 15U, 16U, 17U, 33U, 64U}) {
      if (!takes({kind.operation, kind.algorithm}, tasks)) continue;
      for (const SharedCounts& counts : some_counts(tasks, by == PieceBy::by_pair)) {
        CollectiveSpec collective = spec(kind.operation, kind.algorithm, tasks, 1);
        collective.counts = counts;
        expect_counted(collective);
      }
    }
  }
  EXPECT_GE(algorithms, 8U);
}

TEST(CountedCollectives, SendWhatTheClosedFormsSay) {
  // Lengths 1, 2 ... p: their sum is p (p + 1) / 2; the root's own is 1.
  for (const u64 p : {2, 3, 5, 8, 20}) {
    std::vector<u64> bytes(p);
    std::iota(bytes.begin(), bytes.end(), 1);
    const auto counts = std::make_shared<const PieceCounts>(bytes, static_cast<u32>(p));
    const auto sent = [&](const char* operation, const char* algorithm) {
      CollectiveSpec collective = spec(operation, algorithm, static_cast<u32>(p));
      collective.counts = counts;
      return amounts(collective);
    };
    const u64 sum = p * (p + 1) / 2;
    for (const char* operation : {"gatherv", "scatterv"}) {
      EXPECT_EQ(sent(operation, "linear").bytes, sum - 1);
      EXPECT_EQ(sent(operation, "linear").messages, p - 1);
    }
    EXPECT_EQ(sent("allgatherv", "ring").bytes, (p - 1) * sum);
    EXPECT_EQ(sent("allgatherv", "ring").messages, p * (p - 1));
    for (const char* algorithm : {"rank-order", "scattered", "pairwise-in-place"}) {
      EXPECT_EQ(sent("all-to-allw", algorithm).bytes, (p - 1) * sum);
      EXPECT_EQ(sent("all-to-allw", algorithm).messages, p * (p - 1));
    }
    for (const char* algorithm : {"linear", "pairwise"}) {
      EXPECT_EQ(sent("all-to-allv", algorithm).bytes, (p - 1) * sum);
      EXPECT_EQ(sent("all-to-allv", algorithm).messages, p * (p - 1));
    }
  }
}

/// Partners of task 1 of 70, as sends and receives come; without itself and what is empty: what it has for task 3.
TEST(CountedCollectives, GoToPartnersInTheOrderOfLibraries) {
  constexpr u32 tasks = 70;
  std::vector<u64> bytes(u64{tasks} * tasks, 1);
  bytes[tasks + 3] = 0;
  CollectiveSpec collective = spec("all-to-allw", "scattered", tasks);
  collective.counts = std::make_shared<const PieceCounts>(bytes, tasks);
  std::string order;
  for (const Op& op : ops(collective, 1)) order += fmt::format("{}{} ", op.kind == OpKind::send ? ">" : "<", op.peer);
  const auto range = [](const char* way, u32 from, u32 to) {
    std::string text;
    for (u32 peer = from; peer != to; peer = (peer + (*way == '>' ? tasks - 1 : 1)) % tasks)
      text += fmt::format("{}{} ", way, peer);
    return text;
  };
  EXPECT_EQ(order, range(">", 0, 39) + range("<", 2, 33) + range(">", 39, 7) + range("<", 33, 65) + ">7 >6 >5 >4 >2 " +
                       range("<", 65, 1));
  collective.algorithm = "pairwise-in-place";
  EXPECT_EQ(ops(collective, 1).at(0), (Op{OpKind::send, 0, 0, 1}));
  EXPECT_EQ(ops(collective, 1).at(1), (Op{OpKind::receive, 0, 0, 1}));
  EXPECT_EQ(ops(collective, 1).at(4), (Op{OpKind::receive, 3, 0, 1}));
}

TEST(PieceCounts, OfZipfAreSharesOfTheWhole) {
  const auto of = [](double exponent, u64 mean, u32 tasks, u64 seed) {
    const SharedCounts counts = drawn_counts(CountsLaw::zipf, exponent, mean, tasks, true, seed);
    std::vector<u64> bytes;
    for (u32 task = 0; task < tasks; ++task) {
      bytes.push_back(counts->of(task));
      EXPECT_EQ(counts->of(3, task), counts->of(0, task));
    }
    return bytes;
  };
  std::vector<u64> bytes = of(1, 25, 4, 1);
  std::ranges::sort(bytes);
  EXPECT_EQ(bytes, (std::vector<u64>{12, 16, 24, 48}));  // 100 / H(4) = 48
  EXPECT_EQ(of(0, 25, 5, 1), std::vector<u64>(5, 25));
  const std::vector<u64> many = of(0.7, 1000, 64, 2);
  EXPECT_EQ(std::accumulate(many.begin(), many.end(), u64{0}), 64'000U);
  EXPECT_EQ(many, of(0.7, 1000, 64, 2));
  EXPECT_NE(many, of(0.7, 1000, 64, 3));
}

TEST(PieceCounts, OfTheUniformLawHaveItsMeanAndSpread) {
  constexpr u32 tasks = 200;
  constexpr u64 mean = 1000;
  const SharedCounts counts = drawn_counts(CountsLaw::uniform, 0, mean, tasks, true, 7);
  double sum = 0, squares = 0;
  for (u32 from = 0; from < tasks; ++from) {
    for (u32 to = 0; to < tasks; ++to) {
      const auto bytes = static_cast<double>(counts->of(from, to));
      EXPECT_LE(bytes, 2 * mean);
      sum += bytes, squares += bytes * bytes;
    }
  }
  const double n = u64{tasks} * tasks, found = sum / n, variance = squares / n - found * found;
  const double expected = ((2.0 * mean + 1) * (2.0 * mean + 1) - 1) / 12;  // of 0, 1 ... 2 mean
  EXPECT_NEAR(found, mean, 5 * std::sqrt(expected / n));
  EXPECT_NEAR(variance, expected, 0.03 * expected);
  EXPECT_EQ(counts->most(), 2 * mean);
  EXPECT_NE(counts->of(1, 2), counts->of(2, 1));
}

std::string error_of_counts(const std::string& text, u32 tasks, bool pairs) {
  try {
    static_cast<void>(read_counts(bytes_in_memory(text, "c.txt"), tasks, pairs));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PieceCounts, OfFilesAreOfTasksOrPairs) {
  const SharedCounts of_tasks = read_counts(bytes_in_memory("# bytes\n5 0\n\n7\n", "c.txt"), 3, true);
  EXPECT_FALSE(of_tasks->of_pairs());
  EXPECT_EQ(of_tasks->of(1, 2), 7U);
  EXPECT_EQ(of_tasks->of_row(2, 2), 12U);
  const SharedCounts pairs = read_counts(bytes_in_memory("1 2\n3 4\n", "c.txt"), 2, true);
  EXPECT_TRUE(pairs->of_pairs());
  EXPECT_EQ(pairs->of(1, 0), 3U);
  EXPECT_EQ(pairs->most(), 4U);
}

TEST(PieceCounts, OfFilesThatDoNotFitNameTheLine) {
  EXPECT_EQ(error_of_counts("1\n2 x\n", 2, false).find("c.txt:2: no number of bytes"), 0U)
      << error_of_counts("1\n2 x\n", 2, false);
  EXPECT_EQ(error_of_counts("1 2\n3\n", 2, false).find("c.txt:2: more than 2 numbers"), 0U);
  EXPECT_EQ(error_of_counts("1 2\n3\n", 2, true).find("c.txt:2: the file ends after 3 numbers"), 0U)
      << error_of_counts("1 2\n3\n", 2, true);
  EXPECT_EQ(error_of_counts("-1\n", 1, false).find("c.txt:1: no number of bytes"), 0U);
}

}  // namespace
}  // namespace weft::workloads::collective_test
