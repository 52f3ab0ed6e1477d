// What the stages of a pipeline wait for each other where messages cost nothing: the schedule alone.
#include <algorithm>
#include <deque>

#include "workloads/generator/training/training.hpp"

namespace weft::workloads {
namespace {

/// A group of layers of a stage: how long its passes take, and when their inputs are there, in the order of
/// micro-batches.
struct Chunk {
  double forward = 0, backward = 0, weights = 0;
  std::deque<double> onwards, back;
};

/// A stage in a step: what it does next, and when it is free.
struct Stage {
  Schedule schedule;
  u64 left = 0;
  Pass next = {};
  std::vector<Chunk> chunks = {};
  double now = 0, waited = 0;
};

class Pipeline {
 public:
  Pipeline(const TrainingSpec& spec, u32 group) : spec_(spec), group_(group), last_(spec.stages() - 1) {
    for (u32 stage = 0; stage <= last_; ++stage) {
      stages_.push_back({.schedule = schedule_of(stage)});
      for (u32 chunk = 0; chunk < spec.chunks; ++chunk) stages_.back().chunks.push_back(times_of(stage, chunk));
    }
  }

  std::vector<double> waits() {
    double gradients = 0;
    for (u32 step = 0; step < spec_.steps; ++step) {
      run_step();
      if (spec_.embeddings == Embeddings::tied && last_ > 0) {
        Stage &first = stages_.front(), &last = stages_.back();
        const double both = std::max(first.now, last.now);
        gradients += 2 * both - first.now - last.now;
        first.now = last.now = both;
      }
      for (u32 stage = 0; stage <= last_; ++stage)
        stages_[stage].now += static_cast<double>(spec_.times->optimizer_of(stage));
    }
    double pipeline = 0;
    double last = 0;
    for (const Stage& stage : stages_) last = std::max(last, stage.now);
    for (const Stage& stage : stages_) pipeline += stage.waited + last - stage.now;
    std::vector<double> waits(static_cast<std::size_t>(TrainingActivity::parameters) + 1);
    waits[static_cast<std::size_t>(TrainingActivity::pipeline)] = pipeline / spec_.stages();
    waits[static_cast<std::size_t>(TrainingActivity::gradients)] = gradients / spec_.stages();
    return waits;
  }

 private:
  [[nodiscard]] Schedule schedule_of(u32 stage) const {
    return {spec_.schedule, stage, spec_.stages(), spec_.micro_batches, spec_.chunks};
  }
  [[nodiscard]] bool is_first(u32 stage, u32 chunk) const { return stage == 0 && chunk == 0; }
  [[nodiscard]] bool is_last(u32 stage, u32 chunk) const { return stage == last_ && chunk + 1 == spec_.chunks; }

  /// Accelerators with different experts of a layer wait for each other on the way to it and back.
  [[nodiscard]] LayerTimes slowest(u64 layer) const {
    const std::span<const u64> copies = spec_.copies_of_places(layer, group_);
    return spec_.times_of_layer(layer, copies.empty() ? 1 : spec_.load_of(*std::ranges::max_element(copies)));
  }

  [[nodiscard]] Chunk times_of(u32 stage, u32 chunk) const {
    PartTimes layers, ends;
    const auto add = [](PartTimes& to, const PartTimes& more) {
      to.forward += more.forward;
      to.backward += more.backward;
      to.weights += more.weights;
    };
    const u64 first = (u64{chunk} * spec_.stages() + stage) * spec_.layers_of_chunk();
    for (u64 layer = first; layer < first + spec_.layers_of_chunk(); ++layer) {
      const LayerTimes of = slowest(layer);
      add(layers, of.attention);
      add(layers, of.feed_forward);
    }
    if (is_first(stage, chunk)) add(ends, spec_.times->embedding);
    if (is_last(stage, chunk)) add(ends, spec_.times->logits);
    const u64 weights = layers.weights + ends.weights;
    const bool apart = spec_.schedule == ScheduleKind::zero_bubble;
    Chunk times;
    times.forward = static_cast<double>(layers.forward + ends.forward);
    times.backward = static_cast<double>(layers.backward + ends.backward + (apart ? 0 : weights) +
                                         (spec_.recompute ? layers.forward : 0));
    times.weights = static_cast<double>(weights);
    return times;
  }

  /// All stages go on as far as their inputs let them, until all is done.
  void run_step() {
    for (u32 stage = 0; stage <= last_; ++stage) {
      Stage& of = stages_[stage];
      of.schedule = schedule_of(stage);
      of.left = of.schedule.size();
      of.next = of.schedule.next();
    }
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (u32 stage = 0; stage <= last_; ++stage) {
        while (stages_[stage].left > 0 && pass(stage)) goes_on = true;
      }
    }
  }

  /// Does the next pass of a stage; false if its input is not made yet.
  bool pass(u32 number) {
    Stage& stage = stages_[number];
    const Pass& next = stage.next;
    Chunk& chunk = stage.chunks[next.chunk];
    const bool onwards = next.kind == PassKind::forward, passed_on = next.kind != PassKind::weights;
    if (passed_on && !(onwards ? is_first(number, next.chunk) : is_last(number, next.chunk))) {
      std::deque<double>& inputs = onwards ? chunk.onwards : chunk.back;
      if (inputs.empty()) return false;
      stage.waited += std::max(0.0, inputs.front() - stage.now);
      stage.now = std::max(stage.now, inputs.front());
      inputs.pop_front();
    }
    stage.now += onwards ? chunk.forward : passed_on ? chunk.backward : chunk.weights;
    if (passed_on && !(onwards ? is_last(number, next.chunk) : is_first(number, next.chunk))) {
      const bool wraps = onwards ? number == last_ : number == 0;
      const u32 to = onwards ? (wraps ? 0 : number + 1) : (wraps ? last_ : number - 1);
      Chunk& there = stages_[to].chunks[onwards ? next.chunk + (wraps ? 1 : 0) : next.chunk - (wraps ? 1 : 0)];
      (onwards ? there.onwards : there.back).push_back(stage.now);
    }
    if (--stage.left > 0) stage.next = stage.schedule.next();
    return true;
  }

  const TrainingSpec& spec_;
  u32 group_, last_;
  std::vector<Stage> stages_;
};

}  // namespace

std::vector<double> least_waits_of_training(const TrainingSpec& spec) {
  // Where experts are not equally popular, pipelines differ by the group of experts that they are in.
  const u32 groups = spec.copies ? spec.expert_groups() : 1;
  std::vector<double> mean = Pipeline(spec, 0).waits();
  for (u32 group = 1; group < groups; ++group) {
    const std::vector<double> more = Pipeline(spec, group).waits();
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += more[k];
  }
  for (double& ns : mean) ns /= groups;
  return mean;
}

}  // namespace weft::workloads
