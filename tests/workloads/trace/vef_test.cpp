// VEF: what tasks do of records that depend on others, collective calls from their lines, errors; the samples beside
// counts of their lines.
#include "tests/workloads/trace/mpe_test_tools.hpp"

namespace weft::workloads {
namespace {

constexpr const char* two_tasks = "VEF3 2 2 1 0 0 0 1000\nC0 0 1\n";

void expect_vef_refused(const std::string& trace, u32 line, const std::string& problem) {
  const std::string what = error_of<InputError>([&] { ReadLog(trace_in_memory(trace, "t"), "vef"); });
  EXPECT_TRUE(what.starts_with("t:" + std::to_string(line) + ": ")) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("; expected ")) << what;
}

std::vector<u64> computing(const ReadLog& read, u32 task) {
  std::vector<u64> times;
  for (const TraceEvent& event : read.events.at(task))
    if (event.kind == TraceEvent::Kind::compute) times.push_back(event.bytes);
  return times;
}

TEST(Vef, ARecordWaitsForWhatItDependsOnThenComputesThenSends) {
  const ReadLog read(
      "VEF3 3 5 1 0 0 0 1000\nC0 0 1 2\n0 0 1 86 4 400 -1\n2 0 0 0 1 20 0\n1 1 2 7 6 30 0\n"
      "3 2 0 9 6 5 1\n4 0 0 0 2 40 3\n");
  EXPECT_EQ("vef", read.found);
  EXPECT_EQ(3u, read.tasks);
  EXPECT_EQ("compute, send 1 0 86, compute, receive 2 3 9, compute", read.text(0));
  EXPECT_EQ("receive 0 0 86, compute, send 2 1 7", read.text(1));
  EXPECT_EQ("receive 1 1 7, compute, send 0 3 9", read.text(2));
  EXPECT_EQ((std::vector<u64>{400, 20, 40}), computing(read, 0));
  EXPECT_EQ((std::vector<u64>{30}), computing(read, 1));
}

TEST(Vef, AbsoluteTimesAreWhatIsLeftAfterTheComputingBefore) {
  const ReadLog read(
      "VEF 2 4 1 0 0 TRUE\nC0 0 1\n0 0 1 4 0 100 -1\n1 0 1 4 1 50 0\n2 0 1 4 0 170 -1\n3 0 1 4 0 160 -1\n");
  EXPECT_EQ((std::vector<u64>{100, 50, 20}), computing(read, 0));
  // Messages that no record waits for are received at the end.
  EXPECT_EQ("receive 0 0 4, receive 0 1 4, receive 0 2 4, receive 0 3 4", read.text(1));
}

TEST(Vef, TheClockIsPicosecondsOfAUnitOfTime) {
  const ReadLog read("VEF3 2 2 1 0 0 1 2500\nC0 0 1\n0 0 1 4 0 3 -1\n1 0 1 4 1 4 0\n");
  EXPECT_EQ((std::vector<u64>{8, 10}), computing(read, 0));
}

TEST(Vef, LinesMayDependOnMessagesOfLaterLines) {
  const ReadLog read(std::string(two_tasks) + "1 1 0 5 2 9 0\n0 0 1 4 0 3 -1\n");
  EXPECT_EQ("receive " + std::to_string(TraceEvent::any) + " 0 " + std::to_string(TraceEvent::unknown_bytes) +
                ", compute, send 0 1 5",
            read.text(1));
  EXPECT_EQ("compute, send 1 0 4, receive 1 1 5", read.text(0));
}

TEST(Vef, AMessageIsReceivedOnce) {
  const ReadLog read("VEF3 2 3 1 0 0 0 1000\nC0 0 1\n0 0 1 4 0 0 -1\n1 1 1 0 2 0 0\n2 1 0 3 2 0 0\n");
  EXPECT_EQ("receive 0 0 4, send 0 2 3", read.text(1));
}

TEST(Vef, CollectiveCallsHaveTheRootThatTheirSizesSay) {
  const ReadLog read(
      "VEF3 4 0 2 3 10 0 1000\nC0 0 1 2 3\nC1 3 1\nG0 C0 0 0 0 100 0 5 -1\nG0 C0 0 1 0 100 0 5 -1\nG1 C1 1 1 0 8 3 7 "
      "G0\n"
      "G0 C0 0 2 100 0 0 5 -1\nG0 C0 0 3 0 100 0 5 -1\nG1 C1 1 3 8 0 3 7 G0\nG2 C0 6 0 0 0 3 1 G0\nG2 0 6 1 0 0 3 1 "
      "G1\n"
      "G2 C0 6 2 0 0 3 1 G0\nG2 C0 6 3 0 0 3 1 G1\n");
  EXPECT_EQ("compute, coll broadcast 0, compute, coll barrier 0", read.text(0));
  EXPECT_EQ("compute, coll broadcast 0, compute, coll reduce 1, compute, coll barrier 0", read.text(3));
  ASSERT_EQ(2u, read.communicators.size());
  EXPECT_EQ((std::vector<u32>{3, 1}), read.communicators[1].members);
  const TraceEvent& broadcast = read.events.at(0)[1];
  EXPECT_EQ(2u, broadcast.root);
  EXPECT_EQ(100u, broadcast.bytes);
  EXPECT_EQ(1u, read.events.at(3)[3].root);
  EXPECT_EQ(8u, read.events.at(3)[3].bytes);
  EXPECT_EQ(TraceEvent::no_root, read.events.at(0)[3].root);
}

TEST(Vef, PiecesOfDifferentLengthsAreVectors) {
  const ReadLog read(
      "VEF3 2 0 1 7 14 0 1000\nC0 0 1\nG0 C0 3 0 5 15 0 0 -1\nG0 C0 3 1 10 0 0 0 -1\nG1 C0 3 0 5 10 3 0 G0\nG1 C0 3 1 "
      "5 0 3 0 "
      "G0\nG2 C0 4 0 0 4 3 0 G1\nG2 C0 4 1 7 3 3 0 G1\nG3 C0 5 0 2 8 3 0 G2\nG3 C0 5 1 6 8 3 0 G2\nG4 C0 7 0 9 0 3 0 "
      "G3\n"
      "G4 C0 7 1 9 0 3 0 G3\nG5 C0 7 0 10 1 3 0 G4\nG5 C0 7 1 4 1 3 0 G4\nG6 C0 7 0 10 1 3 0 G5\nG6 C0 7 1 10 1 3 0 "
      "G5\n");
  EXPECT_EQ(
      "coll gatherv 0, coll gather 0, coll scatterv 0, coll allgatherv 0, coll all-to-all 0, coll all-to-allv 0, "
      "coll all-to-allv 0",
      read.text(0));
  const auto& of = read.events.at(0);
  const auto& of_other = read.events.at(1);
  EXPECT_EQ((std::vector<u64>{5, 10}), of[0].received);
  EXPECT_EQ(15u, of[0].bytes_received);
  EXPECT_TRUE(of_other[0].received.empty());
  EXPECT_EQ(10u, of_other[0].bytes);
  EXPECT_EQ(5u, of[1].bytes);
  EXPECT_EQ(1u, of[2].root);
  EXPECT_EQ(4u, of[2].bytes_received);
  EXPECT_EQ((std::vector<u64>{4, 3}), of_other[2].sent);
  EXPECT_EQ((std::vector<u64>{2, 6}), of[3].received);
  EXPECT_EQ(9u, of[4].bytes);
  EXPECT_EQ((std::vector<u64>{5, 5}), of[5].sent);
  EXPECT_EQ((std::vector<u64>{5, 2}), of[5].received);
  EXPECT_TRUE(of[6].sent.empty());
  EXPECT_EQ(10u, of[6].bytes_received);
}

TEST(Vef, WhatFollowsACollectiveCallWaitsForItsLines) {
  const ReadLog read(
      "VEF3 2 1 1 2 4 0 1000\nC0 0 1\nG0 C0 6 0 0 0 0 5 -1\n0 0 1 3 7 2 G0\nG1 C0 2 0 8 8 1 1 0\nG0 C0 6 1 0 0 0 6 "
      "-1\nG1 C0 2 "
      "1 8 8 2 1 0\n");
  EXPECT_EQ("compute, coll barrier 0, compute, send 1 0 3, compute, coll allreduce 0", read.text(0));
  EXPECT_EQ("compute, coll barrier 0, receive 0 0 3, compute, coll allreduce 0", read.text(1));
}

TEST(Vef, RefusesWhatCannotBe) {
  const std::string begin = two_tasks;
  expect_vef_refused("VEF2 2 0 1 0 0 0\n", 1, "an unknown version of VEF");
  expect_vef_refused("VEF 0 0 1 0 0 TRUE\n", 1, "no tasks");
  expect_vef_refused("VEF 99999999 0 1 0 0 TRUE\n", 1, "the number of tasks is no such number (got '99999999')");
  expect_vef_refused("VEF 2 0 1 0 0 MAYBE\n", 1, "flag");
  expect_vef_refused("VEF3 2 0 1 0 0 0 0\n", 1, "clock of 0");
  expect_vef_refused("VEF 2 0 1 0 0 TRUE 5\n", 1, "more on the line");
  expect_vef_refused("VEF 2 0 1 0 0 TRUE\n", 2, "ends in its communicators");
  expect_vef_refused("VEF 2 0 1 0 0 TRUE\nC0 0 1 0\n", 2, "twice in communicator C0");
  expect_vef_refused("VEF 2 0 1 0 0 TRUE\nC0 0 2\n", 2, "a task of a communicator is no such number");
  expect_vef_refused("VEF 2 0 2 0 0 TRUE\nC0 0 1\nC0 0\n", 3, "defined twice");
  expect_vef_refused(begin + "2 0 1 4 0 3 -1\n", 3, "ID is no such number");
  expect_vef_refused(begin + "0 0 2 4 0 3 -1\n", 3, "DESTINATION is no such number");
  expect_vef_refused(begin + "0 0 1 4 8 3 -1\n", 3, "DEP is no such number");
  expect_vef_refused("VEF 2 2 1 0 0 TRUE\nC0 0 1\n0 0 1 4 4 3 -1\n", 3, "DEP is no such number");
  expect_vef_refused(begin + "0 0 1 4 0 3 1\n", 3, "depends on none");
  expect_vef_refused(begin + "0 0 1 4 0 99999999999999999 -1\n", 3, "TIME is no such number");
  expect_vef_refused(begin + "0 0 1 4 0 3\n", 3, "(got nothing)");
  expect_vef_refused(begin + "0 0 1 4 0 3 -1 9\n", 3, "more on the line");
  expect_vef_refused(begin + "0 0 1 4 0 3 -1\n0 0 1 4 0 3 -1\n", 4, "a message has come before");
  expect_vef_refused(begin + "0 0 1 4 2 3 0\n", 3, "depends on itself");
  expect_vef_refused(begin + "0 0 1 4 1 3 1\n", 3, "a send of its own that comes later");
  expect_vef_refused(begin + "0 0 1 4 0 3 -1\n1 1 0 4 1 3 0\n", 4, "task 1 depends on a message that task 0 sent");
  expect_vef_refused(begin + "0 0 1 4 0 3 -1\n1 0 1 4 2 3 0\n", 4, "task 0 depends on a message that task 1 receives");
  expect_vef_refused(begin + "1 0 1 4 2 3 0\n0 0 1 4 0 3 -1\n", 4, "task 0 waits for a message that is not for it");
  expect_vef_refused(begin + "0 0 1 4 0 3 -1\n", 4, "messages are missing");
  expect_vef_refused(begin + "G0 C0 6 0 0 0 0 0 -1\n", 3, "a collective call");
  const std::string calls = "VEF3 2 0 1 2 4 0 1000\nC0 0 1\n";
  expect_vef_refused(calls + "G0 C0 8 0 0 0 0 0 -1\n", 3, "OPERATION is no such number");
  expect_vef_refused(calls + "G0 C1 6 0 0 0 0 0 -1\n", 3, "an unknown communicator");
  expect_vef_refused(calls + "G0 C0 6 0 0 0 3 0 G1\n", 3, "comes later");
  expect_vef_refused(calls + "G0 C0 6 0 0 0 0 0 -1\nG0 C0 2 1 0 0 0 0 -1\n", 4, "lines that do not agree");
  expect_vef_refused(calls + "G0 C0 6 0 0 0 0 0 -1\nG0 C0 6 0 0 0 0 0 -1\n", 4, "a task is twice");
  expect_vef_refused(calls + "G0 C0 0 0 5 0 0 0 -1\nG0 C0 0 1 5 0 0 0 -1\n", 4, "the root is not to be known");
  expect_vef_refused(calls + "G0 C0 2 0 5 5 0 0 -1\nG0 C0 2 1 6 6 0 0 -1\n", 4, "sizes differ");
  expect_vef_refused(calls + "G0 C0 7 0 5 1 0 0 -1\nG0 C0 7 1 5 0 0 0 -1\n", 4, "vector form");
  const std::string whole = calls + "G0 C0 6 0 0 0 0 0 -1\nG0 C0 6 1 0 0 0 0 -1\n";
  expect_vef_refused(whole + "G0 C0 6 1 0 0 3 0 G0\n", 5, "come before");
  expect_vef_refused(whole + "G1 C0 6 1 0 0 3 0 G0\n", 6, "G1 has 1 of its 2 lines");
  expect_vef_refused(whole, 5, "collective calls are missing");
}

TEST(Vef, MemoryDoesNotGrowWithWhatTheFirstLineClaims) {
  expect_vef_refused("VEF3 2 4294967295 1 1000000000000 1000000000000 0 1000\nC0 0 1\n0 0 1 4 0 3 -1\n", 4,
                     "messages are missing");
}

/// Counts by awk of the lines of the samples.
TEST(Vef, TheSamplesHaveTheMessagesThatTheirLinesSay) {
  struct Sample {
    const char* name;
    u64 messages, bytes;
  };
  for (const Sample& sample : {Sample{"output_trace_dummy.vef", 8, 360}, Sample{"output_trace_dummyRecv.vef", 8, 360},
                               Sample{"out_2025-08-21-165823.vef", 1056, 29'527'900'160},
                               Sample{"out_2025-08-21-173711.vef", 4224, 120'124'866'560},
                               Sample{"out_2025-08-20-204044.vef.xz", 12000, 46'931'116'032},
                               Sample{"output_trace_resnet50.vef.xz", 12528, 213'469'444'512}}) {
    const std::string path = shared_file(std::string("traces/vef/") + sample.name);
    if (path.empty()) GTEST_SKIP() << "the trace is not there (WEFT_SHARED)";
    const ReadLog read(find_trace(path));
    EXPECT_EQ("vef", read.found);
    EXPECT_EQ((ReadLog::Counts{sample.messages, sample.messages, sample.bytes, 0}), read.counts()) << sample.name;
  }
}

}  // namespace
}  // namespace weft::workloads
