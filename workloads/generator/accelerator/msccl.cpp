// The lanes of an algorithm of MSCCL.
#include "workloads/generator/accelerator/msccl.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "workloads/generator/accelerator/nccl.hpp"
#include "workloads/program/generator_program.hpp"

namespace weft::workloads {
namespace {

struct MscclPlan {
  MscclAlgorithm algorithm;
  MscclSpec spec;
  u64 chunk_bytes = 0, turns = 1;
  /// [GPU][block][step]: awaited steps of the block up to and with it.
  std::vector<std::vector<std::vector<u32>>> marks;

  [[nodiscard]] u64 marks_of_turn(u32 gpu, u32 block) const {
    const auto& of = marks[gpu][block];
    return of.empty() ? 0 : of.back();
  }
};
using SharedMsccl = std::shared_ptr<const MscclPlan>;

/// A thread block. All turns of the data go through its steps one after the other; those of others need not be over.
OpGenerator msccl_lane(SharedMsccl plan, u32 gpu, u32 number) {
  const auto& blocks = plan->algorithm.gpus[gpu].blocks;
  if (number >= blocks.size()) co_return;
  const MscclBlock& block = blocks[number];
  const Transport& transport = plan->spec.transport;
  const u64 turns = plan->turns * plan->spec.repetitions;
  for (u64 turn = 0; turn < turns; ++turn) {
    const u64 piece = even_share({0, plan->chunk_bytes}, plan->turns, turn % plan->turns).bytes;
    for (const MscclStep& step : block.steps) {
      if (step.depends) {
        const u64 before = turn * plan->marks_of_turn(gpu, step.depends->block);
        co_yield wait_op(step.depends->block, before + plan->marks[gpu][step.depends->block][step.depends->step]);
      }
      const u64 bytes = transport.on_wire(piece * step.chunks);
      if (msccl_receives(step.type)) co_yield Op{OpKind::receive, *block.receive, block.channel, bytes};
      if (msccl_sends(step.type)) {
        if (transport.hop_ns > 0) co_yield Op{OpKind::compute, 0, 0, transport.hop_ns};
        co_yield Op{OpKind::send, *block.send, block.channel, bytes};
      }
      if (step.awaited) co_yield mark_op(number);
    }
  }
}

}  // namespace

u32 MscclAlgorithm::most_chunks() const {
  u32 most = 0;
  for (const MscclGpu& gpu : gpus) {
    for (const MscclBlock& block : gpu.blocks) {
      for (const MscclStep& step : block.steps) {
        if (msccl_sends(step.type)) most = std::max(most, step.chunks);
      }
    }
  }
  return most;
}

std::unique_ptr<Program> make_msccl(MscclAlgorithm algorithm, const MscclSpec& spec) {
  auto made = std::make_shared<MscclPlan>();
  made->algorithm = std::move(algorithm);
  made->spec = spec;
  set_protocol(made->spec.transport, made->algorithm.protocol);
  made->chunk_bytes = (spec.bytes + made->algorithm.chunks - 1) / made->algorithm.chunks;
  made->turns = (made->chunk_bytes + spec.transport.chunk_bytes - 1) / spec.transport.chunk_bytes;
  LanePlan plan;
  // Always two: programs of one lane match by another rule, and have no activities.
  plan.lanes = 2;
  for (const MscclGpu& gpu : made->algorithm.gpus) {
    auto& of_gpu = made->marks.emplace_back();
    for (const MscclBlock& block : gpu.blocks) {
      auto& of_block = of_gpu.emplace_back();
      u32 marks = 0;
      for (const MscclStep& step : block.steps) of_block.push_back(marks += step.awaited ? 1 : 0);
    }
    plan.lanes = std::max(plan.lanes, static_cast<u32>(gpu.blocks.size()));
  }
  plan.name =
      fmt::format("{} ({}) of {}", made->algorithm.name, made->algorithm.collective, made->algorithm.gpus.size());
  plan.tasks = static_cast<u32>(made->algorithm.gpus.size());
  plan.activities = {{made->algorithm.collective, true}};
  plan.open = [made = SharedMsccl(std::move(made))](u32 task, u32 lane) { return msccl_lane(made, task, lane); };
  return std::make_unique<GeneratorProgram>(std::move(plan));
}

}  // namespace weft::workloads
