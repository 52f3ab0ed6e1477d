// Hardware counters in OTF2 archives: read, written again, and as computing of a replay.
#include <fmt/format.h>
#include <otf2/otf2.h>

#include "tests/workloads/trace/otf2_test_tools.hpp"
#include "workloads/trace/format/otf2/otf2_writer.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

/// An archive of one task that Score-P could have written: two counters of one class before each enter and leave, one
/// of them relative, and a metric that counts nothing.
void write_counted(const std::string& folder) {
  static constexpr OTF2_FlushCallbacks flush{.otf2_pre_flush = [](void*, OTF2_FileType, OTF2_LocationRef, void*,
                                                                  bool) -> OTF2_FlushType { return OTF2_FLUSH; },
                                             .otf2_post_flush = nullptr};
  OTF2_Archive* const archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  OTF2_EvtWriter* const events = OTF2_Archive_GetEvtWriter(archive, 0);
  const auto at = [&](u64 time, u64 cycles, u64 more_instructions) {
    const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};
    OTF2_MetricValue values[3];
    values[0].unsigned_int = cycles;
    values[1].signed_int = static_cast<int64_t>(more_instructions);
    values[2].floating_point = 36.6;
    OTF2_EvtWriter_Metric(events, nullptr, time, 1, 3, types, values);  // an instance of class 0
    return time;
  };
  OTF2_EvtWriter_Enter(events, nullptr, at(100, 500, 50), 1);  // a region of the program
  OTF2_EvtWriter_Enter(events, nullptr, at(200, 700, 20), 0);
  OTF2_EvtWriter_MpiSend(events, nullptr, 210, 0, 0, 7, 64);
  OTF2_EvtWriter_Leave(events, nullptr, at(300, 2'000, 900), 0);  // what the call takes is no computing
  OTF2_EvtWriter_Leave(events, nullptr, at(350, 2'100, 0), 1);
  OTF2_EvtWriter_Enter(events, nullptr, at(400, 3'000, 0), 0);
  OTF2_EvtWriter_MpiRecv(events, nullptr, 410, 0, 0, 7, 64);
  OTF2_EvtWriter_Leave(events, nullptr, at(420, 3'001, 4), 0);
  uint64_t count = 0;
  OTF2_EvtWriter_GetNumberOfEvents(events, &count);
  OTF2_Archive_CloseEvtWriter(archive, events);
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_GlobalDefWriter* const to = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_GlobalDefWriter_WriteClockProperties(to, 1'000'000'000, 0, 500, OTF2_UNDEFINED_TIMESTAMP);
  u32 strings = 0;
  for (const char* const text : {"", "MPI_Send", "work", "PAPI_TOT_CYC", "PAPI_TOT_INS", "temperature", "all"})
    OTF2_GlobalDefWriter_WriteString(to, strings++, text);
  for (const u32 region : {0u, 1u})
    OTF2_GlobalDefWriter_WriteRegion(to, region, region + 1, region + 1, 0, OTF2_REGION_ROLE_UNKNOWN,
                                     region == 0 ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0,
                                     0);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, 6, 6, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup(to, 0, 6, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocation(to, 0, 6, OTF2_LOCATION_TYPE_CPU_THREAD, count, 0);
  const uint64_t location = 0;
  OTF2_GlobalDefWriter_WriteGroup(to, 0, 6, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1,
                                  &location);
  OTF2_GlobalDefWriter_WriteGroup(to, 1, 6, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1,
                                  &location);
  OTF2_GlobalDefWriter_WriteComm(to, 0, 6, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  const OTF2_MetricMode modes[] = {OTF2_METRIC_ACCUMULATED_START, OTF2_METRIC_RELATIVE_LAST,
                                   OTF2_METRIC_ABSOLUTE_POINT};
  const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};
  for (u32 member = 0; member < 3; ++member)
    OTF2_GlobalDefWriter_WriteMetricMember(to, member, 3 + member, 0, OTF2_METRIC_TYPE_PAPI, modes[member],
                                           types[member], OTF2_BASE_DECIMAL, 0, 0);
  const OTF2_MetricMemberRef members[] = {0, 1, 2};
  OTF2_GlobalDefWriter_WriteMetricClass(to, 0, 3, members, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
  OTF2_GlobalDefWriter_WriteMetricInstance(to, 1, 0, 0, OTF2_SCOPE_LOCATION, 0);
  OTF2_Archive_CloseGlobalDefWriter(archive, to);
  OTF2_Archive_Close(archive);
}

/// Counters of the events of the only task, each as "NAME AMOUNT", and of what comes after them the kind.
std::string counts_of_archive(const std::string& path) {
  const auto names = open_trace(find_trace(path)).source->names();
  std::string text;
  bool counted = false;
  const Lists lists = events_of_archive(path);
  for (const TraceEvent& event : lists[0]) {
    if (event.kind == Kind::count) {
      EXPECT_TRUE(names[event.name].is_counter);
      text += fmt::format("{} {} at {}, ", names[event.name].text, event.bytes, event.begin_ns);
    } else if (counted) {
      text += event.kind == Kind::send ? "send; " : event.kind == Kind::receive ? "receive; " : "other; ";
    }
    counted = event.kind == Kind::count;
  }
  return text;
}

TEST(Otf2Reader, MetricsThatCountSayWhatWasComputedBetweenCalls) {
  const ScratchFolder folder;
  write_counted(folder.file("counted"));
  const std::string expected =
      "PAPI_TOT_CYC 700 at 200, PAPI_TOT_INS 70 at 200, send; PAPI_TOT_CYC 1000 at 400, receive; ";
  EXPECT_EQ(expected, counts_of_archive(folder.file("counted")));
  const TraceInput input = find_trace(folder.file("counted"));
  const auto store = store_of(input, {.kept = false});
  EXPECT_EQ(std::vector<std::string>{}, otf2::write_archive(store, folder.file("again.otf2")));
  EXPECT_EQ(expected, counts_of_archive(folder.file("again.otf2")));
  ReplayChoice choice{.counter = "PAPI_TOT_CYCLES", .counter_per_second = 1e9};
  choice.store.kept = false;
  EXPECT_NE(std::string::npos, error_of<InputError>([&] {
                                 static_cast<void>(open_program(input, choice));
                               }).find("has no counter 'PAPI_TOT_CYCLES'; use one of PAPI_TOT_CYC, PAPI_TOT_INS"));
  choice.counter = "PAPI_TOT_CYC";
  const auto program = open_program(input, choice);
  std::vector<u64> computed;
  for (const Op& op : ops_of(*program, 0)) {
    if (op.kind == OpKind::compute) computed.push_back(op.amount);
  }
  EXPECT_EQ((std::vector<u64>{700, 1000}), computed);
}

}  // namespace
}  // namespace weft::workloads
