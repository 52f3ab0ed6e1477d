// The grammar of GOAL texts: what is accepted, and that all else ends in an error that names file, line and remedy.
#include "workloads/trace/format/goal/goal_text_reader.hpp"

#include <fmt/format.h>

#include "tests/workloads/trace/format/goal/goal_test_tools.hpp"

namespace weft::workloads {
namespace {

using OpKind = GraphOp::Kind;

/// Operations of the first of two ranks, as the text in its braces says.
TaskGraph graph_of(std::unique_ptr<Program>& program, const std::string& text) {
  program = goal_text("num_ranks 2\nrank 0 {\n" + text + "\n}\nrank 1 {\n}\n");
  return program->graph(TaskId(0));
}

std::string rejection(const std::string& text) {
  return error_of<InputError>([&] { (void)goal_text(text); });
}

void expect_text_rejected(const std::string& text, const std::string& begin, const std::string& end) {
  const std::string what = rejection(text);
  EXPECT_TRUE(what.starts_with("t.goal:" + begin)) << what;
  EXPECT_NE(std::string::npos, what.find("(got ")) << what;
  EXPECT_NE(std::string::npos, what.find("; expected " + end)) << what;
}

/// A statement in line 3.
void expect_statement_rejected(const std::string& statement, const std::string& problem, const std::string& expected) {
  expect_text_rejected("num_ranks 2\nrank 0 {\n" + statement + "\n}\nrank 1 {\n}\n", "3: " + problem, expected);
}

TEST(GoalText, ReadsEachOperationWithItsOptionsInAnyOrder) {
  std::unique_ptr<Program> program;
  const TaskGraph graph = graph_of(program,
                                   "a: send 17b to 1 nic 3 tag 20 comm 5 cpu 2\n"
                                   "recv 8 b from -1 tag -1\n"
                                   "c: calc 729000 cpu 1\n"
                                   "probe 0b from 1 comm 9 tag 4294967294\n"
                                   "e: join");
  ASSERT_EQ(5u, graph.ops.size());
  const GraphOp& send = graph.ops[0];
  EXPECT_EQ(OpKind::send, send.kind);
  EXPECT_EQ(17u, send.amount);
  EXPECT_EQ(1u, send.peer);
  EXPECT_EQ(20u, send.tag);
  EXPECT_EQ(5u, send.communicator);
  EXPECT_EQ(2u, send.stream);
  EXPECT_EQ(3u, send.nic);
  EXPECT_EQ(3u, send.line);
  EXPECT_EQ(OpKind::receive, graph.ops[1].kind);
  EXPECT_EQ(GraphOp::any, graph.ops[1].peer);
  EXPECT_EQ(GraphOp::any, graph.ops[1].tag);
  EXPECT_EQ(8u, graph.ops[1].amount);
  EXPECT_EQ(OpKind::compute, graph.ops[2].kind);
  EXPECT_EQ(729000u, graph.ops[2].amount);
  EXPECT_EQ(1u, graph.ops[2].stream);
  EXPECT_EQ(OpKind::probe, graph.ops[3].kind);
  EXPECT_EQ(1u, graph.ops[3].peer);
  EXPECT_EQ(9u, graph.ops[3].communicator);
  EXPECT_EQ(4294967294u, graph.ops[3].tag);
  EXPECT_EQ(OpKind::join, graph.ops[4].kind);
  EXPECT_EQ(7u, graph.ops[4].line);
}

TEST(GoalText, LabelsMayBeNamedBeforeTheirOperationsAndBeWordsOfTheLanguage) {
  std::unique_ptr<Program> program;
  const TaskGraph graph = graph_of(program,
                                   "send requires calc\n"
                                   "send irequires b\n"
                                   "calc: calc 1\n"
                                   "send : send 1b to 1\n"
                                   "b: calc 2\n"
                                   "b requires calc");
  EXPECT_EQ((std::vector<u32>{1, 2}), numbers(graph.on_completion(0)));
  EXPECT_EQ((std::vector<u32>{1}), numbers(graph.on_start(2)));
  EXPECT_EQ(2u, graph.ops[1].missing);
  EXPECT_FALSE(graph.ops[1].one_suffices);
}

TEST(GoalText, OneOfSeveralMaySuffice) {
  std::unique_ptr<Program> program;
  const TaskGraph graph =
      graph_of(program,
               "w requires-any a b\n"
               "a: recv 1b from 1 tag 1\nb: recv 1b from 1 tag 2\nc: recv 1b from 1 tag 3\nw: join\n"
               "w requires-any c");
  EXPECT_TRUE(graph.ops[3].one_suffices);
  EXPECT_EQ(1u, graph.ops[3].missing);
  for (u32 number = 0; number < 3; ++number) EXPECT_EQ((std::vector<u32>{3}), numbers(graph.on_completion(number)));
}

TEST(GoalText, CommentsBlanksAndLineEndsOfAnySystem) {
  const auto program = goal_text(
      "// a comment\r\n/* one of\n * several ** lines //*/ num_ranks\t1 // to the end\r\n\n"
      "rank 0\n{ a: calc /* in the middle */ 5\r\n/**/ calc 6/**/\n// } \nb: calc 7}\n// the end");
  const TaskGraph graph = program->graph(TaskId(0));
  ASSERT_EQ(3u, graph.ops.size());
  EXPECT_EQ(5u, graph.ops[0].amount);
  EXPECT_EQ(6u, graph.ops[0].line);
  EXPECT_EQ(7u, graph.ops[1].line);
  EXPECT_EQ(9u, graph.ops[2].line);
}

TEST(GoalText, TokensAndLabelsMayLieAcrossBuffers) {
  std::string text = "num_ranks 1\nrank 0 {\n";
  constexpr u32 ops = 60'000;
  for (u32 op = 0; op < ops; ++op) {
    text += fmt::format("label_{}: calc {} cpu 3 // {}\n", op, op, std::string(op % 17, '*'));
    if (op > 0) text += fmt::format("label_{} requires label_{}\n", op, op - 1);
  }
  const auto program = goal_text(gz(text + "}"));
  const TaskGraph graph = program->graph(TaskId(0));
  ASSERT_EQ(ops, graph.ops.size());
  for (u32 op = 0; op + 1 < ops; ++op) {
    ASSERT_EQ(op, graph.ops[op].amount);
    ASSERT_EQ((std::vector<u32>{op + 1}), numbers(graph.on_completion(op)));
  }
}

TEST(GoalText, OnlyRanksThatAreWantedAreKept) {
  const std::string text =
      "num_ranks 3\nrank 0 {\ncalc 1\n}\nrank 1 {\na: calc 2\nb: calc 3\nb requires a\n}\nrank 2 {\n}\n";
  const auto program = goal_text(text, [](u32 task) { return task == 1; });
  EXPECT_EQ(3u, program->tasks());
  EXPECT_TRUE(program->has_graphs());
  EXPECT_TRUE(program->graph(TaskId(0)).ops.empty());
  EXPECT_EQ(2u, program->graph(TaskId(1)).ops.size());
}

TEST(GoalText, RanksThatAreNotWantedArePassedOverToTheirEnd) {
  const auto second = [](u32 task) { return task == 1; };
  const std::string others = "{\nx sned 7 # : 1/*}*/ // }\n" + std::string(600'000, 'a') + "\n /* } \n } */ calc }\n";
  const auto program = goal_text(gz("num_ranks 3\nrank 0 " + others + "rank 1 {\ncalc 2\n}\nrank 2 " + others), second);
  ASSERT_EQ(1u, program->graph(TaskId(1)).ops.size());
  EXPECT_EQ(8u, program->graph(TaskId(1)).ops[0].line);
  const std::string what =
      error_of<InputError>([&] { static_cast<void>(goal_text("num_ranks 2\nrank 0 {\ncalc 1\n\n// }", second)); });
  EXPECT_TRUE(what.starts_with("t.goal:5: rank 0 of line 2 has no end")) << what;
}

TEST(GoalText, NumbersBeyondTheirRangeAreRefused) {
  std::unique_ptr<Program> program;
  EXPECT_EQ(u64{1} << 40, graph_of(program, "send 1099511627776b to 1").ops[0].amount);
  EXPECT_EQ(u64{1} << 60, graph_of(program, "calc 1152921504606846976").ops[0].amount);
  expect_statement_rejected("send 1099511627777b to 1", "the size is too large", "an integer 0..1099511627776");
  expect_statement_rejected("calc 99999999999999999999999999", "the time is too large", "an integer 0..");
  expect_statement_rejected("calc -1", "the time is negative", "an integer 0..");
  expect_statement_rejected("calc 1.5", "the time is not an integer", "an integer 0..");
  expect_statement_rejected("send 17 to 1", "the size has no b", "bytes like 16b");
  expect_statement_rejected("send b to 1", "the size is not an integer with b", "bytes like 16b");
  expect_statement_rejected("send 1b to 2", "the rank is too large", "an integer 0..1");
  expect_statement_rejected("send 1b to -1", "the rank is negative", "an integer 0..1");
  expect_statement_rejected("recv 1b from -2", "the rank is negative", "an integer 0..1");
  expect_statement_rejected("send 1b to 1 tag -1", "the tag is negative", "an integer 0..4294967294");
  expect_statement_rejected("recv 1b from 1 tag 4294967295", "the tag is too large", "an integer 0..4294967294");
  expect_statement_rejected("calc 1 cpu 256", "the stream is too large", "an integer 0..255");
  expect_statement_rejected("send 1b to 1 nic 256", "the NIC is too large", "an integer 0..255");
}

TEST(GoalText, WordsThatAreNotKnownAreToldWithTheNearest) {
  expect_statement_rejected("rcv 1b from 1", "unknown operation",
                            "send, recv, calc, probe, join, until, pause, 'LABEL: ...' or "
                            "'LABEL requires LABEL' (nearest: recv)");
  expect_statement_rejected("a: snd 1b to 1", "unknown operation",
                            "send, recv, calc, probe, join, until or pause (nearest: send)");
  expect_statement_rejected("a requiers b", "unknown relation",
                            "requires, irequires or requires-any (nearest: requires)");
  expect_statement_rejected("send 1b too 1", "unexpected (got 'too')", "to and the rank that it goes to (nearest: to)");
  expect_statement_rejected("send 1b to 1 tga 1", "no option of send", "tag, comm, cpu, nic, or the end of the line");
  expect_statement_rejected("calc 1 tag 1", "no option of calc", "cpu, or the end of the line");
  expect_statement_rejected("join cpu 1", "no option of join", "or the end of the line");
  expect_statement_rejected("send 1b to 1 tag 1 tag 1", "this option is given twice", "each option once");
  expect_statement_rejected("send 1b to 1 tag\n", "the tag is missing (got 'the end of the line')", "an integer");
  expect_statement_rejected("send 1b to 1 : b", "unexpected (got ':')", "the end of the line");
  expect_statement_rejected("5: calc 1", "this is no label (got '5')", "a letter");
  expect_statement_rejected("a-b: calc 1", "this is no label (got 'a-b')", "a letter");
  expect_statement_rejected("calc \x01", "this has no place in a GOAL file (got '\\x01')", "words, numbers");
  expect_statement_rejected("calc 1 / 2", "a single /", "a comment");
}

TEST(GoalText, LabelsHaveOneOperationEach) {
  expect_statement_rejected("a requires b\nlabel1: calc 1\nb: calc 1",
                            "rank 0 has no operation of this label (got 'a')",
                            "the label of one of its operations (nearest: b)");
  expect_text_rejected("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na: calc 3\n}\n",
                       "5: this label is also that of line 3", "labels of which rank 0 has each once");
  // Labels are local to a rank.
  EXPECT_EQ(2u, goal_text("num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\na: calc 1\n}\n")->tasks());
  expect_text_rejected("num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\nb: calc 1\nb requires a\n}\n",
                       "7: rank 1 has no operation of this label", "the label");
}

TEST(GoalText, RanksComeInTheirOrderAndAllOfThem) {
  expect_text_rejected("rank 0 {\n}\n", "1: unexpected (got 'rank')", "num_ranks and the number of ranks");
  expect_text_rejected("num_ranks 0\n", "1: number of ranks is too small", "an integer 1..16777216");
  expect_text_rejected("num_ranks 1000000000\n", "1: number of ranks is too large", "an integer 1..16777216");
  expect_text_rejected("num_ranks 16777216\n", "2: rank 0 of 16777216 is missing", "rank 0 {");
  expect_text_rejected("num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", "4: ranks come in their order, each once", "rank 1");
  expect_text_rejected("num_ranks 2\nrank 1 {\n}\nrank 0 {\n}\n", "2: ranks come in their order, each once", "rank 0");
  expect_text_rejected("num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n", "4: too many ranks", "nothing more (num_ranks 1)");
  expect_text_rejected("num_ranks 1\nrank 0 {\n}\n}\n", "4: too many ranks (got '}')", "nothing more");
  expect_text_rejected("num_ranks 1\nrnk 0 {\n}\n", "2: unexpected (got 'rnk')", "rank 0 {");
}

TEST(GoalText, FilesThatEndTooEarlyAreRefusedWhereverTheyEnd) {
  const std::string whole =
      "num_ranks 2\nrank 0 { /* x */\na: send 5b to 1 tag 3\nb: calc 1\nb requires a\n}\nrank 1 {\nrecv 5b from 0 tag "
      "3\n}";
  EXPECT_EQ(2u, goal_text(whole)->tasks());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string what = rejection(whole.substr(0, length));
    EXPECT_NE(std::string::npos, what.find("; expected ")) << length;
  }
  expect_text_rejected("num_ranks 1\nrank 0 {\ncalc 1\n", "4: rank 0 of line 2 has no end (got 'the end of the file')",
                       "} after its operations");
  expect_text_rejected("num_ranks 1\nrank 0 {\n/* no end\ncalc 1\n}\n", "3: this comment has no end", "*/");
}

TEST(GoalText, FilesOfNothingOrOfOneWordEndInAnError) {
  expect_text_rejected(gz(std::string(40'000'000, ' ')), "1: more than 16777216 bytes without a word", "a rank");
  expect_text_rejected(gz("num_ranks 1\n/*" + std::string(40'000'000, '*')), "2: more than", "a rank");
  expect_text_rejected(std::string(1'000'000, 'x'), "1: word is longer than 4096 bytes", "a label");
}

TEST(GoalText, ACycleIsToldWithFileRankAndLines) {
  const std::string what = rejection("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb irequires a\n}\n");
  EXPECT_TRUE(what.starts_with("t.goal: rank 0: operation 0 (line 3) requires operation 1 (line 4)")) << what;
}

TEST(GoalText, OperationsBeyondTheLimitsOfARunAreToldWithTheirLines) {
  TaskSpec spec;
  spec.packet_bytes = 1;
  spec.ticks_per_ns = 1e6;
  const TaskLimits limits = task_limits(spec);
  const auto limited = [&](const std::string& op) {
    return error_of<InputError>([&] { (void)goal_text("num_ranks 1\nrank 0 {\n" + op + "\n}\n", {}, limits); });
  };
  EXPECT_TRUE(limited("send 4294967295b to 0").starts_with("t.goal:3: 4294967295 bytes are 4294967295 packets of 1"));
  EXPECT_TRUE(limited("calc 10000000000000").starts_with("t.goal:3: computing for 10000000000000 ns takes"));
}

}  // namespace
}  // namespace weft::workloads
