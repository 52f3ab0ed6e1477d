// The lanes of an accelerator in inference, and the counters by which they wait for each other.
#pragma once

#include "workloads/generator/inference/batching.hpp"
#include "workloads/program/op_generator.hpp"

namespace weft::workloads {

/// Lane 0 computes, and does what nothing can hide: operations among tensors and experts, receives of the pipeline. The
/// others send to other stages, send or receive KV caches, and know the time at which requests arrive.
enum class InferenceLane : u32 { compute, pipeline, kv, arrivals, count };
/// What they count: outputs for other stages, KV caches (of a layer, or all) that are made, those that have come, and
/// requests that have arrived.
enum class InferenceCounter : u32 { outputs, made, come, arrived };

[[nodiscard]] OpGenerator inference_lane(std::shared_ptr<const InferencePlan> plan, u32 task, InferenceLane lane);

}  // namespace weft::workloads
