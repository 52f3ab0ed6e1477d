// The operations reduce-scatter with equal pieces (MPI_Reduce_scatter) and reduce-scatter-block
// (MPI_Reduce_scatter_block), for which libraries have rules of their own, and their algorithms, which are the same.
#include "workloads/generator/collective/composite.hpp"
#include "workloads/generator/collective/doubling_of_any.hpp"
#include "workloads/generator/collective/folding.hpp"

namespace weft::workloads {
namespace {

const bool reduce_scatter_registered =
    OperationRegistry::instance().add("reduce-scatter", {.help = "each gets the sum of the pieces that all have for it",
                                                         .before = Pieces::own,
                                                         .after = Pieces::for_itself,
                                                         .to_each = true,
                                                         .adds_up = true});

const bool reduce_scatter_block_registered = OperationRegistry::instance().add(
    "reduce-scatter-block", {.help = "as reduce-scatter, by the rules that libraries have for MPI_Reduce_scatter_block",
                             .before = Pieces::own,
                             .after = Pieces::for_itself,
                             .to_each = true,
                             .adds_up = true});

/// Registers an algorithm for both.
bool add_reduce_scatter(CollectiveKind kind) {
  kind.operation = "reduce-scatter-block";
  add_collective(kind);
  kind.operation = "reduce-scatter";
  return add_collective(std::move(kind));
}

/// "reduce-then-scatter": everything to task 0, and the pieces from there. Open MPI's "nonoverlapping" of
/// MPI_Reduce_scatter, whose scatter is linear, and "basic linear" of MPI_Reduce_scatter_block, whose scatter is what
/// its rules say.
bool add_reduce_then_scatter(const std::string& operation, bool scatter_by_rules) {
  return add_composite(
      {.operation = operation,
       .algorithm = "reduce-then-scatter",
       .help = "reduce binomial of all pieces, then scatter linear, or as the rules of the library say (Open MPI: "
               "nonoverlapping, basic linear); any number of tasks",
       .longest = [](u32 tasks) { return u64{tasks}; },
       .parts = {{.operation = "reduce",
                  .algorithm = "binomial",
                  .by_rules = true,
                  .bytes = [](const CollectiveSpec& spec) { return spec.message_bytes * spec.tasks; }},
                 {.operation = "scatter", .algorithm = "linear", .by_rules = scatter_by_rules}}});
}

const bool reduce_then_scatter_registered = add_reduce_then_scatter("reduce-scatter", false);
const bool reduce_then_scatter_block_registered = add_reduce_then_scatter("reduce-scatter-block", true);

/// "pairwise": each piece goes to the task that adds it up, one in each step. Step i: send to r + i the piece that is
/// for it, receive from r - i. Thakur, Rabenseifner, Gropp 2005, section 4.3; MPICH's "pairwise".
struct ReduceScatterPairwise : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const { return shift(slot, task, static_cast<u32>(slot / 2 + 1), bytes); }
};

const bool reduce_scatter_pairwise_registered = add_reduce_scatter(
    {.algorithm = "pairwise",
     .help = "step i: send to r + i its piece, receive one from r - i (MPICH: pairwise); any number of tasks",
     .make = collective_program<ReduceScatterPairwise>});

/// "ring": every piece goes once round the ring, is added up on the way and ends where it belongs. Step s: task r sends
/// piece r - 1 - s to r + 1 and adds its own to piece r - 2 - s from r - 1; tag s. Open MPI's "ring".
struct ReduceScatterRing : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const { return shift(slot, task, 1, bytes, slot / 2); }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return piece.target == task_before(m.from, m.op.tag + 1, m.spec.tasks);
  }
};

const bool reduce_scatter_ring_registered = add_reduce_scatter(
    {.algorithm = "ring",
     .help =
         "P - 1 steps: send a piece to r + 1, add to the next what comes from r - 1 (Open MPI: ring); any number of "
         "tasks",
     .make = collective_program<ReduceScatterRing>,
     .carries = ReduceScatterRing::carries});

/// "recursive-doubling": pairs exchange sums of all pieces but their own, over doubling distances; for short pieces and
/// for what does not commute. Step k (doubling_of_any.hpp): the sums of the 2^k tasks around a task, of all pieces but
/// those for them; tag k. MPICH's and Open MPI's "recursive doubling".
struct ReduceScatterRecursiveDoubling : CollectivePlan {
  u64 slots() const { return DoublingOfAny{tasks}.places(); }
  Op op(u32 task, u32, u64 slot) const {
    return DoublingOfAny{tasks}.op(task, slot, 0,
                                   [this](u32 first, u32 k) { return bytes * (tasks - block(first, k).bytes); });
  }
  /// The tasks whose sums go together in step k.
  Extent block(u32 first, u32 k) const { return {first, std::min(u32{1} << k, tasks - first)}; }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const u32 k = m.op.tag, first = DoublingOfAny::block_of_message(m.from, m.op.peer, k);
    return !collective_plan<ReduceScatterRecursiveDoubling>(m.spec).block(first, k).has(piece.target);
  }
};

