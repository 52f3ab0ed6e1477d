// The way of tools/cli/main.cpp without MPI, with both streams in files that nobody sees.
#include "tests/text_cases/run_here.hpp"

#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/log.hpp"
#include "engine/transport.hpp"
#include "tools/cli/command_line.hpp"
#include "tools/cli/failed_run.hpp"

namespace weft::text_cases {
namespace {

/// A stream of the process that goes to memory for a while.
class Captured {
 public:
  explicit Captured(int stream)
      : stream_(stream), before_(::dup(stream)), memory_(::memfd_create("stream", MFD_CLOEXEC)) {
    if (before_ < 0 || memory_ < 0) throw std::runtime_error("cannot capture a stream");
    std::cout.flush();  // what was written before is not captured
    ::dup2(memory_, stream_);
  }
  ~Captured() { give_back(); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  /// What was written; from now on the stream is what it was.
  std::string text() {
    give_back();
    std::string all(static_cast<std::size_t>(::lseek(memory_, 0, SEEK_END)), '\0');
    const ssize_t got = ::pread(memory_, all.data(), all.size(), 0);
    ::close(memory_);
    all.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return all;
  }

 private:
  void give_back() {
    if (before_ < 0) return;
    std::cout.flush();
    std::fflush(nullptr);
    ::dup2(before_, stream_);
    ::close(before_);
    before_ = -1;
  }

  int stream_, before_, memory_;
};

int exit_code_of(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"weft"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  const auto transport = engine::single_process();
  try {
    start_log({});
    tools::parse_command_line(static_cast<int>(argv.size()), argv.data())(*transport);
  } catch (const tools::EndedWith& ended) {
    return ended.code;
  } catch (...) {
    return tools::end_failed_run(transport.get());
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace

Outcome run_here(const std::vector<std::string>& words) {
  Outcome outcome;
  Captured out(STDOUT_FILENO), err(STDERR_FILENO);
  outcome.code = exit_code_of(words);
  outcome.out = out.text();
  outcome.err = err.text();
  return outcome;
}

}  // namespace weft::text_cases
