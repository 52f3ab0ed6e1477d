// Byte sources: every compression gives the same bytes; damaged files end in errors that name file and place.
#include "engine/base/text/byte_source.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft {
namespace {

std::string read_all(ByteSource& source, std::size_t step = 1000) {
  std::string all;
  std::vector<char> piece(step);
  while (const std::size_t got = source.read(piece.data(), piece.size())) all.append(piece.data(), got);
  return all;
}

std::string read_all(const std::string& path) { return read_all(*open_bytes(path)); }

std::string long_text() {
  std::string text;
  u64 state = 1;
  for (int i = 0; i < 60000; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    text += "c " + std::to_string(i % 64) + " " + std::to_string(state >> 34) + "\n";
  }
  return text;
}

TEST(ByteSource, PlainXzGzipAndZstdFilesGiveTheSameBytesWhateverTheirNames) {
  const ScratchFolder folder;
  const std::string text = long_text();
  EXPECT_EQ(text, read_all(folder.write("plain.xz", text)));
  EXPECT_EQ(text, read_all(folder.write("a.txt", xz(text))));
  EXPECT_EQ(text, read_all(folder.write("b.xz", zst(text))));
  EXPECT_EQ(text, read_all(folder.write("c.xz", gz(text))));
}

TEST(ByteSource, ConcatenatedStreamsAreReadToTheEnd) {
  const ScratchFolder folder;
  EXPECT_EQ("abcdef", read_all(folder.write("a", xz("abc") + xz("def"))));
  EXPECT_EQ("abcdef", read_all(folder.write("b", zst("abc") + zst("def"))));
  EXPECT_EQ("abcdef", read_all(folder.write("f", gz("abc") + gz("def"))));
  EXPECT_EQ("", read_all(folder.write("c", xz(""))));
  EXPECT_EQ("", read_all(folder.write("d", zst(""))));
  EXPECT_EQ("", read_all(folder.write("e", "")));
}

TEST(ByteSource, OneByteReadsGiveTheSameBytes) {
  const std::string text = long_text().substr(0, 5000);
  EXPECT_EQ(text, read_all(*decompressed(bytes_in_memory(xz(text), "x")), 1));
  EXPECT_EQ(text, read_all(*decompressed(bytes_in_memory(zst(text), "x")), 1));
  EXPECT_EQ(text, read_all(*decompressed(bytes_in_memory(gz(text), "x")), 1));
}

TEST(ByteSource, EveryTruncationOfACompressedFileIsAnError) {
  for (const std::string& whole : {xz("s 0 1 2 3\n"), zst("s 0 1 2 3\n"), gz("s 0 1 2 3\n")}) {
    for (std::size_t length = 6; length < whole.size(); ++length) {
      const std::string what =
          error_of<InputError>([&] { read_all(*decompressed(bytes_in_memory(whole.substr(0, length), "cut"))); });
      EXPECT_NE(std::string::npos, what.find("'cut' is truncated")) << length << " " << what;
      EXPECT_NE(std::string::npos, what.find("after " + std::to_string(length) + " bytes")) << what;
    }
  }
}

TEST(ByteSource, CorruptCompressedDataNameTheOffset) {
  for (std::string packed : {xz(long_text()), zst(long_text()), gz(long_text())}) {
    for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 16; ++i)
      packed[i] = static_cast<char>(packed[i] ^ 0x5A);
    const std::string what = error_of<InputError>([&] { read_all(*decompressed(bytes_in_memory(packed, "bad"))); });
    EXPECT_NE(std::string::npos, what.find("'bad' is damaged at compressed byte ")) << what;
  }
}

TEST(ByteSource, TrailingGarbageAfterCompressedDataIsAnError) {
  for (const std::string& whole : {xz("abc"), zst("abc"), gz("abc")}) {
    const auto read = [&] { read_all(*decompressed(bytes_in_memory(whole + "garbage!", "tail"))); };
    EXPECT_NE(std::string::npos, error_of<InputError>(read).find("'tail'"));
  }
}

TEST(ByteSource, AMissingFileADirectoryAndOtherCompressionsAreNamed) {
  const ScratchFolder folder;
  const std::string missing = error_of<InputError>([&] { (void)open_bytes(folder.file("none.trc")); });
  EXPECT_NE(std::string::npos, missing.find("none.trc' (No such file or directory)")) << missing;
  const std::string directory = error_of<InputError>([&] { (void)open_bytes(folder.file("")); });
  EXPECT_NE(std::string::npos, directory.find("is a directory")) << directory;
  const std::string bzip2 = error_of<InputError>([&] { (void)open_bytes(folder.write("a.bz2", "BZh9 12345")); });
  EXPECT_NE(std::string::npos, bzip2.find("bzip2")) << bzip2;
}

TEST(ByteSource, AFileWithoutReadPermissionIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const ScratchFolder folder;
  const std::string path = folder.write("secret.trc", "c 0 1\n");
  ::chmod(path.c_str(), 0);
  const std::string what = error_of<InputError>([&] { (void)open_bytes(path); });
  EXPECT_NE(std::string::npos, what.find("Permission denied")) << what;
}

}  // namespace
}  // namespace weft
