// Only std::cout may reach the standard output of a program that reserves it.
#include "engine/base/file/reserved_output.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <unistd.h>

namespace weft::files {
namespace {

/// Both standard streams of this process in files, and what came to them.
class StandardStreams {
 public:
  StandardStreams() : before_{::dup(STDOUT_FILENO), ::dup(STDERR_FILENO)} {
    for (const int stream : {0, 1}) {
      char name[] = "/tmp/weft-stream-XXXXXX";
      files_[stream] = ::mkstemp(name);
      ::unlink(name);
      ::dup2(files_[stream], stream + STDOUT_FILENO);
    }
  }
  ~StandardStreams() {
    std::cout.flush();
    std::fflush(stdout);
    for (const int stream : {0, 1}) {
      ::dup2(before_[stream], stream + STDOUT_FILENO);
      ::close(before_[stream]);
      ::close(files_[stream]);
    }
  }
  [[nodiscard]] std::string text(int stream) const {
    std::string content(4096, '\0');
    const ssize_t got = ::pread(files_[stream - STDOUT_FILENO], content.data(), content.size(), 0);
    content.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return content;
  }

 private:
  int before_[2];
  int files_[2];
};

TEST(ReservedOutput, HoldsWhatCoutGetsAndNothingThatALibraryPrints) {
  std::string out, err;
  {
    const StandardStreams streams;
    {
      const ReservedOutput reserved;
      std::printf("a complaint\n");
      std::cout << "{\"answer\": 42}\n" << std::flush;
      EXPECT_TRUE(std::cout.good());
      EXPECT_EQ(::write(STDOUT_FILENO, "another\n", 8), 8);
      EXPECT_NE(standard_output(), STDOUT_FILENO);
    }
    std::cout << "afterwards\n" << std::flush;
    out = streams.text(STDOUT_FILENO);
    err = streams.text(STDERR_FILENO);
  }
  EXPECT_EQ(out, "{\"answer\": 42}\nafterwards\n");
  EXPECT_NE(err.find("a complaint\n"), std::string::npos);
  EXPECT_NE(err.find("another\n"), std::string::npos);
}

TEST(ReservedOutput, WritesMoreThanItsBufferHoldsAndNoticesAFullDisk) {
  const int before = ::dup(STDOUT_FILENO);
  std::FILE* const full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  ::dup2(::fileno(full), STDOUT_FILENO);
  bool good = true;
  {
    const ReservedOutput reserved;
    std::cout << std::string(100000, 'x') << std::flush;
    good = std::cout.good();
    std::cout.clear();
  }
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  std::fclose(full);
  EXPECT_FALSE(good);
}

}  // namespace
}  // namespace weft::files
