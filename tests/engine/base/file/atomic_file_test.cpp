// Files must be there whole or not at all, and devices must survive being named as a result.
#include "engine/base/file/atomic_file.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::files {
namespace {

/// Makes every file end at `bytes`, which acts like a disk that is full in the middle of a write.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST(AtomicFile, ReplacesAFileAndKeepsItsPermissions) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.txt");
  put(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  write_file_atomically(path, "new content");
  EXPECT_EQ(content_of(path), "new content");
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(scratch.entries(), 1u);
}

TEST(AtomicFile, FollowsASymbolicLinkInsteadOfReplacingIt) {
  const ScratchFolder scratch;
  put(scratch.file("target"), "old");
  std::filesystem::create_symlink("target", scratch.file("link"));
  write_file_atomically(scratch.file("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.file("link")));
  EXPECT_EQ(content_of(scratch.file("target")), "new");
  std::filesystem::create_symlink("later", scratch.file("dangling"));
  write_file_atomically(scratch.file("dangling"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.file("dangling")));
  EXPECT_EQ(content_of(scratch.file("later")), "new");
}

TEST(AtomicFile, ThatIsNotCommittedLeavesNoTrace) {
  const ScratchFolder scratch;
  put(scratch.file("a.trc"), "old");
  {
    AtomicFile file(scratch.file("a.trc"));
    file.write("half of ");
    EXPECT_EQ(scratch.entries(), 2u);
  }
  EXPECT_EQ(scratch.entries(), 1u);
  EXPECT_EQ(content_of(scratch.file("a.trc")), "old");
}

TEST(AtomicFile, KeepsTheOldFileAndNoTemporaryWhenTheDiskIsFullHalfWay) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.txt");
  put(path, "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THROW(write_file_atomically(path, std::string(5000, 'x')), SystemError);
    EXPECT_THROW(write_file_atomically(scratch.file("fresh"), std::string(5000, 'x')), SystemError);
  }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(scratch.entries(), 1u);
}

TEST(AtomicFile, WritesToDevicesWithoutReplacingThem) {
  write_file_atomically("/dev/null", "gone", Streams::allowed);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THROW(write_file_atomically("/dev/full", "no room", Streams::allowed), SystemError);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, NamesTheMissingDirectory) {
  const ScratchFolder scratch;
  try {
    write_file_atomically(scratch.file("no/such/a.txt"), "x");
    FAIL() << "a file was written into a missing directory";
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find(scratch.file("no/such")), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("does not exist"), std::string::npos) << error.what();
  }
}

TEST(AtomicFile, RefusesDirectoriesAndEmptyPaths) {
  const ScratchFolder scratch;
  EXPECT_THROW(write_file_atomically(scratch.file(""), "x"), SystemError);
  EXPECT_THROW(write_file_atomically("", "x"), SystemError);
  EXPECT_EQ(scratch.entries(), 0u);
}

}  // namespace
}  // namespace weft::files