const bool reduce_scatter_recursive_doubling_registered = add_reduce_scatter(
    {.algorithm = "recursive-doubling",
     .help = "step k: exchange with r xor 2^k the sums of the 2^k tasks around, of all pieces but theirs (MPICH, Open "
             "MPI: recursive doubling); any number of tasks",
     .make = collective_program<ReduceScatterRecursiveDoubling>,
     .longest = [](u32 tasks) { return u64{tasks - (tasks > 1 ? 1 : 0)}; },
     .carries = ReduceScatterRecursiveDoubling::carries});

/// "recursive-halving": pairs exchange the halves that are not theirs, over halving distances. Tag 0: the first 2 r
/// tasks fold with all their pieces (folding.hpp); tag 1 + j: numbers that differ in bit k, from the largest down,
/// exchange the pieces of the other's half; last tag: each of the pairs gets its piece. Thakur, Rabenseifner, Gropp
/// 2005, section 4.3; MPICH's and Open MPI's "recursive halving".
struct ReduceScatterRecursiveHalving : CollectivePlan {
  u64 slots() const { return 2 + u64{2} * Folding{tasks}.levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const Folding among{tasks};
    if (slot == 0) return among.fold(task, bytes * tasks, 0);
    if (slot + 1 == slots()) return among.unfold(task, bytes, among.levels() + 1);
    if (!among.works(task)) return {};
    const u32 j = static_cast<u32>((slot - 1) / 2), number = among.number(task);
    const u32 other = number ^ (u32{1} << (among.levels() - 1 - j)), peer = among.task(other);
    if (slot % 2 == 1) return send_op(peer, bytes * half(other, j).bytes, 1 + j);
    return receive_op(peer, bytes * half(number, j).bytes, 1 + j);
  }
  /// Pieces, as an extent, that a number has after step j.
  Extent half(u32 number, u32 j) const {
    const Folding among{tasks};
    const u32 bits = among.levels() - 1 - j, first = number >> bits << bits, end = first + (u32{1} << bits);
    return {among.first_task(first), among.first_task(end) - among.first_task(first)};
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const Folding among{m.spec.tasks};
    if (m.op.tag == 0) return true;
    if (m.op.tag > among.levels()) return piece.target == m.op.peer;
    const auto plan = collective_plan<ReduceScatterRecursiveHalving>(m.spec);
    return plan.half(among.number(m.op.peer), m.op.tag - 1).has(piece.target);
  }
};

const bool reduce_scatter_recursive_halving_registered = add_reduce_scatter(
    {.algorithm = "recursive-halving",
     .help = "2^k from the largest down: exchange the pieces of the other's half with r xor 2^k; pairs as in allreduce "
             "recursive-doubling (MPICH, Open MPI: recursive halving); any number of tasks",
     .make = collective_program<ReduceScatterRecursiveHalving>,
     .longest = [](u32 tasks) { return std::has_single_bit(tasks) ? u64{tasks / 2} : u64{tasks}; },
     .is_default = true,
     .carries = ReduceScatterRecursiveHalving::carries,
     .combines = Folding::combines});

/// By halving over doubling distances: "butterfly" and, for what does not commute, "mirrored-halving". Tag 0: the first
/// 2 r tasks fold with all their pieces (folding.hpp). Numbers have blocks, those of pairs of two pieces. Tag 1 + k:
/// numbers that differ in bit k exchange halves of the blocks that both have, so that number n ends with the block
/// whose number is n with its bits in the opposite order. "butterfly": it sends the pieces of that block to where they
/// belong, last tag (Traff, EuroPVM/MPI 2005; Open MPI's "butterfly"). "mirrored-halving": blocks are in that order
/// from the beginning, and it has its own (MPICH's "noncommutative").
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
  u64 first_piece(u64 block) const { return among().first_task(static_cast<u32>(block)); }
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
};

u64 longest_of_butterfly(u32 tasks) { return std::has_single_bit(tasks) ? std::max(1U, tasks / 2) : tasks; }

const bool reduce_scatter_butterfly_registered = add_reduce_scatter(
    {.algorithm = "butterfly",
     .help = "step k: exchange halves of what is left with r xor 2^k, then pieces go where they belong; pairs as in "
             "recursive-halving (Open MPI: butterfly); any number of tasks",
     .make = collective_program<ReduceScatterButterfly<false>>,
     .longest = longest_of_butterfly,
     .carries = ReduceScatterButterfly<false>::carries,
     .combines = Folding::combines});

const bool reduce_scatter_mirrored_halving_registered = add_reduce_scatter(
    {.algorithm = "mirrored-halving",
     .help =
         "as butterfly, with the pieces in the order of mirrored numbers, so that all end where they belong (MPICH: "
         "noncommutative); tasks: a power of two",
     .make =
         [](const CollectiveSpec& spec) {
           check_power_of_two(spec, "recursive-doubling");
           return collective_program<ReduceScatterButterfly<true>>(spec);
         },
     .longest = longest_of_butterfly,
     .carries = ReduceScatterButterfly<true>::carries});

}  // namespace
}  // namespace weft::workloads
