// Words and exit codes for all exceptions there are.
#include "tools/cli/failed_run.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <new>
#include <spdlog/spdlog.h>
#include <string>
#include <thread>

#include "engine/base/error.hpp"
#include "engine/base/log.hpp"
#include "tools/run/checkpoint/stop_signal.hpp"

namespace weft::tools {
namespace {

/// An error as it is shown.
struct Failure {
  ExitCode code = ExitCode::system;
  std::string line;
  std::string detail;
};

/// What the exception being handled means to the user.
Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.code(), error.what(), error.detail()};
  } catch (const Bug& bug) {
    return {ExitCode::system, bug.what(),
            "This is a mistake in weft, not in your input. Please report it with the config and the command line."};
  } catch (const std::bad_alloc&) {
    return {ExitCode::system,
            "out of memory (an allocation failed); use a smaller network, more ranks or more machines", ""};
  } catch (const std::exception& error) {
    return {ExitCode::system, std::string("internal error: ") + error.what(),
            "Please report it with the command line."};
  } catch (...) {
    return {ExitCode::system, "internal error: an unknown exception", "Please report it with the command line."};
  }
}

/// Shows the failure and ends all ranks with its code. An error that several ranks see is shown once: all but rank 0
/// wait a moment first, each a little longer than the one before, and are ended in it if a lower one fails too.
int end_run(const Failure& failure, engine::Transport* transport) {
  const int code = static_cast<int>(failure.code);
  unwatch_stop_signals();  // mpirun ends the ranks of a failed run by SIGTERM
  std::cout.flush();
  const bool parallel = transport != nullptr && transport->size() > 1;
  if (parallel && transport->rank() > 0) {
    const u32 place = std::min<u32>(transport->rank() - 1, 20);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500 + 200 * place));
  }
  spdlog::error("{}", error_text(failure.line, failure.detail));
  if (!parallel) return code;
  // mpirun says a lot about an abort; the error line shall have left this process's pipe before.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  transport->abort(code);
  return code;
}

}  // namespace

int end_failed_run(engine::Transport* transport) { return end_run(current_failure(), transport); }

}  // namespace weft::tools
