// Training: schedules do each pass once and wait for nothing that does not come; bytes are those of the closed forms.
#include "workloads/generator/training/training.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/accelerator/lane_flow.hpp"
#include "workloads/generator/training/measured_times.hpp"

namespace weft::workloads {
namespace {

using lane_test::Flow;
using lane_test::run_lanes;

/// End of the last pass where each takes one unit and messages none.
u64 length_of(ScheduleKind kind, u32 stages, u32 micro_batches, u32 chunks, u64 backward) {
  struct Stage {
    std::vector<Pass> passes;
    std::size_t at = 0;
    u64 free = 0;
  };
  std::vector<Stage> all(stages);
  for (u32 stage = 0; stage < stages; ++stage) {
    Schedule schedule(kind, stage, stages, micro_batches, chunks);
    std::set<std::tuple<PassKind, u32, u32>> seen;
    for (u64 left = schedule.size(); left > 0; --left) {
      all[stage].passes.push_back(schedule.next());
      const Pass& pass = all[stage].passes.back();
      EXPECT_LT(pass.micro_batch, micro_batches);
      EXPECT_LT(pass.chunk, chunks);
      EXPECT_TRUE(seen.insert({pass.kind, pass.micro_batch, pass.chunk}).second) << "twice";
    }
  }
  std::map<std::tuple<PassKind, u32, u32>, u64> over;  // kind, micro-batch, place in the model
  bool progress = true;
  while (progress) {
    progress = false;
    for (u32 stage = 0; stage < stages; ++stage) {
      Stage& s = all[stage];
      for (; s.at < s.passes.size(); ++s.at, progress = true) {
        const Pass& pass = s.passes[s.at];
        const u32 place = pass.chunk * stages + stage, last = stages * chunks - 1;
        u64 from = s.free;
        const auto needs = [&](PassKind what, u32 where) {
          const auto found = over.find({what, pass.micro_batch, where});
          if (found == over.end()) return false;
          from = std::max(from, found->second);
          return true;
        };
        if (pass.kind == PassKind::forward && place > 0 && !needs(PassKind::forward, place - 1)) break;
        if (pass.kind == PassKind::backward && place < last && !needs(PassKind::backward, place + 1)) break;
        if (pass.kind == PassKind::backward && !needs(PassKind::forward, place)) break;
        if (pass.kind == PassKind::weights && !needs(PassKind::backward, place)) break;
        s.free = from + (pass.kind == PassKind::backward ? backward : 1);
        over[{pass.kind, pass.micro_batch, place}] = s.free;
      }
    }
  }
  u64 length = 0;
  for (const Stage& s : all) {
    EXPECT_EQ(s.at, s.passes.size()) << "stuck";
    length = std::max(length, s.free);
  }
  return length;
}

TEST(Schedule, BubblesAreThoseOfThePapers) {
  for (u32 stages : {1u, 2u, 4u, 8u}) {
    for (u32 turns : {1u, 2u, 5u}) {
      const u32 micro = stages * turns;
      // 1F1B: (p - 1)(tF + tB) on top of m (tF + tB).
      EXPECT_EQ(length_of(ScheduleKind::one_forward_one_backward, stages, micro, 1, 2), (micro + stages - 1) * 3);
      // ZB-H1: (p - 1)(tF + tB - tW), with a third of the work in each.
      EXPECT_EQ(length_of(ScheduleKind::zero_bubble, stages, micro, 1, 1), micro * 3 + stages - 1);
      // Interleaved: the bubble is v times shorter; passes are of 1 / v of the layers.
      for (u32 chunks : {2u, 4u}) {
        if (stages > 1) {
          EXPECT_EQ(length_of(ScheduleKind::interleaved, stages, micro, chunks, 2), (micro * chunks + stages - 1) * 3u)
              << stages << " stages, " << micro << " micro-batches, " << chunks << " chunks";
        }
      }
    }
  }
  // Fewer micro-batches than stages.
  EXPECT_EQ(length_of(ScheduleKind::one_forward_one_backward, 8, 3, 1, 2), (3 + 7) * 3u);
}

struct Case {
  u32 tensor, context, data, pipeline, expert;
  u32 experts, zero;
  ScheduleKind schedule;
  bool sequence_parallel, recompute;
  Embeddings embeddings = Embeddings::none;
  std::optional<CountsLaw> popularity = {};
};

TEST(Training, BytesAreThoseOfTheClosedForms) {
  using S = ScheduleKind;
  const std::vector<Case> cases{
      {1, 1, 4, 1, 1, 0, 0, S::one_forward_one_backward, true, false},
      {4, 1, 1, 1, 1, 0, 1, S::one_forward_one_backward, true, false},
      {4, 1, 2, 2, 1, 0, 1, S::one_forward_one_backward, false, false},
      {2, 2, 2, 2, 1, 0, 1, S::one_forward_one_backward, true, true},
      {2, 1, 4, 2, 2, 8, 1, S::one_forward_one_backward, true, false},
      {1, 1, 4, 2, 4, 8, 2, S::one_forward_one_backward, true, false},
      {2, 1, 4, 2, 2, 8, 1, S::one_forward_one_backward, false, false},
      {2, 1, 4, 2, 1, 8, 1, S::one_forward_one_backward, true, true},
      {4, 1, 2, 1, 1, 8, 1, S::one_forward_one_backward, false, false},
      {2, 1, 4, 1, 1, 0, 3, S::one_forward_one_backward, true, false},
      {2, 1, 2, 4, 1, 0, 1, S::interleaved, true, false},
      {2, 1, 2, 4, 1, 0, 0, S::zero_bubble, true, false},
      {1, 4, 2, 2, 1, 0, 2, S::zero_bubble, true, true},
      {2, 1, 4, 4, 1, 0, 0, S::one_forward_one_backward, true, false, Embeddings::tied},
      {2, 1, 2, 2, 1, 0, 1, S::one_forward_one_backward, true, false, Embeddings::tied},
      {1, 2, 2, 4, 1, 0, 2, S::interleaved, true, false, Embeddings::tied},
      {2, 1, 4, 1, 1, 0, 1, S::one_forward_one_backward, true, false, Embeddings::tied},
      {1, 1, 4, 1, 1, 0, 2, S::one_forward_one_backward, true, false, Embeddings::untied},
      {2, 1, 2, 4, 1, 0, 0, S::zero_bubble, true, false, Embeddings::untied},
      {2, 1, 4, 2, 2, 8, 1, S::one_forward_one_backward, true, false, Embeddings::none, CountsLaw::zipf},
      {2, 1, 4, 2, 4, 8, 1, S::one_forward_one_backward, false, true, Embeddings::none, CountsLaw::uniform},
      {1, 2, 4, 2, 4, 8, 2, S::zero_bubble, true, false, Embeddings::none, CountsLaw::zipf},
  };
  for (const Case& c : cases) {
    TrainingSpec spec;
    spec.model = {.layers = 16,
                  .hidden = 128,
                  .feed_forward = 512,
                  .sequence = 64,
                  .vocabulary = 1000,
                  .experts = c.experts,
                  .top_k = 2,
                  .element_bytes = 2};
    spec.layout.degrees = {c.tensor, c.context, c.data, c.pipeline};
    spec.layout.expert = c.expert;
    spec.layout.set_order("tensor-context-data-pipeline");
    spec.tasks = c.tensor * c.context * c.data * c.pipeline;
    spec.micro_batches = 4;
    spec.micro_batch = 2;
    spec.schedule = c.schedule;
    spec.chunks = c.schedule == S::interleaved ? 2 : 1;
    spec.sequence_parallel = c.sequence_parallel;
    spec.recompute = c.recompute;
    spec.zero_stage = c.zero;
    spec.gradient_bytes = 4;
    spec.embeddings = c.embeddings;
    spec.steps = 2;
    spec.device = {1e6, 1e3};
    spec.times = roofline_times(spec);
    if (c.popularity) spec.draw_popularity({*c.popularity, 1.5, 7});
    Flow flow = run_lanes(*make_training(spec));
    EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
    const auto bytes = [&](TrainingActivity what) { return flow.bytes_of_activity[static_cast<u8>(what)]; };

    // Bytes of all tasks together, from the definitions of the ways of sharing.
    const u64 steps = 2, micro = 4, layers = 16, tasks = spec.tasks;
    const u64 passes = steps * micro * (layers / c.pipeline) * tasks;  // of a layer on a task, forward
    const u64 tokens = 64 / c.context * 2, activations = tokens * 128 * 2;
    const u64 times = 2 + (c.recompute ? 1 : 0);  // forward, backward, forward again
    // Each half of an allreduce sends (t - 1) / t of the activations: two allreduces a layer and pass, one of them of
    // the top-2 copies where the experts are on other accelerators.
    const u64 halves = c.expert > 1 ? 2 + 2 * 2 : 4;
    EXPECT_EQ(bytes(TrainingActivity::tensor), passes * times * halves * activations * (c.tensor - 1) / c.tensor);
    // Keys and values go round, backward with their gradients.
    EXPECT_EQ(bytes(TrainingActivity::context), passes * (times + 1) * 2 * (activations / c.tensor) * (c.context - 1));
    // Top-k copies of all tokens, there and back, but those for the own experts.
    const u64 copies = c.experts > 0 ? tokens * 2 / c.tensor * 128 * 2 : 0;
    EXPECT_EQ(bytes(TrainingActivity::expert), passes * times * 2 * copies * (c.expert - 1) / c.expert);
    const u64 borders = spec.chunks * c.pipeline - 1;
    const u64 shares = c.sequence_parallel ? c.tensor : 1;
    EXPECT_EQ(bytes(TrainingActivity::pipeline),
              steps * micro * 2 * borders * (tasks / c.pipeline) * (activations / shares));
    // Gradients: all parameters of a task's layers; experts only among those that have the same.
    const u64 attention = 4 * 128 * 128, feed_forward = 2 * 128 * 512;
    const u64 dense = layers / c.pipeline * (attention + (c.experts == 0 ? feed_forward : 0)) / c.tensor;
    const u64 expert = layers / c.pipeline * (c.experts / c.expert) * feed_forward / c.tensor;
    const u64 groups = c.data / c.expert;
    const auto among_data = [&](u64 element) {
      return tasks * (dense * element * (c.data - 1) / c.data + expert * element * (groups - 1) / groups);
    };
    // Embeddings of 1000 x 128: of one stage, of two, or two of one; first and last stage send all of their sums once.
    const u64 embedding = 1000 * 128 / c.tensor, of_stage = tasks / c.pipeline;
    const bool tied = c.embeddings == Embeddings::tied;
    const u64 embeddings = c.embeddings == Embeddings::none ? 0 : tied && c.pipeline == 1 ? 1 : 2;
    const auto of_embeddings = [&](u64 element) {
      return embeddings * of_stage * embedding * element * (c.data - 1) / c.data;
    };
    const u64 exchanged = tied && c.pipeline > 1 ? 2 * of_stage * embedding * 4 : 0;
    EXPECT_EQ(bytes(TrainingActivity::gradients),
              steps * (c.zero >= 2 ? micro : 1) * (among_data(4) + of_embeddings(4)) * (c.zero == 0 ? 2 : 1) +
                  steps * exchanged);
    const u64 gathers = c.zero == 0 ? 0 : c.zero == 3 ? 2 * micro : 1;
    EXPECT_EQ(bytes(TrainingActivity::parameters), steps * gathers * (among_data(2) + of_embeddings(2)));
  }
}

TEST(Training, SharesAddUpAndAreBounded) {
  EXPECT_EQ(bounded_shares({1, 1, 1}, 10, 10), (std::vector<u64>{3, 4, 3}));
  EXPECT_EQ(bounded_shares({8, 1, 1}, 10, 10), (std::vector<u64>{8, 1, 1}));
  EXPECT_EQ(bounded_shares({8, 1, 1}, 10, 6), (std::vector<u64>{6, 2, 2}));
  EXPECT_EQ(bounded_shares({100, 8, 1, 1}, 20, 6), (std::vector<u64>{6, 6, 4, 4}));
  EXPECT_EQ(bounded_shares({5, 1e-30, 3}, 12, 4), (std::vector<u64>{4, 4, 4}));
  EXPECT_EQ(bounded_shares({1}, 0, 3), (std::vector<u64>{0}));
  for (const CountsLaw law : {CountsLaw::uniform, CountsLaw::zipf}) {
    for (const double exponent : {0.0, 1.0, 8.0}) {
      for (const u64 top_k : {1u, 2u, 7u}) {
        std::set<std::vector<u64>> seen;
        for (u64 layer = 0; layer < 4; ++layer) {
          for (u32 group = 0; group < 3; ++group) {
            const RoutedTokens routed{101, top_k, 9};
            const std::vector<u64> copies = copies_of_experts({law, exponent, 5}, routed, layer, group);
            EXPECT_EQ(copies, copies_of_experts({law, exponent, 5}, routed, layer, group));
            EXPECT_EQ(std::accumulate(copies.begin(), copies.end(), u64{0}), 101 * top_k);
            EXPECT_LE(*std::ranges::max_element(copies), 101u);
            seen.insert(copies);
          }
        }
        // Each layer and group has a draw of its own, where there is something to draw.
        const bool drawn = law == CountsLaw::uniform || exponent > 0;
        EXPECT_TRUE(drawn ? seen.size() > 6 : seen.size() == 1) << exponent << " " << top_k << " " << seen.size();
      }
    }
  }
}

/// Bytes that a task sends to others for their experts, by exchange: there, back, there ...
std::vector<std::map<u32, u64>> exchanges_of(const Program& program, u32 task) {
  std::vector<std::map<u32, u64>> exchanges;
  const auto lane = program.open_lane(TaskId(task), 0);
  for (Op op = lane->next(); op.kind != OpKind::end; op = lane->next()) {
    const bool forward = op.activity == static_cast<u8>(TrainingActivity::forward);
    if (op.kind == OpKind::compute && forward) exchanges.emplace_back();
    if (op.kind == OpKind::send && op.activity == static_cast<u8>(TrainingActivity::expert) && !exchanges.empty())
      exchanges.back()[op.peer] += op.amount;
  }
  return exchanges;
}

TEST(Training, WhatGoesToUnequalExpertsComesBack) {
  TrainingSpec spec;
  spec.model = {.layers = 6, .hidden = 8, .feed_forward = 32, .sequence = 30, .experts = 8, .top_k = 2};
  spec.layout.degrees = {1, 1, 8, 1};
  spec.layout.expert = 4;
  spec.layout.set_order("tensor-context-data-pipeline");
  spec.tasks = 8;
  spec.device = {1e6, 1e3};
  spec.times = roofline_times(spec);
  spec.draw_popularity({CountsLaw::zipf, 1, 3});
  const auto program = make_training(spec);
  std::vector<std::vector<std::map<u32, u64>>> of_task;
  for (u32 task = 0; task < 8; ++task) of_task.push_back(exchanges_of(*program, task));
  std::set<std::vector<u64>> columns;
  for (u64 layer = 0; layer < 6; ++layer) {
    for (u32 first : {0u, 4u}) {
      // A row of what goes there: as much for a place whoever sends it, all that a task has together with its own.
      std::vector<u64> column(4);
      for (u32 from = 0; from < 4; ++from) {
        for (u32 to = 0; to < 4; ++to) {
          if (from == to) continue;
          const u64 there = of_task[first + from].at(2 * layer)[first + to];
          EXPECT_EQ(there, of_task[first + to].at(2 * layer + 1)[first + from]) << "back";
          EXPECT_TRUE(column[to] == 0 || column[to] == there);
          column[to] = there;
        }
      }
      EXPECT_EQ(std::accumulate(column.begin(), column.end(), u64{0}), 30u * 2 * 8 * 2);
      columns.insert(column);
    }
  }
  EXPECT_GT(columns.size(), 10u);
}

/// What each lane 0 computes, by activity.
std::map<u8, u64> computed(const Program& program, u32 task) {
  std::map<u8, u64> ns;
  const auto lane = program.open_lane(TaskId(task), 0);
  for (Op op = lane->next(); op.kind != OpKind::end; op = lane->next()) {
    if (op.kind == OpKind::compute) ns[op.activity] += op.amount;
  }
  return ns;
}

constexpr const char* some_times =
    "attention, *, 10, 20, 30\n"
    "attention  2-3  11 21 31   # both\n"
    "feed-forward * 100 200 300\nfeed-forward 1 400 500 600\n"
    "embedding 1000 2000 3000\nlogits 10000 20000 30000\n"
    "optimizer 0 7\noptimizer * 9\n";

TEST(MeasuredTimes, AreThoseOfEachLayerAndStage) {
  using S = ScheduleKind;
  for (const S schedule : {S::one_forward_one_backward, S::interleaved, S::zero_bubble}) {
    TrainingSpec spec;
    spec.model = {.layers = 4, .hidden = 8, .feed_forward = 32, .sequence = 8, .vocabulary = 10};
    spec.layout.degrees = {1, 1, 1, 2};
    spec.layout.set_order("tensor-context-data-pipeline");
    spec.tasks = 2;
    spec.micro_batches = 2;
    spec.schedule = schedule;
    spec.chunks = schedule == S::interleaved ? 2 : 1;
    spec.steps = 3;
    spec.times = read_pass_times(some_times, "t.txt", 4, 2);
    const auto program = make_training(spec);
    // Layers 0 and 1 on stage 0, or, interleaved, 0 and 2.
    const bool turns = schedule == S::interleaved, apart = schedule == S::zero_bubble;
    const u64 passes = u64{3} * 2;
    const u64 forward[] = {turns ? 1000 + 110 + 111u : 1000 + 110 + 410u,
                           turns ? 10000 + 410 + 111u : 10000 + 111 * 2u};
    const u64 backward[] = {turns ? 2000 + 220 + 221u : 2000 + 220 + 520u,
                            turns ? 20000 + 520 + 221u : 20000 + 221 * 2u};
    const u64 weights[] = {turns ? 3000 + 330 + 331u : 3000 + 330 + 630u,
                           turns ? 30000 + 630 + 331u : 30000 + 331 * 2u};
    for (u32 stage = 0; stage < 2; ++stage) {
      std::map<u8, u64> found = computed(*program, stage);
      const auto of = [&found](TrainingActivity what) { return found[static_cast<u8>(what)]; };
      EXPECT_EQ(of(TrainingActivity::forward), passes * forward[stage]) << stage;
      EXPECT_EQ(of(TrainingActivity::backward), passes * (backward[stage] + (apart ? 0 : weights[stage]))) << stage;
      EXPECT_EQ(of(TrainingActivity::weights), apart ? passes * weights[stage] : 0) << stage;
      EXPECT_EQ(of(TrainingActivity::optimizer), 3 * (stage == 0 ? 7u : 9u)) << stage;
    }
    Flow flow = run_lanes(*program);
    EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
  }
}

TEST(MeasuredTimes, ThatDoNotFitAreRefusedWithTheirLine) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      (void)read_pass_times(text, "t.txt", 4, 2);
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  };
  const std::string all = some_times;
  EXPECT_EQ(error("# none\natention * 1 2 3\n"), "t.txt:2: 'atention' is no part of a step; did you mean attention?");
  EXPECT_EQ(error("attention 4 1 2 3\n"), "t.txt:1: there is no layer 4 (the last is 3); correct it");
  EXPECT_EQ(error("attention 3-1 1 2 3\n"), "t.txt:1: layers 3-1 end before they begin; write 1-3");
  EXPECT_EQ(error("attention 0-2 1 2 3\nattention 2 1 2 3\n"),
            "t.txt:2: attention of layer 2 comes twice; remove one of them");
  EXPECT_EQ(error("optimizer x 1\n"),
            "t.txt:1: 'x' says no stage (a number, two with `-` between, or `*`); correct it");
  EXPECT_NE(error("logits 1 2\n").find("t.txt:1: 3 words where 4 were expected"), std::string::npos);
  EXPECT_NE(error("logits 1 2 3.5\n").find("t.txt:1: '3.5' is no time in ns"), std::string::npos);
  EXPECT_NE(error("logits 1 2 3\nattention 0-2 1 2 3\n").find("t.txt: no time of attention of layer 3 (of 4); add"),
            std::string::npos);
  EXPECT_NE(error("attention * 1 2 3\n").find("no times of logits"), std::string::npos);
  EXPECT_EQ(error(all), "");
}

TEST(Training, OrdersAreChecked) {
  ParallelLayout layout;
  layout.degrees = {2, 3, 4, 5};
  layout.set_order("pipeline-data-tensor-context");
  EXPECT_EQ(layout.stride(Sharing::pipeline), 1u);
  EXPECT_EQ(layout.stride(Sharing::data), 5u);
  EXPECT_EQ(layout.stride(Sharing::tensor), 20u);
  EXPECT_EQ(layout.stride(Sharing::context), 40u);
  for (const char* wrong :
       {"", "tensor", "tensor-tensor-data-pipeline", "tensor-context-data-pipe", "tensor-context-data-pipeline-data"})
    EXPECT_THROW(layout.set_order(wrong), ConfigError) << wrong;
}

}  // namespace
}  // namespace weft::workloads
