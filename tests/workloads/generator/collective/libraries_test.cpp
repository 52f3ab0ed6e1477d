// The rules of MPI libraries: the messages of `workload.collectives` are those that the libraries send, as recorded by
// tests/mpi/library_messages.py.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/workloads/generator/collective/data_flow.hpp"
#include "workloads/generator/collective/piece_counts.hpp"
#include "workloads/generator/collective/rules.hpp"

namespace weft::workloads::collective_test {
namespace {

/// How often (from, to, bytes) is sent.
using Messages = std::map<std::tuple<u32, u32, i64>, u32>;
constexpr i64 unknown = -1;  ///< bytes of data that was not in one piece

struct Point {
  CollectiveSpec spec;
  Messages messages;
};

/// "0-3,5"
std::vector<u32> numbers(const std::string& ranges) {
  std::vector<u32> all;
  std::istringstream from(ranges);
  for (std::string part; std::getline(from, part, ',');) {
    const std::size_t dash = part.find('-');
    const auto first = static_cast<u32>(std::stoul(part));
    const auto last = dash == std::string::npos ? first : static_cast<u32>(std::stoul(part.substr(dash + 1)));
    for (u32 number = first; number <= last; ++number) all.push_back(number);
  }
  return all;
}

/// "+uneven" behind a name: piece k has k % 3 times the bytes, of pairs k = sender + 2 x receiver. Empty messages are
/// recorded.
void set_lengths(CollectiveSpec& spec) {
  const std::size_t plus = spec.operation.find('+');
  if (plus == std::string::npos) return;
  spec.operation.resize(plus);
  spec.empty_messages = true;
  const bool pairs = spec.operation == "all-to-allv";
  std::vector<u64> bytes;
  for (u32 from = 0; from < (pairs ? spec.tasks : 1); ++from)
    for (u32 to = 0; to < spec.tasks; ++to) bytes.push_back(spec.message_bytes * ((pairs ? from + 2 * to : to) % 3));
  spec.counts = std::make_shared<const PieceCounts>(std::move(bytes), spec.tasks);
}

std::vector<Point> recorded(const std::string& library) {
  std::ifstream file(fmt::format("{}/collectives/{}.txt", WEFT_TEST_DATA, library));
  EXPECT_TRUE(file.is_open()) << library;
  std::vector<Point> points;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    Point point;
    const std::size_t colon = line.find(':');
    std::istringstream words(line.substr(0, colon)), groups(line.substr(colon + 1));
    words >> point.spec.operation >> point.spec.message_bytes >> point.spec.commutative >> point.spec.tasks;
    point.spec.library = library;
    set_lengths(point.spec);
    for (std::string group; std::getline(groups, group, ';');) {
      std::istringstream in(group);
      u32 distance = 0, times = 0;
      i64 bytes = 0;
      std::string senders;
      if (!(in >> distance >> bytes >> times >> senders)) continue;
      for (const u32 from : numbers(senders))
        point.messages[{from, (from + distance) % point.spec.tasks, bytes}] += times;
    }
    points.push_back(point);
  }
  return points;
}

Messages sent(const CollectiveSpec& spec) {
  Messages messages;
  const auto program = make_collective(spec);
  for (u32 task = 0; task < spec.tasks; ++task) {
    const auto stream = program->open(TaskId(task));
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
      if (op.kind == OpKind::send) ++messages[{task, op.peer, static_cast<i64>(op.amount)}];
    }
  }
  return messages;
}

bool knows_lengths(const Messages& messages) {
  return std::ranges::none_of(messages, [](const auto& message) { return std::get<2>(message.first) == unknown; });
}
/// From whom to whom only.
Messages without_lengths(const Messages& messages) {
  Messages result;
  for (const auto& [message, times] : messages) result[{std::get<0>(message), std::get<1>(message), unknown}] += times;
  return result;
}

