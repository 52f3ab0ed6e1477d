// OTF2 archives against counts of otf2-print (otf2-tools 3.0.2), and there and back.
#include "workloads/trace/format/otf2_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <random>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/trace/format/otf2_writer.hpp"
#include "workloads/trace/store/import.hpp"
#include "workloads/trace/store/trace_store.hpp"

/// What the library loses when it refuses an archive is not what is looked for.
extern "C" const char* __lsan_default_suppressions() { return "leak:libopen-trace-format2"; }

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

/// What is in a trace, by kind.
struct Otf2Counts {
  u32 tasks = 0;
  u64 sends = 0, isends = 0, receives = 0, ireceives = 0, waits = 0, sent_bytes = 0, received_bytes = 0;
  std::map<Collective, u64> collectives;
  friend bool operator==(const Otf2Counts&, const Otf2Counts&) = default;
};

std::ostream& operator<<(std::ostream& out, const Otf2Counts& counts) {
  out << fmt::format("{} tasks, {} sends, {} isends, {} receives, {} ireceives, {} waits, {} bytes sent, {} received",
                     counts.tasks, counts.sends, counts.isends, counts.receives, counts.ireceives, counts.waits,
                     counts.sent_bytes, counts.received_bytes);
  for (const auto& [operation, calls] : counts.collectives) out << fmt::format(", {} {}", calls, name_of(operation));
  return out;
}

using Lists = std::vector<std::vector<TraceEvent>>;

