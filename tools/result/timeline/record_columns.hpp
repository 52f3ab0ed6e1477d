// The columns of records in HDF5, named once for both writing and reading.
#pragma once

#include <array>

#include "workloads/program/timeline.hpp"

namespace weft::tools::timeline {

inline constexpr const char* columns_format = "weft timeline 1";

/// What TimelineRecord::kind counts.
inline constexpr std::array record_kinds{"compute", "send",   "receive", "give",  "get",  "probe",   "lane",
                                         "drain",   "region", "arrival", "await", "post", "outside", "meeting"};
static_assert(record_kinds.size() == static_cast<std::size_t>(workloads::TimelineRecord::Kind::meeting) + 1);

/// Calls v(name, member, unit) for each column.
template <class Visitor>
void visit_record_columns(Visitor&& v) {
  using workloads::TimelineRecord;
  v("task", &TimelineRecord::task, "");
  v("kind", &TimelineRecord::kind, "");
  v("begin", &TimelineRecord::begin, "ticks");
  v("end", &TimelineRecord::end, "ticks");
  v("handled", &TimelineRecord::handled, "ticks");
  v("arrived", &TimelineRecord::arrived, "ticks");
  v("peer", &TimelineRecord::peer, "");
  v("flow", &TimelineRecord::flow, "");
  v("bytes", &TimelineRecord::bytes, "bytes");
  v("tag", &TimelineRecord::tag, "");
  v("communicator", &TimelineRecord::communicator, "");
  v("lane", &TimelineRecord::lane, "");
  v("depth", &TimelineRecord::depth, "");
  v("finished", &TimelineRecord::finished, "");
}

}  // namespace weft::tools::timeline
