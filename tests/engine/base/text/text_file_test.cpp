// Whole files or errors: a read error, an endless file or a device never passes for a short file.
#include "engine/base/text/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "tests/support/scratch_folder.hpp"

namespace weft {
namespace {

constexpr u64 room_bytes = u64{1} << 20;

struct TextFile : ::testing::Test {
  std::string written(const std::string& text) const { return folder_.write("text", text); }
  static std::string problem(const std::string& path, u64 most_bytes = room_bytes) {
    const FileText file = file_text(path, most_bytes);
    EXPECT_EQ(file.status, FileText::Status::unfit);
    return file.problem;
  }

  ScratchFolder folder_;
  std::string path_ = folder_.file("text");
};

TEST_F(TextFile, IsReadAsItStands) {
  for (const std::string& text : {std::string(), std::string("a\n\0b\r\n", 6), std::string(300'000, 'x')}) {
    EXPECT_EQ(read_text_file<ConfigError>(written(text), room_bytes, "file"), text);
  }
  EXPECT_EQ(read_text_file<ConfigError>(written(std::string(room_bytes, 'y')), room_bytes, "file").size(), room_bytes);
}

TEST_F(TextFile, OfNoStatedSizeIsReadToItsEnd) {
  EXPECT_TRUE(file_text("/proc/self/status", room_bytes).text.starts_with("Name:"));
}

TEST_F(TextFile, MayBeAPipe) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  std::thread writer([this] { std::ofstream(path_) << "format = 1\n"; });
  EXPECT_EQ(file_text(path_, room_bytes).text, "format = 1\n");
  writer.join();
}

TEST_F(TextFile, MayBeAPipeThatSaysNothingForAWhile) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  std::thread writer([this] {
    std::ofstream pipe(path_);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    pipe << "late";
  });
  EXPECT_EQ(file_text(path_, room_bytes, nullptr, 30).text, "late");
  writer.join();
}

TEST_F(TextFile, ThatIsAPipeWithoutAWriterIsNoWaitForEver) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const FileText file = file_text(path_, room_bytes, nullptr, 0);
  EXPECT_EQ(file.status, FileText::Status::unfit);
  EXPECT_EQ(file.problem, "it is a pipe that nobody writes to");
  EXPECT_LT(open_to_read(path_, 0), 0);
}

TEST_F(TextFile, ThatIsNoneSaysWhatItIs) {
  EXPECT_EQ(problem(path_), std::strerror(ENOENT));
  EXPECT_EQ(problem(folder_.path()), "it is a directory");
  EXPECT_EQ(problem("/dev/zero"), "it is a device or a socket");
  EXPECT_EQ(problem(std::string(100'000, 'x')), std::strerror(ENAMETOOLONG));
  EXPECT_EQ(problem(std::string("/etc/hostname\0.toml", 19)), "its name holds a NUL character");
}

TEST_F(TextFile, LargerThanAllowedIsRefusedWhetherItsSizeIsKnownOrNot) {
  EXPECT_EQ(problem(written(std::string(101, 'x')), 100), "it is larger than 100 bytes");
  EXPECT_EQ(problem(written(std::string(room_bytes + 1, 'x'))), "it is larger than 1 MiB");
  EXPECT_EQ(problem("/proc/self/status", 10), "it is larger than 10 bytes");
}

TEST_F(TextFile, AReadErrorIsNoEnd) {
  // Reading address 0 of this process is an input/output error.
  EXPECT_EQ(file_text("/proc/self/mem", room_bytes).status, FileText::Status::broken);
  try {
    static_cast<void>(read_text_file<ConfigError>("/proc/self/mem", room_bytes, "config file"));
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("/proc/self/mem: cannot read the config file (Input/output error after 0"),
              std::string::npos)
        << error.what();
  }
}

int calls;  ///< of the read calls below

TEST_F(TextFile, AReadErrorAfterTheFirstPieceIsNoEndEither) {
  calls = 0;
  const FileText file =
      file_text(written("[workload]\nkind = \"burst\"\n"), room_bytes, [](int from, void* to, std::size_t) {
        if (++calls == 1) return ::read(from, to, 10);
        errno = EIO;
        return ssize_t{-1};
      });
  EXPECT_EQ(file.status, FileText::Status::broken);
  EXPECT_EQ(file.text, "");
  EXPECT_NE(file.problem.find("after 10 bytes"), std::string::npos);
}

TEST_F(TextFile, InterruptedAndShortReadsAreTakenUpAgain) {
  calls = 0;
  const std::string text = "0123456789abcdef";
  EXPECT_EQ(file_text(written(text), room_bytes,
                      [](int from, void* to, std::size_t) {
                        if (++calls % 2 == 1) {
                          errno = EINTR;
                          return ssize_t{-1};
                        }
                        return ::read(from, to, 3);
                      })
                .text,
            text);
}

TEST_F(TextFile, WhereMemoryEndsIsNoEnd) {
  EXPECT_THROW(static_cast<void>(file_text(written("format = 1\n"), room_bytes,
                                           [](int, void*, std::size_t) -> ssize_t { throw std::bad_alloc(); })),
               std::bad_alloc);
}

TEST(Lines, EndAtLineFeedsAndTheLastMayHaveNone) {
  const auto lines = [](std::string_view text) {
    std::vector<std::string> all;
    for_each_line(text, [&all](std::string_view line) { all.emplace_back(line); });
    return all;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines(""), Lines());
  EXPECT_EQ(lines("a\n\nb\r\n"), (Lines{"a", "", "b\r"}));
  EXPECT_EQ(lines("a\nb"), (Lines{"a", "b"}));
}

}  // namespace
}  // namespace weft
