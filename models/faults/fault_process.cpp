// Draws by the inverse of the distribution.
#include "models/faults/fault_process.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/random.hpp"

namespace weft::models {

void FaultDraws::add(const FaultProcess& process, u32 part, u32 other) {
  if (processes_.empty() || processes_.back().place != process.place) processes_.push_back(process);
  Waiting waiting;
  waiting.change = {0, part, other, true};
  waiting.process = static_cast<u32>(processes_.size()) - 1;
  push(waiting, 0);
}

std::optional<Tick> FaultDraws::next() const {
  if (heap_.empty()) return {};
  return heap_.front().change.at;
}

FaultDraws::Change FaultDraws::take() {
  std::ranges::pop_heap(heap_, is_later);
  Waiting waiting = heap_.back();
  heap_.pop_back();
  const Change taken = waiting.change;
  waiting.change.down = !taken.down;
  push(waiting, taken.at);
  return taken;
}

bool FaultDraws::is_later(const Waiting& a, const Waiting& b) {
  return std::tuple(a.change.at, a.change.part) > std::tuple(b.change.at, b.change.part);
}

/// Draws the time of the change, from `from` on.
void FaultDraws::push(Waiting waiting, Tick from) {
  constexpr double longest = 0x1p62;
  const FaultProcess& process = processes_[waiting.process];
  const u64 bits = engine::random_bits(seed_, waiting.change.part, waiting.draws++, engine::Use::failures);
  const double exponential = -std::log(engine::to_unit(bits));
  const double ticks = waiting.change.down ? process.up_ticks / std::tgamma(1 + 1 / process.shape) *
                                                 std::pow(exponential, 1 / process.shape)
                                           : process.repair_ticks * exponential;
  if (static_cast<double>(from) + ticks > longest) return;
  waiting.change.at = from + std::max<Tick>(1, static_cast<Tick>(std::llround(ticks)));
  heap_.push_back(waiting);
  std::ranges::push_heap(heap_, is_later);
}

}  // namespace weft::models
