// The lanes of an accelerator in a training, and the counters by which they wait for each other.
#pragma once

#include "workloads/generator/training/training.hpp"
#include "workloads/program/op_generator.hpp"

namespace weft::workloads {

/// Lane 0 computes, and does what nothing can hide: operations among tensors, contexts and experts, and receives of the
/// pipeline. The others send to other stages, reduce gradients, and gather parameters.
enum class TrainingLane : u32 { compute, pipeline, gradients, parameters, count };
/// What they count: outputs for other stages, layers whose gradients are made, layers whose gradients are reduced,
/// steps of the optimizer, layers whose parameters are there, layers that were worked on.
enum class TrainingCounter : u32 { outputs, made, reduced, optimized, gathered, worked_on };

[[nodiscard]] OpGenerator training_lane(TrainingSpec spec, u32 task, TrainingLane lane);

}  // namespace weft::workloads
