// What the lanes do, pass by pass and layer by layer.
#include "workloads/generator/training/training_lanes.hpp"

#include "workloads/generator/accelerator/all_to_all.hpp"
#include "workloads/generator/accelerator/ring.hpp"

namespace weft::workloads {
namespace {

using What = TrainingActivity;

/// Tags: passes of the pipeline by direction and chunk; each kind of group has one.
enum : u32 {
  tag_embedding = 0,
  tag_tensor,
  tag_context,
  tag_expert,
  tag_gradients,
  tag_expert_gradients,
  tag_parameters,
  tag_expert_parameters,
  tag_pipeline
};

/// What a layer takes on an accelerator.
struct LayerLoad {
  std::span<const u64> copies;  ///< [place in the group of experts] of tokens of a task; empty: all have as many
  LayerTimes times;
};

/// One accelerator in a training.
struct Accelerator {
  TrainingSpec spec;
  u32 task = 0;

  [[nodiscard]] u32 stage() const { return spec.layout.rank(task, Sharing::pipeline); }
  [[nodiscard]] Schedule schedule() const {
    return {spec.schedule, stage(), spec.stages(), spec.micro_batches, spec.chunks};
  }
  [[nodiscard]] bool first(u32 chunk) const { return stage() == 0 && chunk == 0; }
  [[nodiscard]] bool last(u32 chunk) const { return stage() + 1 == spec.stages() && chunk + 1 == spec.chunks; }
  /// Number, in the model, of the layer of a chunk that is passed first.
  [[nodiscard]] u64 first_layer(u32 chunk) const {
    return (u64{chunk} * spec.stages() + stage()) * spec.layers_of_chunk();
  }
  /// Where gradients are shared out they cannot be added up over the micro-batches before.
  [[nodiscard]] bool reduces_after(const Pass& pass) const {
    return spec.zero_stage >= 2 || pass.micro_batch + 1 == spec.micro_batches;
  }
  [[nodiscard]] u64 own_layers() const { return spec.layers_of_chunk() * spec.chunks; }
  /// In a step, of its layers.
  [[nodiscard]] u64 reductions() const { return own_layers() * (spec.zero_stage >= 2 ? spec.micro_batches : 1); }
  [[nodiscard]] bool splits_backward() const { return spec.schedule == ScheduleKind::zero_bubble; }

  [[nodiscard]] static RankPart part(const GroupPlace& place, u32 tag, What what) {
    return part_at(place, tag, static_cast<u8>(what));
  }
  [[nodiscard]] RankPart tensor_part() const {
    return part(spec.layout.place(task, Sharing::tensor), tag_tensor, What::tensor);
  }
  [[nodiscard]] RankPart data_part(bool of_experts, bool gathers) const {
    const GroupPlace place = of_experts ? spec.layout.expert_data_place(task) : spec.layout.place(task, Sharing::data);
    const u32 tag = gathers ? (of_experts ? tag_expert_parameters : tag_parameters)
                            : (of_experts ? tag_expert_gradients : tag_gradients);
    return part(place, tag, gathers ? What::parameters : What::gradients);
  }

  /// The first and the last stage of the pipeline.
  [[nodiscard]] RankPart embedding_part() const {
    const RankGroup stages = spec.layout.place(task, Sharing::pipeline).group;
    return part({{stages.first, stages.stride * (stages.size - 1), 2}, stage() == 0 ? 0U : 1U}, tag_embedding,
                What::gradients);
  }
  /// Whether the embedding is on this stage and on another: gradients of both are added up.
  [[nodiscard]] bool shares_embedding() const {
    return spec.embeddings == Embeddings::tied && spec.stages() > 1 && spec.embeddings_of(stage()) > 0;
  }

