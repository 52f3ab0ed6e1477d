// Partition files: what is read, and what is refused with file and line.
#include "engine/partition_file.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"

namespace weft::engine {
namespace {

std::vector<u32> read(const std::string& text, u32 vertices = 3, u32 parts = 2) {
  return read_partition(text, "ranks.txt", vertices, parts);
}

std::string error_of(const std::string& text, u32 vertices = 3, u32 parts = 2) {
  try {
    read(text, vertices, parts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PartitionFile, HasALinePerVertex) {
  EXPECT_EQ(read("0\n1\n0\n"), (std::vector<u32>{0, 1, 0}));
  EXPECT_EQ(read("1\n0\n1"), (std::vector<u32>{1, 0, 1}));
}

TEST(PartitionFile, MayHaveBlanksCommentsAndCarriageReturns) {
  EXPECT_EQ(read("# by hand\n\n 0 \r\n\t1\r\n0 # the last\n"), (std::vector<u32>{0, 1, 0}));
}

TEST(PartitionFile, ErrorsNameFileAndLine) {
  EXPECT_EQ(error_of("0\n2\n0\n").substr(0, 33), "ranks.txt:2: line names part 2 (t");
  for (const char* const bad : {"0\nx\n0\n", "0\n-1\n0\n", "0\n1 0\n0\n", "0\n1.0\n", "0\n99999999999\n", "0\n1x\n"}) {
    EXPECT_NE(error_of(bad).find("ranks.txt:2: line is not the number of a part"), std::string::npos) << bad;
  }
  EXPECT_NE(error_of("0\n1\n0\n1\n").find("ranks.txt:4: line is one too many"), std::string::npos);
  EXPECT_NE(error_of("0\n1\n").find("ranks.txt:2: line is the end after 2 of 3 routers"), std::string::npos);
  EXPECT_NE(error_of("").find("ranks.txt:0: line is the end after 0 of 3"), std::string::npos);
  EXPECT_NE(error_of("0\n0\n0\n").find("part 1 has no router"), std::string::npos);
}

TEST(PartitionFile, ThatCannotBeReadToItsEndIsNoShorterPartition) {
  EXPECT_THROW(partition_from_file("/proc/self/mem", 3, 2), SystemError);
}

TEST(PartitionFile, ThatIsNotThereIsAnInputError) {
  EXPECT_THROW(partition_from_file("/nowhere/ranks.txt", 3, 2), InputError);
}

}  // namespace
}  // namespace weft::engine
