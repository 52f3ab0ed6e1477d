// Algorithms of MSCCL: GPUs end with what their collectives promise, by moving sets of contributions; lanes wait for
// what steps depend on; what is wrong is said with its line.
#include "workloads/generator/accelerator/msccl.hpp"

#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/accelerator/lane_flow.hpp"

namespace weft::workloads {
namespace {

/// What a chunk holds: chunks of inputs, with how often each was added.
using Held = std::map<std::pair<u32, u32>, u32>;

/// Moves data by the steps, in some order that they allow; which block goes first differs by `turn`.
class DataMover {
 public:
  explicit DataMover(const MscclAlgorithm& algorithm) : algorithm_(algorithm) {
    for (u32 gpu = 0; gpu < algorithm.gpus.size(); ++gpu) {
      done_.emplace_back(algorithm.gpus[gpu].blocks.size());
      for (u32 chunk = 0; chunk < algorithm.gpus[gpu].input_chunks; ++chunk)
        at(gpu, {'i', chunk}, 0) = {{{gpu, chunk}, 1}};
    }
  }
  /// True if all steps are done.
  bool run(bool backwards) {
    bool all = false;
    for (bool progress = true; progress && !all;) {
      progress = false;
      all = true;
      for (u32 k = 0; k < algorithm_.gpus.size(); ++k) {
        const u32 gpu = backwards ? static_cast<u32>(algorithm_.gpus.size()) - 1 - k : k;
        const u32 blocks = static_cast<u32>(algorithm_.gpus[gpu].blocks.size());
        for (u32 b = 0; b < blocks; ++b) {
          const u32 block = backwards ? blocks - 1 - b : b;
          while (step(gpu, block)) progress = true;
          all = all && done_[gpu][block] == algorithm_.gpus[gpu].blocks[block].steps.size();
        }
      }
    }
    return all;
  }
  Held& at(u32 gpu, MscclPlace place, u32 offset) {
    const char buffer = algorithm_.in_place && place.buffer == 'o' ? 'i' : place.buffer;
    return held_[{gpu, buffer, place.chunk + offset}];
  }

 private:
  bool step(u32 gpu, u32 number) {
    const MscclBlock& block = algorithm_.gpus[gpu].blocks[number];
    if (done_[gpu][number] == block.steps.size()) return false;
    const MscclStep& step = block.steps[done_[gpu][number]];
    if (step.depends && done_[gpu][step.depends->block] <= step.depends->step) return false;
    std::vector<Held> data(step.chunks);
    if (msccl_receives(step.type)) {
      auto& wire = wires_[{*block.receive, gpu, block.channel}];
      if (wire.empty()) return false;
      data = wire.front();
      wire.pop_front();
    }
    using T = MscclType;
    const bool adds_source = step.type == T::receive_reduce_copy || step.type == T::receive_reduce_send ||
                             step.type == T::receive_reduce_copy_send;
    for (u32 k = 0; k < step.chunks; ++k) {
      if (step.type == T::send || step.type == T::copy || step.type == T::reduce) data[k] = at(gpu, step.source, k);
      const auto add = [&](const Held& more) {
        for (const auto& [chunk, times] : more) data[k][chunk] += times;
      };
      if (adds_source) add(at(gpu, step.source, k));
      if (step.type == T::reduce) add(at(gpu, step.target, k));
      if (step.type != T::nop && step.type != T::send && step.type != T::receive_reduce_send)
        at(gpu, step.target, k) = data[k];
    }
    if (msccl_sends(step.type)) wires_[{gpu, *block.send, block.channel}].push_back(data);
    ++done_[gpu][number];
    return true;
  }

