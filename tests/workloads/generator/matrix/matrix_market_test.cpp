// The reader of Matrix Market files: what the format has, and one clear line for everything else.
#include "workloads/generator/matrix/matrix_market.hpp"

#include <gtest/gtest.h>
#include <utility>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

using Places = std::vector<std::pair<u32, u32>>;

Places places(const std::string& text) {
  MatrixMarketReader reader(bytes_in_memory(text, "a.mtx"));
  Places all;
  for (u32 row = 0, column = 0; reader.next(row, column);) all.emplace_back(row, column);
  return all;
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(places(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string general = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarket, ReadsAllKindsOfValuesAndForgetsThem) {
  const Places expected{{0, 0}, {2, 1}};
  EXPECT_EQ(places(general + "% a comment\n\n3 2 2\n1 1 1.5\n3 2 -2.5E-3\n"), expected);
  EXPECT_EQ(places(general + "3 2 2\r\n 1\t1 +.5\r\n3 2 1.D+00\r\n"), expected);
  EXPECT_EQ(places("%%MatrixMarket MATRIX Coordinate Pattern General\n3 2 2\n1 1\n% between\n3 2"), expected);
  EXPECT_EQ(places("%%MatrixMarket matrix coordinate integer general\n3 2 2\n1 1 -7\n3 2 0\n"), expected);
  EXPECT_EQ(places("%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n1 1 1 0\n3 2 1e5 nan\n"), expected);
  EXPECT_EQ(places(general + "3 2 0\n"), Places{});
}

TEST(MatrixMarket, SaysWhetherEntriesStandForTwo) {
  for (const auto& [symmetry, both] :
       {std::pair{"general", false}, std::pair{"symmetric", true}, std::pair{"skew-symmetric", true}}) {
    const MatrixMarketReader reader(
        bytes_in_memory(std::string("%%MatrixMarket matrix coordinate real ") + symmetry + "\n4 4 0\n", "a"));
    EXPECT_EQ(reader.is_symmetric(), both) << symmetry;
    EXPECT_EQ(reader.rows(), 4U);
  }
}

TEST(MatrixMarket, RefusesWhatIsNoSparseMatrix) {
  EXPECT_EQ(refusal(""), "a.mtx: the file is empty; expected '%%MatrixMarket matrix coordinate real general'");
  EXPECT_EQ(refusal("1 1 1\n"),
            "a.mtx:1: no Matrix Market file (got '1 1 1'); expected '%%MatrixMarket matrix coordinate real general'");
  EXPECT_NE(refusal("%%MatrixMarket matrix array real general\n").find("a.mtx:1: a dense matrix"), std::string::npos);
  EXPECT_NE(refusal("%%MatrixMarket matrix coordinate quaternion general\n").find("one of real, double, integer"),
            std::string::npos);
  EXPECT_NE(refusal("%%MatrixMarket matrix coordinate real hermitian\n").find("without complex values"),
            std::string::npos);
  EXPECT_NE(refusal("%%MatrixMarket matrix coordinate pattern skew-symmetric\n").find("without values"),
            std::string::npos);
  EXPECT_NE(refusal(general).find("before the sizes"), std::string::npos);
}

TEST(MatrixMarket, NamesTheLineThatIsWrong) {
  const std::string head = general + "3 2 2\n";
  EXPECT_EQ(refusal(head + "1 1 1\n4 1 1\n"), "a.mtx:4: no row (got '4'); expected a number from 1 to 3");
  EXPECT_EQ(refusal(head + "1 0 1\n"), "a.mtx:3: no column (got '0'); expected a number from 1 to 2");
  EXPECT_EQ(refusal(head + "1 99999999999999999999999 1\n"),
            "a.mtx:3: no column (got '99999999999999999999999'); expected a number from 1 to 2");
  EXPECT_EQ(refusal(head + "1 1\n"), "a.mtx:3: no value (got nothing); expected a number like 1.5e-3");
  EXPECT_EQ(refusal(head + "1 1 1.2.3\n"), "a.mtx:3: no value (got '1.2.3'); expected a number like 1.5e-3");
  EXPECT_NE(refusal(head + "1 1 1 1\n").find("a.mtx:3: more than an entry on a line"), std::string::npos);
  EXPECT_EQ(refusal(head + "1 1 1\n"), "a.mtx: ends after 1 of 2 entries (line 3); is it whole?");
  EXPECT_NE(refusal(head + "1 1 1\n2 1 1\n3 1 1\n").find("a.mtx:5: more entries than the 2"), std::string::npos);
  EXPECT_NE(refusal(general + "3 2 7\n").find("more entries than the matrix has places"), std::string::npos);
  EXPECT_NE(refusal(general + "3 99999999999 7\n").find("a number from 1 to 2147483648"), std::string::npos);
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  EXPECT_NE(refusal(symmetric + "3 2 0\n").find("not square"), std::string::npos);
  EXPECT_NE(refusal(symmetric + "3 3 1\n1 2 1\n").find("a.mtx:3: an entry above the diagonal"), std::string::npos);
  EXPECT_NE(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n").find("on the diagonal"),
            std::string::npos);
}

TEST(MatrixMarket, IsNotFooledByLongLinesAndEndlessComments) {
  EXPECT_NE(refusal(general + std::string(5000, ' ') + "3 2 0\n").find("a.mtx:2: line is longer than 4096 bytes"),
            std::string::npos);
  EXPECT_NE(refusal(general + std::string(100, '9')).find("a.mtx:2: no number of rows"), std::string::npos);
  std::string comments = general;
  for (u64 line = 0; line <= LineReader::most_idle_lines; ++line) comments += "%\n";
  EXPECT_NE(refusal(comments + "3 2 0\n").find("more than 1000000 empty or comment lines"), std::string::npos);
  EXPECT_EQ(places(general + "% " + std::string(4000, 'x') + "\n3 2 0\n"), Places{});
}

}  // namespace
}  // namespace weft::workloads