Lists events_of_archive(const std::string& path) {
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

Otf2Counts counts_of(const Lists& lists) {
  Otf2Counts counts;
  counts.tasks = static_cast<u32>(lists.size());
  for (const auto& list : lists) {
    for (const TraceEvent& event : list) {
      counts.sends += event.kind == Kind::send;
      counts.isends += event.kind == Kind::isend;
      counts.receives += event.kind == Kind::receive;
      counts.ireceives += event.kind == Kind::ireceive;
      counts.waits += event.kind == Kind::wait;
      if (event.kind == Kind::send || event.kind == Kind::isend) counts.sent_bytes += event.bytes;
      if ((event.kind == Kind::receive || event.kind == Kind::ireceive) && event.bytes != TraceEvent::unknown_bytes)
        counts.received_bytes += event.bytes;
      if (event.kind == Kind::collective) ++counts.collectives[event.operation];
    }
  }
  return counts;
}

u64 regions_of(const Lists& lists) {
  u64 regions = 0;
  for (const auto& list : lists) regions += std::ranges::count(list, Kind::enter, &TraceEvent::kind);
  return regions;
}

std::string stencil() { return std::string(WEFT_SOURCE_DIR) + "/examples/traces/otf2/stencil4d-32"; }
std::string small_archive() { return std::string(WEFT_TEST_DATA) + "/otf2/small/traces.otf2"; }

TEST(Otf2Reader, StencilHasTheCountsOfOtf2Print) {
  const Lists lists = events_of_archive(stencil());
  EXPECT_EQ((Otf2Counts{32, 512, 0, 0, 512, 512, 67'108'864, 67'108'864, {{Collective::barrier, 96}}}),
            counts_of(lists));
  // 1,251 regions, of which 512 sends, 512 receives, 96 barriers, and 64 of MPI_Waitall, have events of their own.
  EXPECT_EQ(1251u - 512 - 512 - 96 - 64, regions_of(lists));
}

TEST(Otf2Reader, SmallArchiveHasTheCountsOfOtf2PrintAndSizesOfCalls) {
  const Lists lists = events_of_archive(small_archive());
  EXPECT_EQ((Otf2Counts{4,
                        2,
                        4,
                        2,
                        4,
                        8,
                        16'584,
                        16'584,
                        {{Collective::barrier, 4}, {Collective::broadcast, 4}, {Collective::allreduce, 4}}}),
            counts_of(lists));
  for (const auto& list : lists) {
    for (const TraceEvent& event : list) {
      if (event.kind != Kind::collective || event.operation == Collective::barrier) continue;
      EXPECT_EQ(event.operation == Collective::broadcast ? 1024u : 16u, event.bytes);
      EXPECT_EQ(event.operation == Collective::broadcast ? 0u : TraceEvent::no_root, event.root);
    }
  }
}

TEST(Otf2Reader, SamplesHaveTheCountsOfOtf2Print) {
  const std::map<std::string, Otf2Counts> expected = {
      {"sstmacro-otf2_test_traces",
       {10,
        0,
        1440,
        0,
        1440,
        2880,
        23'592'600,
        23'592'600,
        {{Collective::broadcast, 30},
         {Collective::gather, 30},
         {Collective::scatter, 30},
         {Collective::allgather, 360},
         {Collective::all_to_all, 360},
         {Collective::allreduce, 360},
         {Collective::reduce, 30}}}},
      {"tracer-stencil4d-64", {64, 1024, 0, 0, 1024, 1024, 268'435'456, 268'435'456, {{Collective::barrier, 192}}}},
      {"pipit-ping-pong", {2, 16, 0, 16, 0, 0, 8'355'840, 8'355'840, {}}},
      {"ember-test_emberotf2", {4, 0, 0, 0, 0, 0, 0, 0, {{Collective::broadcast, 4}}}},
  };
  u32 found = 0;
  for (const auto& [name, counts] : expected) {
    const std::string path = shared_file("traces/otf2/" + name);
    if (path.empty()) continue;
    ++found;
    EXPECT_EQ(counts, counts_of(events_of_archive(path))) << name;
  }
  if (found == 0) GTEST_SKIP() << "the trace is not there (WEFT_SHARED)";
}

TEST(Otf2Reader, SizesOfCollectiveCallsAreThoseOfOneTask) {
  const std::string path = shared_file("traces/otf2/sstmacro-otf2_test_traces");
  if (path.empty()) GTEST_SKIP() << "the trace is not there (WEFT_SHARED)";
  // The program makes 12 calls with pieces of 4 to 8,192 bytes on all tasks, on its half, on itself; all are regular.
  for (const auto& list : events_of_archive(path)) {
    std::map<std::pair<Collective, u64>, u64> calls;
    for (const TraceEvent& event : list) {
      if (event.kind == Kind::collective) ++calls[{event.operation, event.bytes}];
    }
    for (const Collective operation : {Collective::allgather, Collective::all_to_all, Collective::allreduce}) {
      for (u64 bytes = 4; bytes <= 8192; bytes *= 2) EXPECT_EQ(3u, (calls[{operation, bytes}])) << bytes;
    }
    for (const Collective operation :
         {Collective::broadcast, Collective::gather, Collective::scatter, Collective::reduce})
      EXPECT_EQ(3u, (calls[{operation, 4}])) << name_of(operation);
  }
}

/// A store of the trace in temporary files.
std::shared_ptr<const TraceStore> store_of_path(const std::string& path) {
  StoreChoice choice;
  choice.kept = false;
  choice.threads = 2;
  return store_of(find_trace(path), choice);
}

TEST(Otf2Writer, AnArchiveComesBackAsItWas) {
  for (const std::string& path : {stencil(), small_archive(), shared_file("traces/otf2/sstmacro-otf2_test_traces"),
                                  shared_file("traces/otf2/ember-test_emberotf2")}) {
    if (path.empty()) continue;
    const TestFolder folder;
    const std::string written = folder.file("again.otf2");
    EXPECT_TRUE(otf2::write_archive(store_of_path(path), written).empty()) << path;
    const auto before = open_trace(find_trace(path)), after = open_trace(find_trace(written));
    EXPECT_EQ(before.source->communicators(), after.source->communicators());
    const Lists first = events_of_archive(path), second = events_of_archive(written);
    ASSERT_EQ(first.size(), second.size());
    for (u32 task = 0; task < first.size(); ++task) {
      ASSERT_EQ(first[task].size(), second[task].size()) << path << " " << task;
      for (std::size_t i = 0; i < first[task].size(); ++i) {
        TraceEvent one = first[task][i], other = second[task][i];
        if (one.kind >= Kind::enter) {
          // Names are numbered anew.
          EXPECT_EQ(before.source->names()[one.name], after.source->names()[other.name]);
          one.name = other.name = 0;
        }
        ASSERT_EQ(one, other) << path << ", task " << task << ", event " << i;
      }
    }
  }
}

TEST(Otf2Writer, ComputingBecomesTimeInATraceWithoutTimes) {
  const TestFolder folder;
  const std::string text =
      folder.write("t.trc", "c 0 500\ns 0 1 7 100\nc 0 20\nr 0 1 7 100\nc 1 30\nc 1 4\ns 1 0 0 0\nr 1 0 0 0\n");
  const std::string written = folder.file("t.otf2");
  const auto losses = otf2::write_archive(store_of_path(text), written);
  ASSERT_EQ(1u, losses.size());
  EXPECT_NE(std::string::npos, losses[0].find("matched by source, tag and size"));
  const auto program = open_program(written);
  EXPECT_EQ((std::vector<Op>{{OpKind::compute, 0, 0, 500},
                             {OpKind::send, 1, 7, 100},
                             {OpKind::compute, 0, 0, 20},
                             {OpKind::receive, 1, 0, 0}}),
            ops_of(*program, 0));
  EXPECT_EQ((std::vector<Op>{{OpKind::receive, 0, 7, 100}, {OpKind::compute, 0, 0, 34}, {OpKind::send, 0, 0, 0}}),
            ops_of(*program, 1));
  const Lists lists = events_of_archive(written);
  EXPECT_EQ(Kind::mark, lists[0].front().kind);
  EXPECT_EQ(520u, lists[0].back().end_ns);
  EXPECT_EQ(34u, lists[1].back().end_ns);
}

/// A trace of lists, for writers.
class ListSource final : public TraceSource {
 public:
  ListSource(Lists lists, std::vector<TraceCommunicator> communicators, std::vector<TraceName> names)
      : lists_(std::move(lists)), communicators_(std::move(communicators)), names_(std::move(names)) {}
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    class Reader final : public TraceReader {
     public:
      explicit Reader(const Lists& lists) : lists_(lists) {}
      bool next(TraceRecord& record) override {
        for (; task_ < lists_.size(); ++task_, at_ = 0) {
          if (at_ < lists_[task_].size()) {
            record = {task_, lists_[task_][at_++]};
            return true;
          }
        }
        return false;
      }
      [[nodiscard]] u64 position() const override { return at_; }
      [[nodiscard]] u32 tasks() const override { return static_cast<u32>(lists_.size()); }

     private:
      const Lists& lists_;
      u32 task_ = 0;
      std::size_t at_ = 0;
    };
    return std::make_unique<Reader>(lists_);
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 /*position*/) const override { return "list"; }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return communicators_; }
  [[nodiscard]] std::vector<TraceName> names() const override { return names_; }
  [[nodiscard]] bool has_times() const override { return true; }

 private:
  Lists lists_;
  std::vector<TraceCommunicator> communicators_;
  std::vector<TraceName> names_;
};

