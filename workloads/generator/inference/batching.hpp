// Continuous batching: which iterations replicas do, computed beforehand from the times of computing alone.
#pragma once

#include <vector>

#include "workloads/generator/inference/inference.hpp"

namespace weft::workloads {

/// One pass of a batch through all stages. Amounts are those of the replica that has most of them.
struct Iteration {
  u32 slot = 0;  ///< of the pipeline: a slot's next iteration begins when this one is through
  bool prefill = false;
  u32 tokens = 0;   ///< that go through the layers
  u32 outputs = 0;  ///< tokens that are made: one of each request
  u64 scores = 0;   ///< pairs of tokens in attention
  u64 context = 0;  ///< tokens whose keys and values are read
  u32 taken = 0;    ///< requests of the queue taken so far, with those of this iteration
  u32 first = 0;    ///< of the queue: this iteration took [first, taken)
};

struct StageTimes {
  u64 attention = 0, feed_forward = 0, logits = 0;  ///< of a layer; logits: of the last stage
};
[[nodiscard]] StageTimes iteration_times(const InferenceSpec& spec, const Iteration& iteration);

/// A request as a group of replicas sees it.
struct Queued {
  u32 request = 0;   ///< of InferenceSpec::requests
  u32 member = 0;    ///< which replica of the group
  u64 ready_ns = 0;  ///< it has arrived, or its KV cache is made
};

enum class EngineWork : u8 { both, prefill, decode };

/// What a group of replicas does that have each other's experts: they work in step. Without experts: one replica.
struct Engine {
  EngineWork work = EngineWork::both;
  std::vector<Queued> queue;  ///< in the order in which it is taken
  std::vector<Iteration> iterations;
  std::vector<u64> prefilled_ns;  ///< [place in queue], as the batching sees it
};

/// Fills in the iterations.
void plan_iterations(const InferenceSpec& spec, Engine& engine);

/// All engines: those that prefill or do both first.
struct InferencePlan {
  InferenceSpec spec;
  std::vector<Engine> engines;
  u32 first_decode_engine = 0;    ///< how many there are, where none only decodes
  std::vector<u32> decoder = {};  ///< [request]: replica that decodes it, among those that only decode
  ParallelLayout layout = {};
};
[[nodiscard]] InferencePlan plan_inference(InferenceSpec spec);

}  // namespace weft::workloads
