// Limits of single operations from the settings of a run.
#include "workloads/program/task_limits.hpp"

#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/program/message.hpp"

namespace weft::workloads {

TaskLimits task_limits(const TaskSpec& spec) {
  TaskLimits limits;
  limits.spec = spec;
  limits.message_bytes = std::min(most_message_packets * spec.packet_bytes, ProgramPacket::most_bytes);
  const double ns = spec.ticks_per_ns > 0 ? static_cast<double>(last_tick) / spec.ticks_per_ns : HUGE_VAL;
  // Whoever computes for so long has no tick left to begin in, so rounding does no harm.
  if (ns < std::ldexp(1.0, 64)) limits.compute_ns = static_cast<u64>(ns);
  return limits;
}

std::string too_many_packets(u64 bytes, const TaskLimits& limits) {
  if (bytes <= most_message_packets * limits.spec.packet_bytes)
    return fmt::format("{} bytes are more than a message has at most ({}); send several", bytes, limits.message_bytes);
  return fmt::format("{} bytes are {} packets of {} bytes (a message has at most {}); use larger packets", bytes,
                     (bytes - 1) / limits.spec.packet_bytes + 1, limits.spec.packet_bytes, most_message_packets);
}

std::string too_many_ticks(u64 ns, const TaskLimits& limits) {
  return fmt::format(
      "computing for {} ns takes {:.3g} ticks (a run has at most 2^62, here {} ns); use a smaller workload.cpu_scale "
      "or a "
      "longer simulation.tick_ps",
      ns, static_cast<double>(ns) * limits.spec.ticks_per_ns, limits.compute_ns);
}

void fail_beyond_time(const std::string& program, u32 task, u64 operation, u64 amount) {
  throw InputError(
      fmt::format("{}: task {}, operation {} waits for a time that is {} ns or cycles away (beyond tick 2^62, where a "
                  "run must have ended); use an earlier one, or a longer simulation.tick_ps",
                  program, task, operation, amount));
}

void fail_too_late(const std::string& program, u32 task, u64 operation, u64 ns, Tick now) {
  throw InputError(
      fmt::format("{}: task {}, operation {} computes for {} ns from tick {} on (beyond tick 2^62, where a run must "
                  "have ended); use a "
                  "smaller workload.cpu_scale or a longer simulation.tick_ps",
                  program, task, operation, ns, now));
}

}  // namespace weft::workloads
