// Times of passes by a roofline.
#include "workloads/training/training.hpp"

namespace weft::workloads {

u64 TrainingSpec::dense_parameters() const {
  const u64 all = model.attention_parameters() + (model.experts == 0 ? model.feed_forward_parameters() : 0);
  return all / layout.degree(Sharing::tensor);
}

u64 TrainingSpec::expert_parameters() const {
  return model.experts / layout.expert * model.feed_forward_parameters() / layout.degree(Sharing::tensor);
}

u64 TrainingSpec::embedding_parameters() const { return model.embedding_parameters() / layout.degree(Sharing::tensor); }

u32 TrainingSpec::embeddings_of(u32 stage) const {
  if (embeddings == Embeddings::none) return 0;
  const bool first = stage == 0, last = stage + 1 == stages();
  if (embeddings == Embeddings::tied) return first || last ? 1 : 0;
  return (first ? 1 : 0) + (last ? 1 : 0);
}

std::shared_ptr<const PassTimes> roofline_times(const TrainingSpec& spec, const Device& device) {
  const ModelShape& model = spec.model;
  const double shared = spec.layout.degree(Sharing::tensor), element = static_cast<double>(model.element_bytes);
  const auto tokens = static_cast<double>(spec.tokens());
  // Weights once, and the activations of a layer that go in and out of its products: some 8 times the hidden size.
  constexpr double activations = 8;
  const double of_activations = activations * tokens * static_cast<double>(model.hidden) * element / shared;
  const auto time = [&](double flop, u64 parameters) {
    return device.ns(flop / shared, static_cast<double>(parameters) * element / shared + of_activations);
  };
  // Backward twice as much, half of it for the gradients of weights.
  const auto part = [&](double flop, u64 parameters) {
    const u64 backward = time(2 * flop, 2 * parameters);
    return PartTimes{time(flop, parameters), backward / 2, backward - backward / 2};
  };
  auto times = std::make_shared<PassTimes>();
  const u64 experts = model.experts == 0 ? 1 : model.experts / spec.layout.expert;
  times->layers = {{part(model.attention_flop(tokens), model.attention_parameters()),
                    part(model.feed_forward_flop(tokens), model.feed_forward_parameters() * experts)}};
  times->logits = part(model.logits_flop(tokens), model.embedding_parameters());
  // Adam: a parameter, its gradient, its copy and two moments of 4 bytes each, read and written.
  constexpr double state = 2 * 4 * 4.0;
  const u64 layers = model.layers / spec.stages();
  const u32 data = spec.zero_stage > 0 ? spec.layout.degree(Sharing::data) : 1;
  times->optimizer.clear();
  for (u32 stage = 0; stage < spec.stages(); ++stage) {
    const u64 parameters = layers * (spec.dense_parameters() + spec.expert_parameters()) +
                           spec.embeddings_of(stage) * spec.embedding_parameters();
    times->optimizer.push_back(device.ns(0, static_cast<double>(parameters) / data * (state + element)));
  }
  return times;
}

}  // namespace weft::workloads
