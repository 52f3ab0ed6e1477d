// ALOG and CLOG-1: what lines and records become, errors, samples.
#include "tests/workloads/trace/mpe_test_tools.hpp"

namespace weft::workloads {
namespace {

/// Lines of a log of two ranks that each do something.
std::string alog_lines(const std::string& more) { return "600 0 0 0 0 0\n600 1 0 0 0 0\n" + more; }

void expect_alog_refused(const std::string& text, const std::string& place, const std::string& problem) {
  const std::string what = error_of<InputError>([&] { ReadLog(trace_in_memory(text, "t"), "alog"); });
  EXPECT_TRUE(what.starts_with("t:" + place)) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("; expected ")) << what;
}

TEST(Alog, StatesMessagesAndMomentsComeFromTheirLines) {
  const ReadLog read(
      "-1 0 0 0 0 0 Me\n-2 0 0 9 0 0\n-3 0 0 2 0 0\n# a comment\n\n-9 0 0 700 0 0 half way\n"
      "-13 0 161 162 0 0 blue:dots MPI_Send\n-13 0 11 12 0 0 red BARRIER\r\n-13 0 500 501 0 0 green my work\n"
      "500 0 0 0 0 1\n161 0 0 0 0 2\n-101 0 0 1 0 3 7 40\n162 0 0 0 0 5\n501 0 0 0 0 6\n700 0 0 0 0 7\n"
      "  11\t1 0 0 0 1\n12 1 0 0 0 4\n-102 1 0 0 0 9 7 40\n");
  EXPECT_EQ("alog", read.found);
  EXPECT_EQ("enter my work, send 1 7 40, leave my work, mark half way", read.text(0));
  EXPECT_EQ("coll barrier 0, receive 0 7 40", read.text(1));
  EXPECT_EQ(2000u, read.events.at(0)[1].begin_ns);
  EXPECT_EQ(5000u, read.events.at(0)[1].end_ns);
}

TEST(Alog, WithoutDefinitionsThereAreMessagesOnly) {
  const ReadLog read(alog_lines("-101 0 0 1 0 3 7 40\n11 1 0 0 0 1\n-102 1 0 0 0 9 7 40\n-9 0 0 0 0 9\n"));
  EXPECT_EQ("send 1 7 40", read.text(0));
  EXPECT_EQ("receive 0 7 40", read.text(1));
}

TEST(Alog, ProcessesThatTheHeadCountsMayDoNothing) {
  const ReadLog read(alog_lines("-3 0 0 4 0 0\n-101 0 0 1 0 3 7 40\n-102 1 0 0 0 9 7 40\n"));
  EXPECT_EQ("send 1 7 40", read.text(0));
  EXPECT_EQ("", read.text(3));
}

TEST(Alog, RefusesWhatCannotBe) {
  expect_alog_refused(alog_lines("1 2 3\n"), "3:", "a line without six integers");
  expect_alog_refused(alog_lines("x 0 0 0 0 0\n"), "3:", "a line without six integers");
  expect_alog_refused(alog_lines("-101 0 0 1 0 3 7\n"), "3:", "a message without tag and size");
  expect_alog_refused(alog_lines("-101 0 0 1 0 3 7 40 1\n"), "3:", "extra field");
  expect_alog_refused(alog_lines("-101 0 0 1 0 3 7 -40\n"), "3:", "beyond 32 bits");
  expect_alog_refused(alog_lines("-101 0 0 99999999 0 3 7 40\n"), "3:", "is no rank");
  expect_alog_refused(alog_lines("5 -1 0 0 0 3\n"), "3:", "is no rank");
  expect_alog_refused(alog_lines("-50 0 0 0 0 3\n"), "3:", "unknown type of line");
  expect_alog_refused(alog_lines("-13 0 5 5 0 0 red x\n"), "3:", "two events");
  expect_alog_refused(alog_lines("-3 0 0 999999999 0 0\n"), "3:", "number of processes");
  expect_alog_refused(alog_lines("-3 0 0 1 0 0\n"), " ", "more ranks than processes");
  expect_alog_refused(alog_lines("-101 0 0 3 0 3 7 40\n"), " ", "no event of rank 2 of 4");
  expect_alog_refused(alog_lines("5 0 0 0 0 9999999999999999\n"), "3:", "a time that cannot be");
  expect_alog_refused(alog_lines(std::string(5000, '1') + "\n"), "3:", "longer than 4096 bytes");
  expect_alog_refused("-1 0 0 0 0 0 Me\n", " ", "holds no events");
  expect_alog_refused(alog_lines("-13 0 11 12 0 0 red MPI_Barrier\n12 0 0 0 0 1\n"), "4:", "ends that has not begun");
}

TEST(Alog, OtherTextsAreNotTakenForIt) {
  const TraceFormat& alog = *TraceFormats::instance().find("alog");
  const TraceInput input = trace_in_memory("", "t");
  EXPECT_TRUE(alog.recognises("# x\n\n -101 0 0 1 0 3 7 40\n", input));
  EXPECT_FALSE(alog.recognises("s 0 1 2 3\n", input));
  EXPECT_FALSE(alog.recognises("1 2 3 4 5\n", input));
  EXPECT_FALSE(alog.recognises("-101 0 0 1 0 3 7 40\nnum_ranks 2\n", input));
  EXPECT_FALSE(alog.recognises("", input));
}

TEST(Alog, TheSampleHasTheMessagesOfItsClog2) {
  const std::string path = shared_file("traces/npb-extended/is.S.16.alog.xz");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const ReadLog read(find_trace(path));
  EXPECT_EQ(16u, read.tasks);
  EXPECT_EQ((ReadLog::Counts{4842, 4842, 3'426'152, 0}), read.counts());
}

/// A record of CLOG-1: all numbers big-endian.
std::string clog1_record(double s, i32 type, i32 words, i32 rank, const std::vector<i32>& numbers,
                         const std::string& text = {}) {
  std::string bytes(reinterpret_cast<const char*>(&s), sizeof s);
  std::ranges::reverse(bytes);
  std::vector<i32> all = {type, words, rank, 0};
  all.insert(all.end(), numbers.begin(), numbers.end());
  for (const i32 number : all)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(static_cast<u32>(number) >> shift);
  bytes += text;
  bytes.resize(static_cast<std::size_t>(words) * 8, '\0');
  return bytes;
}
std::string clog1_event(double s, i32 rank, i32 type, i32 data, const std::string& text = {}) {
  return clog1_record(s, 1, 7, rank, {type, data, 900, 0}, text);
}

TEST(Clog1, MessagesAreEventsAndBlocksMayBeOfBothSizes) {
  const std::string first = clog1_event(1e-6, 0, 161, 1) + clog1_event(2e-6, 0, -101, 1, "7 40") +
                            clog1_event(3e-6, 0, 162, 1) + clog1_event(4e-6, 1, 500, 0);
  const std::string second =
      clog1_event(5e-6, 1, -102, 0, "7 40") + clog1_event(6e-6, 1, 501, 0) +
      clog1_record(1e6, 6, 10, 0, {200, 500, 501, 0}, std::string("red") + std::string(21, '\0') + "work");
  for (const std::size_t block : {1024U, 65536U}) {
    std::string log = first;
    if (block == 1024) {
      log += clog1_record(0, -1, 3, 0, {});
      log.resize(block, 'x');
    }
    log += second + clog1_record(0, -2, 3, 0, {});
    const ReadLog read(log);
    EXPECT_EQ("clog1", read.found);
    EXPECT_EQ("send 1 7 40", read.text(0));
    EXPECT_EQ("enter work, receive 0 7 40, leave work", read.text(1));
  }
}

TEST(Clog1, RefusesWhatCannotBe) {
  const auto refusal = [](const std::string& log) {
    return error_of<InputError>([&] { ReadLog(trace_in_memory(log, "t"), "clog1"); });
  };
  const std::string end = clog1_record(0, -2, 3, 0, {});
  EXPECT_TRUE(refusal("").starts_with("t: byte 0: the log is truncated"));
  EXPECT_NE(std::string::npos, refusal(clog1_event(0, 0, 1, 0)).find("truncated"));
  EXPECT_NE(std::string::npos, refusal(clog1_event(0, 1, 1, 0) + end).find("no record of rank 0 of 2"));
  EXPECT_NE(std::string::npos, refusal(clog1_event(0, -1, 1, 0) + end).find("a rank that cannot be"));
  EXPECT_NE(std::string::npos, refusal(clog1_event(0, 0, -101, 0, "7") + end).find("without tag and size"));
  EXPECT_NE(std::string::npos, refusal(clog1_event(0, 0, -101, 5, "7 1") + end).find("unknown partner"));
  EXPECT_NE(std::string::npos, refusal(clog1_record(0, 9, 3, 0, {}) + end).find("unknown type of record"));
  EXPECT_NE(std::string::npos, refusal(clog1_record(0, 1, 6, 0, {}) + end).find("another length"));
  EXPECT_TRUE(refusal(end).find("no records") != std::string::npos);
}

TEST(Clog1, MpesOwnSampleHasItsMessagesInsideOfItsCollectives) {
  const std::string path = shared_file("traces/mpe-samples/fpilog.clog");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const ReadLog read(find_trace(path));
  EXPECT_EQ("clog1", read.found);
  EXPECT_EQ(4u, read.tasks);
  EXPECT_EQ((ReadLog::Counts{39, 39, 1608, 0}), read.counts());
  std::map<std::string, u64> entered;
  for (const auto& [task, events] : read.events)
    for (const TraceEvent& event : events)
      if (event.kind == TraceEvent::Kind::enter) ++entered[read.name(event)];
  EXPECT_EQ((std::map<std::string, u64>{{"MPI_Barrier", 12},
                                        {"MPI_Bcast", 8},
                                        {"MPI_Reduce", 8},
                                        {"User_Barrier", 8},
                                        {"User_Broadcast", 8},
                                        {"User_Compute", 8},
                                        {"User_Reduce", 8}}),
            entered);
}

}  // namespace
}  // namespace weft::workloads
