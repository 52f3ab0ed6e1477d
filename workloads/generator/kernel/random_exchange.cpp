// Kernel "random-exchange": rounds in each of which every task sends to one other and hears from one other, at random.
// The randomly ordered ring of the HPC Challenge benchmarks (Luszczek et al.: Introduction to the HPC Challenge
// benchmark suite, 2005), one way round, with another order in each round; pairs; and waves of random messages.
#include <fmt/format.h>

#include "engine/random.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"
#include "workloads/generator/kernel/random_order.hpp"

namespace weft::workloads {
namespace {

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

/// In each round the tasks form random pairs, which exchange: send, wait, compute. With an odd number one of them stays
/// alone and computes only.
struct RandomPairsPlan {
  RandomExchangePlan ring;

  u32 rounds() const { return ring.rounds(); }
  u64 slots() const { return 3; }
  Op op(u32 task, u32 round, u64 slot) const {
    if (slot == 2) return compute_op(ring.computing);
    const RandomOrder order(ring.tasks, engine::random_bits(ring.seed, 0, round, engine::Use::kernel));
    const auto partner = order.partner_of(task);
    if (!partner) return {};
    return slot == 0 ? send_op(*partner, ring.bytes, round) : receive_op(*partner, ring.bytes, round);
  }
};

/// In each round so many messages from random tasks to random others; a task first sends all of its own, then waits for
/// all that come to it, then computes. The fewer messages a round has, the tighter tasks are coupled. Tag: the number
/// of the message among all.
struct RandomWavesPlan {
  RandomExchangePlan ring;
  u32 messages;

  u32 rounds() const { return ring.rounds(); }
  u64 slots() const { return u64{2} * messages + 1; }
  Op op(u32 task, u32 round, u64 slot) const {
    if (slot == u64{2} * messages) return compute_op(ring.computing);
    if (ring.tasks == 1) return {};
    const auto message = static_cast<u32>(slot % messages);
    const u32 number = round * messages + message;
    const u64 bits = engine::random_bits(ring.seed, 1, u64{round} * messages + message, engine::Use::kernel);
    const u32 from = engine::scale_to(bits, ring.tasks);
    const u32 other = engine::scale_to(engine::remix(bits, 1), ring.tasks - 1), to = other + (other >= from ? 1 : 0);
    if (slot < messages) return from == task ? send_op(to, ring.bytes, number) : Op{};
    return to == task ? receive_op(from, ring.bytes, number) : Op{};
  }
};

std::unique_ptr<Program> make_random_exchange(const KernelSpec& spec) {
  const RandomExchangePlan ring{spec.tasks, spec.message_bytes, spec.repetitions, spec.seed, compute_ns(spec)};
  const std::string mode = spec.keys.text("exchange"), name = fmt::format("random-exchange of {}", spec.tasks);
  if (mode == "pairs") return planned_program(name, spec.tasks, RandomPairsPlan{ring});
  if (mode == "waves") {
    return planned_program(name, spec.tasks,
                           RandomWavesPlan{ring, static_cast<u32>(spec.keys.integer("wave_messages"))});
  }
  return planned_program(name, spec.tasks, ring);
}

const bool random_exchange_registered = KernelRegistry::instance().add(
    "random-exchange",
    {.help = "`repetitions` rounds of random messages: a ring, pairs or waves; any number of tasks",
     .make = make_random_exchange,
     .settings = {kernel_row::compute_ns("computing after each round."),
                  row::choice("workload.exchange", "ring", {"ring", "pairs", "waves"},
                              "ring: each task sends to one and waits for one other, all of them a ring in random "
                              "order; pairs: random pairs exchange; waves: workload.wave_messages messages of random "
                              "tasks to random others, which send all, then wait for all."),
                  row::integer("workload.wave_messages", "messages", 10, {1, 1 << 20}, "messages of a wave.")
                      .only_with("workload.exchange", {"waves"})}});

}  // namespace
}  // namespace weft::workloads