std::shared_ptr<const TraceStore> store_of_source(const TraceSource& source) {
  std::vector<StoreFile> files;
  files.push_back(StoreFile::temporary("trace"));
  std::vector<StoreIndex> shares;
  shares.push_back(import_share(source, 0, 1, files[0], {}, {}));
  return std::make_shared<const TraceStore>(merged(std::move(shares)), std::move(files));
}

/// Makes events one after the other, of 10 ns each with 5 ns between calls.
class Script {
 public:
  TraceEvent& add(Kind kind, bool continues = false) {
    TraceEvent& event = events.emplace_back();
    event.kind = kind;
    event.continues = continues;
    if (!continues) now_ += 15;
    event.begin_ns = now_;
    event.end_ns = kind >= Kind::enter ? now_ : now_ + 10;
    if (kind == Kind::wait) event.peer = event.tag = TraceEvent::any, event.bytes = TraceEvent::unknown_bytes;
    return event;
  }
  TraceEvent& message(Kind kind, u32 peer, u32 tag, u64 bytes, u32 communicator, bool continues = false) {
    TraceEvent& event = add(kind, continues);
    event.peer = peer;
    event.tag = tag;
    event.bytes = bytes;
    event.communicator = communicator;
    return event;
  }
  TraceEvent& collective(Collective operation, u64 bytes, u32 root, u32 communicator) {
    TraceEvent& event = add(Kind::collective);
    event.operation = operation;
    event.bytes = bytes;
    event.root = root;
    event.communicator = communicator;
    return event;
  }
  std::vector<TraceEvent> events;

