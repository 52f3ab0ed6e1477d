// The program of an inference.
#include "workloads/generator/inference/inference.hpp"

#include <fmt/format.h>

#include "workloads/generator/inference/inference_lanes.hpp"
#include "workloads/program/generator_program.hpp"

namespace weft::workloads {

std::unique_ptr<Program> make_inference(InferenceSpec spec) {
  auto made = std::make_shared<const InferencePlan>(plan_inference(std::move(spec)));
  const InferenceSpec& of = made->spec;
  LanePlan plan;
  plan.name = fmt::format("{} requests to {} layers of {}, {} x tensor {} x pipeline {}", of.requests.size(),
                          of.model.layers, of.model.hidden, of.tasks / of.replica_tasks(), of.tensor, of.pipeline);
  plan.tasks = of.tasks;
  plan.lanes = static_cast<u32>(InferenceLane::count);
  plan.activities = {{"prefill", false}, {"decode", false},  {"arrivals", false, true},
                     {"tensor", true},   {"pipeline", true}, {"expert", true},
                     {"kv", true}};
  plan.waits_for_times = of.requests.back().arrival_ns > 0;
  plan.open = [made](u32 task, u32 lane) { return inference_lane(made, task, static_cast<InferenceLane>(lane)); };
  return std::make_unique<GeneratorProgram>(std::move(plan));
}

}  // namespace weft::workloads
