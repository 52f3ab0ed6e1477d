// What the component does for the preloaded library.
#include "tools/cosim/process/library/hooks.hpp"

#include <dlfcn.h>

#include "tools/cosim/process/calls.hpp"
#include "tools/cosim/process/library/component/link.hpp"
#include "tools/cosim/process/library/component/waiting.hpp"

namespace weft::tools::cosim {
namespace {

std::uint64_t last_ps = 0;
// Clocks are free, but not for loops that do nothing but wait for a time.
constexpr unsigned free_readings = 10;
unsigned readings = 0;  ///< with nothing between them
std::uint64_t steps_then = 0;

std::uint64_t now_ps() {
  if (!is_running()) return last_ps;
  const Call call(static_cast<unsigned>(MpiCall::Wtime));
  readings = steps() == steps_then ? readings + 1 : 0;
  last_ps = ask({.kind = CommandKind::tell, .is_poll = readings >= free_readings}).now_ps;
  steps_then = steps();
  return last_ps;
}

void finish() {
  if (!is_running()) return;
  const Call call(static_cast<unsigned>(MpiCall::Finalize));
  drop_all();
  finish_program();
}

void abort(int code) {
  set_state(ProcessState::aborted, code);
  wait_for_the_end();
}

constexpr Hooks hooks = {
    .enter = enter_call,
    .leave = leave_call,
    .now_ps = now_ps,
    .finish = finish,
    .abort = abort,
    .refuse = refuse,
    .poll = [](bool begins) { is_polling = begins; },
    .node = own_node,
};

}  // namespace

bool set_hooks() {
  const Hooks** const place = static_cast<const Hooks**>(::dlsym(RTLD_DEFAULT, "weft_cosim_hooks"));
  if (place == nullptr) return false;
  *place = &hooks;
  const auto take_clocks = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "weft_cosim_take_clocks"));
  if (take_clocks != nullptr) take_clocks();
  return true;
}

}  // namespace weft::tools::cosim
