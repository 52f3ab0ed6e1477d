// Cuts of traces: what is left is complete by itself, nothing is lost unsaid, and a cut by everything changes nothing.
#include "workloads/trace/edit/cut.hpp"

#include <fmt/format.h>
#include <numeric>

#include "tests/workloads/trace/edit_test_tools.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

CutWindow times(u64 from_ns, u64 to_ns) { return {.kind = CutWindow::Kind::times, .from_ns = from_ns, .to_ns = to_ns}; }

u64 sends_of(const EventLists& lists) {
  u64 count = 0;
  for (const auto& list : lists)
    count += static_cast<u64>(std::ranges::count_if(
        list, [](const TraceEvent& event) { return event.kind == Kind::send || event.kind == Kind::isend; }));
  return count;
}

/// What crosses is left out or completed: in both cases nothing of the part is missing from the sums.
void expect_sums(const CutTrace& cut, const EventLists& all, const CutChoice& choice) {
  u64 sends = 0;
  for (u32 task = 0; task < all.size(); ++task) {
    if (!choice.tasks.empty() && std::ranges::find(choice.tasks, task) == choice.tasks.end()) continue;
    for (const TraceEvent& event : all[task]) {
      const bool within = event.end_ns >= choice.window.from_ns && event.end_ns < choice.window.to_ns;
      sends += within && (event.kind == Kind::send || event.kind == Kind::isend) ? 1 : 0;
    }
  }
  const CutReport& report = cut.report;
  const u64 to_left_out = report.of(Crossing::send_to_left_out).events, crossing = report.of(Crossing::send).events;
  EXPECT_EQ(sends, report.kept_sends + to_left_out + (choice.complete ? 0 : crossing));
  EXPECT_EQ(choice.complete ? crossing : 0, report.added_receives);
  EXPECT_EQ(choice.complete ? report.of(Crossing::receive).events : 0, report.added_sends);
  EXPECT_EQ(report.kept_sends + report.added_sends, report.kept_receives + report.added_receives);
  EXPECT_EQ(report.kept_sends + report.added_sends, sends_of(events_of(cut.store)));
}

TEST(Cut, RandomPartsOfRandomTracesAreComplete) {
  std::mt19937_64 random(3);
  for (u64 seed = 1; seed <= 40; ++seed) {
    const RandomTrace trace(2 + seed % 7, 400, seed);
    const auto store = trace.store();
    expect_complete(store, fmt::format("seed {}", seed));
    for (u32 variant = 0; variant < 6; ++variant) {
      CutChoice choice;
      choice.complete = variant % 2 == 1;
      if (variant >= 2) {
        const u64 from = random() % (trace.end_ns() * 3 / 4);
        choice.window = times(from, from + trace.end_ns() / 8 + random() % (trace.end_ns() / 2));
      }
      for (u32 task = 0; variant < 4 && task < trace.lists().size(); ++task) {
        if (random() % 3 > 0) choice.tasks.push_back(task);
      }
      const CutTrace cut = cut_trace(store, choice);
      expect_complete(cut.store, fmt::format("seed {}, variant {}", seed, variant));
      expect_sums(cut, trace.lists(), choice);
      EXPECT_EQ(choice.tasks.empty() ? trace.lists().size() : choice.tasks.size(), cut.store->index().tasks);
    }
  }
}

TEST(Cut, OfATraceThatMatchesAsINSEEDoesIsComplete) {
  for (u64 seed = 1; seed <= 20; ++seed) {
    const RandomTrace trace(4, 300, seed, true);
    const auto store = trace.store(false);
    expect_complete(store);
    for (const bool complete : {false, true}) {
      const CutChoice choice{
          .tasks = {0, 1, 3}, .window = times(trace.end_ns() / 3, trace.end_ns() / 2), .complete = complete};
      const CutTrace cut = cut_trace(store, choice);
      EXPECT_FALSE(cut.store->index().in_order);
      expect_complete(cut.store, fmt::format("seed {}", seed));
      expect_sums(cut, trace.lists(), choice);
    }
  }
}

