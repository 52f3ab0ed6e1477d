// Checks algorithms of MSCCL.
#include "workloads/generator/accelerator/msccl_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

class MscclCheck {
 public:
  MscclCheck(MscclAlgorithm& algorithm, const std::string& file) : algorithm_(algorithm), file_(file) {}

  void run() {
    for (u32 id = 0; id < algorithm_.gpus.size(); ++id) {
      for (u32 block = 0; block < algorithm_.gpus[id].blocks.size(); ++block) check_block(id, block);
    }
    check_connections();
  }

 private:
  /// One direction between two GPUs on a channel: the block of each.
  using Connection = std::tuple<u32, u32, u32>;

  void check_block(u32 id, u32 number) {
    MscclGpu& gpu = algorithm_.gpus[id];
    const MscclBlock& block = gpu.blocks[number];
    for (u32 k = 0; k < block.steps.size(); ++k) {
      const MscclStep& step = block.steps[k];
      const MscclType type = step.type;
      if (msccl_sends(type) && !block.send)
        fail_msccl(file_, step.line, "it sends, but its <tb> has send=\"-1\"", "give the receiver");
      if (msccl_receives(type) && !block.receive)
        fail_msccl(file_, step.line, "it receives, but its <tb> has recv=\"-1\"", "give the sender");
      if (type != MscclType::nop && step.chunks == 0)
        fail_msccl(file_, step.line, "it moves no chunk (cnt=\"0\")", "use 1 or more");
      const bool reads = type == MscclType::send || type == MscclType::copy || type == MscclType::reduce ||
                         type == MscclType::receive_reduce_send;
      if (reads) check_place(gpu, step, step.source, "src");
      if (type != MscclType::nop && type != MscclType::send && type != MscclType::receive_reduce_send)
        check_place(gpu, step, step.target, "dst");
      if (step.depends) check_dependency(gpu, number, k);
    }
    const auto add = [&](std::map<Connection, const MscclBlock*>& ends, Connection connection, const char* what) {
      if (ends.emplace(connection, &block).second) return;
      fail_msccl(file_, block.line,
                 fmt::format("two thread blocks of gpu {} {} the same GPU on channel {}", id, what, block.channel),
                 "use another chan");
    };
    if (block.send) add(senders_, {id, *block.send, block.channel}, "send to");
    if (block.receive) add(receivers_, {*block.receive, id, block.channel}, "receive from");
  }

  void check_place(const MscclGpu& gpu, const MscclStep& step, const MscclPlace& place, const char* which) {
    u32 chunks = place.buffer == 'i' ? gpu.input_chunks : place.buffer == 'o' ? gpu.output_chunks : gpu.scratch_chunks;
    if (algorithm_.in_place && place.buffer != 's') chunks = std::max(gpu.input_chunks, gpu.output_chunks);
    if (u64{place.chunk} + step.chunks <= chunks) return;
    fail_msccl(file_, step.line,
               fmt::format("chunks {} to {} of buffer {} are not there ({}off, cnt)", place.chunk,
                           u64{place.chunk} + step.chunks - 1, place.buffer, which),
               fmt::format("it has {} ({}_chunks)", chunks, place.buffer));
  }

  void check_dependency(MscclGpu& gpu, u32 number, u32 k) {
    const MscclStep& step = gpu.blocks[number].steps[k];
    const MscclDependency on = *step.depends;
    if (on.block >= gpu.blocks.size() || on.step >= gpu.blocks[on.block].steps.size()) {
      fail_msccl(file_, step.line,
                 fmt::format("it waits for step {} of thread block {}, which is not there", on.step, on.block),
                 "correct depid and deps");
    }
    if (on.block == number && on.step >= k)
      fail_msccl(file_, step.line, "it waits for itself, or for what comes behind it", "correct depid and deps");
    gpu.blocks[on.block].steps[on.step].awaited = true;
  }

  void check_connections() const {
    for (const auto& [connection, receiver] : receivers_) {
      const auto [from, to, channel] = connection;
      if (!senders_.contains(connection) && receives(*receiver) > 0)
        fail_msccl(file_, receiver->line,
                   fmt::format("gpu {} sends nothing to gpu {} on channel {}", from, to, channel),
                   "correct recv or chan");
    }
    for (const auto& [connection, sender] : senders_) {
      const auto found = receivers_.find(connection);
      const auto [from, to, channel] = connection;
      static const std::vector<MscclStep> nothing;
      const auto& there = found == receivers_.end() ? nothing : found->second->steps;
      auto take = there.begin();
      for (const MscclStep& step : sender->steps) {
        if (!msccl_sends(step.type)) continue;
        take = std::find_if(take, there.end(), [](const MscclStep& at) { return msccl_receives(at.type); });
        if (take == there.end()) {
          fail_msccl(file_, step.line, fmt::format("gpu {} does not receive it on channel {}", to, channel),
                     "each step that sends needs one that receives");
        }
        if (take->chunks != step.chunks) {
          fail_msccl(file_, step.line,
                     fmt::format("it sends {} chunks, of which gpu {} receives {} (line {})", step.chunks, to,
                                 take->chunks, take->line),
                     "use the same cnt");
        }
        ++take;
      }
      take = std::find_if(take, there.end(), [](const MscclStep& at) { return msccl_receives(at.type); });
      if (take != there.end()) {
        fail_msccl(file_, take->line, fmt::format("gpu {} does not send it on channel {}", from, channel),
                   "each step that receives needs one that sends");
      }
    }
  }
  static u64 receives(const MscclBlock& block) {
    return static_cast<u64>(
        std::ranges::count_if(block.steps, [](const MscclStep& step) { return msccl_receives(step.type); }));
  }

  MscclAlgorithm& algorithm_;
  const std::string& file_;
  std::map<Connection, const MscclBlock*> senders_, receivers_;
};

}  // namespace

void fail_msccl(const std::string& file, u64 line, const std::string& problem, const std::string& advice) {
  throw InputError(fmt::format("{}:{}: {}; {}", shown(file), line, problem, advice));
}

void check_msccl(MscclAlgorithm& algorithm, const std::string& file) { MscclCheck(algorithm, file).run(); }

}  // namespace weft::workloads
