// What the lanes do, iteration by iteration and layer by layer.
#include "workloads/generator/inference/inference_lanes.hpp"

#include <utility>

#include "workloads/generator/accelerator/all_to_all.hpp"
#include "workloads/generator/accelerator/ring.hpp"

namespace weft::workloads {
namespace {

using Act = InferenceActivity;
using Counter = InferenceCounter;

/// Tags: those of the pipeline onwards, back to the first stage by slots, and of KV caches by requests.
enum : u32 { tag_of_tensor = 1, tag_of_expert, tag_onwards, tag_back };
constexpr u32 tag_of_kv = u32{1} << 16;
constexpr u64 token_bytes = 4;  ///< of the number of a token, on its way back to the first stage

/// One accelerator.
struct InferenceRank {
  std::shared_ptr<const InferencePlan> plan;
  u32 task = 0;

  [[nodiscard]] const InferenceSpec& spec() const { return plan->spec; }
  [[nodiscard]] u32 replica() const { return plan->layout.rank(task, Sharing::data); }
  [[nodiscard]] u32 member() const { return replica() % spec().expert; }
  [[nodiscard]] const Engine& engine() const { return plan->engines[replica() / spec().expert]; }
  [[nodiscard]] u32 stage() const { return plan->layout.rank(task, Sharing::pipeline); }
  [[nodiscard]] bool first() const { return stage() == 0; }
  [[nodiscard]] bool last() const { return stage() + 1 == spec().pipeline; }
  /// The task of the same place in another stage.
  [[nodiscard]] u32 task_of_stage(u32 other) const {
    return plan->layout.place(task, Sharing::pipeline).group.task(other);
  }
  /// Some requests arrive later than at once, and this task sees to it.
  [[nodiscard]] bool awaits_arrivals() const {
    return first() && engine().work != EngineWork::decode && spec().requests.back().arrival_ns > 0;
  }
  [[nodiscard]] bool sends_caches() const { return engine().work == EngineWork::prefill; }
  [[nodiscard]] bool own(u32 place) const { return engine().queue[place].member == member(); }
  /// Messages of the KV cache of a request.
  [[nodiscard]] u64 parts() const { return spec().layer_by_layer ? spec().layers_of_stage() : 1; }
  [[nodiscard]] u64 part_bytes(const InferenceRequest& request) const {
    return spec().kv_bytes(request.prompt_tokens) * (spec().layer_by_layer ? 1 : spec().layers_of_stage());
  }

