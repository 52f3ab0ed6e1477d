// Reduce-scatter by halving over doubling distances: "butterfly" and, for what does not commute, "mirrored-halving".
#include "engine/base/error.hpp"
#include "engine/base/sizes.hpp"
#include "workloads/generator/collective/folding.hpp"
#include "workloads/generator/collective/reduce_scatter_forms.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: the first 2 r tasks fold with all their pieces (folding.hpp). Numbers have blocks, those of pairs of two
/// pieces. Tag 1 + k: numbers that differ in bit k exchange halves of the blocks that both have, so that number n ends
/// with the block whose number is n with its bits in the opposite order. "butterfly": it sends the pieces of that
/// block to where they belong, last tag (Traff, EuroPVM/MPI 2005; Open MPI's "butterfly"). "mirrored-halving": blocks
/// are in that order from the beginning, and it has its own (MPICH's "noncommutative").
template <bool mirrored>
struct ReduceScatterButterfly : CollectivePlan {
  Folding among() const { return {tasks}; }
  u64 slots() const { return 1 + u64{2} * among().levels() + 3; }
  u32 mirror(u32 number) const {
    u32 result = 0;
    for (u32 k = 0; k < among().levels(); ++k) result |= ((number >> k) & 1) << (among().levels() - 1 - k);
    return result;
  }
  /// Blocks that a number has after some steps.
  Extent blocks(u32 number, u32 steps) const {
    const u32 levels = among().levels();
    return {mirror(number) >> (levels - steps) << (levels - steps), u64{1} << (levels - steps)};
  }
  u64 first_piece(u64 block) const { return block + std::min<u64>(block, among().extra()); }
  u64 pieces(const Extent& of) const { return first_piece(of.first + of.bytes) - first_piece(of.first); }
  /// Number of the block that a piece is in.
  u32 block_of(u32 piece) const { return mirrored ? mirror(piece) : among().number(piece); }

  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = among().levels();
    if (slot == 0) return among().fold(task, bytes * tasks, 0);
    if (slot <= u64{2} * levels) {
      if (!among().works(task)) return {};
      const u32 k = static_cast<u32>(slot - 1) / 2, number = among().number(task), other = number ^ (u32{1} << k);
      const u32 peer = among().task(other);
      return slot % 2 == 1 ? send_op(peer, bytes * pieces(blocks(other, k + 1)), 1 + k)
                           : receive_op(peer, bytes * pieces(blocks(number, k + 1)), 1 + k);
    }
    if (mirrored) return {};
    const u64 place = slot - 1 - u64{2} * levels;
    if (place == 2) {
      const u32 holder = among().task(mirror(among().number(task)));
      return holder == task ? Op{} : receive_op(holder, bytes, 1 + levels);
    }
    if (!among().works(task)) return {};
    const u32 block = mirror(among().number(task));
    const u64 owner = first_piece(block) + place;
    return owner == task || owner >= first_piece(block + 1) ? Op{}
                                                            : send_op(static_cast<u32>(owner), bytes, 1 + levels);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const auto plan = collective_plan<ReduceScatterButterfly>(m.spec);
    const u32 levels = plan.among().levels();
    if (m.op.tag == 0) return true;
    if (m.op.tag == 1 + levels) return piece.target == m.op.peer;
    return plan.blocks(plan.among().number(m.op.peer), m.op.tag).has(plan.block_of(piece.target));
  }
  static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return receive.tag <= Folding{spec.tasks}.levels();
  }
};

std::unique_ptr<Program> make_mirrored_halving(const CollectiveSpec& spec) {
  if (!std::has_single_bit(spec.tasks)) {
    throw ConfigError(
        fmt::format("workload.tasks = {} does not fit {} \"mirrored-halving\" (it pairs tasks by the bits "
                    "of their number, so the count must be a power of two); use {} tasks, or algorithm = "
                    "\"recursive-doubling\"",
                    spec.tasks, spec.operation, nearest_powers_of(2, spec.tasks, 1)));
  }
  return collective_program<ReduceScatterButterfly<true>>(spec);
}

u64 longest_of_butterfly(u32 tasks) { return std::has_single_bit(tasks) ? std::max(1U, tasks / 2) : tasks; }

const bool reduce_scatter_butterfly_registered = add_reduce_scatter(
    {.algorithm = "butterfly",
     .help = "step k: exchange halves of what is left with r xor 2^k, then pieces go where they belong; pairs as in "
             "recursive-halving (Open MPI: butterfly); any number of tasks",
     .make = collective_program<ReduceScatterButterfly<false>>,
     .longest = longest_of_butterfly,
     .carries = ReduceScatterButterfly<false>::carries,
     .combines = ReduceScatterButterfly<false>::combines});

const bool reduce_scatter_mirrored_halving_registered = add_reduce_scatter(
    {.algorithm = "mirrored-halving",
     .help =
         "as butterfly, with the pieces in the order of mirrored numbers, so that all end where they belong (MPICH: "
         "noncommutative); tasks: a power of two",
     .make = make_mirrored_halving,
     .longest = longest_of_butterfly,
     .carries = ReduceScatterButterfly<true>::carries});

}  // namespace
}  // namespace weft::workloads
