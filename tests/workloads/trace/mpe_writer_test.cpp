// What is written as CLOG2 or ALOG comes back, and what cannot be is told.
#include "tests/workloads/trace/mpe_test_tools.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {
namespace {

/// The store of a log, written as `format`; losses go to `losses`.
std::string mpe_rewritten(const ScratchFolder& folder, const TraceInput& input, const std::string& format,
                          std::vector<std::string>* losses = nullptr) {
  StoreChoice choice;
  choice.kept = false;
  const auto store = store_of(input, choice);
  const std::string path = folder.file("out." + format);
  const auto lost = TraceFormats::instance().find(format)->write(store, path);
  if (losses != nullptr) *losses = lost;
  return path;
}

/// Events as they are, but for the numbers of names.
void expect_same_events(const ReadLog& before, const ReadLog& after) {
  EXPECT_EQ(before.tasks, after.tasks);
  EXPECT_EQ(before.communicators, after.communicators);
  for (const auto& [task, events] : before.events) {
    const auto found = after.events.find(task);
    ASSERT_NE(after.events.end(), found);
    ASSERT_EQ(events.size(), found->second.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      TraceEvent one = events[i], other = found->second[i];
      if (one.kind >= TraceEvent::Kind::enter) {
        EXPECT_EQ(before.name(one), after.name(other));
        EXPECT_EQ(before.names[one.name].is_call, after.names[other.name].is_call);
        one.name = other.name = 0;
      }
      EXPECT_EQ(one, other) << "event " << i << " of task " << task;
    }
  }
}

TEST(MpeWriter, EveryEventOfALogComesBack) {
  const ScratchFolder folder;
  for (const char* name :
       {"npb-extended/bt.S.16.clog2.xz", "npb-extended/ft.S.16.clog2.xz", "npb-extended/mg.S.16.clog2.xz",
        "npb-extended/small4-regular.clog2", "npb-extended/small4-extended.clog2", "mpe-samples/fpilog.clog"}) {
    const std::string path = shared_file(std::string("traces/") + name);
    if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
    std::vector<std::string> losses;
    const ReadLog after(find_trace(mpe_rewritten(folder, find_trace(path), "clog2", &losses)));
    EXPECT_TRUE(losses.empty()) << losses[0];
    expect_same_events(ReadLog(find_trace(path)), after);
  }
}

TEST(MpeWriter, CommunicatorsRegionsMomentsAndCallsOfOthersComeBack) {
  Clog2Bytes log(3);
  log.member(0, 0, 100, 5, 1, 0).member(0, 2, 100, 5, 0, 2);
  log.event(1e-6, 5, 0, 10).event(2e-6, 5, 0, 11).event(1e-6, 5, 1, 10).event(2e-6, 5, 1, 11);
  log.event(3e-6, 5, 1, 160).message(3e-6, 5, 1, -101, 5, 0, 3, 4).event(4e-6, 5, 1, 161);
  log.event(3e-6, 0, 1, 600).event(4e-6, 0, 1, 500).event(5e-6, 0, 1, 501).event(5e-6, 0, 1, 5003);
  log.event(6e-6, 0, 1, 298).event(7e-6, 0, 1, 299).event(8e-6, 0, 1, 601);
  log.state(300, 600, 601, "my work").moment(5003, "here").state(149, 298, 299, "h5_write");
  const std::string bytes = log.log();
  const ScratchFolder folder;
  const ReadLog before(bytes);
  EXPECT_EQ("coll barrier 1, send 2 3 4", before.text(0));
  EXPECT_EQ(
      "enter my work, enter MPE_Isend_waited, leave MPE_Isend_waited, mark here, enter h5_write, leave h5_write, "
      "leave my work",
      before.text(1));
  expect_same_events(before,
                     ReadLog(find_trace(mpe_rewritten(folder, find_trace(folder.write("in", bytes)), "clog2"))));
}

TEST(MpeWriter, RanksTimesAndSizesOfATraceWithoutTimesAreThoseOfItsComputing) {
  const ScratchFolder folder;
  const std::string trc = "c 0 1500\ns 0 1 7 40\nc 0 500\nr 0 1 7 40\nc 1 2000\ns 1 0 4294967295 3000000000\n";
  std::vector<std::string> losses;
  const ReadLog read(find_trace(mpe_rewritten(folder, find_trace(folder.write("in", trc)), "clog2", &losses)));
  EXPECT_EQ("send 1 7 40, mark end of computation", read.text(0));
  EXPECT_EQ("receive 0 7 40, send 0 4294967295 2147483647", read.text(1));
  EXPECT_EQ(1500u, read.events.at(0)[0].begin_ns);
  EXPECT_EQ(2000u, read.events.at(0)[1].begin_ns);
  EXPECT_EQ(2000u, read.events.at(1)[1].begin_ns);
  ASSERT_EQ(1u, losses.size());
  EXPECT_EQ("sizes of 1 messages beyond 2^31 - 1 (they are cut to that)", losses[0]);
}

TEST(MpeWriter, AlogKeepsMicroseconds) {
  const std::string path = shared_file("traces/npb-extended/is.S.16.clog2.xz");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const ScratchFolder folder;
  std::vector<std::string> losses;
  const ReadLog before(find_trace(path));
  const ReadLog after(find_trace(mpe_rewritten(folder, find_trace(path), "alog", &losses)));
  EXPECT_EQ("alog", after.found);
  ASSERT_EQ(1u, losses.size());
  EXPECT_TRUE(losses[0].starts_with("nanoseconds of ")) << losses[0];
  for (u32 task = 0; task < 16; ++task) {
    EXPECT_EQ(before.text(task), after.text(task));
    for (std::size_t i = 0; i < before.events.at(task).size(); ++i)
      EXPECT_EQ(before.events.at(task)[i].end_ns / 1000, after.events.at(task)[i].end_ns / 1000);
  }
}

TEST(MpeWriter, SaysWhereItCannotWrite) {
  const ScratchFolder folder;
  StoreChoice choice;
  choice.kept = false;
  const auto store = store_of(find_trace(folder.write("in", "s 0 1 2 3\nr 0 1 2 3\n")), choice);
  for (const char* format : {"clog2", "alog"}) {
    const std::string what =
        error_of<SystemError>([&] { TraceFormats::instance().find(format)->write(store, "/nowhere/at/all"); });
    EXPECT_NE(std::string::npos, what.find("cannot write '/nowhere/at/all'")) << what;
  }
}

}  // namespace
}  // namespace weft::workloads
