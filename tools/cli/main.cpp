// The program: starts the ranks, does what the command line says, and is the one place where errors end up.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <spdlog/spdlog.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/file/reserved_output.hpp"
#include "engine/base/log.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/stop_look.hpp"
#include "engine/transport.hpp"
#include "tools/cli/command_line.hpp"
#include "tools/cli/failed_run.hpp"
#include "tools/run/checkpoint/stop_signal.hpp"

namespace {

using namespace weft;

#if defined(__x86_64__) && defined(__GNUC__)
/// Ends the program if this build was compiled for what the processor has not; itself for any.
[[gnu::target("arch=x86-64")]] void refuse_older_processor() {
  const char* missing = nullptr;
  __builtin_cpu_init();
#if defined(__SSE4_2__)
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) missing = "SSE4.2 and POPCNT";
#endif
#if defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2")) missing = "AVX2";
#endif
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f")) missing = "AVX-512";
#endif
  if (missing == nullptr) return;
  const char* const before = "weft: error: this build needs a processor with ";
  const char* const after =
      "; build weft on this machine, or for older ones too by WEFT_BASELINE (docs/installing.md)\n";
  static_cast<void>(!::write(STDERR_FILENO, before, std::strlen(before)));
  static_cast<void>(!::write(STDERR_FILENO, missing, std::strlen(missing)));
  static_cast<void>(!::write(STDERR_FILENO, after, std::strlen(after)));
  ::_exit(static_cast<int>(ExitCode::system));
}
#else
void refuse_older_processor() {}
#endif

/// Called with the arguments before anything else of this process but the dynamic linker has run, libraries' own set-up
/// included: a batch system may ask a run to stop before it has begun, and that takes longer than all else until main.
void watch_from_the_start(int argc, char** argv, char** /*environment*/) {
  refuse_older_processor();
  if (argc > 1 && std::string_view(argv[1]) == "run") tools::watch_stop_signals();
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const first_of_all)(int, char**, char**) = watch_from_the_start;

/// Whether ranks will be threads; MPI wants to know before the command line can be read.
bool asks_for_threads(const tools::CommandKind& command, int argc, char** argv) {
  return command.takes_threads && std::any_of(argv, argv + argc, [](std::string_view word) {
           return word == "--threads" || word.starts_with("--threads=");
         });
}

/// Ends a rank that was asked to stop before the first event, and with it all others: they may not have been asked. It
/// is said once where all have.
int end_before(const Stopped& stopped, engine::Transport& transport) {
  const int code = static_cast<int>(stopped.code());
  tools::unwatch_stop_signals();
  if (transport.rank() == 0) {
    spdlog::warn("{}", stopped.what());
  } else {  // whose log is silent otherwise
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    std::cerr << "weft: warning [rank " << transport.rank() << "]: " << stopped.what() << std::endl;
  }
  if (transport.size() == 1) return code;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  transport.abort(code);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  // Beyond a limit of file sizes (ulimit -f) a write then fails with EFBIG, which is told, and does not end the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
  const files::ReservedOutput output;  // before MPI starts, until it has ended
  std::unique_ptr<engine::Transport> transport;
  try {
    start_log({});
    const tools::CommandKind* const named = tools::named_command(argc, argv);
    const tools::CommandKind command = named == nullptr ? tools::CommandKind{} : *named;
    if (command.starts_programs) keeper::start();
    transport = engine::open_transport(&argc, &argv, asks_for_threads(command, argc, argv));
    start_log({}, transport->rank(), transport->size());
    tools::parse_command_line(argc, argv)(*transport);
  } catch (const engine::StoppedBefore& stopped) {
    return end_before(stopped, *transport);
  } catch (const Stopped& stopped) {  // on all ranks alike
    if (transport->rank() == 0) spdlog::warn("{}", stopped.what());
    return static_cast<int>(stopped.code());
  } catch (const tools::EndedWith& ended) {  // of one process alone
    return ended.code;
  } catch (...) {
    return tools::end_failed_run(transport.get());
  }
  return static_cast<int>(ExitCode::done);
}
