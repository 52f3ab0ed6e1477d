// What the trace tests share: files in a folder of their own, readers over text, operations as plain lists.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/scratch_folder.hpp"
#include "workloads/trace/trace_program.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

inline TraceInput input_of(const std::string& text) { return trace_in_memory(text, "t.trc"); }

/// Reader of a trace with one part.
inline std::unique_ptr<TraceReader> reader_of(const std::string& text, const std::string& format = "trc") {
  const OpenedTrace trace = open_trace(input_of(text), format);
  EXPECT_EQ(1u, trace.source->parts());
  return trace.source->open(0);
}

inline std::vector<TraceRecord> records_of(const std::string& text) {
  const auto reader = reader_of(text);
  std::vector<TraceRecord> records;
  TraceRecord record;
  while (reader->next(record)) records.push_back(record);
  return records;
}

/// The operations of an event that is one; `end` of others.
inline Op op_of(const TraceRecord& record) {
  const TraceEvent& event = record.event;
  switch (event.kind) {
    case TraceEvent::Kind::compute:
      return {OpKind::compute, 0, 0, event.bytes};
    case TraceEvent::Kind::send:
      return {OpKind::send, event.peer, event.tag, event.bytes};
    case TraceEvent::Kind::receive:
      return {OpKind::receive, event.peer, event.tag, event.bytes};
    default:
      return {};
  }
}

inline std::vector<Op> ops_of(const Program& program, u32 task) {
  const auto stream = program.open(TaskId(task));
  std::vector<Op> ops;
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) ops.push_back(op);
  return ops;
}

/// A file of the optional shared test data; empty if it is not there.
inline std::string shared_file(const std::string& name) {
#ifdef WEFT_SOURCE_DIR
  const std::string beside = WEFT_SOURCE_DIR "/../shared";
#else
  const std::string beside = "../shared";
#endif
  const char* folder = std::getenv("WEFT_SHARED");
  const std::string path = (folder != nullptr ? std::string(folder) : beside) + "/" + name;
  return std::filesystem::exists(path) ? path : std::string();
}

}  // namespace weft::workloads