/// The first of `of` that `without` has not, or not as often.
std::string first_beyond(const Messages& of, const Messages& without) {
  for (const auto& [message, times] : of) {
    const auto other = without.find(message);
    if (other != without.end() && other->second >= times) continue;
    const auto& [from, to, bytes] = message;
    return fmt::format("{} x {} to {}, {} bytes", times, from, to, bytes);
  }
  return "none";
}

class Library : public testing::TestWithParam<std::string> {};

TEST_P(Library, SendsWhatTheRulesSay) {
  const std::vector<Point> points = recorded(GetParam());
  EXPECT_GE(points.size(), 1000U);
  u32 wrong = 0, with_lengths = 0;
  for (Point point : points) {
    const CollectiveSpec resolved = resolved_collective(point.spec);
    Messages ours = sent(point.spec);
    with_lengths += knows_lengths(point.messages) ? 1 : 0;
    if (!knows_lengths(point.messages)) {
      ours = without_lengths(ours);
      point.messages = without_lengths(point.messages);
    }
    if (ours == point.messages) continue;
    ++wrong;
    ADD_FAILURE() << fmt::format("{} of {} bytes, {} tasks{}: {} ({}); the library: {}; not the library: {}",
                                 point.spec.operation, point.spec.message_bytes, point.spec.tasks,
                                 point.spec.commutative ? "" : ", in order", resolved.algorithm, resolved.segment_bytes,
                                 first_beyond(point.messages, ours), first_beyond(ours, point.messages));
  }
  EXPECT_EQ(wrong, 0U) << "of " << points.size();
  EXPECT_GE(with_lengths, points.size() * 9 / 10);
}

TEST_P(Library, HasAnAlgorithmForEveryOperationAndNumberOfTasks) {
  for (const std::string& operation : collective_operations()) {
    for (u32 tasks = 1; tasks <= 40; ++tasks) {
      for (const bool commutative : {true, false}) {
        for (const u64 bytes : {1U, 7U, 100U, 5000U, 40000U}) {
          CollectiveSpec one = spec(operation, "auto", tasks, bytes);
          one.library = GetParam();
          one.commutative = commutative;
          if (OperationRegistry::instance().find(operation)->signals) one.message_bytes = 0;
          const Outcome outcome = run(one, false);
          EXPECT_EQ(outcome.unfinished + outcome.unmatched, 0U) << operation << ", " << tasks << ", " << bytes;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Known, Library, testing::ValuesIn(CollectiveRulesRegistry::instance().names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(LibraryRules, ChangeWithEachThreshold) {
  const CollectiveRow rows[] = {{2, 0, "a"}, {2, 8, "b"}, {4, 0, "c"}, {16, 0, "d"}, {16, 100, "e"}};
  EXPECT_STREQ(algorithm_of(rows, 3, 7), "a");
  EXPECT_STREQ(algorithm_of(rows, 3, 8), "b");
  EXPECT_STREQ(algorithm_of(rows, 15, 1000), "c");
  EXPECT_STREQ(algorithm_of(rows, 16, 99), "d");
  EXPECT_STREQ(algorithm_of(rows, 1000, 100), "e");
}

TEST(LibraryRules, LeaveWhatIsGiven) {
  CollectiveSpec one = spec("broadcast", "binomial", 8, 100);
  one.library = "openmpi-4.1";
  EXPECT_EQ(resolved_collective(one).algorithm, "binomial");
  one.algorithm = "auto";
  EXPECT_EQ(resolved_collective(one).algorithm, "k-nomial");
  EXPECT_EQ(resolved_collective(one).radix, 4U);
  one.radix = 3;
  EXPECT_EQ(resolved_collective(one).radix, 3U);
  one.library = "openmpi-5";
  EXPECT_NE(error_of(one).find("did you mean \"openmpi-4.1\"?"), std::string::npos) << error_of(one);
}

}  // namespace
}  // namespace weft::workloads::collective_test
