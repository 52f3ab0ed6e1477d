// SimGrid's time-independent traces: the grammar old and new, samples against counts of awk, and what is written read
// again.

#include "tests/workloads/trace/format_test_tools.hpp"
#include "workloads/trace/trace_program.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

EventsOfTrace ti_of(const std::string& text) { return events_of(trace_in_memory(text, "t.ti"), "ti"); }

std::string ti_refusal(const std::string& text) {
  return error_of<InputError>([&] { ti_of(text); });
}

/// What a task does: kinds, and what they are of.
std::vector<std::tuple<Kind, u32, u32, u64>> told(const EventsOfTrace& trace, u32 task) {
  std::vector<std::tuple<Kind, u32, u32, u64>> all;
  for (const TraceEvent& event : trace.of.at(task)) all.emplace_back(event.kind, event.peer, event.tag, event.bytes);
  return all;
}

TEST(Ti, SizesAreOfTypesAndFlopsAreNanoseconds) {
  const EventsOfTrace trace = ti_of(
      "# a comment\n0 init\n1 init 1\n\n0 compute 1.5e3\n0 send 1 7 10\n0 send 1 7 10 1\n"
      "1 recv 0 7 10\n1 sleep 2e-6\n1 recv -555 -444 -1\n0 finalize\n1 finalize\n");
  EXPECT_EQ(2u, trace.tasks);
  EXPECT_FALSE(trace.source->has_times());
  EXPECT_EQ((std::vector<std::tuple<Kind, u32, u32, u64>>{
                {Kind::compute, 0, 0, 1500}, {Kind::send, 1, 7, 10}, {Kind::send, 1, 7, 40}}),
            told(trace, 0));
  EXPECT_EQ((std::vector<std::tuple<Kind, u32, u32, u64>>{
                {Kind::receive, 0, 7, 80},
                {Kind::compute, 0, 0, 2000},
                {Kind::receive, TraceEvent::any, TraceEvent::any, TraceEvent::unknown_bytes}}),
            told(trace, 1));
}

TEST(Ti, WaitsAreForTheOldestRequestOfTheirKind) {
  const EventsOfTrace trace = ti_of(
      "0 irecv 1 5 1\n0 irecv 1 6 1\n0 irecv 1 5 2\n0 isend 1 5 3\n0 wait 1 0 6\n0 wait 0 1 5\n0 wait 1 0 5\n"
      "0 wait 1 0 9\n0 irecv -1 -1 4\n0 wait 1 0 3\n0 waitall\n1 barrier\n");
  std::vector<u64> started, waited;
  std::vector<u32> tags;
  for (const TraceEvent& event : trace.of[0]) {
    if (event.kind == Kind::wait)
      waited.push_back(event.request), tags.push_back(event.tag);
    else
      started.push_back(event.request);
  }
  ASSERT_EQ(5u, started.size());
  EXPECT_EQ((std::vector<u64>{started[1], started[3], started[0], started[4], started[2]}), waited);
  EXPECT_EQ((std::vector<u32>{6, TraceEvent::any, 5, 3, 5}), tags);
}

TEST(Ti, WhatIsTestedIsOverWhenItIsUsedAgainOrAtTheEnd) {
  const EventsOfTrace trace = ti_of(
      "0 irecv 1 5 1\n0 test 1 0 5\n0 test 1 0 5\n0 compute 5\n0 irecv 1 5 1\n0 test 1 0 5\n0 wait 1 0 5\n"
      "0 irecv 1 6 1\n0 test 1 0 6\n0 finalize\n1 barrier\n");
  std::vector<Kind> kinds;
  for (const TraceEvent& event : trace.of[0]) kinds.push_back(event.kind);
  EXPECT_EQ((std::vector<Kind>{Kind::ireceive, Kind::compute, Kind::wait, Kind::ireceive, Kind::wait, Kind::ireceive,
                               Kind::wait}),
            kinds);
}

TEST(Ti, OldTracesHaveNoTagsAndWaitForTheLastRequest) {
  const EventsOfTrace trace = ti_of(
      "0 init\n0 Isend 1 100 1\n0 wait\n1 Irecv 0 100 1\n1 Irecv 0 5 1\n1 wait\n1 waitAll\n"
      "0 allReduce 4 7 0\n1 allReduce 4 7 0\n");
  EXPECT_EQ((Messages{{0, 1, 0, 0, 400}}), sent_messages(trace));
  EXPECT_EQ(2u, received_messages(trace).size());
  EXPECT_EQ(2u, count_of(trace, Collective::allreduce));
  EXPECT_EQ(7u, trace.of[0].back().bytes);  // computing
  EXPECT_EQ(32u, trace.of[0][2].bytes);
}

