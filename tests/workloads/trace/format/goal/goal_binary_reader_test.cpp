// Binary GOAL files: what they hold, and that nothing in them is believed.
#include "workloads/trace/format/goal/goal_binary_reader.hpp"

#include <cstring>

#include "tests/workloads/trace/format/goal/goal_test_tools.hpp"

namespace weft::workloads {
namespace {

template <class Number>
void put(std::string& to, Number value) {
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) to += static_cast<char>(value >> (8 * byte));
}

/// An operation as the file has it.
struct Node {
  u32 requirements = 0;
  u8 kind = 3;
  u32 peer = 0;
  u64 amount = 0;
  u32 tag = 0;
  u8 stream = 0, nic = 0;
  u32 dependents = 0, first = 999, on_start = 0, first_on_start = ~u32{0};
};

std::string rank_of(const std::vector<u32>& roots, const std::vector<Node>& nodes, const std::vector<u32>& appendix) {
  std::string bytes;
  put(bytes, static_cast<u32>(nodes.size()));
  put(bytes, static_cast<u32>(roots.size()));
  for (const u32 root : roots) put(bytes, root);
  for (const Node& node : nodes) {
    put(bytes, node.requirements);
    put(bytes, node.kind);
    put(bytes, node.peer);
    put(bytes, node.amount);
    put(bytes, node.tag);
    put(bytes, node.stream);
    put(bytes, node.nic);
    put(bytes, node.dependents);
    put(bytes, node.first);
    put(bytes, node.on_start);
    put(bytes, node.first_on_start);
  }
  for (const u32 entry : appendix) put(bytes, entry);
  return bytes;
}

std::string file_of(const std::vector<std::string>& ranks) {
  std::string bytes;
  put(bytes, u64{4223});
  put(bytes, static_cast<u32>(ranks.size()));
  put(bytes, u8{0});
  put(bytes, u8{0});
  u64 start = 6 + 16 * ranks.size();
  for (const std::string& rank : ranks) {
    put(bytes, start);
    put(bytes, start + rank.size());
    start += rank.size();
  }
  for (const std::string& rank : ranks) bytes += rank;
  return bytes;
}

/// A send of which a computation requires the completion and a receive the start, and that computation the start too.
const std::vector<Node>& good_nodes() {
  static const std::vector<Node> nodes = {{.kind = 1,
                                           .peer = 1,
                                           .amount = 17,
                                           .tag = 20,
                                           .stream = 2,
                                           .nic = 3,
                                           .dependents = 1,
                                           .first = 0,
                                           .on_start = 2,
                                           .first_on_start = 1},
                                          {.requirements = 2, .kind = 3, .amount = 5},
                                          {.requirements = 1, .kind = 2, .peer = ~u32{0}, .amount = 9, .tag = ~u32{0}}};
  return nodes;
}
const std::vector<u32> good_appendix = {1, 2, 1};
std::string empty_rank() { return rank_of({}, {}, {}); }

void expect_binary_rejected(const std::string& bytes, const std::string& problem) {
  const std::string what = error_of<InputError>([&] { (void)goal_binary(bytes); });
  EXPECT_TRUE(what.starts_with("t.bin: byte ")) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("make it again with txt2bin")) << what;
}

/// A good file with one thing changed.
template <class Change>
void expect_change_rejected(Change change, const std::string& problem) {
  std::vector<u32> roots = {0}, appendix = good_appendix;
  std::vector<Node> nodes = good_nodes();
  change(roots, nodes, appendix);
  expect_binary_rejected(file_of({rank_of(roots, nodes, appendix), empty_rank()}), problem);
}

TEST(GoalBinary, ReadsOperationsAndWhatDependsOnThem) {
  const auto program = goal_binary(file_of({rank_of({0}, good_nodes(), good_appendix), empty_rank()}));
  EXPECT_EQ(2u, program->tasks());
  const TaskGraph graph = program->graph(TaskId(0));
  ASSERT_EQ(3u, graph.ops.size());
  EXPECT_EQ(GraphOp::Kind::send, graph.ops[0].kind);
  EXPECT_EQ(1u, graph.ops[0].peer);
  EXPECT_EQ(17u, graph.ops[0].amount);
  EXPECT_EQ(20u, graph.ops[0].tag);
  EXPECT_EQ(2u, graph.ops[0].stream);
  EXPECT_EQ(3u, graph.ops[0].nic);
  EXPECT_EQ(GraphOp::Kind::compute, graph.ops[1].kind);
  EXPECT_EQ(2u, graph.ops[1].missing);
  EXPECT_EQ(GraphOp::Kind::receive, graph.ops[2].kind);
  EXPECT_EQ(GraphOp::any, graph.ops[2].peer);
  EXPECT_EQ(GraphOp::any, graph.ops[2].tag);
  EXPECT_EQ((std::vector<u32>{1}), numbers(graph.on_completion(0)));
  EXPECT_EQ((std::vector<u32>{1, 2}), numbers(graph.on_start(0)));
}

