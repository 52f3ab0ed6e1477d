// Archives, read back by the description of the format.
#include "tools/cosim/guest/cpio.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace weft::tools::cosim::guest {
namespace {

struct Read {
  std::string name;
  u32 mode = 0;
  std::string content;
};

/// Documentation/driver-api/early-userspace/buffer-format.rst: 110 bytes of header in hex, name, padding, content,
/// padding.
std::vector<Read> read_archive(const std::string& bytes) {
  std::vector<Read> all;
  std::size_t at = 0;
  const auto field = [&](std::size_t k) {
    return static_cast<u32>(std::stoul(bytes.substr(at + 6 + 8 * k, 8), nullptr, 16));
  };
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  while (at + 110 <= bytes.size() && bytes.compare(at, 6, "070701") == 0) {
    const u32 mode = field(1), size = field(6), letters = field(11);
    EXPECT_EQ(field(5), 0u) << "a time would make two archives of the same content differ";
    EXPECT_EQ(bytes[at + 110 + letters - 1], '\0');
    const std::size_t content = padded(at + 110 + letters);
    all.push_back({bytes.substr(at + 110, letters - 1), mode, bytes.substr(content, size)});
    at = padded(content + size);
    if (all.back().name == "TRAILER!!!") break;
  }
  EXPECT_EQ(at, bytes.size());
  return all;
}

TEST(Cpio, FilesLinksAndTheFoldersAboveThemAreThere) {
  CpioArchive archive;
  archive.file("usr/lib/a", "12345", false);
  archive.file("init", "#!", true);
  archive.link("usr/b", "lib/a");
  const std::vector<Read> all = read_archive(archive.bytes());
  ASSERT_EQ(all.size(), 6u);
  const std::vector<Read> expected{{"init", 0100755, "#!"},         {"usr", 0040755, ""},
                                   {"usr/b", 0120777, "lib/a"},     {"usr/lib", 0040755, ""},
                                   {"usr/lib/a", 0100644, "12345"}, {"TRAILER!!!", 0, ""}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(all[k].name, expected[k].name);
    EXPECT_EQ(all[k].mode, expected[k].mode);
    EXPECT_EQ(all[k].content, expected[k].content);
  }
}

TEST(Cpio, TheSameContentIsTheSameBytesInAnyOrder) {
  CpioArchive one, other;
  one.file("x/1", "a", false);
  one.file("x/2", "b", true);
  other.file("x/2", "replaced", false);
  other.file("x/2", "b", true);
  other.file("x/1", "a", false);
  EXPECT_EQ(one.bytes(), other.bytes());
}

}  // namespace
}  // namespace weft::tools::cosim::guest