TEST(Ti, CollectiveCallsHaveTheirSizes) {
  std::string text;
  for (const char* const rank : {"0", "1"}) {
    for (const char* const line :
         {"bcast 3 1 1", "reduce 3 5 1 1", "alltoall 2 2 1 1", "allgather 2 2 1 1", "gather 2 3 0 1 1",
          "scatter 2 3 1 1 1", "allgatherv 1 1 2 1 1", "gatherv 1 1 2 1 1 1", "scatterv 1 2 1 0 1 1",
          "reducescatter 1 2 9 1", "alltoallv 9 1 2 9 3 4 1 1", "scan 1 0 0"})
      text += std::string(rank) + " " + line + "\n";
  }
  const EventsOfTrace trace = ti_of(text);
  std::vector<TraceEvent> calls;
  for (const TraceEvent& event : trace.of[0]) {
    if (event.kind == Kind::collective) calls.push_back(event);
  }
  ASSERT_EQ(12u, calls.size());
  const u64 bytes[] = {12, 12, 8, 8, 12, 12, 4, 4, 12, 6, 12, 8};
  for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(bytes[i], calls[i].bytes) << i;
  EXPECT_EQ(1u, calls[0].root);
  EXPECT_EQ((std::vector<u64>{4, 8}), calls[6].received);
  EXPECT_TRUE(calls[7].received.empty());  // of the root alone
  EXPECT_EQ((std::vector<u64>{4, 8}), calls[8].sent);
  EXPECT_EQ((std::vector<u64>{4, 8}), calls[10].sent);
  EXPECT_EQ((std::vector<u64>{12, 16}), calls[10].received);
  EXPECT_EQ(2u, count_of(trace, Kind::compute) / 2);  // of reduce and reducescatter
}

