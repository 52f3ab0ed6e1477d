// What tests of OTF2 share: archives of the repository, and the events of one.
#pragma once

#include <vector>

#include "tests/workloads/trace/trace_test_tools.hpp"

namespace weft::workloads {

using Lists = std::vector<std::vector<TraceEvent>>;

inline Lists events_of_archive(const std::string& path) {
  const OpenedTrace trace = open_trace(find_trace(path));
  EXPECT_EQ("otf2", trace.format);
  Lists lists(trace.source->parts());
  for (u32 part = 0; part < trace.source->parts(); ++part) {
    const auto reader = trace.source->open(part);
    TraceRecord record;
    while (reader->next(record)) {
      EXPECT_EQ(part, record.task);
      if (!lists[part].empty()) {
        EXPECT_LE(lists[part].back().begin_ns, record.event.begin_ns);
        EXPECT_LE(lists[part].back().end_ns, record.event.end_ns);
      }
      lists[part].push_back(record.event);
      record = {};
    }
  }
  return lists;
}

inline std::string stencil_archive() { return std::string(WEFT_SOURCE_DIR) + "/examples/traces/otf2/stencil4d-32"; }
inline std::string small_archive() { return std::string(WEFT_TEST_DATA) + "/otf2/small/traces.otf2"; }

}  // namespace weft::workloads
