// Times of passes by a roofline, and of what experts of unequal popularity have to do.
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "workloads/generator/training/training.hpp"

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

void TrainingSpec::draw_popularity(const PopularityLaw& law) {
  constexpr double most = 0x1p28;  // some seconds
  const double draws = static_cast<double>(model.layers) * expert_groups() * static_cast<double>(model.experts);
  if (draws > most) {
    throw ConfigError(fmt::format(
        "workload.counts_law draws too much for {} layers of {} experts in {} groups ({} at most in all); use fewer "
        "layers or experts, or counts_law = \"equal\"",
        model.layers, model.experts, expert_groups(), static_cast<u64>(most)));
  }
  const RoutedTokens routed{tokens() / layout.degree(Sharing::tensor), model.top_k, model.experts};
  const u64 experts_of_place = model.experts / layout.expert;
  auto all = std::make_shared<std::vector<u64>>(model.layers * layout.degree(Sharing::data));
  auto place = all->begin();
  for (u64 layer = 0; layer < model.layers; ++layer) {
    for (u32 group = 0; group < expert_groups(); ++group) {
      const std::vector<u64> each = copies_of_experts(law, routed, layer, group);
      for (auto expert = each.begin(); expert != each.end(); expert += static_cast<std::ptrdiff_t>(experts_of_place))
        *place++ = std::accumulate(expert, expert + static_cast<std::ptrdiff_t>(experts_of_place), u64{0});
    }
  }
  copies = std::move(all);
}

std::span<const u64> TrainingSpec::copies_of_places(u64 layer, u32 group) const {
  if (!copies) return {};
  return std::span(*copies).subspan((layer * expert_groups() + group) * layout.expert, layout.expert);
}

double TrainingSpec::load_of(u64 of_place) const {
  const u64 all = tokens() * model.top_k / layout.degree(Sharing::tensor);
  return static_cast<double>(of_place) * layout.expert / static_cast<double>(all);
}

namespace {

/// Times of parts by a roofline, shared out among tensors.
class Roofline {
 public:
  explicit Roofline(const TrainingSpec& spec)
      : device_(spec.device),
        shared_(spec.layout.degree(Sharing::tensor)),
        element_(static_cast<double>(spec.model.element_bytes)) {
    // Weights once, and the activations of a layer that go in and out of its products: some 8 times the hidden size.
    constexpr double activations = 8;
    activations_ =
        activations * static_cast<double>(spec.tokens()) * static_cast<double>(spec.model.hidden) * element_ / shared_;
  }

  /// Backward twice as much, half of it for the gradients of weights. `load`: times of all tokens.
  [[nodiscard]] PartTimes part(double flop, u64 parameters, double load = 1) const {
    const u64 backward = ns(2 * flop, 2 * parameters, load);
    return {ns(flop, parameters, load), backward / 2, backward - backward / 2};
  }

 private:
  [[nodiscard]] u64 ns(double flop, u64 parameters, double load) const {
    return device_.ns(flop * load / shared_,
                      static_cast<double>(parameters) * element_ / shared_ + activations_ * load);
  }

  Device device_;
  double shared_, element_, activations_ = 0;
};

PartTimes feed_forward_part(const TrainingSpec& spec, double load) {
  const ModelShape& model = spec.model;
  const u64 experts = model.experts == 0 ? 1 : model.experts / spec.layout.expert;
  return Roofline(spec).part(model.feed_forward_flop(static_cast<double>(spec.tokens())),
                             model.feed_forward_parameters() * experts, load);
}

}  // namespace

LayerTimes TrainingSpec::times_of_layer(u64 layer, double load) const {
  LayerTimes of = times->of_layer(layer);
  if (load == 1) return of;
  PartTimes& part = of.feed_forward;
  if (load == 0) {
    part = {};
  } else if (!measured) {
    part = feed_forward_part(*this, load);
  } else {
    for (u64* const ns : {&part.forward, &part.backward, &part.weights})
      *ns = static_cast<u64>(std::llround(static_cast<double>(*ns) * load));
  }
  return of;
}

std::shared_ptr<const PassTimes> roofline_times(const TrainingSpec& spec) {
  const ModelShape& model = spec.model;
  const auto tokens = static_cast<double>(spec.tokens());
  const Roofline roofline(spec);
  auto times = std::make_shared<PassTimes>();
  times->layers = {
      {roofline.part(model.attention_flop(tokens), model.attention_parameters()), feed_forward_part(spec, 1)}};
  times->logits = roofline.part(model.logits_flop(tokens), model.embedding_parameters());
  // Adam: a parameter, its gradient, its copy and two moments of 4 bytes each, read and written.
  constexpr double state = 2 * 4 * 4.0;
  const u64 layers = model.layers / spec.stages();
  const u32 data = spec.zero_stage > 0 ? spec.layout.degree(Sharing::data) : 1;
  times->optimizer.clear();
  for (u32 stage = 0; stage < spec.stages(); ++stage) {
    const u64 parameters = layers * (spec.dense_parameters() + spec.expert_parameters()) +
                           spec.embeddings_of(stage) * spec.embedding_parameters();
    times->optimizer.push_back(
        spec.device.ns(0, static_cast<double>(parameters) / data * (state + static_cast<double>(model.element_bytes))));
  }
  return times;
}

}  // namespace weft::workloads
