// The program of a training.
#include "workloads/generator/training/training.hpp"

#include <fmt/format.h>

#include "workloads/generator/training/training_lanes.hpp"
#include "workloads/program/generator_program.hpp"

namespace weft::workloads {

std::unique_ptr<Program> make_training(const TrainingSpec& spec) {
  const auto& degrees = spec.layout.degrees;
  LanePlan plan;
  plan.name = fmt::format("{} layers of {}, {} x tensor {} x context {} x pipeline {} of data", spec.model.layers,
                          spec.model.hidden, degrees[2], degrees[0], degrees[1], degrees[3]);
  plan.tasks = spec.tasks;
  plan.lanes = static_cast<u32>(TrainingLane::count);
  plan.activities = {{"forward", false},  {"backward", false}, {"weights", false}, {"optimizer", false},
                     {"tensor", true},    {"context", true},   {"expert", true},   {"pipeline", true},
                     {"gradients", true}, {"parameters", true}};
  plan.least_waits_ns = [spec] { return least_waits_of_training(spec); };
  plan.open = [spec](u32 task, u32 lane) { return training_lane(spec, task, static_cast<TrainingLane>(lane)); };
  return std::make_unique<GeneratorProgram>(std::move(plan));
}

}  // namespace weft::workloads
