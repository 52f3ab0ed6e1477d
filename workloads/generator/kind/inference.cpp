// Kind "inference": requests to a transformer model on accelerators.
#include "workloads/generator/inference/inference.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/generator/kind/model_keys.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

u64 amount_of(const Parameters& keys, const char* name) { return static_cast<u64>(keys.integer(name)); }
u32 number_of(const Parameters& keys, const char* name) { return static_cast<u32>(keys.integer(name)); }

RequestLaw request_law(const Parameters& keys, u64 seed) {
  RequestLaw law;
  law.requests = number_of(keys, "requests");
  law.each_second = keys.real("requests_per_s");
  law.least_prompt = number_of(keys, "prompt_tokens");
  law.most_prompt = std::max(law.least_prompt, number_of(keys, "most_prompt_tokens"));
  law.least_output = number_of(keys, "output_tokens");
  law.most_output = std::max(law.least_output, number_of(keys, "most_output_tokens"));
  law.seed = seed;
  return law;
}

void check_groups(const InferenceSpec& spec) {
  const std::string group =
      spec.expert > 1 ? "workload.tensor x workload.pipeline x workload.expert" : "workload.tensor x workload.pipeline";
  const u64 each = u64{spec.replica_tasks()} * spec.expert;
  check_divides(spec.model.layers, spec.pipeline, "workload.layers", "workload.pipeline");
  check_divides(spec.model.hidden, spec.tensor, "workload.hidden", "workload.tensor");
  check_divides(spec.kv_hidden, spec.tensor, "workload.kv_hidden", "workload.tensor");
  if (spec.model.experts > 0) check_divides(spec.model.experts, spec.expert, "workload.experts", "workload.expert");
  check_top_k(spec.model);
  check_divides(spec.tasks, each, "the number of tasks", group);
  if (!spec.disaggregated()) return;
  check_divides(spec.prefill_tasks, each, "workload.prefill_tasks", group);
  if (spec.prefill_tasks >= spec.tasks) {
    throw ConfigError(fmt::format("workload.prefill_tasks = {} leave none of {} tasks to decode; use {} or less",
                                  spec.prefill_tasks, spec.tasks, spec.tasks - each));
  }
}

/// Activations of all that goes through together, or the cache of the longest prompt.
void check_inference_messages(const InferenceSpec& spec, const TaskLimits& limits) {
  u64 prompt = 1;
  for (const InferenceRequest& request : spec.requests) prompt = std::max<u64>(prompt, request.prompt_tokens);
  const u64 tokens = std::max({prompt, u64{spec.prefill_batch_tokens}, u64{spec.max_batch}});
  check_longest_message(spec.model.activation_bytes(tokens) * spec.model.experts_of_token(), limits);
  if (spec.disaggregated())
    check_longest_message(spec.kv_bytes(static_cast<u32>(prompt)) * (spec.layer_by_layer ? 1 : spec.layers_of_stage()),
                          limits);
}

std::unique_ptr<Program> inference_of(const WorkloadSpec& from) {
  const Parameters& keys = from.keys;
  InferenceSpec spec;
  spec.model = model_of(keys);
  spec.kv_hidden = amount_of(keys, "kv_hidden") > 0 ? amount_of(keys, "kv_hidden") : spec.model.hidden;
  spec.device = device_of(keys);
  spec.cpu_scale = from.cpu_scale;
  spec.tensor = number_of(keys, "tensor");
  spec.pipeline = number_of(keys, "pipeline");
  spec.expert = number_of(keys, "expert");
  spec.tasks = from.tasks;
  spec.prefill_tasks = number_of(keys, "prefill_tasks");
  spec.layer_by_layer = keys.text("kv_transfer") != "whole";
  spec.max_batch = number_of(keys, "max_batch");
  spec.prefill_batch_tokens = number_of(keys, "prefill_batch_tokens");
  check_groups(spec);
  spec.requests = draw_requests(request_law(keys, from.seed));
  check_inference_messages(spec, from.limits);
  return make_inference(std::move(spec));
}

std::optional<Complaint> check_inference(const Parameters& keys) {
  if (auto complaint = check_experts(keys)) return complaint;
  for (const char* what : {"prompt", "output"}) {
    const i64 most = keys.integer(fmt::format("most_{}_tokens", what)),
              least = keys.integer(fmt::format("{}_tokens", what));
    if (most > 0 && most < least)
      return Complaint{fmt::format("workload.most_{}_tokens", what),
                       fmt::format("is less than workload.{}_tokens = {}", what, least), "use that or more"};
  }
  if (keys.integer("max_batch") < keys.integer("pipeline"))
    return Complaint{"workload.max_batch",
                     fmt::format("leaves stages without requests (workload.pipeline = {}, each "
                                 "with requests of its own)",
                                 keys.integer("pipeline")),
                     "use as many as stages, or more"};
  return {};
}

std::optional<Complaint> unused_in_inference(const Parameters& keys, const std::string& name) {
  if (name == "kv_transfer" && keys.integer("prefill_tasks") == 0)
    return Complaint{"workload.kv_transfer", "without workload.prefill_tasks (caches stay where they are)",
                     "remove it, or give prefill_tasks"};
  return unused_without_experts(keys, name);
}

constexpr i64 most_tokens = 1 << 24;

[[maybe_unused]] const bool inference_registered = WorkloadRegistry::instance().add(
    "inference",
    {.help = "those of requests to a transformer model on accelerators",
     .place = 5,
     .settings = with_model_rows(
         {row_of::tasks(),
          row::integer(
              "workload.kv_hidden", "elements", 0, {0, 1 << 24},
              "of the keys of a token in a layer, and of its values; 0 = workload.hidden, less with queries in "
              "groups."),
          row::integer("workload.expert", "tasks", 1, {1, 1 << 20},
                       "degree of expert parallelism, of neighbouring replicas, which work in step."),
          row::integer("workload.prefill_tasks", "tasks", 0, {0, 1 << 30},
                       "these work on prompts only, and send KV caches to the others, which decode; 0 = all do both."),
          row::choice("workload.kv_transfer", "layers", {"layers", "whole"},
                      "KV caches are sent layer by layer, while others are worked on; or whole, after all."),
          row::integer("workload.requests", "requests", 64, {1, 1 << 24}, "in all."),
          row::real("workload.requests_per_s", "requests/s", 0, {0, 1e9},
                    "mean rate at which they arrive, by a Poisson process; 0 = all at once."),
          row::integer("workload.prompt_tokens", "tokens", 1024, {1, most_tokens}, "of a request."),
          row::integer("workload.most_prompt_tokens", "tokens", 0, {0, most_tokens},
                       "any length from workload.prompt_tokens to this is as likely; 0 = all are the same."),
          row::integer("workload.output_tokens", "tokens", 128, {1, most_tokens},
                       "of a request, with the first, which the prefill makes."),
          row::integer("workload.most_output_tokens", "tokens", 0, {0, most_tokens},
                       "any number from workload.output_tokens to this is as likely; 0 = all are the same."),
          row::integer("workload.max_batch", "requests", 64, {1, 1 << 20}, "of a replica that are decoded together."),
          row::integer("workload.prefill_batch_tokens", "tokens", 8192, {1, most_tokens},
                       "of prompts of a replica that are worked on together, unless one alone has more."),
          row::real("workload.cpu_scale", "", 1.0, {0.0, 1e9},
                    "recorded computing time is multiplied by this; 0 = computing takes no time.")}),
     .check = check_inference,
     .unused = unused_in_inference,
     .make = inference_of,
     .has_lanes = true});

}  // namespace
}  // namespace weft::workloads