 private:
  u64 now_ = 0;
};

TEST(Otf2Writer, EveryKindOfEventComesBack) {
  // Communicator 1 is {2, 0}; 2 to 4 are each of one task.
  const std::vector<TraceCommunicator> communicators = {{}, {{2, 0}}, {{0}}, {{1}}, {{2}}};
  const std::vector<TraceName> names = {{"loop", false},
                                        {"MPI_Comm_rank", true},
                                        {"PROGRAM_BEGIN", false},
                                        {"PROGRAM_END", false},
                                        {"EZTrace finalize", false}};
  Script script;
  script.add(Kind::mark).name = 2;
  script.add(Kind::enter).name = 0;
  script.add(Kind::enter).name = 1;
  script.add(Kind::leave).name = 1;
  script.message(Kind::send, 2, 9, 100, 1).synchronous = true;
  script.message(Kind::isend, 1, 4'000'000'000, 7, 0).request = 5;
  script.message(Kind::ireceive, 2, 3, 77, 1).request = u64{1} << 60;
  script.message(Kind::send, 1, 1, 1, 0);
  script.message(Kind::receive, 2, 1, 2, 0, true);
  script.message(Kind::receive, TraceEvent::any, TraceEvent::any, TraceEvent::unknown_bytes, 1);
  script.add(Kind::wait).request = 5;
  TraceEvent& wait = script.message(Kind::wait, 2, 3, 77, 1, true);
  wait.request = u64{1} << 60;
  script.collective(Collective::allreduce, 8, TraceEvent::no_root, 0).request = 6;
  script.collective(Collective::broadcast, 24, 2, 1);
  script.collective(Collective::gatherv, 24, 2, 1).bytes_received = 0;
  script.collective(Collective::scan, 10, TraceEvent::no_root, 1);
  script.collective(Collective::barrier, 0, TraceEvent::no_root, 2);
  script.collective(Collective::all_to_all, TraceEvent::unknown_bytes, TraceEvent::no_root, 0).bytes_received =
      TraceEvent::unknown_bytes;
  script.add(Kind::wait).request = 6;
  script.add(Kind::enter).name = 4;
  script.add(Kind::leave).name = 4;
  script.add(Kind::leave).name = 0;
  script.add(Kind::mark).name = 3;

  const TestFolder folder;
  const std::string written = folder.file("all.otf2");
  const ListSource source({script.events, {}, {}}, communicators, names);
  EXPECT_EQ(std::vector<std::string>{}, otf2::write_archive(store_of_source(source), written));
  const auto opened = open_trace(find_trace(written));
  EXPECT_EQ(communicators, opened.source->communicators());
  const Lists lists = events_of_archive(written);
  ASSERT_EQ(3u, lists.size());
  ASSERT_EQ(script.events.size(), lists[0].size());
  for (std::size_t i = 0; i < script.events.size(); ++i) {
    TraceEvent expected = script.events[i], got = lists[0][i];
    if (got.kind >= Kind::enter) {
      EXPECT_EQ(names[expected.name], opened.source->names()[got.name]) << i;
      expected.name = got.name = 0;
    }
    EXPECT_EQ(expected, got) << i;
  }
}

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
  const TestFolder folder;
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

TEST(Otf2Writer, WhatOtf2HasNotIsSaid) {
  Script script;
  script.message(Kind::probe, 1, 1, 1, 0);
  script.add(Kind::mark).name = 0;
  script.collective(Collective::all_to_allv, 0, TraceEvent::no_root, 0).sent = {1, 2};
  script.add(Kind::wait).request = 3;
  script.message(Kind::ireceive, 1, 3, 77, 0).request = 4;
  const TestFolder folder;
  const ListSource source({script.events, {}}, {{}}, {{"here", false}});
  const auto losses = otf2::write_archive(store_of_source(source), folder.file("lossy.otf2"));
  EXPECT_EQ(5u, losses.size());
  for (const std::string& loss : losses) EXPECT_NE(std::string::npos, loss.find('1')) << loss;
  const ListSource stranger({{[] {
                               Script wrong;
                               return wrong.message(Kind::send, 1, 0, 0, 1);
                             }()},
                             {}},
                            {{}, {{0}}}, {});
  EXPECT_NE(std::string::npos, error_of<ConfigError>([&] {
                                 static_cast<void>(otf2::write_archive(store_of_source(stranger), folder.file("s")));
                               }).find("task 1 is not in communicator 1"));
}

TEST(Otf2Reader, DamagedArchivesAreRefusedByFile) {
  const TestFolder folder;
  const auto copy = [&](const std::string& name) {
    std::filesystem::copy(std::filesystem::path(small_archive()).parent_path(), folder.file(name),
                          std::filesystem::copy_options::recursive);
    return folder.file(name);
  };
  const auto failure = [&](const std::string& path) {
    return error_of<InputError>([&] { static_cast<void>(events_of_archive(path)); });
  };
  const std::string cut = copy("cut");
  std::filesystem::resize_file(cut + "/traces/2.evt", 200);
  EXPECT_NE(std::string::npos, failure(cut).find("traces/2.evt"));
  const std::string missing = copy("missing");
  std::filesystem::remove(missing + "/traces/1.evt");
  EXPECT_NE(std::string::npos, failure(missing).find("traces/1.evt: the events of task 1 are missing"));
  const std::string undefined = copy("undefined");
  std::filesystem::remove(undefined + "/traces.def");
  EXPECT_NE(std::string::npos, failure(undefined).find("traces.otf2"));
  const std::string two = copy("two");
  std::filesystem::copy_file(two + "/traces.otf2", two + "/more.otf2");
  EXPECT_NE(std::string::npos, failure(two).find("holds 2 OTF2 archives"));
}

/// Neither a crash nor a hang, whatever byte is wrong: the library refuses, or weft does, or the archive can be read.
TEST(Otf2Reader, DamagedBytesAreRefusedOrHarmless) {
  std::mt19937 random(20261125);
  const std::filesystem::path whole = std::filesystem::path(small_archive()).parent_path();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(whole)) {
    if (entry.is_regular_file()) files.push_back(std::filesystem::relative(entry.path(), whole));
  }
  std::ranges::sort(files);
  u32 refused = 0, read = 0;
  for (u32 i = 0; i < 400; ++i) {
    const TestFolder folder;
    std::filesystem::copy(whole, folder.file("a"), std::filesystem::copy_options::recursive);
    const std::string name = (std::filesystem::path(folder.file("a")) / files[random() % files.size()]).string();
    std::string bytes;
    {
      std::ifstream from(name, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(from), {});
    }
    // The library takes seconds over an anchor that says it has a billion properties.
    const std::size_t place = random() % (name.ends_with(".otf2") ? 40 : bytes.size());
    switch (random() % 4) {
      case 0:
        bytes.resize(place);
        break;
      case 1:
        bytes[place] = static_cast<char>(random());
        break;
      case 2:
        for (std::size_t at = place; at < std::min(place + 8, bytes.size()) && !name.ends_with(".otf2"); ++at)
          bytes[at] = '\xFF';
        break;
      default:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8));
    }
    std::ofstream(name, std::ios::binary) << bytes;
    try {
      const OpenedTrace trace = open_trace(find_trace(folder.file("a")));
      TraceRecord record;
      for (u32 part = 0; part < std::min(trace.source->parts(), 64U); ++part) {
        const auto reader = trace.source->open(part);
        while (reader->next(record)) {
        }
      }
      ++read;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(read, 100u);
}

}  // namespace
}  // namespace weft::workloads