TEST(Cut, PhasesAndRegionsOfRandomTracesAreComplete) {
  for (u64 seed = 1; seed <= 20; ++seed) {
    const RandomTrace trace(5, 600, seed);
    const auto store = trace.store();
    const auto& names = store->index().names;
    for (const bool complete : {false, true}) {
      CutChoice phase{.window = window_between("phase:2,phase", names), .complete = complete};
      const CutTrace cut = cut_trace(store, phase);
      expect_complete(cut.store, fmt::format("phase, seed {}", seed));
      for (const auto& list : events_of(cut.store)) {
        EXPECT_EQ(2, std::ranges::count_if(list, [](const TraceEvent& event) { return event.kind == Kind::mark; }));
      }
      CutChoice step{.tasks = {0, 1, 4}, .window = window_of_region("step:2", names), .complete = complete};
      expect_complete(cut_trace(store, step).store, fmt::format("step, seed {}", seed));
    }
  }
}

TEST(Cut, ByEverythingIsTheSameTrace) {
  for (u64 seed = 1; seed <= 10; ++seed) {
    const RandomTrace trace(6, 500, seed);
    const auto store = trace.store();
    std::vector<u32> all(6);
    std::iota(all.begin(), all.end(), 0);
    for (const CutChoice& choice : {CutChoice{}, CutChoice{.tasks = all}, CutChoice{.window = times(0, ~u64{0})},
                                    CutChoice{.window = times(0, ~u64{0}), .complete = true}}) {
      const CutTrace cut = cut_trace(store, choice);
      EXPECT_EQ(trace.lists(), events_of(cut.store));
      EXPECT_EQ(store->index().communicators, cut.store->index().communicators);
      EXPECT_EQ(store->index().events, cut.report.kept_events);
    }
  }
}

TEST(Cut, KeepsTheMessagesWhoseBothEndsAreWithin) {
  for (u64 seed = 1; seed <= 20; ++seed) {
    const RandomTrace trace(5, 500, seed, true);
    const u64 from = trace.end_ns() / 4, to = trace.end_ns() / 2;
    const CutTrace cut = cut_trace(trace.store(), {.tasks = {0, 1, 3}, .window = times(from, to)});
    const auto within = [&](u32 task, const TraceEvent& event) {
      return (task < 2 || task == 3) && event.end_ns >= from && event.end_ns < to;
    };
    EXPECT_EQ(trace.messages_within(within), cut.report.kept_sends) << "seed " << seed;
    EXPECT_EQ(trace.messages_within(within), cut.report.kept_receives) << "seed " << seed;
  }
}

TEST(Cut, NamesWhatCrossesAndDropsOrCompletesIt) {
  const EventLists lists = {
      {message_event(Kind::send, 1, 7, 100, 0, 10), message_event(Kind::send, 1, 7, 200, 50, 60),
       message_event(Kind::receive, 1, 8, 300, 70, 120)},
      {message_event(Kind::receive, 0, 7, 100, 0, 55), message_event(Kind::send, 0, 8, 300, 56, 58),
       message_event(Kind::receive, 0, 7, 200, 100, 110)}};
  const auto store = store_with(lists, {.has_times = true});
  const CutTrace dropped = cut_trace(store, {.window = times(50, 100)});
  // Within: the second send of task 0 (received later); the first receive of task 1 (sent before), its send.
  EXPECT_EQ(2u, dropped.report.of(Crossing::send).events);
  EXPECT_EQ(500u, dropped.report.of(Crossing::send).bytes);
  EXPECT_EQ(1u, dropped.report.of(Crossing::receive).events);
  const CrossingExample& example = dropped.report.of(Crossing::receive).examples.at(0);
  EXPECT_EQ(1u, example.task);
  EXPECT_EQ(1u, example.number);
  EXPECT_EQ(0u, example.event.peer);
  EXPECT_EQ(7u, example.event.tag);
  EXPECT_EQ(0u, expect_complete(dropped.store));

  const CutTrace completed = cut_trace(store, {.window = times(50, 100), .complete = true});
  EXPECT_EQ(3u, expect_complete(completed.store));
  EXPECT_EQ(1u, completed.report.added_sends);
  EXPECT_EQ(2u, completed.report.added_receives);
  // Task 0 computes until its receive begins at 70; task 1 from 58 to 100.
  TraceEvent rest0, rest1;
  rest0.bytes = 10, rest0.begin_ns = 10, rest0.end_ns = 20;
  rest1.bytes = 42, rest1.begin_ns = 8, rest1.end_ns = 50;
  const EventLists expected = {
      {message_event(Kind::send, 1, 7, 100, 0, 0), message_event(Kind::send, 1, 7, 200, 0, 10), rest0,
       message_event(Kind::receive, 1, 8, 300, 20, 20)},
      {message_event(Kind::receive, 0, 7, 100, 0, 5), message_event(Kind::send, 0, 8, 300, 6, 8), rest1,
       message_event(Kind::receive, 0, 7, 200, 50, 50)}};
  EXPECT_EQ(expected, events_of(completed.store));
}

