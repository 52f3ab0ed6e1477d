// Files of AICB: bytes of groups are those that the lines say, passes follow each other, and errors name their lines.
#include "workloads/generator/accelerator/aicb.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/accelerator/lane_flow.hpp"

namespace weft::workloads {
namespace {

const std::string header =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 1 all_gpus: 16 checkpoints: 0 "
    "checkpoint_initiates: 0\n";

u64 bytes_of(const lane_test::Flow& flow, AicbActivity what) {
  const auto found = flow.bytes_of_activity.find(static_cast<u8>(what));
  return found == flow.bytes_of_activity.end() ? 0 : found->second;
}

TEST(Aicb, BytesAreThoseOfTheOperationsOfEachGroup) {
  // Tensor groups of 2, data groups of 8, expert groups of 2, and of 4 with the same experts.
  const std::string text = header +
                           "4\n"
                           "a\t-1\t10\tALLGATHER\t1600\t20\tREDUCESCATTER\t3200\t30\tALLREDUCE\t8000\t5\n"
                           "b -1 10 ALLTOALL_EP 1000 20 ALLTOALL 2000 30 REDUCESCATTER_DP_EP 4000 5\n"
                           "c -1 10 ALLREDUCE 600 20 NONE 0 30 ALLGATHER_EP 800 5\n"
                           "d -1 10 NONE 77 20 ALLREDUCE 0 30 NONE 0 5\n";
  for (const u32 passes : {1u, 3u}) {
    const lane_test::Flow flow = lane_test::run_lanes(*make_aicb(read_aicb(text, "a.txt"), "a", passes));
    EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
    const u64 all = u64{16} * passes;
    // A task sends (n - 1) / n of the bytes, twice for an allreduce.
    EXPECT_EQ(bytes_of(flow, AicbActivity::tensor), all * (1600 / 2 + 3200 / 2 + 2000 / 2 + 2 * 600 / 2));
    EXPECT_EQ(bytes_of(flow, AicbActivity::data), all * (2 * 8000 * 7 / 8));
    EXPECT_EQ(bytes_of(flow, AicbActivity::expert), all * (1000 / 2 + 800 / 2));
    EXPECT_EQ(bytes_of(flow, AicbActivity::expert_data), all * (4000 * 3 / 4));
  }
}

/// Activities of what lane 0 of a task computes, with their times.
std::vector<std::pair<u32, u64>> computed(const Program& program) {
  std::vector<std::pair<u32, u64>> found;
  const auto stream = program.open_lane(TaskId(0), 0);
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
    if (op.kind == OpKind::compute) found.emplace_back(op.activity, op.amount);
  }
  return found;
}

TEST(Aicb, LayersFromACheckpointOnAreDoneAgainBeforeTheGradientsOfTheOneThatSaysSo) {
  const std::string text =
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 2 checkpoints: 2 "
      "0 "
      "1 checkpoint_initiates: 1 3 pp_comm 100\n4\n"
      "a -1 1 NONE 0 10 NONE 0 100 NONE 0 0\nb -1 2 NONE 0 20 NONE 0 200 NONE 0 0\n"
      "c -1 3 NONE 0 30 NONE 0 300 NONE 0 0\nd -1 4 NONE 0 40 NONE 0 400 NONE 0 0\n";
  const u32 forward = 0, backward = 1, weights = 2;
  const std::vector<std::pair<u32, u64>> expected{
      {forward, 1},   {forward, 2},   {forward, 3},   {forward, 4},   {backward, 2},  {backward, 3},  {backward, 40},
      {weights, 400}, {backward, 30}, {weights, 300}, {backward, 20}, {weights, 200}, {backward, 10}, {weights, 100}};
  EXPECT_EQ(computed(*make_aicb(read_aicb(text, "a.txt"), "a", 1)), expected);
}

TEST(Aicb, GroupsAreThoseOfMegatron) {
  const AicbModel model = read_aicb(
      "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 pp: 2 all_gpus: 16\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n",
      "a.txt");
  using Group = AicbOperation::Group;
  const auto members = [&](u32 task, Group group) {
    const GroupPlace place = model.place(task, group);
    std::vector<u32> tasks;
    for (u32 rank = 0; rank < place.group.size; ++rank) tasks.push_back(place.group.task(rank));
    EXPECT_EQ(place.group.task(place.rank), task);
    return tasks;
  };
  EXPECT_EQ(members(5, Group::tensor), (std::vector<u32>{4, 5}));
  EXPECT_EQ(members(5, Group::data), (std::vector<u32>{1, 3, 5, 7}));
  EXPECT_EQ(members(5, Group::expert), (std::vector<u32>{5, 7}));
  EXPECT_EQ(members(5, Group::expert_data), (std::vector<u32>{1, 5}));
}

std::string problem(const std::string& text) {
  try {
    static_cast<void>(read_aicb(text, "a.txt"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Aicb, WhatIsWrongIsSaidWithItsLine) {
  const std::string good = "a -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n";
  EXPECT_EQ(problem(header + "1\n" + good), "none");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "a.txt:1: the file is empty"},
      {"MICRO\n", "a.txt:1: 'MICRO' is no kind of workload"},
      {"HYBRID_TRANSFORMER ep: 2\n", "a.txt:1: all_gpus is not given"},
      {"HYBRID_TRANSFORMER all_gpu: 2\n", "did you mean all_gpus?"},
      {"HYBRID_TRANSFORMER all_gpus: two\n", "a.txt:1: 'two' is no all_gpus"},
      {"HYBRID_TRANSFORMER all_gpus:\n", "a.txt:1: all_gpus has no value"},
      {"HYBRID_TRANSFORMER model_parallel_NPU_group: 3 all_gpus: 16\n", "use a multiple of 3"},
      {"HYBRID_TRANSFORMER model_parallel_NPU_group: 4 ep: 3 all_gpus: 16\n", "ep = 3 does not divide the 4 groups"},
      {"HYBRID_TRANSFORMER all_gpus: 2 checkpoints: 1 5\n1\n" + good, "there is no layer 5; use 0 to 0"},
      {"HYBRID_TRANSFORMER all_gpus: 2 checkpoint_initiates: 1 0\n1\n" + good, "no layer before it is a checkpoint"},
      {header, "a.txt:2: there is no number of layers"},
      {header + "0\n", "a.txt:2: '0' is no number of layers"},
      {header + "2\n" + good, "a.txt:4: the file ends after 1 of 2 layers"},
      {header + "1\n" + good + good, "a.txt:4: there are more lines than layers"},
      {header + "1\na -1 1 NONE 0\n", "a.txt:3: a layer has 12 fields (found 5)"},
      {header + "1\na 4 1 NONE 0 1 NONE 0 1 NONE 0 0\n", "a.txt:3: dependency '4'"},
      {header + "1\na -1 1 ALLREDUC 0 1 NONE 0 1 NONE 0 0\n", "did you mean ALLREDUCE?"},
      {header + "1\na -1 -1 NONE 0 1 NONE 0 1 NONE 0 0\n", "a.txt:3: '-1' is no time in ns"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(problem(text).find(expected), std::string::npos) << problem(text);
}

}  // namespace
}  // namespace weft::workloads
