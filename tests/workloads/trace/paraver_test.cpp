// Paraver: events from calls and matched messages, times, roots, errors.
#include "tests/workloads/trace/mpe_test_tools.hpp"

namespace weft::workloads {
namespace {

const std::string paraver_head = "#Paraver (01/02/2026 at 10:11):900_ns:1(2):1:2(1:1,2:1),2\nc:1:1:2:1:2\nc:1:2:1:2\n";

void expect_paraver_refused(const std::string& trace, u32 line, const std::string& problem) {
  const std::string what = error_of<InputError>([&] { ReadLog(trace_in_memory(trace, "t"), "paraver"); });
  EXPECT_TRUE(what.starts_with("t:" + std::to_string(line) + ": ")) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("; expected ")) << what;
}

/// A call of that task, from 1 on.
std::string paraver_call_of(u32 task, u64 begin, u64 end, const std::string& call, u64 type = 50000001) {
  const std::string head = "2:1:1:" + std::to_string(task) + ":1:";
  const std::string of_type = ":" + std::to_string(type) + ":";
  return head + std::to_string(begin) + of_type + call + "\n" + head + std::to_string(end) + of_type + "0\n";
}

TEST(Paraver, AMessageIsSentInItsCallAndReceivedInTheOneThatItArrivesIn) {
  // Irecv and Recv of task 2 were before what they receive was sent; the first message is waited for in Waitall.
  const ReadLog read(paraver_head + paraver_call_of(2, 10, 12, "4") + "2:1:1:1:1:20:50000001:1\n" +
                     "3:1:1:1:1:20:21:2:1:2:1:10:40:64:7\n2:1:1:1:1:25:50000001:0\n" + paraver_call_of(2, 30, 45, "6") +
                     "2:2:1:2:1:50:50000001:2\n2:1:1:1:1:55:50000001:37\n3:1:1:1:1:55:56:2:1:2:1:50:70:65:8\n" +
                     "2:1:1:1:1:60:50000001:0\n2:2:1:2:1:70:50000001:0\n1:1:1:1:1:0:90:1\n");
  EXPECT_EQ("paraver", read.found);
  EXPECT_EQ(2u, read.tasks);
  EXPECT_EQ("send 1 7 64, isend 1 8 65", read.text(0));
  EXPECT_EQ("enter MPI, leave MPI, receive 0 7 64, receive 0 8 65", read.text(1));
  EXPECT_TRUE(read.events.at(0)[1].synchronous);
  EXPECT_EQ(20u, read.events.at(0)[0].begin_ns);
  EXPECT_EQ(25u, read.events.at(0)[0].end_ns);
  EXPECT_EQ(30u, read.events.at(1)[2].begin_ns);
  EXPECT_EQ(45u, read.events.at(1)[2].end_ns);
  EXPECT_EQ(50u, read.events.at(1)[3].begin_ns);
  EXPECT_TRUE(read.names.at(0).is_call);
}

TEST(Paraver, SeveralMessagesOfACallBelongTogether) {
  const ReadLog read(
      paraver_head + "2:1:1:1:1:5:50000001:41\n2:1:1:2:1:5:50000001:41\n" +
      "3:1:1:1:1:5:5:2:1:2:1:5:9:10:1\n3:1:1:1:1:6:6:2:1:2:1:5:8:11:1\n3:2:1:2:1:6:6:1:1:1:1:5:9:12:1\n" +
      "2:1:1:1:1:10:50000001:0\n2:1:1:2:1:10:50000001:0\n");
  EXPECT_EQ("send 1 1 10, send+ 1 1 11, receive 1 1 12", read.text(0));
  EXPECT_EQ("send 0 1 12, receive 0 1 11, receive+ 0 1 10", read.text(1));
}

TEST(Paraver, TimesAreMicrosecondsUnlessTheHeaderSaysOtherwise) {
  const ReadLog read("#Paraver (x):900:1(2):1:1(1:1)\n" + paraver_call_of(1, 3, 5, "31", 50000003));
  EXPECT_EQ("enter MPI, leave MPI", read.text(0));
  EXPECT_EQ(3000u, read.events.at(0)[0].begin_ns);
  EXPECT_EQ(5000u, read.events.at(0)[1].end_ns);
}

TEST(Paraver, MessagesOutsideOfCallsAndThoseNeverReceivedAreNotLost) {
  const ReadLog read(paraver_head + "3:1:1:1:1:5:5:2:1:2:1:5:9:10:1\n3:1:1:1:1:7:7:2:1:2:1:5:9:11:1\n" +
                     paraver_call_of(1, 20, 22, "20", 50000003));
  EXPECT_EQ("send 1 1 10, send 1 1 11, enter MPI, leave MPI", read.text(0));
  EXPECT_EQ("receive 0 1 10, receive+ 0 1 11", read.text(1));
}

TEST(Paraver, CollectiveCallsHaveTheirSizesAndRootsWhereverTheseAre) {
  const ReadLog read(paraver_head + paraver_call_of(1, 5, 9, "7:50100001:0:50100002:100:50100004:1", 50000002) +
                     paraver_call_of(2, 6, 9, "7:50100001:100:50100003:1:50100004:1", 50000002) +
                     paraver_call_of(2, 10, 11, "10:50100001:8:50100002:8:50100004:2", 50000002) +
                     paraver_call_of(1, 12, 13, "8", 50000002));
  EXPECT_EQ("coll broadcast 0, coll barrier 0", read.text(0));
  EXPECT_EQ("coll broadcast 0, coll allreduce 1", read.text(1));
  for (const u32 task : {0U, 1U}) {
    EXPECT_EQ(1u, read.events.at(task)[0].root);
    EXPECT_EQ(100u, read.events.at(task)[0].bytes);
  }
  ASSERT_EQ(2u, read.communicators.size());
  EXPECT_EQ((std::vector<u32>{1}), read.communicators[1].members);
}

TEST(Paraver, NonBlockingCollectivesAreWaitedForWhereNothingElseIs) {
  const ReadLog read(paraver_head + paraver_call_of(1, 5, 6, "156:50100004:1", 50000002) +
                     paraver_call_of(1, 6, 7, "155:50100001:8:50100002:8:50100004:1", 50000002) +
                     paraver_call_of(1, 8, 9, "5") + paraver_call_of(2, 5, 6, "156:50100004:1", 50000002));
  EXPECT_EQ("coll barrier 0, coll allreduce 0, wait, wait", read.text(0));
  EXPECT_EQ(read.events.at(0)[0].request, read.events.at(0)[2].request);
  EXPECT_EQ(9u, read.events.at(0)[2].end_ns);
  EXPECT_EQ("coll barrier 0, wait", read.text(1));
}

TEST(Paraver, TasksOfSeveralApplicationsAreNumberedOn) {
  const ReadLog read("#Paraver (x):9_ns:2(1,1):2:1(1:1),1:2(1:1,1:2),1\nc:1:1:1:1\nc:2:1:2:1:2\n" +
                     std::string("2:1:2:2:1:5:50000002:8:50100004:1\n2:1:2:2:1:7:50000002:0\n"));
  EXPECT_EQ(3u, read.tasks);
  EXPECT_EQ("coll barrier 2", read.text(2));
  EXPECT_EQ((std::vector<u32>{1, 2}), read.communicators.at(2).members);
}

TEST(Paraver, RefusesWhatCannotBe) {
  expect_paraver_refused("#Paraver (x:9\n", 1, "brackets are not closed");
  expect_paraver_refused("#Paraver (x):9:1(1):1:0(),1\n", 1, "no tasks");
  expect_paraver_refused("#Paraver (x):9:1(1):1:99999999(1:1)\n", 1, "the number of tasks is no such number");
  expect_paraver_refused("#Paraver (x):9:1(1):2:1(1:1)\n", 1, "the line ends early");
  expect_paraver_refused("#Paraver (x):9:1(1):1:1(1:1),1\nc:1:1:2:1:2\n", 2, "the size of a communicator");
  expect_paraver_refused("#Paraver (x):9:1(1):1:2(1:1,1:1),1\nc:1:1:2:0:2\n", 2, "a task of a communicator is 0");
  expect_paraver_refused(paraver_head + "4:1\n", 4, "an unknown record");
  expect_paraver_refused(paraver_head + "1:1\nc:1:3:1:1\n", 5, "behind records");
  expect_paraver_refused(paraver_head + "2:1:1:3:1:5:50000001:1\n", 4, "the task is no such number");
  expect_paraver_refused(paraver_head + "2:1:1:1:1:5:50000001\n", 4, "the line ends early");
  expect_paraver_refused(paraver_head + "2:1:1:1:1:x:50000001:1\n", 4, "a time is no such number");
  expect_paraver_refused(paraver_head + "3:1:1:1:1:5:5:2:1:2:1:5:9:10\n", 4, "the line ends early");
  expect_paraver_refused(paraver_head + "3:1:1:1:1:5:5:2:1:2:1:5:9:10:1:1\n", 4, "more on the line");
  expect_paraver_refused(paraver_head + "3:1:1:1:1:5:5:2:1:2:2:5:9:10:1\n", 5, "another thread");
  expect_paraver_refused(paraver_head + paraver_call_of(1, 5, 6, "8:50100004:9", 50000002), 5,
                         "an unknown communicator");
}

TEST(Paraver, TheExampleIsThatOfDimemas) {
  const ReplayChoice choice{.store = {.kept = false}};
  const auto program = open_program(WEFT_SOURCE_DIR "/examples/traces/bsc/ring-4.prv", choice);
  u64 sends = 0, bytes = 0;
  for (u32 task = 0; task < 4; ++task) {
    for (const Op& op : ops_of(*program, task)) {
      sends += op.kind == OpKind::send ? 1 : 0;
      bytes += op.kind == OpKind::send ? op.amount : 0;
    }
  }
  // A ring of 4 in 3 rounds, 2 messages of an allreduce of 2 in each of 2 halves, a tree of 3.
  EXPECT_EQ(12u + 3 * 4 + 3, sends);
  EXPECT_EQ(4 * (2048u + 4096 + 8192) + 12 * 64 + 3 * 1000, bytes);
}

}  // namespace
}  // namespace weft::workloads
