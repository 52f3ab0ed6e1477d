// Kind "training": steps of training a transformer model on accelerators.
#include "workloads/generator/training/training.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "engine/base/text/text_file.hpp"
#include "workloads/generator/kind/model_keys.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/generator/training/measured_times.hpp"

namespace weft::workloads {
namespace {

u64 whole(const Parameters& keys, const char* name) { return static_cast<u64>(keys.integer(name)); }

ScheduleKind schedule_of(const std::string& name) {
  return meaning_of<ScheduleKind>(name, {{"1f1b", ScheduleKind::one_forward_one_backward},
                                         {"interleaved", ScheduleKind::interleaved},
                                         {"zero-bubble", ScheduleKind::zero_bubble}});
}

void check_model(const TrainingSpec& spec) {
  const ModelShape& model = spec.model;
  const ParallelLayout& layout = spec.layout;
  const u32 stages = spec.stages();
  check_divides(model.layers, u64{stages} * spec.chunks, "workload.layers",
                spec.chunks > 1 ? "workload.pipeline x workload.chunks" : "workload.pipeline");
  check_divides(model.hidden, layout.degree(Sharing::tensor), "workload.hidden", "workload.tensor");
  check_divides(model.sequence, u64{layout.degree(Sharing::context)} * layout.degree(Sharing::tensor),
                "workload.sequence", "workload.context x workload.tensor");
  if (model.experts > 0) check_divides(model.experts, layout.expert, "workload.experts", "workload.expert");
  check_divides(layout.degree(Sharing::data), layout.expert, "the degree of data parallelism", "workload.expert");
  check_top_k(model);
  if (spec.embeddings != Embeddings::none && spec.zero_stage == 3) {
    throw ConfigError(
        "workload.embeddings does not fit workload.zero_stage = 3 (embeddings are not gathered for each pass); use "
        "zero_stage = 2 or less, or embeddings = \"none\"");
  }
  if (spec.schedule != ScheduleKind::interleaved) return;
  if (stages == 1)
    throw ConfigError(
        "workload.schedule = \"interleaved\" has nothing to interleave in one stage; use pipeline = 2 or "
        "more, or \"1f1b\"");
  check_divides(spec.micro_batches, stages, "the number of micro-batches", "workload.pipeline");
}

/// A message is no longer than the network takes: the longest are those among tensors and of gradients.
void check_messages(const TrainingSpec& spec, const TaskLimits& limits) {
  // Experts that all tokens go to are at most so many in one place.
  const u64 of_place = spec.copies ? std::min(spec.model.top_k, spec.model.experts / spec.layout.expert) : 0;
  const u64 copies = std::max(spec.model.experts_of_token(), of_place * spec.layout.expert);
  const u64 activations = spec.model.activation_bytes(spec.tokens()) * std::max<u64>(4, copies);
  const u64 embedding = spec.embeddings == Embeddings::none ? 0 : spec.embedding_parameters();
  const u64 parameters = std::max(spec.dense_parameters() + spec.expert_parameters(), embedding);
  check_longest_message(std::max(activations, parameters * std::max(spec.gradient_bytes, spec.model.element_bytes)),
                        limits);
}

/// How popular the experts are, if they are shared out and not all as popular.
std::optional<PopularityLaw> popularity_of(const WorkloadSpec& from) {
  const std::string name = from.keys.text("counts_law");
  if (name == "equal") return {};
  return PopularityLaw{meaning_of<CountsLaw>(name, {{"uniform", CountsLaw::uniform}, {"zipf", CountsLaw::zipf}}),
                       from.keys.real("counts_exponent"), from.seed};
}

std::shared_ptr<const PassTimes> times_of(const Parameters& keys, const TrainingSpec& spec) {
  const std::string path = keys.text("times");
  if (path.empty()) return roofline_times(spec);
  constexpr u64 most_bytes = u64{1} << 26;
  return read_pass_times(read_text_file<InputError>(path, most_bytes, "file of workload.times"), path,
                         static_cast<u32>(spec.model.layers), spec.stages());
}

std::unique_ptr<Program> training_of(const WorkloadSpec& from) {
  const Parameters& keys = from.keys;
  TrainingSpec spec;
  spec.model = model_of(keys);
  spec.model.sequence = whole(keys, "sequence");
  spec.tasks = from.tasks;
  const u64 shared = whole(keys, "tensor") * whole(keys, "pipeline") * whole(keys, "context");
  check_divides(from.tasks, shared, "the number of tasks", "workload.tensor x workload.pipeline x workload.context");
  const u64 data = from.tasks / shared;
  spec.layout.degrees = {static_cast<u32>(whole(keys, "tensor")), static_cast<u32>(whole(keys, "context")),
                         static_cast<u32>(data), static_cast<u32>(whole(keys, "pipeline"))};
  spec.layout.expert = static_cast<u32>(whole(keys, "expert"));
  spec.layout.set_order(keys.text("parallel_order"));
  spec.micro_batch = static_cast<u32>(whole(keys, "micro_batch"));
  check_divides(whole(keys, "batch"), data * spec.micro_batch, "workload.batch",
                "the degree of data parallelism x workload.micro_batch");
  spec.micro_batches = static_cast<u32>(whole(keys, "batch") / (data * spec.micro_batch));
  spec.schedule = schedule_of(keys.text("schedule"));
  spec.chunks = spec.schedule == ScheduleKind::interleaved ? static_cast<u32>(whole(keys, "chunks")) : 1;
  spec.sequence_parallel = keys.flag("sequence_parallel");
  spec.recompute = keys.flag("recompute");
  spec.zero_stage = static_cast<u32>(whole(keys, "zero_stage"));
  spec.overlap_gradients = keys.flag("overlap_gradients");
  spec.gradient_bytes = whole(keys, "gradient_bytes");
  spec.embeddings =
      meaning_of<Embeddings>(keys.text("embeddings"),
                             {{"none", Embeddings::none}, {"tied", Embeddings::tied}, {"untied", Embeddings::untied}});
  spec.steps = count_or(keys, "repetitions", 1);
  spec.device = device_of(keys);
  spec.measured = !keys.text("times").empty();
  check_model(spec);
  if (const auto law = popularity_of(from)) spec.draw_popularity(*law);
  check_messages(spec, from.limits);
  spec.times = times_of(keys, spec);
  return make_training(spec);
}

/// All tokens are on one accelerator, or go to all.
std::optional<Complaint> unused_popularity(const Parameters& keys) {
  const std::string key = "workload.counts_law";
  if (keys.text("counts_law") == "equal") return {};
  if (keys.integer("expert") == 1)
    return Complaint{key, "with workload.expert = 1 (each accelerator has all experts)",
                     "remove it, or give workload.expert = 2 or more"};
  if (keys.integer("top_k") != keys.integer("experts")) return {};
  return Complaint{key, fmt::format("with workload.top_k = {} (each token goes to all experts)", keys.integer("top_k")),
                   "remove it, or use a smaller top_k"};
}

std::optional<Complaint> unused_in_training(const Parameters& keys, const std::string& name) {
  if (name == "counts_law") return unused_popularity(keys);
  if (name == "chunks" && keys.text("schedule") != "interleaved")
    return Complaint{"workload.chunks", "with workload.schedule = \"" + keys.text("schedule") + "\"",
                     "remove it, or use schedule = \"interleaved\""};
  if (name == "sequence_parallel" && keys.integer("tensor") == 1)
    return Complaint{"workload.sequence_parallel", "with workload.tensor = 1", "remove it, or use tensor = 2 or more"};
  const bool of_roofline = name == "device_tflops" || name == "device_efficiency" || name == "memory_gbytes_per_s";
  const bool of_logits = name == "vocabulary" && keys.text("embeddings") == "none";
  if ((of_roofline || of_logits) && !keys.text("times").empty())
    return Complaint{"workload." + name, "with workload.times (it gives all times of computing)", "remove one of them"};
  return unused_without_experts(keys, name);
}

constexpr i64 most = i64{1} << 32;

[[maybe_unused]] const bool training_registered = WorkloadRegistry::instance().add(
    "training",
    {.help = "those of steps of training a transformer model on accelerators",
     .place = 5,
     .settings = with_model_rows(
         {row_of::tasks(), row::integer("workload.sequence", "tokens", 2048, {1, 1 << 28}, "length of a sequence."),
          row::integer("workload.batch", "sequences", 64, {1, most}, "of a step, on all accelerators together."),
          row::integer("workload.micro_batch", "sequences", 1, {1, 1 << 20}, "that go through together."),
          row::integer("workload.context", "tasks", 1, {1, 1 << 20},
                       "degree of context parallelism: parts of a sequence, by ring attention."),
          row::integer("workload.expert", "tasks", 1, {1, 1 << 20},
                       "degree of expert parallelism, within that of data, which is what is left of the tasks."),
          row::choice("workload.counts_law", "equal", {"equal", "uniform", "zipf"},
                      "how popular the experts of a layer are, of each group that shares them out: all alike, or drawn "
                      "from nothing to twice the mean, or by Zipf's law in a random order."),
          row::real("workload.counts_exponent", "", 1, {0, 8},
                    "the k-th most popular expert is 1 / k^exponent as popular as the first.")
              .only_with("workload.counts_law", {"zipf"}),
          row::text("workload.parallel_order", "tensor-context-data-pipeline",
                    "which tasks are neighbours in number, in which way of sharing, first to last."),
          row::choice("workload.schedule", "1f1b", {"1f1b", "interleaved", "zero-bubble"},
                      "of the pipeline: one forward, one backward; the same with several chunks of layers a stage; "
                      "gradients of weights apart, to fill gaps (ZB-H1)."),
          row::integer("workload.chunks", "chunks", 2, {2, 1 << 10}, "of layers that a stage has, if interleaved."),
          row::boolean("workload.sequence_parallel", true,
                       "allgathers and reduce-scatters along the sequence in place of allreduces among tensors."),
          row::boolean("workload.recompute", false, "backward passes do the forward ones again, to save memory."),
          row::integer("workload.zero_stage", "", 1, {0, 3},
                       "shared out among data parallel tasks: 1 states of the optimizer, 2 gradients too, 3 parameters "
                       "too; 0 nothing."),
          row::boolean("workload.overlap_gradients", true,
                       "gradients of a layer are reduced while those of others are made; else after all."),
          row::choice("workload.embeddings", "none", {"none", "tied", "untied"},
                      "whose gradients are reduced as those of layers are: none; one that the logits use too, so that "
                      "first and last stage add theirs up; one and the weights of the logits."),
          row::path(
              "workload.times",
              "a table of measured times of computing, in place of a roofline: parts of layers, logits, optimizer."),
          row::integer("workload.gradient_bytes", "bytes", 2, {1, 64}, "of a gradient that is reduced."),
          row_of::repetitions("steps; 0 = one.")}),
     .check = check_experts,
     .unused = unused_in_training,
     .make = training_of,
     .has_lanes = true});

}  // namespace
}  // namespace weft::workloads