TEST(Cut, MissingEndsStandOnTheSideOfTheWindowWhereTheyWere) {
  // Clocks that differ: task 1 has received before task 0 sends, and task 1 sends after task 0 has received.
  const EventLists lists = {{message_event(Kind::send, 1, 7, 1, 50, 60), message_event(Kind::receive, 1, 8, 2, 70, 80)},
                            {message_event(Kind::receive, 0, 7, 1, 20, 30), named_event(Kind::mark, 0, 75),
                             message_event(Kind::send, 0, 8, 2, 110, 120)}};
  const auto store = store_with(lists, {.has_times = true, .names = {{"x", false}}});
  const EventLists kept = events_of(cut_trace(store, {.window = times(40, 100), .complete = true}).store);
  ASSERT_EQ(4u, kept[1].size());
  EXPECT_EQ(message_event(Kind::receive, 0, 7, 1, 0, 0), kept[1][0]);
  EXPECT_EQ(Kind::mark, kept[1][1].kind);
  EXPECT_EQ(Kind::compute, kept[1][2].kind);
  EXPECT_EQ(message_event(Kind::send, 0, 8, 2, 60, 60), kept[1][3]);
}

TEST(Cut, RequestsThatCrossBecomeReceivesOrGetWaits) {
  TraceEvent early = message_event(Kind::ireceive, TraceEvent::any, 1, 10, 0, 5);
  early.request = 4;
  TraceEvent late = message_event(Kind::ireceive, TraceEvent::any, TraceEvent::any, 20, 30, 35);
  late.request = 9;
  TraceEvent early_wait = wait_event(4, 40, 45), late_wait = wait_event(9, 90, 95);
  for (TraceEvent* wait : {&early_wait, &late_wait}) wait->peer = 0, wait->tag = 1;
  TraceEvent start = message_event(Kind::isend, 1, 1, 10, 22, 24);
  start.request = 3;
  const EventLists lists = {{start, message_event(Kind::send, 1, 1, 20, 26, 28), wait_event(3, 80, 85)},
                            {early, late, early_wait, late_wait}};
  const CutTrace cut = cut_trace(store_with(lists, {.has_times = true}), {.window = times(20, 50)});
  EXPECT_EQ(2u, expect_complete(cut.store));
  EXPECT_EQ(1u, cut.report.turned_waits);
  EXPECT_EQ(2u, cut.report.added_waits);
  const EventLists kept = events_of(cut.store);
  ASSERT_EQ(4u, kept[0].size());  // and what it computes
  EXPECT_EQ(Kind::wait, kept[0][3].kind);
  ASSERT_EQ(4u, kept[1].size());
  EXPECT_EQ(late.request, kept[1][0].request);
  EXPECT_EQ(message_event(Kind::receive, 0, 1, 10, 20, 25), kept[1][1]);
  EXPECT_EQ(Kind::compute, kept[1][2].kind);
  EXPECT_EQ(9u, kept[1][3].request);
  EXPECT_EQ(0u, kept[1][3].peer);
}

TEST(Cut, TasksAreNumberedAnewAndListsAreThoseOfTheMembersThatStay) {
  TraceEvent exchange;
  exchange.kind = Kind::collective;
  exchange.operation = Collective::all_to_allv;
  exchange.communicator = 1;
  exchange.sent = {1, 2, 3};
  exchange.received = {10, 20, 30};
  exchange.bytes = 6;
  exchange.bytes_received = 60;
  TraceEvent of_root;
  of_root.kind = Kind::collective;
  of_root.operation = Collective::broadcast;
  of_root.bytes = 5;
  EventLists lists(4);
  for (const u32 task : {3U, 0U, 2U}) lists[task].push_back(exchange);
  for (const u32 root : {0U, 1U}) {
    of_root.root = root;
    for (auto& list : lists) list.push_back(of_root);
  }
  TraceFrame frame;
  frame.communicators = {{}, {{3, 0, 2}}, {{0}}};
  frame.in_order = true;
  const CutTrace cut = cut_trace(store_with(lists, frame), {.tasks = {3, 1, 2}});
  EXPECT_EQ((std::vector<TraceCommunicator>{{}, {{2, 1}}}), cut.store->index().communicators);
  EXPECT_EQ(3u, cut.report.of(Crossing::call_of_left_out).events);
  exchange.sent = {1, 3};
  exchange.received = {10, 30};
  exchange.bytes = 4;
  exchange.bytes_received = 40;
  of_root.root = 0;  // task 1 before
  const EventLists expected = {{of_root}, {exchange, of_root}, {exchange, of_root}};
  EXPECT_EQ(expected, events_of(cut.store));
  exchange.sent = {1};
  lists[0][0] = exchange;
  EXPECT_NE(std::string::npos, error_of<InputError>([&] {
                                 (void)cut_trace(store_with(lists, frame), {.tasks = {0, 1}});
                               }).find("3 tasks has 1 pieces"));
}