TEST(GoalBinary, RanksThatAreNotKeptArePassedOver) {
  std::vector<Node> wrong = good_nodes();
  wrong[0].kind = 9;
  const std::string bytes = file_of({rank_of({0}, wrong, good_appendix), rank_of({0}, good_nodes(), good_appendix)});
  const auto program = goal_binary(xz(bytes), [](u32 task) { return task == 1; });
  EXPECT_TRUE(program->graph(TaskId(0)).ops.empty());
  EXPECT_EQ(3u, program->graph(TaskId(1)).ops.size());
}

TEST(GoalBinary, RanksOfPlainFilesThatAreNotKeptAreNotRead) {
  // A file that is said to be long, and is (a hole of 64 GiB): only what is kept is read.
  constexpr u64 hole = u64{1} << 36;
  const ScratchFolder folder;
  std::string bytes = file_of({empty_rank(), rank_of({0}, good_nodes(), good_appendix)});
  const std::string last = rank_of({0}, good_nodes(), good_appendix);
  const auto put = [&bytes](std::size_t at, u64 value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  const u64 begin = bytes.size() - last.size() - empty_rank().size() - 8;
  put(14, begin);
  put(22, begin + hole);
  put(30, begin + hole);
  put(38, begin + hole + last.size());
  const std::string path = folder.write("long.bin", bytes.substr(0, 46));
  std::filesystem::resize_file(path, 8 + begin + hole);
  std::ofstream(path, std::ios::binary | std::ios::app) << last;
  GoalBinaryReader reader(open_bytes(path), [](u32 task) { return task == 1; });
  GraphBuilder graph;
  u32 task = 0;
  ASSERT_TRUE(reader.next(task, graph));
  EXPECT_EQ(1u, task);
  EXPECT_EQ(3u, graph.size());
  EXPECT_FALSE(reader.next(task, graph));
  std::filesystem::resize_file(path, 8 + begin + hole - 1);
  GoalBinaryReader cut(open_bytes(path), [](u32 number) { return number == 1; });
  EXPECT_NE(std::string::npos,
            error_of<InputError>([&] { static_cast<void>(cut.next(task, graph)); }).find("the file ends here"));
}

TEST(GoalBinary, RanksMayLieInAnyOrder) {
  std::string bytes = file_of({empty_rank(), rank_of({0}, {{}}, {})});
  std::swap_ranges(bytes.begin() + 14, bytes.begin() + 30, bytes.begin() + 30);
  const auto program = goal_binary(bytes);
  EXPECT_EQ(1u, program->graph(TaskId(0)).ops.size());
  EXPECT_EQ(0u, program->graph(TaskId(1)).ops.size());
}

TEST(GoalBinary, WhatIsCutOffIsRefusedWhereverItEnds) {
  const std::string whole = file_of({rank_of({0}, good_nodes(), good_appendix), empty_rank()});
  for (std::size_t length = 0; length < whole.size(); ++length)
    expect_binary_rejected(whole.substr(0, length), "the file ends here");
  expect_binary_rejected(whole + "x", "there is more after the last rank");
}

TEST(GoalBinary, CountsAndNumbersThatCannotBeAreRefused) {
  using Roots = std::vector<u32>;
  using Nodes = std::vector<Node>;
  const auto node = [](auto change) { return [change](Roots&, Nodes& nodes, Roots&) { change(nodes); }; };
  expect_change_rejected(node([](Nodes& n) { n[0].kind = 4; }), "an operation of kind 4");
  expect_change_rejected(node([](Nodes& n) { n[0].peer = 2; }), "a message of rank 2 (there are 2)");
  expect_change_rejected(node([](Nodes& n) { n[0].peer = ~u32{0}; }), "a message of rank 4294967295");
  expect_change_rejected(node([](Nodes& n) { n[0].tag = ~u32{0}; }), "a message is sent with any tag");
  expect_change_rejected(node([](Nodes& n) { n[0].amount = ~u64{0}; }), "a message of 18446744073709551615 bytes");
  expect_change_rejected(node([](Nodes& n) { n[1].amount = ~u64{0}; }), "a computation of 18446744073709551615 ns");
  expect_change_rejected(node([](Nodes& n) { n[0].dependents = 4; }), "dependents 0 to 4 (the rank has 3 in all)");
  expect_change_rejected(node([](Nodes& n) { n[0].first = ~u32{0}; }), "dependents 4294967295 to 4294967296");
  expect_change_rejected(node([](Nodes& n) { n[1].dependents = 1, n[1].first = 0; }), "dependents 0 to 1");
  expect_change_rejected(node([](Nodes& n) { n[1].requirements = 1; }), "operation 1 is a dependent more often");
  expect_change_rejected(node([](Nodes& n) { n[1].requirements = 3; }),
                         "operation 1 has requirements that are not there");
  expect_change_rejected(node([](Nodes& n) { n[0].requirements = 1; }), "operation 0 has requirements (it is among");
  expect_change_rejected([](Roots& roots, Nodes&, Roots&) { roots[0] = 3; }, "operation 3 (there are 3)");
  expect_change_rejected([](Roots& roots, Nodes&, Roots&) { roots.clear(); },
                         "1 operations have no requirement (0 are");
  expect_change_rejected([](Roots&, Nodes&, Roots& appendix) { appendix[2] = 7; }, "operation 7 (there are 3)");
}

TEST(GoalBinary, RanksThatCannotLieThereAreRefused) {
  const std::string good = file_of({empty_rank(), empty_rank()});
  const auto changed = [&](std::size_t at, u64 value) {
    std::string bytes = good, number;
    put(number, value);
    return bytes.replace(at, 8, number);
  };
  expect_binary_rejected(changed(0, 4224), "begins with 4224 (binary GOAL files begin with 4223)");
  expect_binary_rejected(changed(14, 0), "rank 0 begins at byte 8 (what is before it ends at byte 46)");
  expect_binary_rejected(changed(22, 40), "rank 0 lies from 38 to 40 (a rank has 8 bytes at least)");
  expect_binary_rejected(changed(22, ~u64{0}), "rank 0 lies from 38 to 18446744073709551615");
  expect_binary_rejected(changed(22, 50), "rank 1 begins at byte 54 (what is before it ends at byte 58)");
  expect_binary_rejected(changed(38, 46 + 4000), "the file ends here");
  std::string ranks = good;
  expect_binary_rejected(ranks.replace(8, 4, std::string(4, '\xFF')), "4294967295 ranks (1..16777216 are possible)");
  expect_binary_rejected(ranks.replace(8, 4, std::string(4, '\0')), "0 ranks");
  std::string many = good;
  expect_binary_rejected(many.replace(46, 4, std::string(4, '\xFF')), "4294967295 operations, 0 of which");
}

TEST(GoalBinary, ACycleIsRefused) {
  const std::vector<Node> nodes = {{.requirements = 1, .dependents = 1, .first = 0},
                                   {.requirements = 1, .dependents = 1, .first = 1}};
  const std::string what = error_of<InputError>([&] { (void)goal_binary(file_of({rank_of({}, nodes, {1, 0})})); });
  EXPECT_TRUE(what.starts_with("t.bin: rank 0: operation 0 requires operation 1 requires operation 0 (a cycle"))
      << what;
}

TEST(GoalBinary, LimitsAreToldWithRankAndOperation) {
  TaskSpec spec;
  spec.packet_bytes = 1;
  std::vector<Node> nodes = good_nodes();
  nodes[0].amount = u64{1} << 33;
  const std::string bytes = file_of({rank_of({0}, nodes, good_appendix), empty_rank()});
  const std::string what = error_of<InputError>([&] { (void)goal_binary(bytes, {}, task_limits(spec)); });
  EXPECT_TRUE(what.starts_with("t.bin: rank 0, operation 0: 8589934592 bytes are 8589934592 packets")) << what;
}

}  // namespace
}  // namespace weft::workloads
