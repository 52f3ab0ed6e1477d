// Placements: the rules, the file format and each of its errors, and the fuzzer's corpus replayed.
#include <filesystem>
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "workloads/program/placement/placement_file.hpp"

namespace weft::workloads {
namespace {

std::vector<u32> nodes_of(const Placement& placement) {
  std::vector<u32> result;
  for (const NodeId node : placement.node_of_task) result.push_back(node.value());
  return result;
}

Placement read(const std::string& text, u32 tasks = 3, u32 nodes = 8, u32 instance = 0) {
  return read_placement(text, "place.txt", tasks, nodes, 1, instance);
}

std::string error_of(const std::string& text) {
  try {
    (void)read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConsecutivePlacement, PutsEachTaskOnTheNodeOfItsNumber) {
  EXPECT_EQ(nodes_of(consecutive(3, 8)), (std::vector<u32>{0, 1, 2}));
  EXPECT_EQ(nodes_of(consecutive(0, 0)), std::vector<u32>{});
}

TEST(ConsecutivePlacement, RefusesMoreTasksThanNodes) {
  EXPECT_NO_THROW((void)consecutive(8, 8));
  EXPECT_THROW((void)consecutive(9, 8), ConfigError);
  EXPECT_THROW((void)read("", 9, 8), ConfigError);
}

/// What a function throws.
template <class F>
std::string thrown(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConsecutivePlacement, FillsNodeAfterNodeWhereTheyHaveSeveralPlaces) {
  EXPECT_EQ(nodes_of(consecutive(7, 3, 3)), (std::vector<u32>{0, 0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(slots_of(consecutive(7, 3, 3)), (std::vector<u8>{0, 1, 2, 0, 1, 2, 0}));
  EXPECT_NO_THROW((void)consecutive(256, 64, 4));
  EXPECT_EQ(thrown([] { (void)consecutive(300, 64, 4); }),
            "cannot place 300 tasks on 64 nodes (workload.tasks_per_node = 4); use tasks_per_node = 5 or a topology of "
            "at least 75 nodes");
  EXPECT_EQ(thrown([] { (void)consecutive(5000, 64, 4); }),
            "cannot place 5000 tasks on 64 nodes (workload.tasks_per_node = 4); use a topology of at least 1250 nodes");
}

TEST(PlacementFile, MayNameANodeAsOftenAsItHasPlaces) {
  const Placement placement = read_placement("7 4\n1 0\n7 1\n7 3\n1 2\n", "place.txt", 5, 8, 3);
  EXPECT_EQ(nodes_of(placement), (std::vector<u32>{1, 7, 1, 7, 7}));
  EXPECT_EQ(slots_of(placement), (std::vector<u8>{0, 0, 1, 1, 2}));  // in the order of tasks, not of lines
  const auto error_with = [](const std::string& text, u32 each) {
    return thrown([&] { (void)read_placement(text, "place.txt", 3, 8, each); });
  };
  EXPECT_EQ(error_with("7 0\n7 1\n7 2\n", 2),
            "place.txt:3: line places one task too many on node 7 (line 2 placed the last of 2, "
            "workload.tasks_per_node); choose another node, or a larger workload.tasks_per_node");
  EXPECT_EQ(error_with("7 0 0\n7 0 1\n7 2\n", 2).find("place.txt:3: line places one task too many"), 0U);
  EXPECT_EQ(error_with("7 0\n7 1\n7 1\n", 3),
            "place.txt:3: line places task 1 again (line 2 placed it on node 7); remove one of them");
}

TEST(PlacementFile, AcceptsEverySeparatorCommentsAndEmptyLines) {
  const std::vector<u32> expected = {7, 5, 0};
  EXPECT_EQ(nodes_of(read("7 0 0\n5\t1\t0\n0 2 0\n")), expected);
  EXPECT_EQ(nodes_of(read("7_0_0\n5,1,0\n0.2.0")), expected);
  EXPECT_EQ(nodes_of(read("7:0:0\n5-1-0\n0->2;0")), expected);
  EXPECT_EQ(nodes_of(read("# header\n\n 0 2 0 # last task\r\n7 -> 0\r\n5 -> 1\r\n")), expected);
}

TEST(PlacementFile, KeepsInstancesApart) {
  const std::string text = "7 0 0\n5 1 0\n0 2 0\n1 0 1\n2 1 1\n3 40 2\n";
  EXPECT_EQ(nodes_of(read(text)), (std::vector<u32>{7, 5, 0}));
  EXPECT_EQ(nodes_of(read(text, 2, 8, 1)), (std::vector<u32>{1, 2}));
  EXPECT_NE(error_of("7 0 0\n7 0 1\n").find("place.txt:2: line places a second task on node 7 (line 1"),
            std::string::npos);
}

TEST(PlacementFile, NamesTheLineOfWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"0 0 0\n8 1 0\n", "place.txt:2: line names node 8 (the network has 8 nodes"},
      {"0 0 0\n1 3 0\n", "place.txt:2: line names task 3 (the application has 3 tasks"},
      {"0 0 0\n\n1 0 0\n", "place.txt:3: line places task 0 again (line 1 placed it on node 0)"},
      {"0 0 0\n0 1 0\n", "place.txt:2: line places a second task on node 0 (line 1"},
      {"0 0 0\n2 2 0\n", "place.txt:2: line is the end and task 1 has no node (1 of 3"},
      {"", "place.txt:0: line is the end and task 0 has no node (3 of 3"},
      {"node 0 0\n", "place.txt:1: line holds \"node\" (not a whole number)"},
      {"0x1 0 0\n", "place.txt:1: line holds \"0x1\" (not a whole number)"},
      {"1 0 99999999999\n", "place.txt:1: line holds \"99999999999\" (does not fit 32 bits)"},
      {"4294967295 0 0\n", "place.txt:1: line names node 4294967295"},
      {"3\n", "place.txt:1: line has one field"},
      {"3 0 0 1\n", "place.txt:1: line has more than three fields"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(error_of(text).substr(0, expected.size()), expected);
}

TEST(PlacementFile, QuotesBinaryFilesHarmlessly) {
  const std::string error = error_of(std::string(300, '\x01'));
  EXPECT_EQ(error.find('\x01'), std::string::npos);
  EXPECT_LT(error.size(), 150U);
}

TEST(PlacementFile, IsReadFromDiskAndMissingFilesAreNamed) {
  const ScratchFolder folder;
  EXPECT_EQ(nodes_of(from_file(folder.write("nodes.txt", "2 1 0\n1 0 0\n"), 2, 4)), (std::vector<u32>{1, 2}));
  EXPECT_THROW((void)from_file(folder.file("none.txt"), 2, 4), InputError);
}

TEST(PlacementFile, TurnsADirectoryIntoAnError) { EXPECT_THROW((void)from_file(testing::TempDir(), 2, 4), Error); }

TEST(PlacementFile, ThatCannotBeReadToItsEndIsNoShorterPlacement) {
  EXPECT_THROW((void)from_file("/proc/self/mem", 2, 4), SystemError);
}

TEST(PlacementFile, QuotesWhatItDoesNotUnderstandOnOneLine) {
  try {
    static_cast<void>(read_placement("1 0\n2 \x1b[31m\n", "a\nb.txt", 2, 4));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("a\\nb.txt:2: line holds \"\\x1b[31m\" (not a whole number)"), 0U)
        << error.what();
  }
}

TEST(PlacementFile, SurvivesTheCorpusOfTheFuzzer) {
  const auto corpus = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fuzz/corpus/placement";
  u32 whole = 0;
  u32 refused = 0;
  for (const auto& file : std::filesystem::directory_iterator(corpus)) {
    try {
      const auto placement = from_file(file.path().string(), 4, 8);
      for (const NodeId node : placement.node_of_task) EXPECT_LT(node.value(), 8U);
      ++whole;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(file.path().filename().string() + ":"), std::string::npos);
      ++refused;
    }
  }
  EXPECT_GE(whole, 4U);
  EXPECT_GE(refused, 3U);
}

}  // namespace
}  // namespace weft::workloads
