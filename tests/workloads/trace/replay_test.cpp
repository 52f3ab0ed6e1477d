// What replays make of events: requests, what is read ahead for them, counters, and where records stand.
#include <fmt/format.h>

#include "tests/workloads/trace/edit_test_tools.hpp"
#include "tests/workloads/trace/format/goal/goal_test_tools.hpp"
#include "workloads/trace/format/goal/goal_writer.hpp"
#include "workloads/trace/graph_replay.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

TraceEvent begun(Kind kind, u32 peer, u64 request, u64 bytes = 100) {
  TraceEvent event = message_event(kind, peer, 7, bytes);
  event.request = request;
  return event;
}

/// "ireceive 1 100, compute 0 50, await 0": kind, peer and amount.
std::string ops_text(const EventLists& lists, ReplayRules rules = {.requests = true}, TraceFrame frame = {},
                     const CollectiveRulesChoice& collectives = {}) {
  static constexpr const char* names[] = {"compute", "send",  "receive", "end",      "mark",  "wait",
                                          "give",    "get",   "isend",   "ireceive", "await", "listen",
                                          "cancel",  "until", "pause",   "meet",     "imeet"};
  std::string text;
  for (const Op& op :
       ops_of(TraceProgram(store_with(lists, std::move(frame)), "t", collectives, std::move(rules)), 0)) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", names[static_cast<u32>(op.kind)],
                        op.peer == GraphOp::any ? "any" : std::to_string(op.peer), op.amount);
  }
  return text;
}

TraceEvent computing(u64 ns) {
  TraceEvent event;
  event.kind = Kind::compute;
  event.bytes = ns;
  return event;
}

TEST(Replay, StartsRequestsWhereTheTraceDoesAndAwaitsThemWhereItWaits) {
  const EventLists lists = {{begun(Kind::ireceive, 1, 5), begun(Kind::isend, 1, 6, 20), computing(50), wait_event(6),
                             wait_event(5), begun(Kind::isend, 1, 6, 21), wait_event(6), wait_event(9)},
                            {}};
  EXPECT_EQ("ireceive 1 100, isend 1 20, compute 0 50, await 0 1, await 0 0, isend 1 21, await 0 5", ops_text(lists));
  EXPECT_EQ("send 1 20, compute 0 50, receive 1 100, send 1 21", ops_text(lists, {}));
  const auto store = store_with(lists);
  EXPECT_EQ(3u, store->index().requests);
  EXPECT_TRUE(TraceProgram(store, "t", {}, {.requests = true}).has_requests());
  EXPECT_FALSE(TraceProgram(store, "t").has_requests());
  EXPECT_FALSE(TraceProgram(store_with({{computing(1)}}), "t", {}, {.requests = true}).has_requests());
}

TEST(Replay, TellsReceivesFromAnyWhatTheirWaitsKnow) {
  TraceEvent any = begun(Kind::ireceive, TraceEvent::any, 5);
  any.tag = TraceEvent::any;
  any.bytes = TraceEvent::unknown_bytes;
  TraceEvent wait = wait_event(5);
  wait.peer = 1;
  wait.tag = 3;
  wait.bytes = 44;
  EXPECT_EQ("ireceive 1 44, compute 0 1, await 0 0", ops_text({{any, computing(1), wait}, {}}));
  EXPECT_EQ("ireceive any 0, compute 0 1, await 0 0", ops_text({{any, computing(1), wait_event(5)}, {}}));
}

TEST(Replay, ReceivesThatNobodyWaitsForAreNone) {
  // The request is used again by a send, which is waited for.
  EXPECT_EQ("compute 0 1, isend 1 20, await 0 1",
            ops_text({{begun(Kind::ireceive, 1, 5), computing(1), begun(Kind::isend, 1, 5, 20), wait_event(5)}, {}}));
  // The second is waited for twice, once for nothing.
  EXPECT_EQ(
      "ireceive 1 9, await 0 0",
      ops_text({{begun(Kind::ireceive, 1, 5), begun(Kind::ireceive, 1, 5, 9), wait_event(5), wait_event(5)}, {}}));
}