  /// Stage and chunk that a pass goes on to, or comes from.
  struct Neighbour {
    u32 task, chunk;
  };
  [[nodiscard]] Neighbour neighbour(u32 chunk, bool onwards) const {
    const GroupPlace place = spec.layout.place(task, Sharing::pipeline);
    const u32 stages = spec.stages();
    if (onwards) return {place.group.task((place.rank + 1) % stages), place.rank + 1 == stages ? chunk + 1 : chunk};
    return {place.group.task((place.rank + stages - 1) % stages), place.rank == 0 ? chunk - 1 : chunk};
  }
  /// What the experts of a layer get from each of its group, and how long its parts take here.
  [[nodiscard]] LayerLoad load(u64 layer) const {
    const u32 group = spec.layout.rank(task, Sharing::data) / spec.layout.expert;
    LayerLoad of{spec.copies_of_places(layer, group), {}};
    of.times = spec.times_of_layer(layer, of.copies.empty() ? 1 : spec.load_of(of.copies[expert_place()]));
    return of;
  }
  [[nodiscard]] u32 expert_place() const { return spec.layout.experts_place(task).rank; }

  /// Bytes of activations, or of their gradients, that go to another stage.
  [[nodiscard]] u64 stage_bytes() const {
    const u32 shares = spec.sequence_parallel ? spec.layout.degree(Sharing::tensor) : 1;
    return spec.model.activation_bytes(spec.tokens()) / shares;
  }
};

Op compute(u64 ns, What what) { return {OpKind::compute, 0, 0, ns, static_cast<u8>(what)}; }
Op mark(TrainingCounter counter, What what) { return mark_op(static_cast<u32>(counter), static_cast<u8>(what)); }
Op wait(TrainingCounter counter, u64 marks, What what) {
  return wait_op(static_cast<u32>(counter), marks, static_cast<u8>(what));
}

/// A message of the pipeline; its tag says where it goes to, and which chunk's it is there.
Op stage_op(OpKind kind, u32 peer, u32 chunk, bool onwards, u64 bytes) {
  return {kind, peer, tag_pipeline + 2 * chunk + (onwards ? 0 : 1), bytes, static_cast<u8>(What::pipeline)};
}

// Generators are parts of that of a lane, which holds the accelerator.

/// Half of an allreduce among tensors, of the activations of so many tokens.
OpGenerator tensor_ring(const Accelerator& at, bool gathers, u64 tokens) {
  const auto ring = gathers ? ring_all_gather : ring_reduce_scatter;
  co_yield ring(at.tensor_part(), at.spec.model.activation_bytes(tokens));
}

/// Before a product that needs all of the sequence, or after one whose sums are shared out: half of an allreduce each.
OpGenerator tensor_half(const Accelerator& at, bool gathers) {
  if (at.spec.layout.degree(Sharing::tensor) == 1) co_return;
  if (at.spec.sequence_parallel) {
    co_yield tensor_ring(at, gathers, at.spec.tokens());
  } else if (!gathers) {
    co_yield ring_all_reduce(at.tensor_part(), at.spec.model.activation_bytes(at.spec.tokens()));
  }
}

/// Attention over the contexts of all: keys and values go round, and each is worked on while the next comes. Backward
/// their gradients go with them. After Liu et al.: Ring attention (2023).
OpGenerator attention(const Accelerator& at, u64 ns, What what, u32 times) {
  const GroupPlace place = at.spec.layout.place(at.task, Sharing::context);
  const u32 contexts = place.group.size;
  const RankPart part = Accelerator::part(place, tag_context, What::context);
  constexpr u64 keys_and_values = 2;
  const u64 bytes = times * keys_and_values * at.spec.model.activation_bytes(at.spec.tokens()) /
                    at.spec.layout.degree(Sharing::tensor);
  for (u32 step = 0; step < contexts; ++step) {
    const bool more = step + 1 < contexts;
    if (more) co_yield part.send(part.rank_after(1), bytes);
    co_yield compute(even_share({0, ns}, contexts, step).bytes, what);
    if (more) co_yield part.receive(part.rank_before(1), bytes);
  }
}

/// Tokens to their experts, or back: what each task has for a place comes back from there.
OpGenerator exchange_tokens(const Accelerator& at, std::span<const u64> copies, bool back) {
  const GroupPlace place = at.spec.layout.experts_place(at.task);
  const ModelShape& model = at.spec.model;
  const RankPart part = Accelerator::part(place, tag_expert, What::expert);
  if (copies.empty()) {
    const u64 tokens = at.spec.tokens() * model.top_k / at.spec.layout.degree(Sharing::tensor);
    co_yield all_to_all(part, model.activation_bytes(tokens) / place.group.size);
    co_return;
  }
  std::vector<u64> onwards;
  for (const u64 of_place : copies) onwards.push_back(model.activation_bytes(of_place));
  std::vector<u64> here(copies.size(), onwards[place.rank]);
  if (back) std::swap(onwards, here);
  co_yield all_to_allv(part, std::move(onwards), std::move(here));
}

struct LayerWork {
  u64 attention, feed_forward;
};

/// The feed-forward part by experts of other accelerators. Each expert is shared out among tensors as everything is:
/// these send a share of the tokens each, gather what has come for their expert, and share its sums out again.
OpGenerator work_of_experts(const Accelerator& at, std::span<const u64> copies, u64 ns, What what) {
  const u64 tensors = at.spec.layout.degree(Sharing::tensor);
  const u64 tokens = copies.empty() ? at.spec.model.top_k * at.spec.tokens()
                                    : copies[at.expert_place()] * at.spec.layout.expert * tensors;
  co_yield exchange_tokens(at, copies, false);
  co_yield tensor_ring(at, true, tokens);
  co_yield compute(ns, what);
  co_yield tensor_ring(at, false, tokens);
  co_yield exchange_tokens(at, copies, true);
}

/// A layer of a pass, forward or backward. `times`: of what goes round among contexts.
OpGenerator layer(const Accelerator& at, std::span<const u64> copies, LayerWork ns, What what, u32 times) {
  co_yield tensor_half(at, true);
  co_yield attention(at, ns.attention, what, times);
  if (at.spec.layout.expert == 1) {
    co_yield tensor_half(at, false);
    co_yield tensor_half(at, true);
    co_yield compute(ns.feed_forward, what);
    co_yield tensor_half(at, false);
    co_return;
  }
  // On their way to experts activations are shared out; who had all of the sequence gets all of it again behind them.
  co_yield tensor_ring(at, false, at.spec.tokens());
  co_yield work_of_experts(at, copies, ns.feed_forward, what);
  if (!at.spec.sequence_parallel) co_yield tensor_ring(at, true, at.spec.tokens());
}

/// Parameters of the layers that are worked on next are gathered while these are (ZeRO 3): so many layers ahead.
constexpr u64 layers_ahead = 2;

/// Counts on through all passes.
struct LayersSoFar {
  u64 count = 0;
};

/// Computes the embedding, if it takes time.
OpGenerator embed(const Accelerator& at, u32 chunk, u64 ns, What what) {
  if (at.first(chunk) && ns > 0) co_yield compute(ns, what);
}

OpGenerator forward_pass(const Accelerator& at, u32 chunk, LayersSoFar* layers, bool repeated) {
  const PassTimes& ns = *at.spec.times;
  if (!repeated) co_yield embed(at, chunk, ns.embedding.forward, What::forward);
  for (u64 k = 0; k < at.spec.layers_of_chunk(); ++k) {
    if (at.spec.zero_stage == 3 && !repeated)
      co_yield wait(TrainingCounter::gathered, ++layers->count, What::parameters);
    const LayerLoad load = at.load(at.first_layer(chunk) + k);
    co_yield layer(at, load.copies, {load.times.attention.forward, load.times.feed_forward.forward},
                   repeated ? What::backward : What::forward, 1);
    if (at.spec.zero_stage == 3 && !repeated) co_yield mark(TrainingCounter::worked_on, What::forward);
  }
  if (!repeated && at.last(chunk)) co_yield compute(ns.logits.forward, What::forward);
}

OpGenerator backward_pass(const Accelerator& at, Pass pass, LayersSoFar* layers) {
  const PassTimes& ns = *at.spec.times;
  // What is for the gradients of weights may come later.
  const auto work = [&at](const PartTimes& of) { return of.backward + (at.splits_backward() ? 0 : of.weights); };
  if (at.last(pass.chunk)) co_yield compute(work(ns.logits), What::backward);
  if (at.spec.recompute) co_yield forward_pass(at, pass.chunk, layers, true);
  const bool made = at.reduces_after(pass) && !at.splits_backward();
  for (u64 k = at.spec.layers_of_chunk(); k > 0; --k) {
    if (at.spec.zero_stage == 3) co_yield wait(TrainingCounter::gathered, ++layers->count, What::parameters);
    const LayerLoad load = at.load(at.first_layer(pass.chunk) + k - 1);
    co_yield layer(at, load.copies, {work(load.times.attention), work(load.times.feed_forward)}, What::backward, 2);
    if (at.spec.zero_stage == 3) co_yield mark(TrainingCounter::worked_on, What::backward);
    if (made) co_yield mark(TrainingCounter::made, What::backward);
  }
  co_yield embed(at, pass.chunk, work(ns.embedding), What::backward);
}

OpGenerator weights_pass(const Accelerator& at, Pass pass) {
  const PassTimes& ns = *at.spec.times;
  if (at.last(pass.chunk)) co_yield compute(ns.logits.weights, What::weights);
  for (u64 k = at.spec.layers_of_chunk(); k > 0; --k) {
    const LayerTimes of = at.load(at.first_layer(pass.chunk) + k - 1).times;
    co_yield compute(of.attention.weights + of.feed_forward.weights, What::weights);
    if (at.reduces_after(pass)) co_yield mark(TrainingCounter::made, What::weights);
  }
  co_yield embed(at, pass.chunk, ns.embedding.weights, What::weights);
}

OpGenerator compute_lane(Accelerator at) {
  LayersSoFar layers;
  for (u32 step = 0; step < at.spec.steps; ++step) {
    Schedule schedule = at.schedule();
    for (u64 left = schedule.size(); left > 0; --left) {
      const Pass pass = schedule.next();
      const bool onwards = pass.kind == PassKind::forward;
      if (pass.kind == PassKind::weights) {
        co_yield weights_pass(at, pass);
        continue;
      }
      if (!(onwards ? at.first(pass.chunk) : at.last(pass.chunk))) {
        const auto from = at.neighbour(pass.chunk, !onwards);
        co_yield stage_op(OpKind::receive, from.task, pass.chunk, onwards, at.stage_bytes());
      }
      if (onwards) {
        co_yield forward_pass(at, pass.chunk, &layers, false);
      } else {
        co_yield backward_pass(at, pass, &layers);
      }
      if (!(onwards ? at.last(pass.chunk) : at.first(pass.chunk)))
        co_yield mark(TrainingCounter::outputs, What::pipeline);
    }
    co_yield wait(TrainingCounter::reduced, at.reductions() * (step + 1), What::gradients);
    co_yield compute(at.spec.times->optimizer_of(at.stage()), What::optimizer);
    co_yield mark(TrainingCounter::optimized, What::optimizer);
    if (at.spec.zero_stage == 1 || at.spec.zero_stage == 2)
      co_yield wait(TrainingCounter::gathered, at.own_layers() * (step + 1), What::parameters);
  }
}

OpGenerator pipeline_lane(Accelerator at) {
  u64 outputs = 0;
  for (u32 step = 0; step < at.spec.steps; ++step) {
    Schedule schedule = at.schedule();
    for (u64 left = schedule.size(); left > 0; --left) {
      const Pass pass = schedule.next();
      const bool onwards = pass.kind == PassKind::forward;
      if (pass.kind == PassKind::weights || (onwards ? at.last(pass.chunk) : at.first(pass.chunk))) continue;
      co_yield wait(TrainingCounter::outputs, ++outputs, What::pipeline);
      const auto to = at.neighbour(pass.chunk, onwards);
      co_yield stage_op(OpKind::send, to.task, to.chunk, onwards, at.stage_bytes());
    }
  }
}

/// Gradients of some parameters: sums for all, or, where states of the optimizer are shared out, of the own share.
OpGenerator reduce(const Accelerator& at, u64 parameters, bool of_experts) {
  const auto ring = at.spec.zero_stage == 0 ? ring_all_reduce : ring_reduce_scatter;
  co_yield ring(at.data_part(of_experts, false), parameters * at.spec.gradient_bytes);
}

OpGenerator gather(const Accelerator& at, u64 parameters, bool of_experts) {
  co_yield ring_all_gather(at.data_part(of_experts, true), parameters * at.spec.model.element_bytes);
}

OpGenerator reduce_layer(const Accelerator& at) {
  co_yield reduce(at, at.spec.dense_parameters(), false);
  if (at.spec.model.experts > 0) co_yield reduce(at, at.spec.expert_parameters(), true);
}

OpGenerator gather_layer(const Accelerator& at) {
  co_yield gather(at, at.spec.dense_parameters(), false);
  if (at.spec.model.experts > 0) co_yield gather(at, at.spec.expert_parameters(), true);
}

/// After those of all layers; `last`: of the step, when those of first and last stage are added up too, whole, as in
/// Megatron-LM (finalize_model_grads).
OpGenerator reduce_embeddings(const Accelerator& at, bool last) {
  for (u32 k = 0; k < at.spec.embeddings_of(at.stage()); ++k)
    co_yield reduce(at, at.spec.embedding_parameters(), false);
  if (last && at.shares_embedding())
    co_yield ring_all_reduce(at.embedding_part(), at.spec.embedding_parameters() * at.spec.gradient_bytes);
}

OpGenerator gather_embeddings(const Accelerator& at) {
  for (u32 k = 0; k < at.spec.embeddings_of(at.stage()); ++k)
    co_yield gather(at, at.spec.embedding_parameters(), false);
}

OpGenerator gradients_lane(Accelerator at) {
  const u64 in_step = at.reductions();
  for (u32 step = 0; step < at.spec.steps; ++step) {
    for (u64 k = 1; k <= in_step; ++k) {
      const u64 made = in_step * step + (at.spec.overlap_gradients ? k : in_step);
      co_yield wait(TrainingCounter::made, made, What::gradients);
      co_yield reduce_layer(at);
      if (k % at.own_layers() == 0) co_yield reduce_embeddings(at, k == in_step);
      co_yield mark(TrainingCounter::reduced, What::gradients);
    }
  }
}

OpGenerator parameters_lane(Accelerator at) {
  const bool for_each_pass = at.spec.zero_stage == 3;
  const u64 in_step = for_each_pass ? 2 * at.own_layers() * at.spec.micro_batches : at.own_layers();
  if (at.spec.zero_stage == 0) co_return;
  for (u32 step = 0; step < at.spec.steps; ++step) {
    if (!for_each_pass) co_yield wait(TrainingCounter::optimized, step + u64{1}, What::parameters);
    if (for_each_pass && step > 0) co_yield wait(TrainingCounter::optimized, step, What::parameters);
    for (u64 k = 0; k < in_step; ++k) {
      const u64 number = step * in_step + k;
      if (for_each_pass && number >= layers_ahead)
        co_yield wait(TrainingCounter::worked_on, number - layers_ahead + 1, What::parameters);
      co_yield gather_layer(at);
      if (k + 1 == in_step) co_yield gather_embeddings(at);
      co_yield mark(TrainingCounter::gathered, What::parameters);
    }
  }
}

}  // namespace

OpGenerator training_lane(TrainingSpec spec, u32 task, TrainingLane lane) {
  const Accelerator at{std::move(spec), task};
  switch (lane) {
    case TrainingLane::compute:
      return compute_lane(at);
    case TrainingLane::pipeline:
      return pipeline_lane(at);
    case TrainingLane::gradients:
      return gradients_lane(at);
    case TrainingLane::parameters:
    case TrainingLane::count:
      break;
  }
  return parameters_lane(at);
}

}  // namespace weft::workloads
