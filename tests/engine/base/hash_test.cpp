// Hashes of files: of the whole content, or none.
#include "engine/base/hash.hpp"

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace weft {
namespace {

TEST(HashFile, IsThatOfTheContentWhateverItsLength) {
  const ScratchFolder folder;
  const std::string path = folder.file("hashed");
  constexpr std::size_t block = 1 << 20;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, block - 1, block, block + 1}) {
    const std::string text(bytes, 'x');
    put(path, text);
    u64 expected = hash_bytes({});
    const auto all = std::as_bytes(std::span(text));
    for (std::size_t at = 0; at < bytes; at += block) {
      expected = hash_bytes(all.subspan(at, std::min(block, bytes - at)), expected);
    }
    EXPECT_EQ(hash_file(path), expected) << bytes;
  }
}

TEST(HashFile, IsNoneWhereTheContentCannotBeReadToItsEndOrTwice) {
  EXPECT_EQ(hash_file("/nowhere/file"), std::nullopt);
  EXPECT_EQ(hash_file("/proc/self/mem"), std::nullopt);
  EXPECT_EQ(hash_file("/tmp"), std::nullopt);
  EXPECT_EQ(hash_file("/dev/zero"), std::nullopt);
}

}  // namespace
}  // namespace weft