TEST(Cut, CallsThatNotAllMembersHaveWithinAreNamed) {
  TraceEvent barrier;
  barrier.kind = Kind::collective;
  const auto at = [&](u64 begin, u64 end) {
    TraceEvent event = barrier;
    event.begin_ns = begin;
    event.end_ns = end;
    return event;
  };
  const EventLists lists = {{at(0, 10), at(20, 30), at(40, 50)}, {at(0, 11), at(20, 31), at(40, 51)}};
  const CutTrace cut = cut_trace(store_with(lists, {.has_times = true}), {.window = times(11, 51), .complete = true});
  EXPECT_EQ(2u, cut.report.of(Crossing::call).events);  // the first of task 1, the last of task 0
  EXPECT_EQ(2u, cut.report.kept_calls);
  expect_complete(cut.store);
}

TEST(Cut, RegionsThatAreOpenAtTheCutAreEnteredAndLeft) {
  const EventLists lists = {{named_event(Kind::enter, 0, 1), named_event(Kind::enter, 1, 10),
                             named_event(Kind::mark, 2, 20), named_event(Kind::leave, 1, 30),
                             named_event(Kind::leave, 0, 90)}};
  const auto store =
      store_with(lists, {.has_times = true, .names = {{"main", false}, {"MPI_Thing", true}, {"here", false}}});
  const EventLists kept = events_of(cut_trace(store, {.window = times(15, 40)}).store);
  TraceEvent rest;
  rest.bytes = 10, rest.begin_ns = 15, rest.end_ns = 25;
  const EventLists expected = {{named_event(Kind::enter, 0, 0), named_event(Kind::enter, 1, 0),
                                named_event(Kind::mark, 2, 5), named_event(Kind::leave, 1, 15), rest,
                                named_event(Kind::leave, 0, 25)}};
  EXPECT_EQ(expected, kept);
  const EventLists region =
      events_of(cut_trace(store, {.window = window_of_region("MPI_Thing", store->index().names)}).store);
  EXPECT_EQ((std::vector<TraceEvent>{named_event(Kind::enter, 0, 0), named_event(Kind::enter, 1, 0),
                                     named_event(Kind::mark, 2, 10), named_event(Kind::leave, 1, 20),
                                     named_event(Kind::leave, 0, 20)}),
            region[0]);
}

TEST(Cut, RefusesWhatItCannotKnow) {
  const EventLists wild = {{message_event(Kind::send, 1, 0, 1)}, {message_event(Kind::receive, TraceEvent::any, 0, 1)}};
  EXPECT_NE(std::string::npos, error_of<InputError>([&] {
                                 (void)cut_trace(store_with(wild), {.tasks = {1}});
                               }).find("does not say which"));
  const EventLists lists = {{named_event(Kind::mark, 0)}};
  const auto store = store_with(lists, {.names = {{"phase, one", false}}});
  const auto& names = store->index().names;
  EXPECT_NE(std::string::npos,
            error_of<ConfigError>([&] { (void)cut_trace(store, {.window = times(0, 5)}); }).find("has no times"));
  EXPECT_NE(std::string::npos,
            error_of<ConfigError>([&] { (void)cut_trace(store, {.tasks = {1}}); }).find("tasks 0..0"));
  EXPECT_NE(std::string::npos,
            error_of<ConfigError>([&] { (void)window_of_region("fase", names); }).find("phase, one"));
  EXPECT_EQ(3u, window_between("phase, one:3,phase, one", names).occurrence);
  EXPECT_NE(std::string::npos, error_of<ConfigError>([&] {
                                 (void)cut_trace(store, {.window = window_between("phase, one:2,phase, one", names)});
                               }).find("no task has an event"));
}

}  // namespace
}  // namespace weft::workloads
