// Text of liballprof: its lines, samples against other counts, and Sweep3D against the GOAL program that Schedgen made
// of it.
#include <fstream>

#include "tests/workloads/trace/format_test_tools.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

EventsOfTrace allprof_of(const std::string& text) { return events_of(trace_in_memory(text, "t-0.txt"), "liballprof"); }

TEST(Liballprof, ReadsCallsTimesAndSizes) {
  const EventsOfTrace trace = allprof_of(
      "# collprof\nMPI_Init:-:1:2:1237666046950000.000000\n"
      "MPI_Send:1237666046950010.000000:99:3:11,8,8:1:5:0,0,2:1237666046950012.500000\n"
      "MPI_Isend:20:99:3:2,4,4:1:6:0,0,2:7000:21\nMPI_Irecv:22:99:4:2,4,4:-1:-1:0,0,2:7008:23\n"
      "MPI_Waitall:24:2:7000:1:25\nMPI_Allreduce:30:1:2:1:2,4,4:3:0,0,2:31\nMPI_Finalize:40:-\n");
  EXPECT_EQ("liballprof", trace.format);
  EXPECT_EQ(2u, trace.tasks);
  ASSERT_EQ(10u, trace.of[0].size());  // two calls are enter and leave
  const TraceEvent& send = trace.of[0][2];
  EXPECT_EQ(10'000u, send.begin_ns);
  EXPECT_EQ(12'500u, send.end_ns);
  EXPECT_EQ((Messages{{0, 1, 0, 5, 24}, {0, 1, 0, 6, 12}}), sent_messages(trace));
  EXPECT_EQ((Messages{{TraceEvent::any, 0, 0, TraceEvent::any, 16}}), received_messages(trace));
  EXPECT_FALSE(trace.of[0][5].continues);
  EXPECT_TRUE(trace.of[0][6].continues);
  EXPECT_EQ(4u, trace.of[0][7].bytes);
}

TEST(Liballprof, CountsOfEachTaskAreThereOrNot) {
  const EventsOfTrace trace = allprof_of(
      "MPI_Alltoallv:1:9:8:1,2:8:0,1:2,4,4:9:8:3,4:8:0,3:2,4,4:0,0,2:2\n"
      "MPI_Alltoallv:1:9:8:8:2,4,4:9:8:8:2,4,4:0,0,2:2\nMPI_Gatherv:1:9:5:2,4,4:9:8:5,6:8:0,5:2,4,4:0:0,0,2:2\n");
  EXPECT_EQ((std::vector<u64>{4, 8}), trace.of[0][0].sent);
  EXPECT_EQ((std::vector<u64>{12, 16}), trace.of[0][0].received);
  EXPECT_EQ(TraceEvent::unknown_bytes, trace.of[0][1].bytes);
  EXPECT_EQ((std::vector<u64>{20, 24}), trace.of[0][2].received);
}

TEST(Liballprof, PartsOfAllTasksAreKnownBySizeAndRank) {
  const ScratchFolder folder;
  for (u32 rank = 0; rank < 4; ++rank) {
    const std::string r = std::to_string(rank), half = std::to_string(rank / 2);
    // Even and odd tasks; handles differ from task to task.
    std::string text = "MPI_Comm_split:1:0," + r + ",4:" + std::to_string(rank % 2) + ":0:555:2\n";
    text += rank / 2 == 0 ? "MPI_Send:3:9:1:1,1,1:1:8:" + std::to_string(700 + rank) + "," + half + ",2:4\n"
                          : "MPI_Recv:3:9:1:1,1,1:0:8:" + std::to_string(700 + rank) + "," + half + ",2:9:4\n";
    static_cast<void>(folder.write("t-" + r + ".txt", text));
  }
  const EventsOfTrace trace = events_of(folder.file("t-*.txt"));
  ASSERT_EQ(3u, trace.source->communicators().size());
  const Messages sent = sent_messages(trace);
  ASSERT_EQ(2u, sent.size());
  EXPECT_EQ(sent, received_messages(trace));
  EXPECT_EQ(2u, std::get<1>(sent[0]));
  EXPECT_EQ(3u, std::get<1>(sent[1]));
}

TEST(Liballprof, MessagesOfSweep3dAreThoseThatSchedgenFound) {
  const std::string path = shared_file("traces/liballprof/sweep3d-2x2"),
                    goal = shared_file("traces/goal/sweep3d-4.goal");
  if (path.empty() || goal.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const EventsOfTrace trace = events_of(path);
  const Messages sent = sent_messages(trace);
  EXPECT_EQ(5'760u, sent.size());
  EXPECT_EQ(207'360'000u, bytes_of(sent));
  EXPECT_EQ(sent, received_messages(trace));
  EXPECT_EQ(4u * 32, count_of(trace, Collective::allreduce));
  EXPECT_EQ(4u * 4, count_of(trace, Collective::broadcast));
  EXPECT_EQ(4u * 3, count_of(trace, Collective::barrier));
  Messages of_goal;  // tags from 1,000,000 on are those of collective calls
  std::ifstream file(goal);
  u32 rank = 0, to = 0, tag = 0;
  unsigned long long bytes = 0;
  for (std::string line; std::getline(file, line);) {
    std::sscanf(line.c_str(), "rank %u", &rank);
    const std::size_t at = line.find("send ");
    if (at == std::string::npos) continue;
    ASSERT_EQ(3, std::sscanf(line.c_str() + at, "send %llub to %u tag %u", &bytes, &to, &tag));
    if (tag < 1'000'000) of_goal.emplace_back(rank, to, 0, tag, bytes);
  }
  std::ranges::sort(of_goal);
  EXPECT_EQ(of_goal, sent);
  ReplayChoice choice;
  choice.store.kept = false;
  const TraceCheck check = check_trace(path, choice);
  EXPECT_TRUE(check.completes());
  EXPECT_EQ(0u, check.left_over);
}

TEST(Liballprof, FilesThatAreCopiesOfOneAreOfTheRanksInTheirNames) {
  const std::string path = shared_file("traces/liballprof/bcast");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const EventsOfTrace trace = events_of(path);
  EXPECT_EQ(4u, trace.tasks);
  EXPECT_EQ(20u, count_of(trace, Collective::broadcast));
  EXPECT_EQ(12u, trace.of[3][2].bytes);
  EXPECT_EQ(0u, trace.of[3][2].root);
}

TEST(Liballprof, RefusesWhatItIsNot) {
  const auto refusal = [](const std::string& text) { return error_of<InputError>([&] { allprof_of(text); }); };
  EXPECT_TRUE(
      refusal("MPI_Barrier:1:0,0,2:2\nMPI_Send:1:9:3:11,8,8:2\n").starts_with("t-0.txt:2: MPI_Send with 3 arguments"));
  EXPECT_NE(std::string::npos, refusal("MPI_Barrier:1:0,5,2:2\n").find("no rank of a communicator (got '0,5,2')"));
  EXPECT_NE(std::string::npos, refusal("MPI_Barrier:x:0,0,2:2\n").find("a time that is no number"));
  EXPECT_NE(std::string::npos, refusal("MPI_Barrier:1:0,0,2:2\nhello\n").find("no call of MPI"));
  EXPECT_NE(std::string::npos,
            refusal("MPI_Barrier:1:0,0,4:2\nMPI_Barrier:1:7,0,2:2\n").find("a communicator of 2 tasks whose members"));
  EXPECT_NE(std::string::npos, refusal("MPI_Send:1:9:3:11,8,8:7:5:0,0,2:2\n").find("a rank that is not in its"));
  const std::string persistent = "MPI_Send_init:1:7:1:1,1,1:1:5:0,0,2:96:2\n";
  EXPECT_NE(
      std::string::npos,  // the end of the requests is before their begin
      refusal(persistent + "MPI_Startall:3:2305843009213693951:100:4\n").find("t-0.txt:2: no number of requests"));
  EXPECT_NE(std::string::npos, refusal(persistent + "MPI_Waitall:3:-1:96:9:4\n").find("no number of requests"));
}

}  // namespace
}  // namespace weft::workloads