TEST(Replay, ReceivesWhoseWaitIsTooFarTakePlaceThere) {
  for (const u64 between : {ReceivesAhead::most_events - 1, ReceivesAhead::most_events}) {
    EventLists lists = {{begun(Kind::ireceive, 1, 5)}, {}};
    for (u64 k = 0; k < between; ++k) lists[0].push_back(message_event(Kind::send, 1, 0, 1));
    lists[0].push_back(wait_event(5));
    const std::string text = ops_text(lists);
    const bool early = between < ReceivesAhead::most_events;
    EXPECT_EQ(early, text.starts_with("ireceive 1 100, send")) << between;
    EXPECT_EQ(early, text.ends_with(", await 0 0")) << between;
    EXPECT_EQ(!early, text.ends_with(", receive 1 100")) << between;
  }
}

TEST(Replay, WhatIsLeftOutStartsNothingAndWaitsForNothing) {
  const TraceFrame frame{.names = {{"start-up", false}}};
  const EventLists lists = {{named_event(Kind::enter, 0), begun(Kind::ireceive, 1, 1), named_event(Kind::leave, 0),
                             begun(Kind::ireceive, 1, 2), begun(Kind::ireceive, 1, 3, 30), named_event(Kind::enter, 0),
                             wait_event(2), named_event(Kind::leave, 0), wait_event(1), wait_event(3)},
                            {}};
  EXPECT_EQ("ireceive 1 30, await 0 0", ops_text(lists, {.left_out = {"start-up"}, .requests = true}, frame));
  EXPECT_EQ("ireceive 1 100, ireceive 1 100, ireceive 1 30, await 0 1, await 0 0, await 0 2",
            ops_text(lists, {.requests = true}, frame));
}

/// As a graph whose requirements are those of docs/programs.md.
std::unique_ptr<Program> as_graph(const std::shared_ptr<const TraceStore>& store) {
  std::string text;
  write_goal(TraceProgram(store, "t", {}, {.requests = true}), [&text](std::string_view piece) { text += piece; });
  return goal_text(text);
}

TEST(Replay, RandomProgramsThatRanOnceRunWithRequests) {
  u64 requests = 0;
  for (u64 seed = 1; seed <= 30; ++seed) {
    const auto store = RandomTrace(5, 300, seed).store();
    requests += store->index().requests;
    const TraceCheck graph = check_graphs(*as_graph(store));
    EXPECT_TRUE(graph.completes()) << seed;
    EXPECT_EQ(0u, graph.left_over) << seed;
    EXPECT_EQ(expect_complete(store), graph.messages) << seed;
  }
  EXPECT_GT(requests, 1000u);
}

TEST(Replay, RequestsAreRequirementsOfGraphs) {
  const std::unique_ptr<Program> program =
      as_graph(store_with({{begun(Kind::ireceive, 1, 1), begun(Kind::isend, 1, 2), computing(5), wait_event(1),
                            wait_event(2), computing(6)},
                           {begun(Kind::isend, 0, 1), begun(Kind::ireceive, 0, 2), wait_event(2)}}));
  const TaskGraph graph = program->graph(TaskId(0));
  ASSERT_EQ(4u, graph.ops.size());
  EXPECT_EQ((std::vector<u32>{3}), numbers(graph.on_completion(0)));
  EXPECT_EQ((std::vector<u32>{1}), numbers(graph.on_start(0)));
  EXPECT_EQ((std::vector<u32>{3}), numbers(graph.on_completion(1)));
  EXPECT_EQ((std::vector<u32>{2}), numbers(graph.on_start(1)));
  EXPECT_EQ((std::vector<u32>{3}), numbers(graph.on_completion(2)));
}

TEST(Replay, ComputesByACounterInPlaceOfTimes) {
  const TraceFrame frame{.has_times = true, .names = {{"PAPI_TOT_INS", false, true}, {"PAPI_TOT_CYC", false, true}}};
  TraceEvent instructions = named_event(Kind::count, 0, 1000), cycles = named_event(Kind::count, 1, 1000);
  instructions.bytes = 300;
  cycles.bytes = 1300;
  const EventLists lists = {{instructions, cycles, message_event(Kind::send, 1, 0, 8, 1000, 1010)}, {}};
  EXPECT_EQ("compute 0 1000, send 1 8", ops_text(lists, {.requests = true}, frame));
  EXPECT_EQ("compute 0 500, send 1 8", ops_text(lists, {.counter = 1, .ns_per_count = 1 / 2.6}, frame));
  EXPECT_EQ("compute 0 600, send 1 8", ops_text(lists, {.counter = 0, .ns_per_count = 2}, frame));
}

