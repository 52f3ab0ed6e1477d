// Fuzz target of the reader of Chakra traces, as the only file of one NPU and as the second of two: any bytes end in
// graphs that can be put in an order, or in an InputError.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "workloads/trace/graph_replay.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

void read(const TraceInput& input) {
  const auto program = TraceFormats::instance().find("chakra")->program(input, "fuzz", {}, {}, "");
  u64 messages = 0;
  for (u32 task = 0; task < program->tasks(); ++task) {
    for (const GraphOp& op : program->graph(TaskId(task)).ops)
      if (op.kind == GraphOp::Kind::send) ++messages;
  }
  const TraceCheck check = check_graphs(*program);
  WEFT_ASSERT(check.messages <= messages);
  // If no task waits for a message, everything was done.
  WEFT_ASSERT(!check.completes() || check.messages == messages);
}

/// A folder with an empty trace of NPU 0, which goes away with the target.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("weft-chakra-fuzz-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path);
    std::ofstream(path / "t.0.et", std::ios::binary) << std::string(
        "\x07\x0a\x05"
        "0.0.4",
        8);
    std::ofstream(path / "t.json") << R"({"1": [1], "2": [1, 0], "big": [0]})";
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    read(trace_in_memory(bytes, "fuzz"));
  } catch (const weft::InputError&) {
  }
  std::ofstream(folder.path / "t.1.et", std::ios::binary) << bytes;
  try {
    read(find_trace((folder.path / "t.*.et").string()));
  } catch (const weft::InputError&) {
  }
  return 0;
}
