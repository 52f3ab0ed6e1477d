// Graphs: who depends on whom, what is missed, cycles; and the store, in memory and in a file.
#include "workloads/program/graph.hpp"

#include "tests/workloads/trace/trace_test_tools.hpp"

namespace weft::workloads {
namespace {

GraphOp join(u32 line = 0) {
  GraphOp op;
  op.line = line;
  return op;
}

GraphOp any_join(u32 line = 0) {
  GraphOp op = join(line);
  op.one_suffices = true;
  return op;
}

TaskGraph view(GraphBuilder::Finished& graph) { return {graph.ops, graph.dependents}; }

std::vector<u32> list(std::span<const u32> numbers) { return {numbers.begin(), numbers.end()}; }

TEST(GraphBuilder, DependentsAscendAndTheSameRequirementTwiceIsOnce) {
  GraphBuilder builder;
  for (u32 number = 0; number < 5; ++number) EXPECT_EQ(number, builder.add(join()));
  for (const u32 op : {4u, 2u, 4u, 3u, 2u}) builder.require(op, 0);
  builder.require(3, 0, true);
  builder.require(1, 0, true);
  builder.require(4, 3);
  EXPECT_EQ(5u, builder.size());
  auto graph = builder.finish("here");
  EXPECT_EQ(0u, builder.size());
  EXPECT_EQ((std::vector<u32>{2, 3, 4}), list(view(graph).on_completion(0)));
  EXPECT_EQ((std::vector<u32>{1, 3}), list(view(graph).on_start(0)));
  EXPECT_EQ((std::vector<u32>{4}), list(view(graph).on_completion(3)));
  EXPECT_TRUE(view(graph).on_completion(4).empty());
  std::vector<u32> missing;
  for (const GraphOp& op : graph.ops) missing.push_back(op.missing);
  // Operation 3 requires that 0 has started and that it is complete: two things.
  EXPECT_EQ((std::vector<u32>{0, 1, 1, 2, 2}), missing);
}

TEST(GraphBuilder, OfAnyOneIsMissingOrNoneIfNothingIsRequired) {
  GraphBuilder builder;
  builder.add(join());
  builder.add(join());
  builder.add(any_join());
  builder.add(any_join());
  builder.require(2, 0);
  builder.require(2, 1);
  builder.require(2, 1, true);
  const auto graph = builder.finish("here");
  EXPECT_EQ(1u, graph.ops[2].missing);
  EXPECT_EQ(0u, graph.ops[3].missing);
  EXPECT_EQ(3u, graph.dependents.size());
}

TEST(GraphBuilder, ACycleIsToldWithItsOperationsAndLines) {
  GraphBuilder builder;
  for (u32 line = 10; line < 15; ++line) builder.add(join(line));
  builder.require(0, 1);  // outside: waits for the cycle
  builder.require(1, 2);
  builder.require(2, 3, true);
  builder.require(3, 1);
  builder.require(3, 4);
  const std::string what = error_of<InputError>([&] { (void)builder.finish("a.goal: rank 7"); });
  EXPECT_EQ(
      "a.goal: rank 7: operation 1 (line 11) requires operation 2 (line 12) requires operation 3 (line 13) requires "
      "operation 1 (line 11) (a cycle: none of them can ever begin); take away one of these requirements",
      what);
}

TEST(GraphBuilder, AnOperationThatRequiresItselfIsACycle) {
  GraphBuilder builder;
  builder.add(join());
  builder.require(0, 0, true);
  EXPECT_NE(std::string::npos,
            error_of<InputError>([&] { (void)builder.finish("r"); }).find("operation 0 requires operation 0 (a cycle"));
}

TEST(GraphBuilder, OfALongCycleAFewAreNamed) {
  GraphBuilder builder;
  for (u32 op = 0; op < 1000; ++op) builder.add(join());
  for (u32 op = 0; op < 1000; ++op) builder.require(op, (op + 1) % 1000);
  const std::string what = error_of<InputError>([&] { (void)builder.finish("r"); });
  EXPECT_NE(std::string::npos, what.find("operation 5 requires ... (994 more) requires operation 0")) << what;
  EXPECT_LT(what.size(), 400u);
}

TEST(GraphBuilder, WhoNeedsOneOfSeveralMayBePartOfACycle) {
  // 2 requires 0 or 3; 3 requires 2.
  GraphBuilder builder;
  builder.add(join());
  builder.add(join());
  builder.add(any_join());
  builder.add(join());
  builder.require(2, 0);
  builder.require(2, 3);
  builder.require(3, 2);
  EXPECT_EQ(4u, builder.finish("r").ops.size());
  // Not if all that it could go by is behind it.
  builder.add(any_join());
  builder.add(join());
  builder.add(join());
  builder.require(0, 1);
  builder.require(0, 2);
  builder.require(1, 0);
  builder.require(2, 1);
  EXPECT_NE(std::string::npos, error_of<InputError>([&] { (void)builder.finish("r"); }).find("a cycle"));
}

/// A chain of `ops` operations, of which each knows task and number.
GraphBuilder::Finished chain(u32 task, u32 ops) {
  GraphBuilder builder;
  for (u32 number = 0; number < ops; ++number) {
    GraphOp op = join(number + 1);
    op.tag = task;
    builder.add(op);
    if (number > 0) builder.require(number, number - 1);
  }
  return builder.finish("chain");
}

void expect_chain(const TaskGraph& graph, u32 task, u32 ops) {
  ASSERT_EQ(ops, graph.ops.size());
  for (u32 number = 0; number < ops; ++number) {
    ASSERT_EQ(task, graph.ops[number].tag);
    ASSERT_EQ(number + 1, graph.ops[number].line);
    ASSERT_EQ(number == 0 ? 0u : 1u, graph.ops[number].missing);
    const auto next = graph.on_completion(number);
    ASSERT_EQ(number + 1 < ops ? 1u : 0u, next.size());
    if (!next.empty()) {
      ASSERT_EQ(number + 1, next[0]);
    }
  }
}

void expect_store_keeps(u64 memory_bytes, bool in_memory) {
  GraphStore store(memory_bytes);
  // Odd numbers of dependents: what follows has to be aligned.
  for (const u32 task : {9u, 2u, 5u}) store.add(task, chain(task, 100 * task));
  store.seal();
  EXPECT_EQ(in_memory, store.in_memory());
  for (const u32 task : {2u, 5u, 9u}) expect_chain(store.graph(task), task, 100 * task);
  EXPECT_TRUE(store.graph(3).ops.empty());
  EXPECT_TRUE(store.graph(1'000'000).ops.empty());
  // What is missed is counted down in place.
  for (GraphOp& op : store.graph(5).ops) op.missing = 77;
  for (const GraphOp& op : store.graph(5).ops) EXPECT_EQ(77u, op.missing);
  expect_chain(store.graph(9), 9, 900);
  if (in_memory) {
    EXPECT_GT(store.bytes(), 1600 * sizeof(GraphOp));
  } else {
    EXPECT_LT(store.bytes(), 10'000u);
  }
}

TEST(GraphStore, SmallGraphsStayInMemory) { expect_store_keeps(GraphStore::default_memory_bytes, true); }

TEST(GraphStore, LargeOnesAreInAFileThatNobodySees) {
  const ScratchFolder folder;
  ::setenv("TMPDIR", folder.file("").c_str(), 1);
  expect_store_keeps(10'000, false);
  EXPECT_EQ(0u, folder.entries());
  ::unsetenv("TMPDIR");
}

TEST(GraphStore, AFolderThatIsNotThereIsASystemErrorWithWhatToDo) {
  ::setenv("TMPDIR", "/no/such/folder", 1);
  GraphStore store(0);
  const std::string what = error_of<SystemError>([&] { store.add(0, chain(0, 10)); });
  ::unsetenv("TMPDIR");
  EXPECT_NE(std::string::npos, what.find("cannot create the temporary program file in /no/such/folder")) << what;
  EXPECT_NE(std::string::npos, what.find("set TMPDIR to a folder with more space")) << what;
}

TEST(GraphStore, NothingAtAllIsAStoreToo) {
  GraphStore store;
  store.seal();
  EXPECT_TRUE(store.graph(0).ops.empty());
}

}  // namespace
}  // namespace weft::workloads
