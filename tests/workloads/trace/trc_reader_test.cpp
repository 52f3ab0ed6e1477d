// The .trc grammar: what is accepted, and that everything else ends in an error that names file, line, value and
// remedy.
#include "workloads/trace/format/trc_reader.hpp"

#include "tests/workloads/trace/trace_test_tools.hpp"

namespace weft::workloads {
namespace {

std::string rejection(const std::string& text) {
  return error_of<InputError>([&] { records_of(text); });
}

void expect_rejected(const std::string& text, const std::string& place, const std::string& problem) {
  const std::string what = rejection(text);
  EXPECT_TRUE(what.starts_with("t.trc:" + place)) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("(got ")) << what;
  EXPECT_NE(std::string::npos, what.find("; expected ")) << what;
}

TEST(TrcReader, ReadsTheThreeRecordsOfTheTaskThatExecutesThem) {
  const auto records = records_of("s 1 2 3 4\nr 1 2 3 4\nc 5 678\n");
  ASSERT_EQ(3u, records.size());
  EXPECT_EQ(1u, records[0].task);
  EXPECT_EQ((Op{OpKind::send, 2, 3, 4}), op_of(records[0]));
  EXPECT_EQ(2u, records[1].task);
  EXPECT_EQ((Op{OpKind::receive, 1, 3, 4}), op_of(records[1]));
  EXPECT_EQ(5u, records[2].task);
  EXPECT_EQ((Op{OpKind::compute, 0, 0, 678}), op_of(records[2]));
}

TEST(TrcReader, SkipsCommentsAndEmptyLinesAndToleratesTabsCrlfAndAMissingLastNewline) {
  const auto records = records_of("# header\r\n\r\n \t \n  s\t1  2\t\t3 4 \t\r\n# c 0 1\nc 1 2");
  ASSERT_EQ(2u, records.size());
  EXPECT_EQ((Op{OpKind::send, 2, 3, 4}), op_of(records[0]));
  EXPECT_EQ((Op{OpKind::compute, 0, 0, 2}), op_of(records[1]));
}

TEST(TrcReader, AcceptsTheLargestValuesAndRejectsTheNextOnes) {
  const auto records = records_of("s 16777215 0 4294967295 1099511627776\nc 0 1152921504606846976\nc 0 0007\n");
  ASSERT_EQ(3u, records.size());
  EXPECT_EQ((Op{OpKind::send, 0, 0xFFFF'FFFF, u64{1} << 40}), op_of(records[0]));
  EXPECT_EQ(7u, records[2].event.bytes);
  expect_rejected("s 16777216 0 1 1\n", "1:", "field FROM is too large");
  expect_rejected("s 0 2147483649 1 1\n", "1:", "field TO is too large");
  expect_rejected("s 0 1 4294967296 1\n", "1:", "field TAG is too large");
  expect_rejected("s 0 1 1 1099511627777\n", "1:", "field BYTES is too large");
  expect_rejected("c 0 99999999999999999999999999999\n", "1:", "field DURATION is too large");
}

TEST(TrcReader, CountsDroppedMessagesToOneselfAndTheLargestRankEvenThere) {
  const auto reader = reader_of("s 7 7 0 1\nr 7 7 0 1\nr 8 8 0 1\nc 0 1\n");
  TraceRecord record;
  ASSERT_TRUE(reader->next(record));
  EXPECT_EQ(0u, record.task);
  EXPECT_EQ(4u, reader->position());
  EXPECT_FALSE(reader->next(record));
  EXPECT_EQ(1u, reader->self_sends());
  EXPECT_EQ(2u, reader->self_receives());
  EXPECT_EQ(9u, reader->tasks());
}

TEST(TrcReader, RejectsEveryMalformedLineWithItsNumber) {
  expect_rejected("c 0 1\nx 0 1\n", "2:", "unknown record (got 'x 0 1')");
  expect_rejected("c 0 1\n\n# a\nsend 0 1 2 3\n", "4:", "unknown record");
  expect_rejected("S 0 1 2 3\n", "1:", "unknown record");
  expect_rejected("s 0 1 2\n", "1:", "field BYTES is missing");
  expect_rejected("s\n", "1:", "field FROM is missing");
  expect_rejected("c 0\r\n", "1:", "field DURATION is missing");
  expect_rejected("s 0 1 2 3 4\n", "1:", "extra field (got '4'); expected s FROM TO TAG BYTES");
  expect_rejected("c 0 1 2\n", "1:", "extra field");
  expect_rejected("s 0 -1 2 3\n", "1:", "field TO is negative (got '-1')");
  expect_rejected("s 0 1 2 3.5\n", "1:", "field BYTES is not an integer (got '3.5')");
  expect_rejected("s 0 1 2 0x10\n", "1:", "field BYTES is not an integer");
  expect_rejected("s 0 1 +2 3\n", "1:", "field TAG is not an integer");
  expect_rejected("s 0 1 - 3\n", "1:", "field TAG is not an integer");
  expect_rejected("s 0 1 2 3\rs 0 1 2 3\n", "1:", "field BYTES is not an integer (got '3\\rs')");
  expect_rejected("s 1 2\ns 1 2 3 4\n", "1:", "field TAG is missing");
}

TEST(TrcReader, RejectsNulBytesAndBinaryGarbage) {
  using namespace std::string_literals;
  expect_rejected("s 0 1 2 3\0\n"s, "1:", "field BYTES is not an integer (got '3\\x00')");
  expect_rejected("c 0 1\n\0\0\0\n"s, "2:", "unknown record (got '\\x00\\x00\\x00')");
  expect_rejected("# com\0ment\nc 0 1\n"s, "1:", "NUL byte");
  expect_rejected("\x7F\x45\x4C\x46\x02\x01\xFF\xFE"s, "1:", "unknown record (got '\\x7fELF\\x02\\x01\\xff\\xfe')");
}

TEST(TrcReader, RejectsLinesLongerThanTheLimitWithoutReadingThemWhole) {
  expect_rejected("c 0 1\n" + std::string(1 << 20, '7') + "\n", "2:", "line is longer than 4096 bytes");
  expect_rejected("s 0 1 2 " + std::string(1 << 20, '0') + "3", "1:", "line is longer");
  EXPECT_LT(rejection("# " + std::string(1 << 20, 'x')).size(), 200u);
  EXPECT_EQ(1u, records_of("# " + std::string(4000, 'x') + "\nc 0 1\n").size());
}

TEST(TrcReader, StopsAtMoreLinesWithoutARecordThanAnyTraceHas) {
  const std::string blank(most_lines_without_record + 1, '\n');
  for (const std::string head : {"", "c 0 1\n"}) {
    const std::string error = rejection(head + blank);
    EXPECT_NE(error.find("more than 1000000 empty or comment lines in a row"), std::string::npos) << error;
  }
}

TEST(TrcReader, AFileWithoutRecordsIsAnError) {
  for (const std::string text : {"", "\n\n", "# only\n# comments\n", " \t\r\n"}) {
    EXPECT_TRUE(rejection(text).starts_with("t.trc: holds no records")) << text;
  }
  EXPECT_TRUE(records_of("s 1 1 0 0\n").empty());
}

TEST(TrcReader, LinesThatStraddleTheInputBufferAreReadWhole) {
  std::string text;
  for (u32 i = 0; i < 100000; ++i)
    text += "s " + std::to_string(i) + " " + std::to_string(i + 1) + " 5 " + std::to_string(i) + "\n";
  const auto records = records_of(text);
  ASSERT_EQ(100000u, records.size());
  for (u32 i = 0; i < 100000; ++i) {
    ASSERT_EQ(i, records[i].task);
    ASSERT_EQ((Op{OpKind::send, i + 1, 5, i}), op_of(records[i]));
  }
}

TEST(TraceFormat, IsFoundByContent) {
  TraceRecord record;
  for (const std::string text : {"c 0 1\n", "\n\n# x\n \ts 0 1 2 3", "#a\n#b\nr 0 1 2 3\n"}) {
    EXPECT_TRUE(reader_of(text, "auto")->next(record)) << text;
  }
  EXPECT_TRUE(reader_of(xz("c 0 1\n"), "auto")->next(record));
  EXPECT_TRUE(reader_of(std::string(100000, '\n') + "c 0 1\n", "auto")->next(record));
}

TEST(TraceFormat, UnknownOnesAreRefused) {
  const std::string unknown = error_of<InputError>([] { (void)reader_of("{\"json\": 1}", "auto"); });
  EXPECT_NE(std::string::npos, unknown.find("not a trace of a known format")) << unknown;
  EXPECT_NE(std::string::npos,
            error_of<ConfigError>([] { (void)reader_of("c 0 1", "otf9"); }).find("'otf9' is unknown"));
}

}  // namespace
}  // namespace weft::workloads
