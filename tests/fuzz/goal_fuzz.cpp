// Fuzz target of the GOAL readers: any bytes end in graphs that can be put in an order, or in an InputError.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/error.hpp"
#include "workloads/program/graph_program.hpp"
#include "workloads/trace/format/goal/goal_binary_reader.hpp"
#include "workloads/trace/format/goal/goal_text_reader.hpp"
#include "workloads/trace/graph_replay.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

/// The beginning of another source: a few compressed bytes can stand for gigabytes.
class Beginning final : public ByteSource {
 public:
  explicit Beginning(std::unique_ptr<ByteSource> whole) : whole_(std::move(whole)) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t got = left_ == 0 ? 0 : whole_->read(to, std::min(room, left_));
    left_ -= got;
    return got;
  }
  [[nodiscard]] const std::string& name() const override { return whole_->name(); }

 private:
  std::unique_ptr<ByteSource> whole_;
  std::size_t left_ = std::size_t{4} << 20;
};

template <class Reader>
void read(const std::string& bytes, u64 memory_bytes) {
  Reader reader(std::make_unique<Beginning>(decompressed(bytes_in_memory(bytes, "fuzz"))));
  const GraphProgram program(reader, "fuzz", {}, memory_bytes);
  u64 messages = 0;
  for (u32 task = 0; task < program.tasks(); ++task) {
    for (const GraphOp& op : program.graph(TaskId(task)).ops) {
      if (op.kind == GraphOp::Kind::send) ++messages;
    }
  }
  const TraceCheck check = check_graphs(program);
  WEFT_ASSERT(check.messages <= messages);
  // If no task waits for a message, everything was done.
  WEFT_ASSERT(!check.completes() || check.messages == messages);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (bytes.starts_with('\x7F')) {
      read<GoalBinaryReader>(bytes, size % 2 == 0 ? GraphStore::default_memory_bytes : 0);
    } else {
      read<GoalTextReader>(bytes, size % 2 == 0 ? GraphStore::default_memory_bytes : 0);
    }
  } catch (const weft::InputError&) {
  }
  return 0;
}
