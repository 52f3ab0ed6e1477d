// OTF2 archives against counts of otf2-print (otf2-tools 3.0.2), and damaged ones.
#include "workloads/trace/format/otf2/otf2_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <random>

#include "tests/workloads/trace/otf2_test_tools.hpp"

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

TEST(Otf2Reader, StencilHasTheCountsOfOtf2Print) {
  const Lists lists = events_of_archive(stencil_archive());
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

TEST(Otf2Reader, DamagedArchivesAreRefusedByFile) {
  const ScratchFolder folder;
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
  // The library would take 17 GB before it reads the first of them.
  const std::string many = copy("many");
  {
    const std::string anchor = many + "/traces.otf2";
    std::ofstream to(anchor, std::ios::binary | std::ios::in | std::ios::ate);
    to.seekp(46);
    to << std::string("\0\0\0\0\0\0\x40", 7);
  }
  EXPECT_NE(std::string::npos,
            failure(many).find("byte 49: 1073741824 properties where the rest of the file has room"));
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
    const ScratchFolder folder;
    std::filesystem::copy(whole, folder.file("a"), std::filesystem::copy_options::recursive);
    const std::string name = (std::filesystem::path(folder.file("a")) / files[random() % files.size()]).string();
    std::string bytes;
    {
      std::ifstream from(name, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(from), {});
    }
    const std::size_t place = random() % bytes.size();
    switch (random() % 4) {
      case 0:
        bytes.resize(place);
        break;
      case 1:
        bytes[place] = static_cast<char>(random());
        break;
      case 2:
        for (std::size_t at = place; at < std::min(place + 8, bytes.size()); ++at) bytes[at] = '\xFF';
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
