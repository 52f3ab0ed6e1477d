// Rows, checks and meanings of the keys of models and devices.
#include "workloads/generator/kind/model_keys.hpp"

#include <fmt/format.h>
#include <iterator>

#include "engine/base/error.hpp"

namespace weft::workloads {

std::vector<Setting> with_model_rows(std::vector<Setting> own) {
  std::vector<Setting> rows{
      row::integer("workload.layers", "layers", 24, {1, 1 << 20}, "of the model."),
      row::integer("workload.hidden", "elements", 2048, {1, 1 << 24}, "hidden size of the model."),
      row::integer("workload.feed_forward", "elements", 0, {0, 1 << 26},
                   "size inside the feed-forward part of a layer; 0 = four times workload.hidden."),
      row::integer("workload.vocabulary", "tokens", 51'200, {1, 1 << 26},
                   "for the time of the logits, and the size of embeddings."),
      row::integer("workload.experts", "experts", 0, {0, 1 << 20}, "of each layer; 0 = none."),
      row::integer("workload.top_k", "experts", 2, {1, 1 << 10}, "that a token goes to."),
      row::integer("workload.parameter_bytes", "bytes", 2, {1, 64}, "of a parameter or an activation."),
      row::integer("workload.tensor", "tasks", 1, {1, 1 << 20}, "degree of tensor parallelism."),
      row::integer("workload.pipeline", "stages", 1, {1, 1 << 20}, "degree of pipeline parallelism."),
      row::real("workload.device_tflops", "10^12 operations/s", 989, {1e-6, 1e9}, "peak of an accelerator."),
      row::real("workload.device_efficiency", "", 0.5, {1e-6, 1}, "share of the peak that products reach."),
      row::real("workload.memory_gbytes_per_s", "10^9 bytes/s", 3350, {1e-6, 1e9}, "of an accelerator.")};
  std::move(own.begin(), own.end(), std::back_inserter(rows));
  return rows;
}

ModelShape model_of(const Parameters& keys) {
  const auto whole = [&keys](const char* name) { return static_cast<u64>(keys.integer(name)); };
  ModelShape model;
  model.layers = whole("layers");
  model.hidden = whole("hidden");
  model.feed_forward = whole("feed_forward") > 0 ? whole("feed_forward") : 4 * model.hidden;
  model.vocabulary = whole("vocabulary");
  model.experts = whole("experts");
  model.top_k = whole("top_k");
  model.element_bytes = whole("parameter_bytes");
  return model;
}

Device device_of(const Parameters& keys) {
  constexpr double tera_each_ns = 1e3;  // 10^12 a second, in a nanosecond
  return {keys.real("device_tflops") * tera_each_ns * keys.real("device_efficiency"), keys.real("memory_gbytes_per_s")};
}

std::optional<Complaint> check_experts(const Parameters& keys) {
  if (keys.integer("expert") == 1 || keys.integer("experts") > 0) return {};
  return Complaint{"workload.expert", "shares experts out that the model does not have",
                   "give workload.experts, or remove it"};
}

std::optional<Complaint> unused_without_experts(const Parameters& keys, const std::string& name) {
  if (name != "top_k" || keys.integer("experts") > 0) return {};
  return Complaint{"workload.top_k", "without workload.experts", "remove it, or give workload.experts"};
}

void check_divides(u64 amount, u64 parts, const std::string& amount_text, const std::string& parts_text) {
  if (amount % parts == 0 && amount > 0) return;
  const u64 below = amount / parts * parts;
  throw ConfigError(fmt::format("{} = {} cannot be shared out evenly among {} = {}; use {}{}{}", amount_text, amount,
                                parts_text, parts, below > 0 ? std::to_string(below) + " or " : "", below + parts,
                                parts_text.starts_with("workload.") ? ", or other " + parts_text : ""));
}

void check_top_k(const ModelShape& model) {
  if (model.experts == 0 || model.top_k <= model.experts) return;
  throw ConfigError(
      fmt::format("workload.top_k = {} are more experts than a layer has (workload.experts = {}); use {} or less",
                  model.top_k, model.experts, model.experts));
}

}  // namespace weft::workloads
