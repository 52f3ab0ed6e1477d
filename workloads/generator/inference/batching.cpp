// The schedule of iterations: prompts that have come go first where there is a place for them, as vLLM does.
#include "workloads/generator/inference/batching.hpp"

#include <algorithm>
#include <limits>

namespace weft::workloads {
namespace {

constexpr u64 no_time = std::numeric_limits<u64>::max();

struct RunningRequest {
  u32 member = 0, context = 0, left = 0;  ///< tokens
};

/// Requests that go through the pipeline together.
struct Slot {
  std::vector<RunningRequest> running;
  u64 ready = 0;
};

class Batching {
 public:
  Batching(const InferenceSpec& spec, Engine& engine)
      : spec_(spec), engine_(engine), slots_(spec.pipeline), free_(spec.pipeline) {
    room_ = std::max(1u, spec.max_batch / spec.pipeline);
    engine_.prefilled_ns.resize(engine_.queue.size());
  }

  void run() {
    for (;;) {
      u64 start = no_time;
      u32 chosen = 0;
      for (u32 k = 0; k < slots_.size(); ++k) {
        const u64 possible = earliest(slots_[k]);
        if (possible < start) {
          start = possible;
          chosen = k;
        }
      }
      if (start == no_time) return;
      iterate(chosen, start);
    }
  }

 private:
  [[nodiscard]] const InferenceRequest& request(u32 place) const {
    return spec_.requests[engine_.queue[place].request];
  }

  [[nodiscard]] u64 earliest(const Slot& slot) const {
    const u64 start = std::max(free_.front(), slot.ready);
    if (!slot.running.empty()) return start;
    return taken_ < engine_.queue.size() ? std::max(start, engine_.queue[taken_].ready_ns) : no_time;
  }

  /// What an iteration adds up, of each member.
  struct Sums {
    u32 tokens = 0, outputs = 0;
    u64 scores = 0, context = 0;
  };

  void iterate(u32 chosen, u64 start) {
    Slot& slot = slots_[chosen];
    Iteration made;
    made.slot = chosen;
    made.first = taken_;
    std::vector<Sums> sums(spec_.expert);
    take(slot, start, sums);
    made.taken = taken_;
    made.prefill = engine_.work != EngineWork::decode && taken_ > made.first;
    if (!made.prefill) decode(slot, sums);
    for (const Sums& of : sums) {
      made.tokens = std::max(made.tokens, of.tokens);
      made.outputs = std::max(made.outputs, of.outputs);
      made.scores = std::max(made.scores, of.scores);
      made.context = std::max(made.context, of.context);
    }
    slot.ready = through(made, start);
    for (u32 place = made.first; made.prefill && place < taken_; ++place) engine_.prefilled_ns[place] = slot.ready;
    engine_.iterations.push_back(made);
  }

  /// Takes what waits, in order, while there are places.
  void take(Slot& slot, u64 start, std::vector<Sums>& sums) {
    for (; taken_ < engine_.queue.size() && engine_.queue[taken_].ready_ns <= start; ++taken_) {
      const Queued& next = engine_.queue[taken_];
      const InferenceRequest& of = request(taken_);
      const auto here = std::ranges::count(slot.running, next.member, &RunningRequest::member);
      if (static_cast<u32>(here) >= room_) return;
      if (engine_.work != EngineWork::decode) {
        Sums& sum = sums[next.member];
        const u64 tokens = u64{sum.tokens} + of.prompt_tokens;
        if (sum.tokens > 0 && tokens > spec_.prefill_batch_tokens) return;
        sum.tokens = static_cast<u32>(tokens);
        ++sum.outputs;
        sum.scores += u64{of.prompt_tokens} * of.prompt_tokens;
      }
      // The prefill makes the first token; those that only prefill have it on its way out then.
      const bool goes_on = engine_.work != EngineWork::prefill;
      slot.running.push_back({next.member, of.prompt_tokens, goes_on ? of.output_tokens - 1 : 0});
    }
  }

  void decode(Slot& slot, std::vector<Sums>& sums) {
    for (RunningRequest& of : slot.running) {
      if (of.left == 0) continue;
      ++sums[of.member].tokens;
      ++sums[of.member].outputs;
      sums[of.member].scores += ++of.context;
      sums[of.member].context += of.context;
      --of.left;
    }
  }

  /// When the last stage is done.
  u64 through(const Iteration& made, u64 start) {
    const StageTimes times = iteration_times(spec_, made);
    const u64 of_stage = scaled(spec_.layers_of_stage() * (times.attention + times.feed_forward));
    u64 end = start;
    for (u32 stage = 0; stage < spec_.pipeline; ++stage) {
      end = std::max(end, free_[stage]) + of_stage + (stage + 1 == spec_.pipeline ? scaled(times.logits) : 0);
      free_[stage] = end;
    }
    std::erase_if(slots_[made.slot].running, [](const RunningRequest& of) { return of.left == 0; });
    return end;
  }

