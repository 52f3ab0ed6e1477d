// Kernel "random-exchange": rounds in each of which every task sends to one other and hears from one other, at random.
// The randomly ordered ring of the HPC Challenge benchmarks (Luszczek et al.: Introduction to the HPC Challenge
// benchmark suite, 2005), one way round, with another order in each round.
#include <bit>
#include <fmt/format.h>

#include "engine/random.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// A random permutation of 0 .. count-1 and its inverse, computed, not stored: a Feistel network (Luby and Rackoff
/// 1988) over the next power of two, walked along until it is back among the count (Black and Rogaway 2002).
class RandomOrder {
 public:
  RandomOrder(u32 count, u64 key)
      : count_(count),
        low_bits_((static_cast<u32>(std::bit_width(count - 1)) + 1) / 2),
        high_bits_(static_cast<u32>(std::bit_width(count - 1)) - low_bits_),
        stages_(count > 256 ? 6 : 12),
        key_(key) {}
  u32 place_of(u32 member) const {
    u64 value = member;
    do {
      for (u32 stage = 0; stage < stages_; ++stage) value = mixed(value, stage);
    } while (value >= count_);
    return static_cast<u32>(value);
  }
  u32 member_at(u32 place) const {
    u64 value = place;
    do {
      for (u32 stage = stages_; stage-- > 0;) value = mixed(value, stage);
    } while (value >= count_);
    return static_cast<u32>(value);
  }

 private:
  static u64 mask(u32 bits) { return (u64{1} << bits) - 1; }
  /// One half changed by what the other makes of it; the same again undoes it.
  u64 mixed(u64 value, u32 stage) const {
    const u64 high = value >> low_bits_, low = value & mask(low_bits_);
    if (stage % 2 == 0) return value ^ ((engine::remix(key_ + stage, low) & mask(high_bits_)) << low_bits_);
    return value ^ (engine::remix(key_ + stage, high) & mask(low_bits_));
  }

  u32 count_, low_bits_, high_bits_;
  u32 stages_;  ///< few halves need more of them until all orders are equally likely
  u64 key_;
};

/// In each round the tasks form a ring in random order: send to the next, wait for the one before, compute. So nobody
/// goes on to the next round before its partner has come to this one. Tag: the round.
struct RandomExchangePlan {
  u32 tasks;
  u64 bytes;
  u32 repetitions;
  u64 seed;
  u64 computing;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return 3; }
  u32 partner(u32 task, u32 round, u32 distance) const {
    const RandomOrder order(tasks, engine::random_bits(seed, 0, round, engine::Use::kernel));
    return order.member_at(static_cast<u32>((u64{order.place_of(task)} + distance) % tasks));
  }
  Op op(u32 task, u32 round, u64 slot) const {
    if (slot == 2) return compute_op(computing);
    if (tasks == 1) return {};
    return slot == 0 ? send_op(partner(task, round, 1), bytes, round)
                     : receive_op(partner(task, round, tasks - 1), bytes, round);
  }
};

std::unique_ptr<Program> make_random_exchange(const KernelSpec& spec) {
  return planned_program(
      fmt::format("random-exchange of {}", spec.tasks), spec.tasks,
      RandomExchangePlan{spec.tasks, spec.message_bytes, spec.repetitions, spec.seed, compute_ns(spec)});
}

const bool random_exchange_registered = KernelRegistry::instance().add(
    "random-exchange", {.help = "`repetitions` rounds: send to one random task, wait for another; any number of tasks",
                        .make = make_random_exchange,
                        .settings = {kernel_row::compute_ns("computing after each round.")}});

}  // namespace
}  // namespace weft::workloads