TEST(Replay, KnowsWhichRecordAnOperationIsOfAndWhereItStands) {
  const ScratchFolder folder;
  const std::string path = folder.write("t.trc", "c 0 5\ns 0 1 7 16\nr 0 1 7 16\n\nr 0 1 7 16\n");
  ReplayChoice choice{.rules = {.requests = true}};
  choice.store.kept = false;
  const auto program = open_program(path, choice);
  EXPECT_EQ(1u, program->record_of(TaskId(0), 1));
  EXPECT_EQ(2u, program->record_of(TaskId(1), 2));
  EXPECT_EQ(0u, program->record_of(TaskId(1), 3));
  EXPECT_EQ((std::vector<std::string>{path + ":5", path + ":2", ""}), program->places_of({{1, 2}, {0, 2}, {1, 9}}));
  EXPECT_EQ(4u, program->records().all);
  EXPECT_EQ(0u, program->records().done);
  static_cast<void>(ops_of(*program, 1));
  EXPECT_EQ(2u, program->records().done);
}

TraceEvent call(Collective operation, u64 bytes, u64 request = TraceEvent::no_request) {
  TraceEvent event;
  event.kind = Kind::collective;
  event.operation = operation;
  event.bytes = bytes;
  event.request = request;
  return event;
}

TEST(Replay, MakesMeetingsOfCollectiveCallsByACostModel) {
  CollectiveRulesChoice choice;
  choice.costs = std::make_shared<CollectiveCosts>(10, 8, CollectivePhase::Model::linear);  // 1 ns a byte
  const std::vector<TraceEvent> calls = {call(Collective::allreduce, 5), call(Collective::barrier, 0, 3), computing(50),
                                         wait_event(3)};
  // (10 + 5) ns * 2 tasks, in and out; and 10 ns * 2, twice. The root knows.
  EXPECT_EQ("meet 11 60000, imeet 0 40000, compute 0 50, await 0 1",
            ops_text({calls, {}}, {.requests = true}, {}, choice));
  TraceEvent rooted = call(Collective::broadcast, 5);
  rooted.root = 1;
  EXPECT_EQ("meet 1 0", ops_text({{rooted}, {}}, {.requests = true}, {}, choice));
  const TraceProgram program(store_with({calls, {}}), "t", choice, {.requests = true});
  EXPECT_TRUE(program.meets());
  EXPECT_TRUE(program.has_requests());
  EXPECT_EQ(2u, program.meeting_tasks(0));
  EXPECT_EQ(40000u, program.least_meeting_ps());
}

TEST(Replay, NumbersTheMeetingsOfEachCommunicator) {
  CollectiveRulesChoice choice;
  choice.costs = std::make_shared<CollectiveCosts>(10, 0, CollectivePhase::Model::constant);
  TraceFrame frame;
  frame.communicators = {{}, {.members = {1, 0}}, {.members = {0}}};
  const auto on = [](u32 communicator) {
    TraceEvent event = call(Collective::barrier, 0);
    event.communicator = communicator;
    return event;
  };
  const TraceProgram program(store_with({{on(0), on(1), on(2), on(0)}, {}}, frame), "t", choice, {.requests = true});
  const std::vector<Op> ops = ops_of(program, 0);  // that of one task is nothing
  ASSERT_EQ(3u, ops.size());
  EXPECT_EQ((std::vector<u32>{0, 1, 0}),
            (std::vector<u32>{ops[0].communicator, ops[1].communicator, ops[2].communicator}));
  EXPECT_EQ((std::vector<u32>{0, 0, 1}), (std::vector<u32>{ops[0].tag, ops[1].tag, ops[2].tag}));
  EXPECT_TRUE(ops[0].is_synchronous);
  EXPECT_FALSE(ops[1].is_synchronous) << "rank 0 is task 1";
}

TEST(Replay, NamesTheCountersThatThereAre) {
  const ScratchFolder folder;
  const std::string path = folder.write("t.trc", "s 0 1 7 16\nr 0 1 7 16\n");
  ReplayChoice choice{.counter = "PAPI_TOT_CYC", .counter_per_second = 1e9};
  choice.store.kept = false;
  EXPECT_NE(std::string::npos,
            error_of<InputError>([&] { static_cast<void>(open_program(path, choice)); }).find("has no counters"));
}

}  // namespace
}  // namespace weft::workloads
