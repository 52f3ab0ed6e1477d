// Numbers, tables and markup come out as people and programs read them.
#include <cmath>
#include <gtest/gtest.h>

#include "engine/base/text/csv.hpp"
#include "engine/base/text/markup.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"

namespace weft {
namespace {

TEST(TextNumbers, HaveTheDecimalsAskedForAndNoExponent) {
  EXPECT_EQ(fixed(1.25, 1), "1.2");
  EXPECT_EQ(fixed(-0.5, 2), "-0.50");
  EXPECT_EQ(fixed(1e20, 0), "100000000000000000000");
  EXPECT_EQ(fixed(std::nan(""), 3), "n/a");
  EXPECT_EQ(fixed(INFINITY, 3), "n/a");
  EXPECT_EQ(percent(0.12345), "12.3 %");
  EXPECT_EQ(percent(2, 0), "200 %");
}

TEST(TextNumbers, AreWrittenAsPeopleReadThem) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(significant(0.29944), "0.2994");
  EXPECT_EQ(significant(37.4321), "37.43");
  EXPECT_EQ(significant(123456.7), "123457");
  EXPECT_EQ(significant(140), "140");
  EXPECT_EQ(significant(std::nan("")), "n/a");
  EXPECT_EQ(with_prefix(850), "850");
  EXPECT_EQ(with_prefix(12345678), "12.3 M");
  EXPECT_EQ(with_prefix(999.7), "1 k");
  EXPECT_EQ(byte_size(671088640), "640 MiB");
  EXPECT_EQ(duration(0.85), "850 ms");
  EXPECT_EQ(duration(12.34), "12.3 s");
  EXPECT_EQ(duration(200), "3 min 20 s");
  EXPECT_EQ(duration(7500), "2 h 05 min");
}

TEST(TextNumbers, CountThingsInThePlural) {
  EXPECT_EQ(counted(0, "rank"), "0 ranks");
  EXPECT_EQ(counted(1, "rank"), "1 rank");
  EXPECT_EQ(counted(12, "point"), "12 points");
  EXPECT_EQ(counted(1234, "point"), "1,234 points");
}

TEST(TextTable, PutsColumnsOneBelowTheOther) {
  EXPECT_EQ(aligned({{"a", "long name"}, {"1234", "5"}}), "   a  long name\n1234          5\n");
  EXPECT_EQ(aligned({{"a", "b"}, {"1"}}, 2), "  a  b\n  1\n");
  EXPECT_EQ(aligned({}), "");
}

TEST(TextTable, CountsCharactersNotBytes) { EXPECT_EQ(aligned({{"größe"}, {"12345"}}), "größe\n12345\n"); }

TEST(Csv, QuotesCellsOnlyWhereCommasQuotesAndLineBreaksAsk) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"so\""), "\"say \"\"so\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell(""), "");
}

TEST(Csv, MakesNoFormulasOfNames) {
  EXPECT_EQ(csv_cell("=HYPERLINK(A1)"), "'=HYPERLINK(A1)");
  EXPECT_EQ(csv_cell("=1+cmd|' /C calc'!A0,\"x\""), "\"'=1+cmd|' /C calc'!A0,\"\"x\"\"\"");
  for (const char* cell : {"+cmd", "-cmd", "@SUM(1)", "\tx", "=", "-", "+", "-1+cmd", "=1"})
    EXPECT_EQ(csv_cell(cell), std::string("'") + cell);
  for (const char* cell : {"-1", "+2.5", "-1e-9", "-inf", "a=1", "1-2"}) EXPECT_EQ(csv_cell(cell), cell);
  EXPECT_EQ(csv_cell("\rx"), "\"'\rx\"");
}

TEST(Csv, IsRowsOfCells) {
  CsvText csv;
  for (const char* name : {"name", "count", "real", "short"}) csv.cell(name);
  csv.end_row();
  csv.cell("");
  csv.cell(7U);
  csv.cell(1 / 3.0);
  csv.cell(1 / 3.0, 3);
  csv.end_row();
  EXPECT_EQ(csv.take(), "name,count,real,short\n,7,0.3333333333333333,0.333\n");
  csv.cell("a,b");
  csv.cell(std::nan(""));
  csv.end_row();
  EXPECT_EQ(csv.size(), 7U);
  EXPECT_EQ(csv.take(), "\"a,b\",\n");
  EXPECT_EQ(csv.take(), "");
}

TEST(TextMarkup, IsSafeInElementsAndAttributes) {
  EXPECT_EQ(escaped("<&>\"'\x01\x7F\n\t"), "&lt;&amp;&gt;&quot;&#39;??\n\t");
  EXPECT_EQ(paragraph("a < b", "soft"), "<p class=\"soft\">a &lt; b</p>\n");
}

}  // namespace
}  // namespace weft
