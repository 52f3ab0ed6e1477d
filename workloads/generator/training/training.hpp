// Training of transformer models: what each accelerator computes and sends in a step, by how model and data are shared.
// docs/accelerators.md has the rules.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "workloads/generator/training/expert_copies.hpp"
#include "workloads/generator/training/model_shape.hpp"
#include "workloads/generator/training/parallel_layout.hpp"
#include "workloads/generator/training/schedule.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// Times of computing, in ns, of a micro-batch on an accelerator: forward, and backward of activations and of weights.
struct PartTimes {
  u64 forward = 0, backward = 0, weights = 0;
};
struct LayerTimes {
  PartTimes attention, feed_forward;
};
/// What the roofline gives, or measured.
struct PassTimes {
  std::vector<LayerTimes> layers = {{}};  ///< one for all, or of each layer of the model
  PartTimes embedding, logits;            ///< of the first stage, of the last one
  std::vector<u64> optimizer = {0};       ///< a step; one for all, or of each stage

  [[nodiscard]] const LayerTimes& of_layer(u64 layer) const { return layers[layers.size() == 1 ? 0 : layer]; }
  [[nodiscard]] u64 optimizer_of(u32 stage) const { return optimizer[optimizer.size() == 1 ? 0 : stage]; }
};

/// Whose gradients are reduced beside those of layers: of no embedding, of one that the logits use too, of one on the
/// first stage and weights of the logits on the last.
enum class Embeddings : u8 { none, tied, untied };

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
  Embeddings embeddings = Embeddings::none;
  u32 steps = 1;
  std::shared_ptr<const PassTimes> times;
  Device device;          ///< that these follow from, unless they are measured
  bool measured = false;  ///< they are
  /// Copies of an accelerator's tokens, where experts of other accelerators are not equally popular; see
  /// copies_of_places.
  std::shared_ptr<const std::vector<u64>> copies;

  [[nodiscard]] u32 stages() const { return layout.degree(Sharing::pipeline); }
  [[nodiscard]] u64 layers_of_chunk() const { return model.layers / (u64{stages()} * chunks); }
  /// Tokens of a micro-batch, on one accelerator but for sharing among tensors.
  [[nodiscard]] u64 tokens() const { return model.sequence / layout.degree(Sharing::context) * micro_batch; }
  /// Parameters of a layer on an accelerator: all but those of experts, and those of its experts.
  [[nodiscard]] u64 dense_parameters() const;
  [[nodiscard]] u64 expert_parameters() const;
  /// Parameters of an embedding, and how many embeddings a stage has.
  [[nodiscard]] u64 embedding_parameters() const;
  [[nodiscard]] u32 embeddings_of(u32 stage) const;
  /// Draws how popular the experts of each layer are, for each group that shares them out. Throws ConfigError if these
  /// are too many. Model and layout must fit.
  void draw_popularity(const PopularityLaw& law);
  /// Groups of accelerators, along data parallelism, that share the experts of a layer out.
  [[nodiscard]] u32 expert_groups() const { return layout.degree(Sharing::data) / layout.expert; }
  /// [place in a group of experts]: copies of tokens that each accelerator of the group (of number `group`, from 0) has
  /// for the experts of that place, in a micro-batch; empty where all have as many.
  [[nodiscard]] std::span<const u64> copies_of_places(u64 layer, u32 group) const;
  /// Times of a layer where the experts of an accelerator get `load` times as many tokens as if all got as many.
  [[nodiscard]] LayerTimes times_of_layer(u64 layer, double load) const;
  /// That load, from the copies for its place.
  [[nodiscard]] double load_of(u64 of_place) const;
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
[[nodiscard]] std::shared_ptr<const PassTimes> roofline_times(const TrainingSpec& spec);

/// [activity]: ns that a task waits for it in the mean where messages cost nothing: the pipeline's bubble, until the
/// last stage is over, and what its ends wait for each other with a tied embedding.
[[nodiscard]] std::vector<double> least_waits_of_training(const TrainingSpec& spec);

[[nodiscard]] std::unique_ptr<Program> make_training(const TrainingSpec& spec);

}  // namespace weft::workloads
