// CLOG2: what calls become of states and messages, world ranks, errors; the samples beside MPE's own counts.
#include "tests/workloads/trace/mpe_test_tools.hpp"

namespace weft::workloads {
namespace {

constexpr i32 msg_sent = -101, msg_received = -102;
// Events of MPE's states: twice their number, and one more.
constexpr i32 ev_barrier = 10, ev_bcast = 12, ev_comm_size = 54, ev_irecv = 140, ev_isend = 144, ev_recv = 154,
              ev_send = 160, ev_sendrecv = 162, ev_waitall = 212, ev_waited = 502;

void expect_clog2_refused(const std::string& log, const std::string& place, const std::string& problem) {
  const std::string what = error_of<InputError>([&] { ReadLog{log}; });
  EXPECT_TRUE(what.starts_with("t: byte " + place)) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("; expected ")) << what;
}

TEST(Clog2, ACallWithMessagesIsAnEventForEachFromItsBeginToItsEnd) {
  for (const bool big_endian : {true, false}) {
    Clog2Bytes log(2, big_endian);
    log.event(1e-6, 0, 0, ev_send).message(2e-6, 0, 0, msg_sent, 0, 1, 7, 40).event(3e-6, 0, 0, ev_send + 1);
    log.event(4e-6, 0, 0, ev_sendrecv)
        .message(5e-6, 0, 0, msg_sent, 0, 1, 8, 9)
        .message(6e-6, 0, 0, msg_received, 0, 1, 8, 5);
    log.event(7e-6, 0, 0, ev_sendrecv + 1);
    log.event(1e-6, 0, 1, ev_irecv).event(2e-6, 0, 1, ev_irecv + 1);
    log.event(2e-6, 0, 1, ev_isend).message(2e-6, 0, 1, msg_sent, 0, 0, 8, 5).event(3e-6, 0, 1, ev_isend + 1);
    log.event(4e-6, 0, 1, ev_waitall).event(5e-6, 0, 1, ev_waited).message(5e-6, 0, 1, msg_received, 0, 0, 7, 40);
    log.message(5e-6, 0, 1, msg_received, 0, 0, 8, 9)
        .event(6e-6, 0, 1, ev_waited + 1)
        .event(8e-6, 0, 1, ev_waitall + 1);
    const ReadLog read(log.log());
    EXPECT_EQ("clog2", read.found);
    EXPECT_EQ(2u, read.tasks);
    EXPECT_EQ("send 1 7 40, send 1 8 9, receive+ 1 8 5", read.text(0));
    EXPECT_EQ("enter MPI_Irecv, leave MPI_Irecv, isend 0 8 5, receive 0 7 40, receive+ 0 8 9", read.text(1));
    const TraceEvent& first = read.events.at(0)[0];
    EXPECT_EQ(1000u, first.begin_ns);
    EXPECT_EQ(3000u, first.end_ns);
    const TraceEvent& last = read.events.at(1).back();
    EXPECT_EQ(4000u, last.begin_ns);
    EXPECT_EQ(8000u, last.end_ns);
    EXPECT_TRUE(read.names[0].is_call);
  }
}

TEST(Clog2, CollectivesAreCallsOfTheirCommunicatorWhereTheLogHasNoMessagesOfThem) {
  Clog2Bytes log(3);
  log.member(0, 0, 100, 5, 1, 0).member(0, 2, 100, 5, 0, 2);
  for (const u32 rank : {0U, 1U}) log.event(1e-6, 5, rank, ev_barrier).event(2e-6, 5, rank, ev_barrier + 1);
  // Ranks that a broadcast needs no message of have one all the same.
  log.event(3e-6, 0, 0, ev_bcast)
      .event(4e-6, 0, 0, ev_send)
      .message(4e-6, 0, 0, msg_sent, 0, 1, 9, 4)
      .event(5e-6, 0, 0, ev_send + 1);
  log.event(6e-6, 0, 0, ev_bcast + 1).event(3e-6, 0, 2, ev_bcast).event(4e-6, 0, 2, ev_bcast + 1);
  log.event(3e-6, 0, 1, ev_bcast).message(5e-6, 0, 1, msg_received, 0, 0, 9, 4).event(6e-6, 0, 1, ev_bcast + 1);
  const ReadLog read(log.log());
  EXPECT_EQ("coll barrier 1, enter MPI_Bcast, send 1 9 4, leave MPI_Bcast", read.text(0));
  EXPECT_EQ("enter MPI_Bcast, receive 0 9 4, leave MPI_Bcast", read.text(1));
  EXPECT_EQ("coll barrier 1, enter MPI_Bcast, leave MPI_Bcast", read.text(2));
  ASSERT_EQ(2u, read.communicators.size());
  EXPECT_EQ((std::vector<u32>{2, 0}), read.communicators[1].members);
  EXPECT_EQ(TraceEvent::no_root, read.events.at(0)[0].root);
}

TEST(Clog2, SizesOfCollectivesAreUnknown) {
  Clog2Bytes log(1);
  log.event(1e-6, 0, 0, ev_bcast).event(2e-6, 0, 0, ev_bcast + 1);
  const ReadLog read(log.log());
  EXPECT_EQ("coll broadcast 0", read.text(0));
  EXPECT_EQ(TraceEvent::unknown_bytes, read.events.at(0)[0].bytes);
}

TEST(Clog2, PartnersAreTasksThoughTheirCommunicatorIsDefinedLater) {
  Clog2Bytes log(4);
  log.member(0, 3, 100, 2, 0, 3);
  log.event(1e-6, 2, 0, ev_send).message(1e-6, 2, 0, msg_sent, 2, 1, 4, 8).event(1e-6, 2, 0, ev_send + 1);
  log.member(0, 1, 100, 2, 1, 1);
  log.event(1e-6, 2, 1, ev_recv).message(1e-6, 2, 1, msg_received, 2, 0, 4, 8).event(1e-6, 2, 1, ev_recv + 1);
  const ReadLog read(log.log());
  EXPECT_EQ("send 1 4 8", read.text(3));
  EXPECT_EQ("receive 3 4 8", read.text(1));
  EXPECT_EQ(1u, read.events.at(1)[0].communicator);
}

TEST(Clog2, StatesOfTheUserMayOverlapAndEventsAreMoments) {
  Clog2Bytes log(1);
  log.event(1e-6, 0, 0, 600).event(2e-6, 0, 0, 602).event(3e-6, 0, 0, 601).event(3e-6, 0, 0, 5000);
  log.event(4e-6, 0, 0, ev_comm_size).event(5e-6, 0, 0, ev_comm_size + 1).event(6e-6, 0, 0, 603).event(7e-6, 0, 0, 601);
  log.event(8e-6, 0, 0, -9).event(9e-6, 0, 0, 560).event(9e-6, 0, 0, 561);
  log.state(300, 600, 601, "solve").state(301, 602, 603, "io").moment(5000, "step");
  const ReadLog read(log.log());
  EXPECT_EQ(
      "enter solve, enter io, leave solve, mark step, enter MPI_Comm_size, leave MPI_Comm_size, leave io, "
      "enter CLOG_Buffer_write2disk, leave CLOG_Buffer_write2disk",
      read.text(0));
  for (const TraceName& name : read.names)
    EXPECT_EQ(name.text.find('_') != std::string::npos, name.is_call) << name.text;
}

TEST(Clog2, TimesDoNotDecreaseAndBeginAtTheFirstIfThatIsNegative) {
  Clog2Bytes log(1);
  log.event(-2e-6, 0, 0, ev_comm_size).event(1e-6, 0, 0, ev_comm_size + 1).event(0, 0, 0, ev_comm_size);
  log.event(0, 0, 0, ev_comm_size + 1);
  const ReadLog read(log.log());
  std::vector<u64> times;
  for (const TraceEvent& event : read.events.at(0)) times.push_back(event.begin_ns);
  EXPECT_EQ((std::vector<u64>{0, 3000, 3000, 3000}), times);
}

TEST(Clog2, WhatIsLeftOpenEndsWithTheLogAndNoProcessIsNoPartner) {
  Clog2Bytes log(1);
  log.event(1e-6, 0, 0, 600)
      .event(2e-6, 0, 0, ev_send)
      .message(2e-6, 0, 0, msg_sent, 0, -1, 1, 1)
      .event(3e-6, 0, 0, ev_send + 1);
  log.event(4e-6, 0, 0, ev_send).message(4e-6, 0, 0, msg_sent, 0, 0, 1, 1).state(300, 600, 601, "all");
  EXPECT_EQ("enter all, enter MPI_Send, leave MPI_Send, send 0 1 1, leave all", ReadLog(log.log()).text(0));
}

TEST(Clog2, RefusesWhatCannotBe) {
  Clog2Bytes sample(2);
  sample.event(1e-6, 0, 0, ev_send).event(1e-6, 0, 0, ev_send + 1);
  const std::string log = sample.log();
  expect_clog2_refused(log.substr(0, 500), "500", "ends in its preamble");
  expect_clog2_refused(log.substr(0, 1100), "1096", "truncated");
  expect_clog2_refused(log.substr(0, log.size() - 1), "2048", "table of communicators is truncated");
  std::string other = log;
  other[9] = '9';
  EXPECT_NO_THROW(ReadLog{other});
  other[8] = '1';
  other[9] = '0';
  other[6] = '1';
  expect_clog2_refused(other, "0", "a version of CLOG2");
  const auto with = [&](const std::string& key, const std::string& value) { return Clog2Bytes(2).log({{key, value}}); };
  expect_clog2_refused(with("is_finalzed", "FALSE"), "0", "has not been merged");
  expect_clog2_refused(with("block_size", "1000000000"), "0", "block_size=");
  expect_clog2_refused(with("max_comm_world_size", "999999999"), "0", "max_comm_world_size=");
  expect_clog2_refused(with("max_comm_world_size", "3"), "1024", "no record of rank 2 of 3");
  expect_clog2_refused(Clog2Bytes(1).raw(12, 0).log(), "1096", "unknown type of record");
  expect_clog2_refused(Clog2Bytes(1).event(0, 0, 1, ev_send).log(), "1096", "unknown process");
  expect_clog2_refused(Clog2Bytes(1).event(0, 7, 0, ev_send).log(), "1096", "unknown process");
  expect_clog2_refused(Clog2Bytes(1).event(1e300, 0, 0, ev_send).log(), "1096", "a time that cannot be");
  expect_clog2_refused(Clog2Bytes(1).event(0, 0, 0, ev_send + 1).log(), "1096", "a state ends that has not begun");
  expect_clog2_refused(Clog2Bytes(1).message(0, 0, 0, msg_sent, 0, 0, 1, -5).log(), "1096", "negative size");
  expect_clog2_refused(Clog2Bytes(1).message(0, 0, 0, -103, 0, 0, 1, 5).log(), "1096", "unknown kind of message");
  expect_clog2_refused(Clog2Bytes(1).message(0, 0, 0, msg_sent, 0, 1, 1, 5).log(), "1096", "unknown partner");
  expect_clog2_refused(Clog2Bytes(1).member(0, 0, 100, 1, 4, 0).log(), "1096", "a member that cannot be");
  expect_clog2_refused(Clog2Bytes(1).state(300, 600, 600, "x").log(), "1096", "a state needs two events");
  Clog2Bytes deep(1);
  for (int i = 0; i < 5000; ++i) deep.event(0, 0, 0, ev_comm_size);
  EXPECT_NE(std::string::npos, error_of<InputError>([&] { ReadLog{deep.log()}; }).find("states at a time"));
}

TEST(Clog2, TheSamplesHaveTheMessagesThatMpesOwnPrinterCounts) {
  // clog2_print of mpe2-1.3: records of type msg, and their sizes.
  const std::vector<std::tuple<std::string, u32, u64, u64>> samples = {
      {"bt.S.16.clog2.xz", 16, 23911, 52'232'540}, {"cg.S.16.clog2.xz", 16, 47228, 56'149'884},
      {"ft.S.16.clog2.xz", 16, 2179, 31'477'140},  {"is.S.16.clog2.xz", 16, 4842, 3'426'152},
      {"is.W.16.clog2.xz", 16, 4842, 44'667'924},  {"lu.S.16.clog2.xz", 16, 28056, 9'950'388},
      {"mg.S.16.clog2.xz", 16, 12870, 3'975'560},  {"small4-extended.clog2", 4, 33, 5512},
      {"small4-regular.clog2", 4, 12, 608}};
  for (const auto& [name, tasks, messages, bytes] : samples) {
    const std::string path = shared_file("traces/npb-extended/" + name);
    if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
    const ReadLog read(find_trace(path));
    EXPECT_EQ(tasks, read.tasks) << name;
    EXPECT_EQ((ReadLog::Counts{messages, messages, bytes, 0}), read.counts()) << name;
    for (const auto& [task, events] : read.events) {
      u64 begin = 0, end = 0;
      for (const TraceEvent& event : events) {
        EXPECT_TRUE(event.begin_ns >= begin && event.end_ns >= end && event.end_ns >= event.begin_ns) << name;
        begin = event.begin_ns;
        end = event.end_ns;
      }
    }
  }
}

TEST(Clog2, TheSamplesHaveTheMessagesOfOtherRunsOfTheSameProgramsInTheSameOrder) {
  for (const std::string program : {"bt", "cg", "ft", "is", "lu", "mg"}) {
    const std::string base = shared_file("traces/npb-extended");
    if (base.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
    const auto messages_of = [&](const std::string& ending) {
      std::map<u32, std::vector<std::tuple<bool, u32, u32, u64>>> messages;
      for (const auto& [task, events] : ReadLog(find_trace(base + "/" + program + ".S.16" + ending)).events) {
        for (const TraceEvent& event : events) {
          const bool sends = event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend;
          if ((sends || event.kind == TraceEvent::Kind::receive) && event.peer != task)
            messages[task].emplace_back(sends, event.peer, event.tag, event.bytes);
        }
      }
      return messages;
    };
    EXPECT_EQ(messages_of(".trc.xz"), messages_of(".clog2.xz")) << program;
  }
}

TEST(Clog2, ARegularLogReplaysTheMessagesThatTheExtendedOneHas) {
  const std::string regular = shared_file("traces/npb-extended/small4-regular.clog2");
  if (regular.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  constexpr u32 reduce_tag = 30003;  // of reductions that the regular log has no state of
  std::multiset<std::pair<u32, u32>> expected, found;
  for (const auto& [task, events] :
       ReadLog(find_trace(shared_file("traces/npb-extended/small4-extended.clog2"))).events)
    for (const TraceEvent& event : events)
      if ((event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend) && event.tag != reduce_tag)
        expected.emplace(task, event.peer);
  ReplayChoice choice;
  choice.store.kept = false;
  const auto refused = [&] { ops_of(*open_program(regular, choice), 0); };
  EXPECT_NE(std::string::npos, error_of<InputError>(refused).find("workload.collective_bytes"));
  choice.collectives.library = "mpich-4.0";  // the extended one was made with its algorithms
  choice.collectives.unknown_bytes = 4;
  choice.collectives.has_unknown_bytes = true;
  const auto program = open_program(regular, choice);
  for (u32 task = 0; task < 4; ++task)
    for (const Op& op : ops_of(*program, task))
      if (op.kind == OpKind::send) found.emplace(task, op.peer);
  EXPECT_EQ(expected, found);
}

}  // namespace
}  // namespace weft::workloads
