// The kinds of failure a run can end with, each with its documented exit code; only main catches them.
#pragma once

#include <stdexcept>
#include <string>

namespace weft {

/// Exit codes of the program (see README): what a script may rely on.
enum class ExitCode : int {
  done = 0,
  config = 2,    ///< usage or config
  input = 3,     ///< bad input file: trace, placement, topology file
  stuck = 4,     ///< the simulated system cannot proceed: deadlock, unmatched receive
  system = 5,    ///< MPI, disk, memory
  stopped = 75,  ///< stopped early with a checkpoint written
};

/// Base of all errors shown to the user. `what()` is one line: problem (why); suggestion. `detail()` follows it.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& line, std::string detail = {})
      : std::runtime_error(line), code_(code), detail_(std::move(detail)) {}
  [[nodiscard]] ExitCode code() const { return code_; }
  [[nodiscard]] const std::string& detail() const { return detail_; }

 private:
  ExitCode code_;
  std::string detail_;
};

/// The user's configuration or command line is wrong.
struct ConfigError : Error {
  explicit ConfigError(const std::string& line, std::string detail = {})
      : Error(ExitCode::config, line, std::move(detail)) {}
};

/// A file that the user gave is damaged or not what it should be; the line names file and line or offset.
struct InputError : Error {
  explicit InputError(const std::string& line, std::string detail = {})
      : Error(ExitCode::input, line, std::move(detail)) {}
};

/// The simulated system cannot proceed: a deadlock in the network or a task that waits for ever.
struct StuckError : Error {
  explicit StuckError(const std::string& line, std::string detail = {})
      : Error(ExitCode::stuck, line, std::move(detail)) {}
};

/// The machine underneath failed: disk, memory, MPI.
struct SystemError : Error {
  explicit SystemError(const std::string& line, std::string detail = {})
      : Error(ExitCode::system, line, std::move(detail)) {}
};

/// No failure: the run was asked to stop, and its state is on disk.
struct Stopped : Error {
  explicit Stopped(const std::string& line) : Error(ExitCode::stopped, line) {}
};

/// Thrown by WEFT_ASSERT: a mistake in this program, never in its input.
struct Bug : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_assertion(const char* expression, const char* file, int line);

/// Check of an internal invariant that costs little; stays on in release builds.
#define WEFT_ASSERT(expression) \
  (static_cast<bool>(expression) ? void(0) : ::weft::fail_assertion(#expression, __FILE__, __LINE__))

/// Check on the hot path: only in debug builds.
#ifndef NDEBUG
#define WEFT_DEBUG_ASSERT(expression) WEFT_ASSERT(expression)
#else
#define WEFT_DEBUG_ASSERT(expression) void(0)
#endif

}  // namespace weft
