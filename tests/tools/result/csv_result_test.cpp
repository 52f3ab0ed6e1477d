// CSV of results: figures, tables, what is not there.
#include "tools/result/csv_result.hpp"

#include <gtest/gtest.h>

namespace weft::tools {
namespace {

std::string file_of(const std::vector<std::pair<std::string, std::string>>& files, const std::string& path) {
  for (const auto& [name, text] : files) {
    if (name == path) return text;
  }
  return "none";
}

TEST(CsvResult, HasALineForEachFigureWithItsUnit) {
  RunResult result;
  result.latency_mean = 12.5;
  result.topology_name = "torus, \"8x8\"";
  const std::string text = file_of(csv_files(result, "a/run.csv"), "a/run.csv");
  EXPECT_EQ(text.substr(0, 18), "figure,value,unit\n");
  EXPECT_NE(text.find("\nlatency.mean,12.5,cycles\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ntopology,\"torus, \"\"8x8\"\"\",\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("distance.stddev"), std::string::npos) << "it was not asked for";
}

TEST(CsvResult, HasAFileForEachTableWithRowsBeforeThatOfTheFigures) {
  RunResult result;
  SeriesRow row;
  row.begin = 10;
  row.end = 20;
  row.accepted_load = 0.25;
  result.extra.series.assign(2, row);
  const auto files = csv_files(result, "run.csv");
  EXPECT_EQ(files.back().first, "run.csv");
  const std::string text = file_of(files, "run.series.csv");
  EXPECT_EQ(text.substr(0, 34), "begin,end,injected_load,accepted_l");
  EXPECT_NE(text.find("\n10,20,0.0,0.25,0.0,"), std::string::npos) << text;
  EXPECT_EQ(file_of(files, "run.ports.csv"), "none");
  // Latency from injection was not asked for: cells without a value.
  EXPECT_NE(text.find(",,,"), std::string::npos);
}

}  // namespace
}  // namespace weft::tools
