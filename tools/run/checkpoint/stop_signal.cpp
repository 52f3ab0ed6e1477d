// The handlers do no more than set a flag; whoever runs the simulation looks at it between two stretches.
#include "tools/run/checkpoint/stop_signal.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace weft::tools {
namespace {

std::atomic<int> signalled = 0;  // of all ranks that are threads of this process
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int number) {
  if (signalled != 0 && number == SIGTERM) {
    std::signal(SIGTERM, SIG_DFL);
    std::raise(SIGTERM);
  }
  signalled = 1;
}

}  // namespace

void watch_stop_signals() {
  signalled = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGTERM, SIGUSR1}) sigaction(number, &action, nullptr);
}

void unwatch_stop_signals() {
  for (const int number : {SIGTERM, SIGUSR1}) std::signal(number, SIG_DFL);
}

bool stop_signalled() { return signalled != 0; }

}  // namespace weft::tools
