// What an accelerator does by the lines of a file.
#include "workloads/generator/accelerator/aicb.hpp"

#include <algorithm>
#include <utility>

#include "workloads/generator/accelerator/all_to_all.hpp"
#include "workloads/generator/accelerator/ring.hpp"
#include "workloads/program/generator_program.hpp"

namespace weft::workloads {
namespace {

using What = AicbActivity;

/// Lane 0 computes and waits for operations; lane 1 has those of the gradients of weights.
constexpr u32 aicb_lanes = 2, gradients_lane_number = 1;
/// What they count: gradients of layers that are made, and that are there.
constexpr u32 made_counter = 0, reduced_counter = 1;

struct AicbPlan {
  AicbModel model;
  u32 passes = 1;
  std::vector<u64> reductions;  ///< by layer: in a pass up to and with it
  u64 reductions_of_pass = 0;
};
using SharedPlan = std::shared_ptr<const AicbPlan>;

/// One accelerator, in a lane.
struct AicbRank {
  SharedPlan plan;
  u32 task = 0, lane = 0;
  [[nodiscard]] const std::vector<AicbLayer>& layers() const { return plan->model.layers; }
};

Op aicb_compute(u64 ns, What what) { return {OpKind::compute, 0, 0, ns, static_cast<u8>(what)}; }

/// The ring or the exchange of an operation. Blocks go whole: a message for each step of a ring.
OpGenerator operation_of(const AicbRank& at, const AicbOperation operation) {
  if (!operation.communicates()) co_return;
  const GroupPlace place = at.plan->model.place(at.task, operation.group);
  const auto group = static_cast<u32>(operation.group);
  RankPart part;
  part.group = place.group;
  part.rank = place.rank;
  part.transport.chunk_bytes = ~u64{0} / (u64{1} << 32);
  part.tag = 1 + group + aicb_groups * at.lane;
  part.activity = static_cast<u8>(static_cast<u32>(What::tensor) + group);
  const u32 ranks = place.group.size;
  switch (operation.kind) {
    case AicbOperation::Kind::all_reduce:
      co_yield ring_all_reduce(part, operation.bytes);
      break;
    case AicbOperation::Kind::all_gather:
      co_yield ring_all_gather(part, operation.bytes);
      break;
    case AicbOperation::Kind::reduce_scatter:
      co_yield ring_reduce_scatter(part, operation.bytes);
      break;
    case AicbOperation::Kind::all_to_all:
      co_yield all_to_all(part, (operation.bytes + ranks - 1) / ranks);
      break;
    case AicbOperation::Kind::none:
      break;
  }
}

OpGenerator part_of(const AicbRank& at, const AicbPart& part, What what) {
  if (part.compute_ns > 0) co_yield aicb_compute(part.compute_ns, what);
  co_yield operation_of(at, part.operation);
}

/// Before its gradients, the layers from the last checkpoint on are done again.
OpGenerator again(const AicbRank& at, std::size_t number) {
  std::size_t from = number;
  do --from;
  while (!at.layers()[from].checkpoint);
  for (; from < number; ++from) co_yield part_of(at, at.layers()[from].forward, What::backward);
}

OpGenerator compute_lane_of(AicbRank at) {
  const auto& layers = at.layers();
  for (u32 pass = 0; pass < at.plan->passes; ++pass) {
    for (std::size_t k = 0; k < layers.size(); ++k) {
      if (pass > 0 && layers[k].weight_gradient.operation.communicates()) {
        co_yield wait_op(reduced_counter, (pass - 1) * at.plan->reductions_of_pass + at.plan->reductions[k],
                         static_cast<u8>(What::update));
      }
      co_yield part_of(at, layers[k].forward, What::forward);
    }
    for (std::size_t k = layers.size(); k-- > 0;) {
      const AicbLayer& layer = layers[k];
      if (layer.begins_again) co_yield again(at, k);
      co_yield part_of(at, layer.input_gradient, What::backward);
      if (layer.weight_gradient.compute_ns > 0) co_yield aicb_compute(layer.weight_gradient.compute_ns, What::weights);
      if (layer.weight_gradient.operation.communicates())
        co_yield mark_op(made_counter, static_cast<u8>(What::weights));
    }
  }
}

OpGenerator gradients_lane_of(AicbRank at) {
  const auto& layers = at.layers();
  u64 made = 0;
  for (u32 pass = 0; pass < at.plan->passes; ++pass) {
    for (std::size_t k = layers.size(); k-- > 0;) {
      const AicbOperation& operation = layers[k].weight_gradient.operation;
      if (!operation.communicates()) continue;
      co_yield wait_op(made_counter, ++made, static_cast<u8>(What::weights));
      co_yield operation_of(at, operation);
      if (layers[k].update_ns > 0) co_yield aicb_compute(layers[k].update_ns, What::update);
      co_yield mark_op(reduced_counter, static_cast<u8>(What::update));
    }
  }
}

}  // namespace

GroupPlace AicbModel::place(u32 task, AicbOperation::Group group) const {
  switch (group) {
    case AicbOperation::Group::tensor:
      return layout.place(task, Sharing::tensor);
    case AicbOperation::Group::data:
      return layout.place(task, Sharing::data);
    case AicbOperation::Group::expert:
      return layout.experts_place(task);
    case AicbOperation::Group::expert_data:
      break;
  }
  return layout.expert_data_place(task);
}

u64 AicbModel::longest_message() const {
  u64 longest = 0;
  for (const AicbLayer& layer : layers) {
    for (const AicbPart* part : {&layer.forward, &layer.input_gradient, &layer.weight_gradient}) {
      const u32 ranks = place(0, part->operation.group).group.size;
      if (part->operation.communicates() && ranks > 1)
        longest = std::max(longest, (part->operation.bytes + ranks - 1) / ranks);
    }
  }
  return longest;
}

std::unique_ptr<Program> make_aicb(AicbModel model, std::string name, u32 passes) {
  auto made = std::make_shared<AicbPlan>();
  made->model = std::move(model);
  made->passes = passes;
  made->reductions.resize(made->model.layers.size());
  for (std::size_t k = made->model.layers.size(); k-- > 0;) {
    if (made->model.layers[k].weight_gradient.operation.communicates()) ++made->reductions_of_pass;
    made->reductions[k] = made->reductions_of_pass;
  }
  LanePlan plan;
  plan.name = std::move(name);
  plan.tasks = made->model.tasks;
  plan.lanes = aicb_lanes;
  plan.activities = {{"forward", false}, {"backward", false}, {"weights", false}, {"update", false},
                     {"tensor", true},   {"data", true},      {"expert", true},   {"expert data", true}};
  plan.open = [made = SharedPlan(std::move(made))](u32 task, u32 lane) {
    const AicbRank at{made, task, lane};
    return lane == gradients_lane_number ? gradients_lane_of(at) : compute_lane_of(at);
  };
  return std::make_unique<GeneratorProgram>(std::move(plan));
}

}  // namespace weft::workloads
