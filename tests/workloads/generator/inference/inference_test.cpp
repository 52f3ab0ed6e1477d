// Inference: bytes are those of the closed forms, every request is worked on, iterations keep to the limits.
#include "workloads/generator/inference/inference.hpp"

#include <gtest/gtest.h>

#include "tests/workloads/generator/accelerator/lane_flow.hpp"
#include "workloads/generator/inference/batching.hpp"

namespace weft::workloads {
namespace {

struct Shape {
  u32 tensor, pipeline, expert, replicas, prefill_replicas, experts;
  bool layer_by_layer;
};
const std::vector<Shape> shapes_of_inference{
    {1, 1, 1, 1, 0, 0, true}, {4, 1, 1, 2, 0, 0, true},  {2, 2, 1, 3, 0, 0, true},  {2, 1, 2, 4, 0, 8, true},
    {1, 4, 1, 2, 1, 0, true}, {2, 2, 1, 3, 1, 0, false}, {2, 1, 2, 6, 2, 8, false}, {1, 2, 2, 4, 2, 4, true}};

InferenceSpec spec_of_shape(const Shape& shape, double each_second) {
  InferenceSpec spec;
  spec.model = {
      .layers = 8, .hidden = 64, .feed_forward = 256, .vocabulary = 100, .experts = shape.experts, .top_k = 2};
  spec.kv_hidden = 16;
  spec.device = {100, 1};
  spec.tensor = shape.tensor;
  spec.pipeline = shape.pipeline;
  spec.expert = shape.expert;
  spec.tasks = shape.tensor * shape.pipeline * shape.replicas;
  spec.prefill_tasks = shape.tensor * shape.pipeline * shape.prefill_replicas;
  spec.layer_by_layer = shape.layer_by_layer;
  spec.max_batch = 8;
  spec.prefill_batch_tokens = 100;
  spec.requests = draw_requests({.requests = 41,
                                 .each_second = each_second,
                                 .least_prompt = 5,
                                 .most_prompt = 60,
                                 .least_output = 1,
                                 .most_output = 9,
                                 .seed = 3});
  return spec;
}

TEST(Inference, BytesAreThoseOfTheClosedForms) {
  for (const Shape& shape : shapes_of_inference) {
    for (const double each_second : {0.0, 2e4}) {
      const InferenceSpec spec = spec_of_shape(shape, each_second);
      lane_test::Flow flow = lane_test::run_lanes(*make_inference(spec));
      EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
      const auto bytes = [&](InferenceActivity what) { return flow.bytes_of_activity[static_cast<u8>(what)]; };
      // Keys and values of all tokens of the prompts that go on, in all layers, once.
      u64 kept = 0;
      for (const InferenceRequest& request : spec.requests)
        kept += request.output_tokens > 1 ? request.prompt_tokens : 0;
      EXPECT_EQ(bytes(InferenceActivity::kv), shape.prefill_replicas == 0 ? 0 : 2 * 8 * 16 * 2 * kept);
      // Two allreduces a layer of each iteration of each replica, with experts on other replicas one of them of the
      // top-2 copies; tokens to their experts and back.
      u64 tokens = 0, back = 0;
      for (const Engine& engine : plan_inference(spec).engines) {
        for (const Iteration& of : engine.iterations) {
          tokens += u64{shape.expert} * of.tokens;
          back += u64{shape.expert} * of.outputs;
        }
      }
      const u64 activations = tokens * 64 * 2, reductions = shape.expert > 1 ? 1 + 2 : 2;
      EXPECT_EQ(bytes(InferenceActivity::tensor), reductions * 8 * 2 * (shape.tensor - 1) * activations);
      EXPECT_EQ(bytes(InferenceActivity::expert),
                shape.experts > 0 ? 8 * 2 * 2 * activations * (shape.expert - 1) / shape.expert : 0);
      EXPECT_EQ(bytes(InferenceActivity::pipeline),
                shape.pipeline > 1 ? shape.tensor * ((shape.pipeline - 1) * activations + 4 * back) : 0);
    }
  }
}

TEST(Inference, EveryRequestIsPrefilledOnceAndGetsItsTokens) {
  for (const Shape& shape : shapes_of_inference) {
    for (const double each_second : {0.0, 2e4}) {
      const InferenceSpec spec = spec_of_shape(shape, each_second);
      const InferencePlan plan = plan_inference(spec);
      u64 prefilled = 0, prompts = 0, decoded = 0, all_prompts = 0, all_outputs = 0;
      for (const InferenceRequest& request : spec.requests) {
        all_prompts += request.prompt_tokens;
        all_outputs += request.output_tokens - 1;
      }
      for (const Engine& engine : plan.engines) {
        u32 taken = 0;
        for (const Iteration& of : engine.iterations) {
          EXPECT_EQ(of.first, taken);
          taken = of.taken;
          EXPECT_GT(of.tokens, 0u);
          if (shape.expert == 1) {
            EXPECT_EQ(of.outputs, of.prefill ? of.taken - of.first : of.tokens);
          }
          if (of.prefill) prompts += of.tokens;
          if (of.prefill) prefilled += of.taken - of.first;
          if (!of.prefill) decoded += of.tokens;
          // No more together than a slot has places for, and no more tokens of prompts than the limit.
          EXPECT_LE(of.tokens, of.prefill ? 100u : 8 / shape.pipeline);
          EXPECT_LT(of.slot, shape.pipeline);
        }
        EXPECT_EQ(taken, engine.queue.size());
      }
      EXPECT_EQ(prefilled, spec.requests.size());
      // Replicas with each other's experts are filled up to the one with most.
      if (shape.expert == 1) {
        EXPECT_EQ(prompts, all_prompts);
        EXPECT_EQ(decoded, all_outputs);
      } else {
        EXPECT_GE(prompts * shape.expert, all_prompts);
        EXPECT_GE(decoded * shape.expert, all_outputs);
      }
    }
  }
}

TEST(Inference, DecodingIsBoundByMemoryAndPromptsByOperations) {
  InferenceSpec spec = spec_of_shape(shapes_of_inference.front(), 0);
  spec.model = {.layers = 1, .hidden = 1024, .feed_forward = 4096, .vocabulary = 1000};
  spec.kv_hidden = 1024;
  spec.device = {5e5, 3000};
  // A token: all weights of the feed-forward part once, of two bytes each.
  const StageTimes decode = iteration_times(spec, {.tokens = 1, .scores = 500, .context = 500});
  EXPECT_EQ(decode.feed_forward, static_cast<u64>(2 * 2 * 1024 * 4096 / 3000.0 + 0.5));
  // Its attention: four square products, and keys and values of 500 tokens and its own.
  EXPECT_EQ(decode.attention, static_cast<u64>(2 * (4 * 1024 * 1024 + 2 * 1024 * 501) / 3000.0 + 0.5));
  // 4000 tokens: two operations for each weight and token.
  const StageTimes prefill = iteration_times(spec, {.prefill = true, .tokens = 4000, .scores = 0});
  EXPECT_EQ(prefill.feed_forward, static_cast<u64>(2.0 * 4000 * 2 * 1024 * 4096 / 5e5 + 0.5));
  EXPECT_EQ(prefill.attention, static_cast<u64>(2.0 * 4000 * 4 * 1024 * 1024 / 5e5 + 0.5));
}

TEST(Inference, RequestsArriveAtTheirRateAndHaveLengthsOfTheirRange) {
  const u32 count = 20'000;
  const auto requests = draw_requests({.requests = count,
                                       .each_second = 1000,
                                       .least_prompt = 10,
                                       .most_prompt = 13,
                                       .least_output = 7,
                                       .most_output = 7,
                                       .seed = 1});
  EXPECT_NEAR(static_cast<double>(requests.back().arrival_ns) / count, 1e6, 3e4);
  std::map<u32, u32> prompts;
  u64 before = 0;
  for (const InferenceRequest& request : requests) {
    EXPECT_GE(request.arrival_ns, before);
    before = request.arrival_ns;
    ++prompts[request.prompt_tokens];
    EXPECT_EQ(request.output_tokens, 7u);
  }
  EXPECT_EQ(prompts.size(), 4u);
  for (const auto& [tokens, times] : prompts) EXPECT_NEAR(times, count / 4, 300) << tokens;
}

}  // namespace
}  // namespace weft::workloads