  [[nodiscard]] static RankPart part(const GroupPlace& place, u32 tag, Act what) {
    return part_at(place, tag, static_cast<u8>(what));
  }
  [[nodiscard]] RankPart tensor_part() const {
    return part(plan->layout.place(task, Sharing::tensor), tag_of_tensor, Act::tensor);
  }
};

Op work(u64 ns, Act what) { return {OpKind::compute, 0, 0, ns, static_cast<u8>(what)}; }
Op count(Counter counter, Act what) { return mark_op(static_cast<u32>(counter), static_cast<u8>(what)); }
Op until(Counter counter, u64 marks, Act what) {
  return wait_op(static_cast<u32>(counter), marks, static_cast<u8>(what));
}
Op message(OpKind kind, u32 peer, u32 tag, u64 bytes, Act what) {
  return {kind, peer, tag, bytes, static_cast<u8>(what)};
}

/// Numbers of the tokens that an iteration made.
u64 back_bytes(const Iteration& of) { return token_bytes * of.outputs; }

// Generators are parts of that of a lane, which holds the accelerator.

/// Tokens to their experts, or back.
OpGenerator tokens_to_experts(const InferenceRank& at, u64 tokens) {
  const InferenceSpec& spec = at.spec();
  const u64 shares = u64{spec.tensor} * spec.expert;
  co_yield all_to_all(at.part(at.plan->layout.experts_place(at.task), tag_of_expert, Act::expert),
                      (spec.model.activation_bytes(tokens * spec.model.top_k) + shares - 1) / shares);
}

/// The feed-forward part by experts of other replicas. Tokens are shared out among tensors on their way, so that the
/// halves of an allreduce are around it; each expert is shared out among tensors, too, which gather what has come for
/// it, and share its sums out again.
OpGenerator work_of_experts(const InferenceRank& at, const Iteration& of, u64 ns, Act what) {
  const u64 bytes = at.spec().model.activation_bytes(of.tokens), copies = bytes * at.spec().model.top_k;
  co_yield ring_reduce_scatter(at.tensor_part(), bytes);
  co_yield tokens_to_experts(at, of.tokens);
  co_yield ring_all_gather(at.tensor_part(), copies);
  co_yield work(ns, what);
  co_yield ring_reduce_scatter(at.tensor_part(), copies);
  co_yield tokens_to_experts(at, of.tokens);
  co_yield ring_all_gather(at.tensor_part(), bytes);
}

OpGenerator inference_layer(const InferenceRank& at, const Iteration& of, const StageTimes& ns) {
  const Act what = of.prefill ? Act::prefill : Act::decode;
  const u64 bytes = at.spec().model.activation_bytes(of.tokens);
  co_yield work(ns.attention, what);
  if (at.sends_caches() && at.spec().layer_by_layer) co_yield count(Counter::made, Act::kv);
  if (at.spec().expert > 1) {
    co_yield work_of_experts(at, of, ns.feed_forward, what);
    co_return;
  }
  co_yield ring_all_reduce(at.tensor_part(), bytes);
  co_yield work(ns.feed_forward, what);
  co_yield ring_all_reduce(at.tensor_part(), bytes);
}

/// What an iteration cannot begin without.
OpGenerator inputs(const InferenceRank& at, const Iteration& of, u64 caches, u64 earlier_back) {
  if (at.awaits_arrivals() && of.taken > of.first) co_yield until(Counter::arrived, of.taken, Act::arrivals);
  if (at.engine().work == EngineWork::decode && caches > 0) co_yield until(Counter::come, caches, Act::kv);
  if (at.spec().pipeline == 1) co_return;
  if (!at.first()) {
    co_yield message(OpKind::receive, at.task_of_stage(at.stage() - 1), tag_onwards,
                     at.spec().model.activation_bytes(of.tokens), Act::pipeline);
  } else if (earlier_back > 0) {
    co_yield message(OpKind::receive, at.task_of_stage(at.spec().pipeline - 1), tag_back + of.slot, earlier_back,
                     Act::pipeline);
  }
}

OpGenerator inference_compute(InferenceRank at) {
  const InferenceSpec& spec = at.spec();
  std::vector<u64> back(spec.pipeline);  // by slot: bytes on their way to the first stage
  u64 caches = 0;
  for (const Iteration& of : at.engine().iterations) {
    for (u32 place = of.first; place < of.taken; ++place) caches += at.own(place) ? 1 : 0;
    co_yield inputs(at, of, caches, back[of.slot]);
    back[of.slot] = back_bytes(of);
    const StageTimes ns = iteration_times(spec, of);
    for (u64 k = 0; k < spec.layers_of_stage(); ++k) co_yield inference_layer(at, of, ns);
    if (at.sends_caches() && !spec.layer_by_layer) co_yield count(Counter::made, Act::kv);
    if (at.last()) co_yield work(ns.logits, of.prefill ? Act::prefill : Act::decode);
    if (spec.pipeline > 1) co_yield count(Counter::outputs, Act::pipeline);
  }
  for (u32 slot = 0; at.first() && spec.pipeline > 1 && slot < spec.pipeline; ++slot) {
    if (back[slot] > 0)
      co_yield message(OpKind::receive, at.task_of_stage(spec.pipeline - 1), tag_back + slot, back[slot],
                       Act::pipeline);
  }
}

OpGenerator inference_pipeline(InferenceRank at) {
  if (at.spec().pipeline == 1) co_return;
  u64 outputs = 0;
  for (const Iteration& of : at.engine().iterations) {
    co_yield until(Counter::outputs, ++outputs, Act::pipeline);
    if (at.last()) {
      co_yield message(OpKind::send, at.task_of_stage(0), tag_back + of.slot, back_bytes(of), Act::pipeline);
    } else {
      co_yield message(OpKind::send, at.task_of_stage(at.stage() + 1), tag_onwards,
                       at.spec().model.activation_bytes(of.tokens), Act::pipeline);
    }
  }
}

OpGenerator send_caches(InferenceRank at) {
  const InferenceSpec& spec = at.spec();
  const u32 in_replica = at.task % spec.replica_tasks();
  u64 made = 0;
  for (const Iteration& of : at.engine().iterations) {
    for (u64 part = 0; part < at.parts(); ++part) {
      co_yield until(Counter::made, ++made, Act::kv);
      for (u32 place = of.first; place < of.taken; ++place) {
        const u32 number = at.engine().queue[place].request;
        const InferenceRequest& request = spec.requests[number];
        if (!at.own(place) || request.output_tokens == 1) continue;
        co_yield message(OpKind::send, at.plan->decoder[number] * spec.replica_tasks() + in_replica, tag_of_kv + number,
                         at.part_bytes(request), Act::kv);
      }
    }
  }
}

OpGenerator receive_caches(InferenceRank at) {
  const InferenceSpec& spec = at.spec();
  const u32 in_replica = at.task % spec.replica_tasks(), replicas = spec.prefill_tasks / spec.replica_tasks();
  for (u32 place = 0; place < at.engine().queue.size(); ++place) {
    if (!at.own(place)) continue;
    const u32 number = at.engine().queue[place].request;
    for (u64 part = 0; part < at.parts(); ++part) {
      co_yield message(OpKind::receive, number % replicas * spec.replica_tasks() + in_replica, tag_of_kv + number,
                       at.part_bytes(spec.requests[number]), Act::kv);
    }
    co_yield count(Counter::come, Act::kv);
  }
}

OpGenerator arrivals(InferenceRank at) {
  if (!at.awaits_arrivals()) co_return;
  u64 now = 0;
  for (const Queued& queued : at.engine().queue) {
    if (queued.ready_ns > now) co_yield Op{OpKind::until, 0, 0, queued.ready_ns, static_cast<u8>(Act::arrivals)};
    now = queued.ready_ns;
    co_yield count(Counter::arrived, Act::arrivals);
  }
}

OpGenerator no_caches() { co_return; }

}  // namespace

OpGenerator inference_lane(std::shared_ptr<const InferencePlan> plan, u32 task, InferenceLane lane) {
  InferenceRank at{std::move(plan), task};
  switch (lane) {
    case InferenceLane::compute:
      return inference_compute(std::move(at));
    case InferenceLane::pipeline:
      return inference_pipeline(std::move(at));
    case InferenceLane::kv:
      if (at.engine().work == EngineWork::both) return no_caches();
      return at.sends_caches() ? send_caches(std::move(at)) : receive_caches(std::move(at));
    case InferenceLane::arrivals:
    case InferenceLane::count:
      break;
  }
  return arrivals(std::move(at));
}

}  // namespace weft::workloads