  [[nodiscard]] u64 scaled(u64 ns) const { return static_cast<u64>(static_cast<double>(ns) * spec_.cpu_scale + 0.5); }

  const InferenceSpec& spec_;
  Engine& engine_;
  std::vector<Slot> slots_;
  std::vector<u64> free_;  ///< when a stage is
  u32 room_ = 1, taken_ = 0;
};

/// An engine for each group of replicas.
void add_engines(InferencePlan& plan, u32 tasks, EngineWork work) {
  const u32 engines = tasks / (plan.spec.replica_tasks() * plan.spec.expert);
  for (u32 k = 0; k < engines; ++k) plan.engines.emplace_back().work = work;
}

/// Deals requests out to replicas in turn.
void deal(InferencePlan& plan, u32 from, const std::vector<Queued>& ready) {
  const u32 expert = plan.spec.expert, replicas = (static_cast<u32>(plan.engines.size()) - from) * expert;
  for (u32 k = 0; k < ready.size(); ++k) {
    const u32 replica = k % replicas;
    Queued queued = ready[k];
    queued.member = replica % expert;
    plan.engines[from + replica / expert].queue.push_back(queued);
  }
}

}  // namespace

StageTimes iteration_times(const InferenceSpec& spec, const Iteration& iteration) {
  const ModelShape& model = spec.model;
  const double shared = spec.tensor, element = static_cast<double>(model.element_bytes);
  const auto hidden = static_cast<double>(model.hidden), kv = static_cast<double>(spec.kv_hidden);
  const auto tokens = static_cast<double>(iteration.tokens);
  const auto time = [&](double flop, double elements) {
    return spec.device.ns(flop / shared, elements * element / shared);
  };
  // Queries and the projection behind, keys and values; the new keys and values are written, those of the context read.
  const double attention = 2 * hidden * hidden + 2 * hidden * kv;
  const double cache = 2 * kv * (tokens + static_cast<double>(iteration.context));
  // Only those of the experts here that a token goes to are read.
  const double experts = model.experts == 0 ? 1
                                            : std::min(static_cast<double>(model.experts) / spec.expert,
                                                       tokens * static_cast<double>(model.top_k));
  StageTimes times;
  times.attention =
      time(2 * tokens * attention + 4 * static_cast<double>(iteration.scores) * hidden, attention + cache);
  times.feed_forward =
      time(model.feed_forward_flop(tokens), experts * static_cast<double>(model.feed_forward_parameters()));
  times.logits = time(model.logits_flop(iteration.outputs), static_cast<double>(model.embedding_parameters()));
  return times;
}

void plan_iterations(const InferenceSpec& spec, Engine& engine) { Batching(spec, engine).run(); }

InferencePlan plan_inference(InferenceSpec spec) {
  InferencePlan plan;
  plan.spec = std::move(spec);
  const InferenceSpec& of = plan.spec;
  plan.layout.degrees = {of.tensor, 1, of.tasks / of.replica_tasks(), of.pipeline};
  plan.layout.expert = of.expert;
  plan.layout.set_order("tensor-context-pipeline-data");
  add_engines(plan, of.disaggregated() ? of.prefill_tasks : of.tasks,
              of.disaggregated() ? EngineWork::prefill : EngineWork::both);
  std::vector<Queued> ready;
  for (u32 k = 0; k < of.requests.size(); ++k) ready.push_back({k, 0, of.requests[k].arrival_ns});
  deal(plan, 0, ready);
  for (Engine& engine : plan.engines) plan_iterations(of, engine);
  plan.first_decode_engine = static_cast<u32>(plan.engines.size());
  if (!of.disaggregated()) return plan;

  // Caches come in the order in which they are made; of those of an engine that of its iterations.
  ready.clear();
  for (u32 iteration = 0, more = 1; more != 0; ++iteration) {
    more = 0;
    for (const Engine& engine : plan.engines) {
      if (iteration >= engine.iterations.size()) continue;
      more = 1;
      const Iteration& made = engine.iterations[iteration];
      for (u32 place = made.first; place < made.taken; ++place) {
        const u32 request = engine.queue[place].request;
        if (of.requests[request].output_tokens > 1) ready.push_back({request, 0, engine.prefilled_ns[place]});
      }
    }
  }
  std::ranges::stable_sort(ready, {}, &Queued::ready_ns);
  add_engines(plan, of.tasks - of.prefill_tasks, EngineWork::decode);
  deal(plan, plan.first_decode_engine, ready);
  plan.decoder.resize(of.requests.size());
  for (u32 k = plan.first_decode_engine; k < plan.engines.size(); ++k) {
    plan_iterations(of, plan.engines[k]);
    for (const Queued& queued : plan.engines[k].queue) plan.decoder[queued.request] = k * of.expert + queued.member;
  }
  return plan;
}

}  // namespace weft::workloads