TEST(Ti, CountsOfSamplesAreThoseOfAwk) {
  struct Sample {
    const char* archive;
    const char* folder;
    u64 sends, bytes, computes, flops, barriers;
  };
  const Sample samples[] = {
      {"traces/simgrid-ti/cg.S.64.ti.tar.xz", "/cg.S.64", 269'312, 150'421'504, 357'321, 633'663'463, 64},
      {"traces/simgrid-ti/lu.S.16.ti.tar.xz", "/lu.S.16", 27'108, 9'915'648, 28'709, 83'827'874, 32},
      {"traces/simgrid-ti/is.S.16.ti.tar.xz", "/is.S.16", 15, 60, 587, 10'468'895, 0}};
  for (const Sample& sample : samples) {
    const ScratchFolder folder;
    const std::string path = unpacked(folder, sample.archive);
    if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
    const EventsOfTrace trace = events_of(path + sample.folder);
    EXPECT_EQ("ti", trace.format);
    const Messages sent = sent_messages(trace);
    EXPECT_EQ(sample.sends, sent.size());
    EXPECT_EQ(sample.bytes, bytes_of(sent));
    EXPECT_EQ(sent, received_messages(trace));
    EXPECT_EQ(sample.computes, count_of(trace, Kind::compute));
    EXPECT_EQ(sample.barriers, count_of(trace, Collective::barrier));
    u64 flops = 0;
    for (const auto& events : trace.of) {
      for (const TraceEvent& event : events) flops += event.kind == Kind::compute ? event.bytes : 0;
    }
    EXPECT_EQ(sample.flops, flops);
  }
  const std::string folder = shared_file("traces/simgrid-ti/ti_traces_32_1");
  if (folder.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const EventsOfTrace trace = events_of(folder);
  EXPECT_EQ(512u, count_of(trace, Collective::barrier));
  EXPECT_EQ(64u, count_of(trace, Collective::all_to_allv));
  EXPECT_EQ(192u, count_of(trace, Collective::allreduce));
}

/// Reads a trace into a store, writes it, and reads that again.
EventsOfTrace written_again(const ScratchFolder& folder, const TraceInput& input, std::vector<std::string>& losses) {
  StoreChoice choice;
  choice.kept = false;
  losses = TraceFormats::instance().find("ti")->write(store_of(input, choice), folder.file("out.ti"));
  return events_of(folder.file("out.ti"));
}

TEST(Ti, WhatIsWrittenIsReadAgain) {
  const ScratchFolder folder;
  const std::string text =
      "0 compute 12\n0 isend 1 5 3\n1 irecv 0 5 3\n1 wait 0 1 5\n0 wait 0 1 5\n0 bcast 3 1 6\n1 bcast 3 1 6\n"
      "0 alltoallv 3 1 2 7 3 4 6 6\n1 alltoallv 7 3 4 3 1 2 6 6\n0 gatherv 4 4 5 0 6 6\n1 gatherv 5 0 0 0 6 6\n";
  std::vector<std::string> losses;
  const EventsOfTrace first = ti_of(text);
  const EventsOfTrace again = written_again(folder, find_trace(folder.write("in.txt", text)), losses);
  EXPECT_TRUE(losses.empty());
  EXPECT_EQ(first.of, again.of);
  EXPECT_EQ(again.of, events_of(folder.file("out.ti/index.txt")).of);
}

TEST(Ti, WritesTimesAsComputingAndCallsOfSomeTasksAsMessages) {
  const std::string path = shared_file("traces/dumpi/testbgp.meta");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const ScratchFolder folder;
  std::vector<std::string> losses;
  const EventsOfTrace again = written_again(folder, find_trace(path), losses);
  const Messages sent = sent_messages(events_of(path)), written = sent_messages(again);
  EXPECT_EQ(sent.size(), written.size());
  EXPECT_EQ(bytes_of(sent), bytes_of(written));
  EXPECT_EQ(49u, count_of(again, Collective::all_to_all));  // on a communicator of all tasks in order
  EXPECT_GT(count_of(again, Kind::compute), 0u);
  EXPECT_FALSE(losses.empty());
  ReplayChoice choice;
  choice.store.kept = false;
  EXPECT_TRUE(check_trace(folder.file("out.ti"), choice).completes());
}

TEST(Ti, CallsWhoseMessagesAreTooLongForTheRunAreRefused) {
  const TraceInput input =
      trace_in_memory("0 init\n1 init\n0 allreduce 5000000000 0\n1 allreduce 5000000000 0\n", "t.ti");
  ReplayChoice choice;
  choice.store.kept = false;
  TaskSpec spec;
  spec.packet_bytes = 64;
  choice.limits = task_limits(spec);
  const auto first = [&] { return open_program(input, choice)->open(TaskId(0))->next(); };
  EXPECT_EQ(5'000'000'000u, first().amount);
  spec.packet_bytes = 1;
  choice.limits = task_limits(spec);
  const std::string error = error_of<InputError>([&] { (void)first(); });
  EXPECT_EQ(
      "allreduce of 2 tasks sends a message that is too long: 5000000000 bytes are 5000000000 packets of 1 bytes (a "
      "message has at most 4294967294); use larger packets",
      error);
}

TEST(Ti, ManyCallsOverManyRequestsTakeNotTheirProduct) {
  std::string text = "0 init\n1 init\n";
  constexpr u32 requests = 20'000;
  for (u32 i = 0; i < requests; ++i) text += "0 irecv -1 -1 4 1\n";
  for (u32 i = 0; i < requests; ++i) text += "0 finalize\n0 test 1 0 77\n";
  for (u32 i = 0; i < requests; ++i) text += "0 wait 1 0 7\n";
  const EventsOfTrace trace = ti_of(text);
  EXPECT_EQ(requests, count_of(trace, Kind::ireceive));
  EXPECT_EQ(requests, count_of(trace, Kind::wait));
}

TEST(Ti, RefusesWhatItIsNot) {
  const auto refused = [](const std::string& text, const std::string& place, const std::string& problem) {
    const std::string what = ti_refusal(text);
    EXPECT_TRUE(what.starts_with("t.ti:" + place)) << what;
    EXPECT_NE(std::string::npos, what.find(problem)) << what;
  };
  refused("0 init\n0 dance 5\n", "2:", "unknown action (got 'dance')");
  refused("0 send 1 2\n0 send 1\n1 init\n", "2:", "send with 1 arguments");
  refused("0 send 1 2 3 6\n0 compute -1\n", "1:", "partner");
  refused("1 send 0 2 1e30 6\n0 init\n", "1:", "count");
  refused("0 compute x\n", "1:", "FLOPS");
  refused("0 alltoallv 1 1 1\n", "1:", "alltoallv with 3 arguments");
  const ScratchFolder folder;
  static_cast<void>(folder.write("a-0.txt", "0 init\n"));
  static_cast<void>(folder.write("a-2.txt", "2 init\n"));
  const auto error = [&] { return error_of<InputError>([&] { events_of(folder.file("a-*.txt")); }); };
  EXPECT_NE(std::string::npos, error().find("rank 2 of a trace of 2 files"));
  static_cast<void>(folder.write("a-2.txt", "0 init\n"));
  EXPECT_NE(std::string::npos, error().find("as another file is"));
  static_cast<void>(folder.write("a-2.txt", "1 init\n0 compute 3\n"));
  EXPECT_NE(std::string::npos, error().find("a-2.txt:2: a line of another rank"));
}

}  // namespace
}  // namespace weft::workloads
