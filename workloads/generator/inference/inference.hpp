// Inference of transformer models: requests arrive, their prompts are worked on (prefill), and then a token of each in
// every iteration (decode), by accelerators that share the model. docs/inference.md has the rules.
// Yu et al.: Orca (OSDI 2022); Kwon et al.: PagedAttention (SOSP 2023); Zhong et al.: DistServe (OSDI 2024).
#pragma once

#include <memory>
#include <vector>

#include "workloads/generator/training/model_shape.hpp"
#include "workloads/generator/training/parallel_layout.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

struct InferenceRequest {
  u64 arrival_ns = 0;
  u32 prompt_tokens = 1, output_tokens = 1;
};

/// How requests are drawn.
struct RequestLaw {
  u32 requests = 1;
  double each_second = 0;                 ///< Poisson's rate; 0: all at once
  u32 least_prompt = 1, most_prompt = 1;  ///< tokens, any between as likely
  u32 least_output = 1, most_output = 1;
  u64 seed = 1;
};
[[nodiscard]] std::vector<InferenceRequest> draw_requests(const RequestLaw& law);

struct InferenceSpec {
  ModelShape model;
  u64 kv_hidden = 1;  ///< elements of the keys of a token in a layer, and of the values
  Device device;
  double cpu_scale = 1;                      ///< times of computing are so many times as long
  u32 tensor = 1, pipeline = 1, expert = 1;  ///< degrees; experts are shared out among neighbouring replicas
  u32 tasks = 1;
  u32 prefill_tasks = 0;                   ///< 0: all tasks do both; else the first ones prefill, and the others decode
  bool layer_by_layer = true;              ///< KV caches are sent while other layers are worked on; else after all
  u32 max_batch = 1;                       ///< requests of a replica that are decoded together
  u32 prefill_batch_tokens = 1;            ///< of a replica in an iteration, unless a request alone has more
  std::vector<InferenceRequest> requests;  ///< in the order in which they arrive

  [[nodiscard]] bool disaggregated() const { return prefill_tasks > 0; }
  [[nodiscard]] u32 replica_tasks() const { return tensor * pipeline; }
  [[nodiscard]] u64 layers_of_stage() const { return model.layers / pipeline; }
  /// Bytes of the keys and values of a request on a task of a stage, of one layer.
  [[nodiscard]] u64 kv_bytes(u32 tokens) const { return 2 * kv_hidden / tensor * tokens * model.element_bytes; }
};

/// Activities, by their places in Program::activities.
enum class InferenceActivity : u8 { prefill, decode, arrivals, tensor, pipeline, expert, kv };

[[nodiscard]] std::unique_ptr<Program> make_inference(InferenceSpec spec);

}  // namespace weft::workloads
