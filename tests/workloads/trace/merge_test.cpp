// Merged traces: side by side, complete, with the sums of all; and the same figures as counts by brute force.
#include "workloads/trace/edit/merge.hpp"

#include <map>
#include <set>

#include "tests/workloads/trace/edit_test_tools.hpp"
#include "workloads/trace/edit/trace_stats.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

TEST(Merge, IsCompleteAndHasTheSumsOfAll) {
  for (u64 seed = 1; seed <= 10; ++seed) {
    const RandomTrace a(4, 300, seed), b(7, 200, seed + 100), c(2, 100, seed + 200);
    const auto merged = merge_traces({a.store(), b.store(), c.store()});
    EXPECT_EQ(13u, merged->index().tasks);
    EXPECT_EQ(a.store()->index().events + b.store()->index().events + c.store()->index().events,
              merged->index().events);
    EXPECT_EQ(3u, merged->index().names.size());
    EXPECT_EQ(expect_complete(a.store()) + expect_complete(b.store()) + expect_complete(c.store()),
              expect_complete(merged));
    TraceStats all = stats_of(merged);
    Traffic messages;
    u64 pairs = 0;
    for (const auto* trace : {&a, &b, &c}) {
      const TraceStats one = stats_of(trace->store());
      messages.count += one.messages.count;
      messages.bytes += one.messages.bytes;
      pairs += one.pairs.size();
    }
    EXPECT_EQ(messages, all.messages);
    EXPECT_EQ(pairs, all.pairs.size());
  }
}

TEST(Merge, TasksAndCommunicatorsAreThoseOfTheTracesBehindEachOther) {
  TraceEvent call;
  call.kind = Kind::collective;
  call.operation = Collective::broadcast;
  call.root = 1;
  call.bytes = 4;
  const EventLists lists = {{message_event(Kind::send, 1, 5, 6), call}, {message_event(Kind::receive, 0, 5, 6), call}};
  const auto one = store_with(lists, {.communicators = {{}, {{1}}}, .names = {{"x", false}}});
  const auto merged = merge_traces({one, one});
  EXPECT_EQ((std::vector<TraceCommunicator>{{}, {{0, 1}}, {{1}}, {{2, 3}}, {{3}}}), merged->index().communicators);
  EXPECT_EQ(1u, merged->index().names.size());
  TraceEvent send = message_event(Kind::send, 3, 5, 6);
  send.communicator = 3;
  call.root = 3;
  call.communicator = 3;
  EXPECT_EQ((std::vector<TraceEvent>{send, call}), events_of(merged)[2]);
}

TEST(Merge, ThoseWithoutTimesGetTheirComputing) {
  TraceEvent compute;
  compute.bytes = 30;
  const auto timed = store_with({{named_event(Kind::mark, 0, 7)}}, {.has_times = true, .names = {{"x", false}}});
  const auto plain = store_with({{compute, named_event(Kind::mark, 0)}}, {.names = {{"x", false}}});
  const EventLists lists = events_of(merge_traces({timed, plain}));
  EXPECT_EQ(7u, lists[0][0].begin_ns);
  EXPECT_EQ(30u, lists[1][0].end_ns);
  EXPECT_EQ(30u, lists[1][1].begin_ns);
  const auto insee = store_with({{compute}}, {.in_order = false});
  EXPECT_NE(std::string::npos, error_of<ConfigError>([&] {
                                 (void)merge_traces({plain, insee});
                               }).find("matched by their sizes"));
}

TEST(TraceStats, AreThoseOfACountByBruteForce) {
  const RandomTrace trace(9, 3000, 5);
  const TraceStats stats = stats_of(trace.store());
  std::map<std::pair<u32, u32>, Traffic> pairs;
  std::map<u32, std::set<u32>> senders;
  std::map<Collective, u64> calls;
  Traffic messages, small;
  const EventLists& lists = trace.lists();
  for (u32 task = 0; task < lists.size(); ++task) {
    for (const TraceEvent& event : lists[task]) {
      if (event.kind == Kind::collective) ++calls[event.operation];
      if (event.kind != Kind::send && event.kind != Kind::isend) continue;
      pairs[{task, event.peer}].add(event.bytes);
      senders[event.peer].insert(task);
      messages.add(event.bytes);
      if (event.bytes >= 64 && event.bytes <= 127) small.add(event.bytes);
    }
  }
  EXPECT_EQ(messages, stats.messages);
  EXPECT_EQ(small, stats.sizes[7]);
  ASSERT_EQ(pairs.size(), stats.pairs.size());
  for (const TrafficPair& pair : stats.pairs) EXPECT_EQ((pairs[{pair.from, pair.to}]), pair.messages);
  for (u32 task = 0; task < lists.size(); ++task) {
    EXPECT_EQ(senders[task].size(), stats.partners_from[task]);
    u64 all = 0;
    for (const u64 ns : stats.times[task].ns) all += ns;
    EXPECT_EQ(lists[task].back().end_ns, all);
  }
  for (const auto& [operation, count] : calls) EXPECT_EQ(count, stats.collectives.at(operation).count);
  EXPECT_EQ(stats.collectives.at(Collective::allreduce),
            (stats.collective_sizes.at({Collective::allreduce, size_bin(8)})));
}

TEST(TraceStats, TimeIsThatOfTheCallsAndWhatIsBetweenThem) {
  TraceEvent barrier;
  barrier.kind = Kind::collective;
  barrier.begin_ns = 50, barrier.end_ns = 60;
  EventLists lists(2);
  lists[0] = {message_event(Kind::send, 1, 0, 0, 10, 13),
              wait_event(1, 20, 25),
              wait_event(2, 20, 25),
              named_event(Kind::enter, 0, 30),
              message_event(Kind::receive, 1, 0, 0, 31, 37),
              named_event(Kind::leave, 0, 40),
              barrier};
  const TraceStats stats = stats_of(store_with(lists, {.has_times = true, .names = {{"MPI_Allreduce", true}}}));
  EXPECT_EQ((std::array<u64, TimeShares::parts>{10 + 7 + 5 + 10, 3, 6, 5, 10, 4}), stats.times[0].ns);
  EXPECT_EQ(1u, stats.sizes[0].count);
}

TEST(TraceStats, BinsAreThePowersOfTwo) {
  for (const u64 bytes : {u64{0}, u64{1}, u64{2}, u64{3}, u64{4}, u64{1023}, u64{1024}, ~u64{0}}) {
    const std::size_t bin = size_bin(bytes);
    EXPECT_LE(least_of_bin(bin), bytes);
    EXPECT_GE(most_of_bin(bin), bytes);
  }
  EXPECT_EQ(11u, size_bin(1024));
  EXPECT_EQ(2047u, most_of_bin(11));
}

}  // namespace
}  // namespace weft::workloads
