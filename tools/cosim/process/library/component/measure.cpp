// Clocks of processor time and of instructions; see the header.
#include "tools/cosim/process/library/component/measure.hpp"

#include <ctime>

#include "tools/cosim/process/instruction_counter.hpp"

namespace weft::tools::cosim {
namespace {

Measure measure = Measure::nothing;
double ns_per_instruction = 0;
int counter = -1;
std::uint64_t begin = 0;

std::uint64_t count() {
  if (measure == Measure::instructions) return instructions_of(counter);
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

bool begin_measuring(const Board& board) {
  measure = board.measure;
  ns_per_instruction = board.ns_per_instruction;
  if (measure == Measure::instructions) {
    counter = open_instruction_counter();
    if (counter < 0) return false;
  }
  start_measuring();
  return true;
}

void start_measuring() {
  if (measure != Measure::nothing) begin = count();
}

std::uint64_t measured_ns() {
  if (measure == Measure::nothing) return 0;
  const std::uint64_t units = count() - begin;
  if (measure == Measure::processor_time) return units;
  return static_cast<std::uint64_t>(static_cast<double>(units) * ns_per_instruction);
}

}  // namespace weft::tools::cosim
