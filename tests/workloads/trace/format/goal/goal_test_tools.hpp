// What the tests of GOAL share: programs from texts and bytes.
#pragma once

#include <memory>
#include <string>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/program/graph_program.hpp"
#include "workloads/trace/format/goal/goal_binary_reader.hpp"
#include "workloads/trace/format/goal/goal_text_reader.hpp"

namespace weft::workloads {

inline std::unique_ptr<Program> goal_text(const std::string& text, KeepTask keep = {}, const TaskLimits& limits = {}) {
  GoalTextReader reader(decompressed(bytes_in_memory(text, "t.goal")), std::move(keep));
  return std::make_unique<GraphProgram>(reader, "t.goal", limits);
}

inline std::unique_ptr<Program> goal_binary(const std::string& bytes, KeepTask keep = {},
                                            const TaskLimits& limits = {}) {
  GoalBinaryReader reader(decompressed(bytes_in_memory(bytes, "t.bin")), std::move(keep));
  return std::make_unique<GraphProgram>(reader, "t.bin", limits);
}

/// Path of a file among the examples' traces.
inline std::string bundled_goal(const std::string& name) {
#ifdef WEFT_SOURCE_DIR
  return WEFT_SOURCE_DIR "/examples/traces/goal/" + name;
#else
  return "examples/traces/goal/" + name;
#endif
}

inline std::vector<u32> numbers(std::span<const u32> values) { return {values.begin(), values.end()}; }

}  // namespace weft::workloads
