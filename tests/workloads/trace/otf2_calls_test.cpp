// Records of OTF2 as events of calls, and sizes of collective calls.
#include "workloads/trace/format/otf2/otf2_calls.hpp"

#include <fmt/format.h>
#include <random>

#include "tests/workloads/trace/trace_test_tools.hpp"

namespace weft::workloads::otf2 {
namespace {

using Kind = TraceEvent::Kind;

enum : u32 { user, isend, irecv, waitall, ssend, comm_rank, sendrecv, iallreduce };

/// Four tasks; communicator 0 is all of them, 7 is {3, 1}, 9 is COMM_SELF; a tick is half a nanosecond.
Definitions definitions_for_calls() {
  Definitions all;
  all.clock = {2'000'000'000, 100};
  all.locations = {10, 11, 12, 13};
  all.promised_events = {0, 0, 0, 0};
  all.communicators = {{}, {{3, 1}}, {{0}}, {{1}}, {{2}}, {{3}}};
  all.known_communicators = {{0, {}}, {7, {Communicator::Kind::plain, 1, 0}}, {9, {Communicator::Kind::self, 2, 0}}};
  for (const char* name : {"user", "MPI_Isend", "MPI_Irecv", "MPI_Waitall", "MPI_Ssend", "MPI_Comm_rank",
                           "MPI_Sendrecv", "MPI_Iallreduce"}) {
    const u32 number = static_cast<u32>(all.names.size());
    const bool is_call = std::string(name) != "user";
    all.regions[number] = {number, is_call, std::string(name) == "MPI_Ssend"};
    all.names.push_back({name, is_call});
  }
  return all;
}

class Otf2Calls : public testing::Test {
 protected:
  /// A record every 10 ns.
  template <class Action>
  void record(Action action) {
    ++records;
    calls.at(100 + 20 * records, records);
    action(calls);
  }
  void enter(u32 region) {
    record([&](Calls& to) { to.enter(region); });
  }
  void leave(u32 region) {
    record([&](Calls& to) { to.leave(region); });
  }
  std::vector<TraceEvent> taken() {
    std::vector<TraceEvent> events;
    TraceEvent event;
    for (u64 position = 0; calls.take(event, position); event = {}) events.push_back(event);
    return events;
  }
  Definitions definitions = definitions_for_calls();
  u64 records = 0;
  Calls calls{definitions, 1, [](u64 position) { return fmt::format("here: event {}", position); }};
};

TEST_F(Otf2Calls, AMessageHasTheTimesOfItsCall) {
  enter(ssend);
  record([](Calls& to) { to.send(3, 0, 5, 640); });
  EXPECT_TRUE(taken().empty());
  leave(ssend);
  const auto events = taken();
  ASSERT_EQ(1u, events.size());
  EXPECT_EQ(Kind::send, events[0].kind);
  EXPECT_TRUE(events[0].synchronous);
  EXPECT_EQ(3u, events[0].peer);
  EXPECT_EQ(5u, events[0].tag);
  EXPECT_EQ(640u, events[0].bytes);
  EXPECT_EQ(10u, events[0].begin_ns);
  EXPECT_EQ(30u, events[0].end_ns);
}

TEST_F(Otf2Calls, ACallWithoutEventsIsARegionAndSoIsWhatTheUserNamed) {
  enter(user);
  enter(comm_rank);
  leave(comm_rank);
  leave(user);
  const auto events = taken();
  ASSERT_EQ(4u, events.size());
  const std::vector<std::pair<Kind, u32>> expected = {
      {Kind::enter, user}, {Kind::enter, comm_rank}, {Kind::leave, comm_rank}, {Kind::leave, user}};
  for (u32 i = 0; i < 4; ++i) {
    EXPECT_EQ(expected[i].first, events[i].kind) << i;
    EXPECT_EQ(expected[i].second, events[i].name) << i;
    EXPECT_EQ(10 * u64{i} + 10, events[i].begin_ns) << i;
  }
}

TEST_F(Otf2Calls, AReceiveIsKnownWhenItIsWaitedFor) {
  enter(irecv);
  record([](Calls& to) { to.receive_started(77); });
  leave(irecv);
  enter(isend);
  record([](Calls& to) { to.send(0, 7, 4, 8, 78); });
  leave(isend);
  EXPECT_TRUE(taken().empty());
  enter(waitall);
  record([](Calls& to) { to.send_complete(78); });
  record([](Calls& to) { to.receive_complete(0, 7, 9, 1000, 77); });
  leave(waitall);
  const auto events = taken();
  ASSERT_EQ(4u, events.size());
  EXPECT_EQ(Kind::ireceive, events[0].kind);
  EXPECT_EQ(77u, events[0].request);
  EXPECT_EQ(3u, events[0].peer) << "rank 0 of {3, 1}";
  EXPECT_EQ(1u, events[0].communicator);
  EXPECT_EQ(9u, events[0].tag);
  EXPECT_EQ(1000u, events[0].bytes);
  EXPECT_EQ(0u, events[0].name);
  EXPECT_EQ(Kind::isend, events[1].kind);
  EXPECT_EQ(Kind::wait, events[2].kind);
  EXPECT_FALSE(events[2].continues);
  EXPECT_EQ(TraceEvent::any, events[2].peer);
  EXPECT_EQ(Kind::wait, events[3].kind);
  EXPECT_TRUE(events[3].continues);
  EXPECT_EQ(3u, events[3].peer);
  EXPECT_EQ(1000u, events[3].bytes);
  EXPECT_EQ(events[2].begin_ns, events[3].begin_ns);
  EXPECT_EQ(events[2].end_ns, events[3].end_ns);
}

TEST_F(Otf2Calls, AReceiveThatIsNeverCompleteIsAnyAndNothingWaitsForItForEver) {
  Calls few(
      definitions, 1, [](u64) { return std::string(); }, 8);
  few.at(200, 1);
  few.enter(irecv);
  few.receive_started(5);
  few.leave(irecv);
  TraceEvent event;
  u64 position = 0;
  EXPECT_FALSE(few.take(event, position));
  for (u64 i = 0; i < 8; ++i) few.enter(user);
  ASSERT_TRUE(few.take(event, position)) << "more is not held";
  EXPECT_EQ(Kind::ireceive, event.kind);
  EXPECT_EQ(TraceEvent::any, event.peer);
  EXPECT_EQ(TraceEvent::unknown_bytes, event.bytes);
  for (u64 i = 0; i < 8; ++i) EXPECT_TRUE(few.take(event, position));
  // What came then is known at the wait.
  few.enter(waitall);
  few.receive_complete(1, 7, 2, 3, 5);
  few.leave(waitall);
  ASSERT_TRUE(few.take(event, position));
  EXPECT_EQ(Kind::wait, event.kind);
  EXPECT_EQ(1u, event.peer);
  EXPECT_EQ(1u, event.communicator);
  EXPECT_FALSE(few.take(event, position));
}

TEST_F(Otf2Calls, ACollectiveCallStandsWhereItBegan) {
  enter(iallreduce);
  record([](Calls& to) { to.collective_started(6); });
  leave(iallreduce);
  enter(ssend);
  record([](Calls& to) { to.send(2, 0, 1, 1); });
  leave(ssend);
  EXPECT_TRUE(taken().empty());
  enter(waitall);
  record([](Calls& to) { to.collective_complete(11, 0, ~0U, {4 * 64, 4 * 64}, 6); });
  leave(waitall);
  const auto events = taken();
  ASSERT_EQ(3u, events.size());
  EXPECT_EQ(Kind::collective, events[0].kind);
  EXPECT_EQ(Collective::allreduce, events[0].operation);
  EXPECT_EQ(64u, events[0].bytes);
  EXPECT_EQ(6u, events[0].request);
  EXPECT_EQ(30u, events[0].end_ns);
  EXPECT_EQ(Kind::wait, events[2].kind);
  EXPECT_EQ(6u, events[2].request);
}

TEST_F(Otf2Calls, BothHalvesOfSendrecvAreOneCall) {
  enter(sendrecv);
  record([](Calls& to) { to.send(2, 0, 1, 10); });
  record([](Calls& to) { to.receive(0, 0, 1, 20); });
  leave(sendrecv);
  const auto events = taken();
  ASSERT_EQ(2u, events.size());
  EXPECT_FALSE(events[0].continues);
  EXPECT_TRUE(events[1].continues);
  EXPECT_EQ(Kind::receive, events[1].kind);
  EXPECT_EQ(40u, events[1].end_ns);
}

TEST_F(Otf2Calls, CollectivesOfOneTaskAreOnACommunicatorOfItsOwn) {
  record([](Calls& to) { to.collective_end(1, 9, 0, {8, 8}); });
  const auto events = taken();
  ASSERT_EQ(1u, events.size());
  EXPECT_EQ(3u, events[0].communicator) << "that of {1}";
  EXPECT_EQ(1u, events[0].root);
  EXPECT_EQ(8u, events[0].bytes);
}

TEST_F(Otf2Calls, CancelledReceivesAreNone) {
  enter(irecv);
  record([](Calls& to) { to.receive_started(5); });
  leave(irecv);
  record([](Calls& to) { to.request_cancelled(5); });
  const auto events = taken();
  ASSERT_EQ(1u, events.size());
  EXPECT_EQ(Kind::mark, events[0].kind);
  EXPECT_EQ(irecv, events[0].name);
}

TEST_F(Otf2Calls, WhatHasNotEndedEndsWithTheTrace) {
  enter(waitall);
  record([](Calls& to) { to.send_complete(1); });
  EXPECT_TRUE(taken().empty());
  calls.finish();
  const auto events = taken();
  ASSERT_EQ(1u, events.size());
  EXPECT_EQ(20u, events[0].end_ns);
  enter(comm_rank);
  calls.finish();
  EXPECT_EQ(1u, taken().size());
}

TEST_F(Otf2Calls, TimesNeverGoBackAndFlushesAreNoComputing) {
  enter(user);
  calls.at(100, 2);
  calls.leave(user);
  calls.flushed(500);
  const auto events = taken();
  ASSERT_EQ(4u, events.size());
  EXPECT_EQ(10u, events[1].begin_ns);
  EXPECT_EQ(200u, events[3].end_ns);
}

TEST_F(Otf2Calls, WrongReferencesAreRefused) {
  const auto fails = [&](auto action) {
    return error_of<InputError>([&] {
      calls.at(200, 42);
      action();
    });
  };
  EXPECT_EQ("here: event 42: enters region 99, which is not defined (damaged); expected a definition of it",
            fails([&] { calls.enter(99); }));
  EXPECT_NE(std::string::npos, fails([&] { calls.leave(99); }).find("region 99"));
  EXPECT_NE(std::string::npos, fails([&] { calls.send(0, 3, 0, 0); }).find("communicator 3"));
  EXPECT_NE(std::string::npos, fails([&] { calls.send(2, 7, 0, 0); }).find("rank 2 of communicator 7"));
  EXPECT_NE(std::string::npos, fails([&] { calls.send(4, 0, 0, 0); }).find("rank 4"));
  EXPECT_NE(std::string::npos, fails([&] { calls.receive(0, 0, 0, u64{1} << 41); }).find("2199023255552 bytes"));
  EXPECT_NE(std::string::npos, fails([&] { calls.collective_end(1, 7, 2, {}); }).find("root 2"));
  EXPECT_NE(std::string::npos, error_of<InputError>([&] { calls.at(~u64{0}, 1); }).find("146 years"));
  EXPECT_NE(std::string::npos, fails([&] {
                                 for (u32 i = 0; i < 2000; ++i) calls.enter(comm_rank);
                               }).find("1024 calls of MPI within each other"));
}

// Figures of Score-P's scorep_mpi_coll.inc.c for 5 ranks and 24 bytes, of rank 2 and of root 0.
TEST(Otf2Sizes, TotalsAreThoseOfScoreP) {
  const auto totals = [](Collective operation, u32 rank) {
    TraceEvent call;
    call.operation = operation;
    call.bytes = 24;
    return totals_of(call, {5, rank, rank == 0});
  };
  using C = Collective;
  EXPECT_EQ((Totals{0, 0}), totals(C::barrier, 2));
  EXPECT_EQ((Totals{0, 24}), totals(C::broadcast, 2));
  EXPECT_EQ((Totals{120, 24}), totals(C::broadcast, 0));
  EXPECT_EQ((Totals{24, 0}), totals(C::gather, 2));
  EXPECT_EQ((Totals{24, 120}), totals(C::gather, 0));
  EXPECT_EQ((Totals{24, 120}), totals(C::reduce, 0));
  EXPECT_EQ((Totals{120, 24}), totals(C::scatter, 0));
  EXPECT_EQ((Totals{120, 120}), totals(C::allgather, 2));
  EXPECT_EQ((Totals{120, 120}), totals(C::all_to_all, 2));
  EXPECT_EQ((Totals{120, 120}), totals(C::allreduce, 2));
  EXPECT_EQ((Totals{120, 120}), totals(C::reduce_scatter_block, 2));
  EXPECT_EQ((Totals{72, 72}), totals(C::scan, 2));
  EXPECT_EQ((Totals{48, 48}), totals(C::exscan, 2));
}

TEST(Otf2Sizes, EveryOperationComesBackFromItsTotals) {
  std::mt19937 random(1);
  for (u32 i = 0; i < 20'000; ++i) {
    TraceEvent call;
    call.operation = static_cast<Collective>(random() % collective_operations_known);
    const u32 ranks = 1 + random() % 9, rank = random() % ranks;
    const CallPlace place{ranks, rank, rank == random() % ranks};
    const bool by_total = call.operation == Collective::gatherv || call.operation == Collective::scatterv ||
                          call.operation == Collective::allgatherv || call.operation == Collective::all_to_allv ||
                          call.operation == Collective::all_to_allw;
    call.bytes = call.operation == Collective::barrier ? 0 : random() % 1000;
    call.bytes_received = by_total ? random() % 1000 : 0;
    if (call.operation == Collective::gatherv && !place.is_root) call.bytes_received = 0;
    if (call.operation == Collective::scatterv && !place.is_root) call.bytes = 0;
    // A scan that nobody is behind, and none before, has no data.
    if (call.operation == Collective::exscan && ranks == 1) call.bytes = 0;
    TraceEvent back;
    back.operation = call.operation;
    set_sizes(back, totals_of(call, place), place);
    EXPECT_EQ(call, back) << name_of(call.operation) << " of " << ranks << ", rank " << rank << ", " << call.bytes;
  }
}

TEST(Otf2Sizes, CallsInPlaceLeaveOutWhatIsTheirOwn) {
  const auto bytes = [](Collective operation, Totals totals, CallPlace place) {
    TraceEvent call;
    call.operation = operation;
    set_sizes(call, totals, place);
    return call.bytes;
  };
  EXPECT_EQ(24u, bytes(Collective::allreduce, {4 * 24 + 0, 4 * 24}, {5, 1, false})) << "not divisible by 5";
  EXPECT_EQ(24u, bytes(Collective::gather, {0, 4 * 24}, {5, 0, true}));
  EXPECT_EQ(24u, bytes(Collective::scatter, {4 * 24, 0}, {5, 0, true}));
  EXPECT_EQ(24u, bytes(Collective::scan, {24, 3 * 24}, {5, 3, false}));
  EXPECT_EQ(TraceEvent::unknown_bytes,
            bytes(Collective::scan, {TraceEvent::unknown_bytes, TraceEvent::unknown_bytes}, {5, 2, false}));
}

}  // namespace
}  // namespace weft::workloads::otf2
