// Dimemas: events from records of both forms, requests, roots, errors.
#include "tests/workloads/trace/mpe_test_tools.hpp"

namespace weft::workloads {
namespace {

const std::string newer_head = "#DIMEMAS:\"a:b\":1,0000000123:3(1,2,1),2,1(0)\nd:1:1:3:0:1:2\nd:2:5:6\nd:1:2:2:2:0\n";
const std::string old_head = "#DIMEMAS:\"old\":0:3(1,1,1),1\nd:1:0:3:0:1:2\n";

void expect_dimemas_refused(const std::string& trace, u32 line, const std::string& problem) {
  const std::string what = error_of<InputError>([&] { ReadLog(trace_in_memory(trace, "t"), "dimemas"); });
  EXPECT_TRUE(what.starts_with("t:" + std::to_string(line) + ": ")) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("; expected ")) << what;
}

TEST(Dimemas, RecordsAreEventsInTheFormWithThreadsAndWithout) {
  for (const std::string thread : {"", "0:", "-1:"}) {
    const ReadLog read(newer_head + "1:0:0:0.000001500\n2:0:0:1:" + thread + "40:7:1:0\n2:0:0:1:" + thread +
                       "41:8:1:3\n3:1:0:0:" + thread + "40:7:1:0\n3:1:0:-1:" + thread +
                       "41:-1:1:0\n20:0:0:50000001:4\n0:0:0\n11:1:1:5.0\n101:0:0:1:2\ns:0:12:34\n");
    EXPECT_EQ("dimemas", read.found);
    EXPECT_EQ(3u, read.tasks);
    EXPECT_EQ("compute, send 1 7 40, isend 1 8 41", read.text(0));
    EXPECT_EQ(1500u, read.events.at(0)[0].bytes);
    EXPECT_FALSE(read.events.at(0)[1].synchronous);
    EXPECT_TRUE(read.events.at(0)[2].synchronous);
    const std::string any = std::to_string(TraceEvent::any);
    EXPECT_EQ("receive 0 7 40, receive " + any + " " + any + " 41", read.text(1));
    ASSERT_EQ(2u, read.communicators.size());
    EXPECT_EQ((std::vector<u32>{2, 0}), read.communicators[1].members);
  }
}

TEST(Dimemas, WaitsAreForTheOldestReceiveOfTheirSourceTagAndCommunicator) {
  const ReadLog read(newer_head +
                     "3:0:0:1:0:5:1:1:1\n3:0:0:1:0:5:2:1:1\n3:0:0:1:0:5:1:1:1\n3:0:0:1:0:5:2:1:2\n"
                     "3:0:0:1:0:5:1:1:2\n3:0:0:1:0:5:1:1:2\n3:0:0:1:0:5:1:1:2\n");
  const auto& events = read.events.at(0);
  EXPECT_EQ("ireceive, ireceive, ireceive, wait, wait, wait, receive 1 1 5", read.text(0));
  EXPECT_EQ(events[1].request, events[3].request);
  EXPECT_EQ(events[0].request, events[4].request);
  EXPECT_EQ(events[2].request, events[5].request);
  EXPECT_EQ(5u, events[4].bytes);
}

TEST(Dimemas, NewerTracesHaveRootsAsFlagsWhereverTheirLinesAre) {
  const ReadLog read(newer_head +
                     "10:0:0:1:1:0:0:0:100:1\n10:0:0:10:2:0:0:8:0:1\n10:0:0:1:1:1:0:50:0:1\n10:1:0:1:1:0:0:0:100:1\n"
                     "10:1:0:1:1:0:0:0:50:1\n10:2:0:1:1:1:0:100:0:1\n10:2:0:10:2:1:0:0:8:1\n10:2:0:1:1:0:0:0:50:1\n");
  for (const u32 task : {0U, 1U, 2U}) {
    const auto& events = read.events.at(task);
    EXPECT_EQ(2u, events.front().root);
    EXPECT_EQ(100u, events.front().bytes);
    EXPECT_EQ(0u, events.back().root);
    EXPECT_EQ(50u, events.back().bytes);
  }
  EXPECT_EQ("coll broadcast 0, coll reduce 1, coll broadcast 0", read.text(0));
  EXPECT_EQ(2u, read.events.at(0)[1].root);
  EXPECT_EQ(8u, read.events.at(2)[1].bytes);
}

TEST(Dimemas, NumbersOfOperationsDifferBetweenOldAndNewerTraces) {
  const ReadLog newer(newer_head + "10:0:0:13:1:0:0:24:8:1\n10:0:0:14:1:0:0:8:8:1\n10:0:0:15:1:0:0:20:30:1\n");
  EXPECT_EQ("coll reduce-scatter-block 0, coll scan 0, coll all-to-allw 0", newer.text(0));
  EXPECT_EQ(8u, newer.events.at(0)[0].bytes);
  EXPECT_EQ(30u, newer.events.at(0)[2].bytes_received);
  const ReadLog old(old_head + "10:0:0:13:0:0:0:8:8\n10:0:0:1:0:2:0:0:9\n10:0:0:3:0:1:0:5:0\n");
  EXPECT_EQ("coll scan 0, coll broadcast 0, coll gatherv 0", old.text(0));
  EXPECT_EQ(2u, old.events.at(0)[1].root);
  EXPECT_EQ(1u, old.events.at(0)[2].root);
  EXPECT_EQ(5u, old.events.at(0)[2].bytes);
}

TEST(Dimemas, NonBlockingCollectivesAreWaitedFor) {
  const ReadLog read(newer_head + "10:0:0:27:1:0:0:8:8:1\n1:0:0:0.1\n10:0:0:27:1:0:0:8:8:2\n");
  EXPECT_EQ("coll allreduce 0, compute, wait", read.text(0));
  EXPECT_EQ(read.events.at(0)[0].request, read.events.at(0)[2].request);
  EXPECT_NE(TraceEvent::no_request, read.events.at(0)[0].request);
}

TEST(Dimemas, RefusesWhatCannotBe) {
  expect_dimemas_refused("#DIMEMAS:x\n", 1, "the line ends early");
  expect_dimemas_refused("#DIMEMAS:\"x\n", 1, "the name has no end");
  expect_dimemas_refused("#DIMEMAS:\"x\":0:0(),1\n", 1, "no tasks");
  expect_dimemas_refused("#DIMEMAS:\"x\":0:99999999(1),1\n", 1, "the number of tasks is no such number");
  expect_dimemas_refused("#DIMEMAS:\"x\":0:2(1,1\n", 1, "a list ends early");
  expect_dimemas_refused("#DIMEMAS:\"x\":0:2(1,1),1\nd:1:0:3:0:1:2\n", 2, "the size of a communicator");
  expect_dimemas_refused("#DIMEMAS:\"x\":0:2(1,1),1\nd:1:0:2:0:0\n", 2, "twice in communicator 0");
  expect_dimemas_refused("#DIMEMAS:\"x\":0:2(1,1),1\nd:1:0:2:0:1\nd:1:0:1:0\n", 3, "defined twice");
  expect_dimemas_refused(old_head + "1:0:0:1\nd:1:2:1:0\n", 4, "behind records");
  expect_dimemas_refused(old_head + "1:3:0:1\n", 3, "the task is no such number");
  expect_dimemas_refused(old_head + "1:0:0:-1\n", 3, "a duration is none");
  expect_dimemas_refused(old_head + "1:0:0:nan\n", 3, "a duration is none");
  expect_dimemas_refused(old_head + "1:0:0:1e300\n", 3, "a duration is none");
  expect_dimemas_refused(old_head + "1:0:0\n", 3, "the line ends early");
  expect_dimemas_refused(old_head + "7:0:0:1\n", 3, "an unknown type of record");
  expect_dimemas_refused(old_head + "2:0:0:1:5:1:0\n", 3, "another number of fields");
  expect_dimemas_refused(old_head + "2:0:0:3:5:1:0:0\n", 3, "the partner is out of range");
  expect_dimemas_refused(old_head + "2:0:0:1:5:1:4:0\n", 3, "an unknown communicator (got '4')");
  expect_dimemas_refused(old_head + "2:0:0:1:-1:1:0:0\n", 3, "BYTES is out of range (got '-1')");
  expect_dimemas_refused(old_head + "2:0:0:1:5:1:0:4\n", 3, "SYNC is out of range");
  expect_dimemas_refused(old_head + "2:0:1:1:5:1:0:0\n", 3, "another thread");
  expect_dimemas_refused(old_head + "2:0:0:1:5:1:0:0 9\n", 3, "more on the line");
  expect_dimemas_refused(old_head + "10:0:0:14:0:0:0:8:8\n", 3, "OPERATION is out of range");
  expect_dimemas_refused(old_head + "10:0:0:1:0:3:0:8:8\n", 3, "ROOT is out of range");
  expect_dimemas_refused(newer_head + "10:0:0:1:1:2:0:8:8:1\n", 5, "whether it is the root is out of range");
  expect_dimemas_refused(newer_head + "10:0:0:16:1:0:0:0:0:2\n", 5, "was not started");
}

TEST(Dimemas, TheExampleEndsAndNothingIsLeftOver) {
  const ReadLog read(find_trace(WEFT_SOURCE_DIR "/examples/traces/bsc/ring-4.dim"));
  EXPECT_EQ(4u, read.tasks);
  EXPECT_EQ("coll allreduce 2", read.text(1).substr(read.text(1).find("coll"), 16));
  const ReplayChoice choice{.store = {.kept = false}};
  const auto program = open_program(WEFT_SOURCE_DIR "/examples/traces/bsc/ring-4.dim", choice);
  // A ring of 4 in 3 rounds, 2 messages of an allreduce of 2 in each of 2 halves, a tree of 3, 2 steps of a barrier.
  u64 sends = 0;
  for (u32 task = 0; task < 4; ++task)
    for (const Op& op : ops_of(*program, task)) sends += op.kind == OpKind::send ? 1 : 0;
  EXPECT_EQ(12u + 3 * 4 + 3 + 8, sends);
}

}  // namespace
}  // namespace weft::workloads