  const MscclAlgorithm& algorithm_;
  std::map<std::tuple<u32, char, u32>, Held> held_;
  std::map<std::tuple<u32, u32, u32>, std::deque<std::vector<Held>>> wires_;
  std::vector<std::vector<std::size_t>> done_;
};

std::string step_text(u32 s, const std::string& type, u32 source, u32 target, const std::string& more = "") {
  return fmt::format("<step s=\"{}\" type=\"{}\" srcbuf=\"i\" srcoff=\"{}\" dstbuf=\"o\" dstoff=\"{}\" {}/>\n", s, type,
                     source, target, more);
}

/// A ring of one thread block for each GPU, as msccl-tools writes it: receive, reduce and send are one step.
std::string fused_ring(u32 gpus) {
  std::string text = fmt::format(
      "<algo name=\"r\" proto=\"LL128\" nchunksperloop=\"{0}\" ngpus=\"{0}\" coll=\"allreduce\" inplace=\"1\">\n",
      gpus);
  for (u32 g = 0; g < gpus; ++g) {
    text += fmt::format(
        "<gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"0\" s_chunks=\"0\">\n<tb id=\"0\" send=\"{}\" recv=\"{}\" "
        "chan=\"0\">\n",
        g, gpus, (g + 1) % gpus, (g + gpus - 1) % gpus);
    for (u32 k = 0; k < 2 * gpus - 1; ++k) {
      const u32 chunk = (g + 2 * gpus - k) % gpus;
      const std::string type = k == 0             ? "s"
                               : k < gpus - 1     ? "rrs"
                               : k == gpus - 1    ? "rrcs"
                               : k < 2 * gpus - 2 ? "rcs"
                                                  : "r";
      text += step_text(k, type, chunk, chunk);
    }
    text += "</tb></gpu>\n";
  }
  return text + "</algo>\n";
}

void expect_allreduce(const MscclAlgorithm& algorithm) {
  const u32 gpus = static_cast<u32>(algorithm.gpus.size());
  for (const bool backwards : {false, true}) {
    DataMover mover(algorithm);
    EXPECT_TRUE(mover.run(backwards));
    for (u32 gpu = 0; gpu < gpus; ++gpu) {
      for (u32 chunk = 0; chunk < algorithm.chunks; ++chunk) {
        Held all;
        for (u32 from = 0; from < gpus; ++from) all[{from, chunk}] = 1;
        EXPECT_EQ(mover.at(gpu, {'o', chunk}, 0), all) << "chunk " << chunk << " of GPU " << gpu;
      }
    }
  }
}

TEST(Msccl, RingsEndWithAllContributionsOnce) {
  expect_allreduce(read_msccl_file(WEFT_SOURCE_DIR "/examples/traces/msccl/ring-allreduce-4.xml"));
  for (const u32 gpus : {2u, 3u, 8u}) expect_allreduce(read_msccl(fused_ring(gpus), "ring.xml"));
}

/// Two GPUs exchange inputs of two chunks at once, and copy their own.
const std::string gather =
    "<algo name=\"g\" ngpus=\"2\" coll=\"allgather\">\n"
    "<gpu id=\"0\" i_chunks=\"2\" o_chunks=\"4\"><tb id=\"0\" send=\"1\" recv=\"1\" chan=\"3\">\n" +
    step_text(0, "s", 0, 0, "cnt=\"2\"") + step_text(1, "r", 0, 2, "cnt=\"2\"") +
    "</tb><tb id=\"1\" send=\"-1\" recv=\"-1\" chan=\"0\">\n" +
    step_text(0, "cpy", 0, 0, "cnt=\"2\" depid=\"0\" deps=\"0\"") +
    step_text(1, "nop", 0, 0, "depid=\"0\" deps=\"1\"") +
    "</tb></gpu>\n<gpu id=\"1\" i_chunks=\"2\" o_chunks=\"4\"><tb id=\"0\" send=\"0\" recv=\"0\" chan=\"3\">\n" +
    step_text(0, "s", 0, 2, "cnt=\"2\"") + step_text(1, "r", 0, 0, "cnt=\"2\"") +
    step_text(2, "cpy", 0, 2, "cnt=\"2\"") + "</tb></gpu>\n</algo>\n";

TEST(Msccl, CopiesAndSeveralChunksOfAStepEndWhereTheyBelong) {
  const MscclAlgorithm algorithm = read_msccl(gather, "g.xml");
  DataMover mover(algorithm);
  EXPECT_TRUE(mover.run(false));
  for (u32 gpu = 0; gpu < 2; ++gpu) {
    for (u32 chunk = 0; chunk < 4; ++chunk)
      EXPECT_EQ(mover.at(gpu, {'o', chunk}, 0), (Held{{{chunk / 2, chunk % 2}, 1}}));
  }
}

TEST(Msccl, LanesWaitForTheStepsThatTheirsDependOn) {
  const auto program = make_msccl(read_msccl(gather, "g.xml"), {.bytes = 4000, .repetitions = 2});
  const auto list = [&](u32 task, u32 lane) {
    std::vector<Op> ops;
    const auto stream = program->open_lane(TaskId(task), lane);
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) ops.push_back(op);
    return ops;
  };
  const auto mark = mark_op(0);
  const Op send{OpKind::send, 1, 3, 2000}, receive{OpKind::receive, 1, 3, 2000};
  EXPECT_EQ(list(0, 0), (std::vector<Op>{send, mark, receive, mark, send, mark, receive, mark}));
  EXPECT_EQ(list(0, 1), (std::vector<Op>{wait_op(0, 1), wait_op(0, 2), wait_op(0, 3), wait_op(0, 4)}));
  EXPECT_TRUE(list(1, 1).empty());
}

TEST(Msccl, BytesAreThoseOfTheStepsOverAllTurns) {
  for (const u32 gpus : {2u, 3u, 8u}) {
    for (const u64 chunk_bytes : {u64{1} << 20, u64{1000}, u64{7}}) {
      MscclSpec spec{.bytes = 10'000, .repetitions = 3};
      spec.transport.chunk_bytes = chunk_bytes;
      const lane_test::Flow flow = lane_test::run_lanes(*make_msccl(read_msccl(fused_ring(gpus), "ring.xml"), spec));
      EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
      const u64 chunk = (10'000 + gpus - 1) / gpus, turns = (chunk + chunk_bytes - 1) / chunk_bytes;
      const u64 messages = u64{3} * gpus * (2 * gpus - 2) * turns;
      EXPECT_EQ(flow.messages, messages);
      // LL128: 16 bytes on the wire for 15, rounded up in each message.
      const u64 data = u64{3} * gpus * (2 * gpus - 2) * chunk;
      EXPECT_GE(flow.bytes * 15, data * 16);
      EXPECT_LT(flow.bytes * 15, data * 16 + messages * 15);
    }
  }
}

std::string problem_of(const std::string& text) {
  try {
    static_cast<void>(read_msccl(text, "a.xml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = gather;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Msccl, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_EQ(problem_of(gather), "none");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "a.xml:1: this is no XML"},
      {"<algo", "this is no XML"},
      {"<graphml/>", "a.xml:1: there is no <algo>"},
      {with("ngpus=\"2\"", ""), "a.xml:1: <algo> has no ngpus"},
      {with("ngpus=\"2\"", "ngpus=\"3\""), "a.xml:1: gpu 2 is missing"},
      {with("ngpus=\"2\"", "ngpus=\"2\" proto=\"LL12\""), "did you mean ll128?"},
      {with("gpu id=\"1\"", "gpu id=\"0\""), "a.xml:9: gpu 0 comes twice"},
      {with("tb id=\"0\" send=\"1\"", "tb id=\"0\" send=\"0\""), "a.xml:2: send=\"0\" is the GPU itself"},
      {with("tb id=\"1\"", "tb id=\"2\""), "thread blocks of gpu 0 are out of order; this one is id=\"1\""},
      {with("<step", "<op"), "a.xml:3: <op> is no step"},
      {with("s=\"1\"", "s=\"2\""), "a.xml:4: steps are out of order; this one is s=\"1\""},
      {with("type=\"r\"", "type=\"rr\""), "a.xml:4: type=\"rr\" is no step"},
      {with("srcbuf=\"i\"", "srcbuf=\"x\""), "a.xml:3: srcbuf=\"x\" is no buffer"},
      {with("srcoff=\"0\"", "srcoff=\"1\""), "a.xml:3: chunks 1 to 2 of buffer i are not there"},
      {with("cnt=\"2\"", "cnt=\"1\""), "a.xml:3: it sends 1 chunks, of which gpu 1 receives 2 (line 11)"},
      {with("cnt=\"2\"", "cnt=\"0\""), "a.xml:3: it moves no chunk"},
      {with("deps=\"1\"", "deps=\"2\""), "a.xml:7: it waits for step 2 of thread block 0, which is not there"},
      {with("depid=\"0\" deps=\"1\"", "depid=\"1\" deps=\"1\""), "a.xml:7: it waits for itself"},
      {with("send=\"0\" recv=\"0\"", "send=\"0\" recv=\"-1\""), "a.xml:11: it receives, but"},
      {with("send=\"0\" recv=\"0\"", "send=\"-1\" recv=\"0\""), "a.xml:10: it sends, but"},
      {with("chan=\"3\"", "chan=\"4\""), "on channel"},
      {with("send=\"-1\" recv=\"-1\" chan=\"0\"", "send=\"1\" recv=\"-1\" chan=\"3\""),
       "two thread blocks of gpu 0 send to"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(problem_of(text).find(expected), std::string::npos) << expected << ": " << problem_of(text);
}

}  // namespace
}  // namespace weft::workloads
