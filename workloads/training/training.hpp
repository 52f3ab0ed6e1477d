// Training of transformer models: what each accelerator computes and sends in a step, by how model and data are shared.
// docs/accelerators.md has the rules.
#pragma once

#include <memory>

#include "workloads/program/program.hpp"
#include "workloads/training/model_shape.hpp"
#include "workloads/training/parallel_layout.hpp"
#include "workloads/training/schedule.hpp"

namespace weft::workloads {

/// Times of computing, in ns, of one micro-batch on one accelerator; what the roofline gives, or measured.
struct PassTimes {
  u64 attention = 0, feed_forward = 0, logits = 0;  ///< forward, of a layer (logits: of the last stage)
  u64 attention_backward = 0, feed_forward_backward = 0, logits_backward = 0;  ///< of activations and weights together
  u64 optimizer = 0;                                                           ///< a step
};

struct TrainingSpec {
  ModelShape model;
  ParallelLayout layout;
  u32 tasks = 1;
  u32 micro_batches = 1;  ///< of each task in a step
  u32 micro_batch = 1;    ///< sequences
  u32 chunks = 1;         ///< of layers a stage has
  ScheduleKind schedule = ScheduleKind::one_forward_one_backward;
  bool sequence_parallel =
      true;                ///< activations are shared along the sequence where they are not along the hidden size
  bool recompute = false;  ///< forward passes are done again in the backward ones
  u32 zero_stage = 1;      ///< 0 none, 1 optimizer states, 2 gradients, 3 parameters are shared out
  bool overlap_gradients = true;  ///< gradients of a layer are reduced as soon as its last backward pass is over
  u64 gradient_bytes = 2;         ///< of an element
  u32 steps = 1;
  PassTimes times;

  [[nodiscard]] u32 stages() const { return layout.degree(Sharing::pipeline); }
  [[nodiscard]] u64 layers_of_chunk() const { return model.layers / (u64{stages()} * chunks); }
  /// Of a micro-batch, on one accelerator but for sharing among tensors.
  [[nodiscard]] u64 tokens() const { return model.sequence / layout.degree(Sharing::context) * micro_batch; }
  /// Parameters of a layer on an accelerator: all but those of experts, and those of its experts.
  [[nodiscard]] u64 dense_parameters() const;
  [[nodiscard]] u64 expert_parameters() const;
};

/// Activities of a training, by their places in Program::activities.
enum class TrainingActivity : u8 {
  forward,
  backward,
  weights,
  optimizer,
  tensor,
  context,
  expert,
  pipeline,
  gradients,
  parameters
};

/// What follows from model, sharing and device where no times are given.
[[nodiscard]] PassTimes roofline_times(const TrainingSpec& spec, const Device& device);

[[nodiscard]] std::unique_ptr<Program> make_training(const TrainingSpec& spec);

}  // namespace weft::workloads
