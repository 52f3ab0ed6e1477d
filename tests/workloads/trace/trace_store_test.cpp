// Stores of traces: what goes in comes out, per task and in order, whatever the interleaving, the parts and the
// threads; and when a store is there, it is used only while the trace is what it was.
#include "workloads/trace/store/trace_store.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <random>
#include <sys/resource.h>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/trace/format/line_range.hpp"
#include "workloads/trace/format/trc_reader.hpp"
#include "workloads/trace/store/import.hpp"
#include "workloads/trace/store/store_writer.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

/// Any event, with all the fields that its kind has.
TraceEvent random_event(std::mt19937_64& random) {
  const auto wide = [&random] { return random() >> (random() % 64); };
  const auto number = [&] { return random() % 8 == 0 ? TraceEvent::any : static_cast<u32>(wide()); };
  TraceEvent event;
  event.kind = static_cast<Kind>(random() % 12);
  event.synchronous = random() % 4 == 0;
  event.continues = random() % 4 == 0;
  event.communicator = random() % 2 == 0 ? 0 : static_cast<u32>(wide());
  event.bytes = wide();
  switch (event.kind) {
    case Kind::isend:
    case Kind::ireceive:
      event.request = wide();
      [[fallthrough]];
    case Kind::send:
    case Kind::receive:
    case Kind::probe:
      event.peer = number();
      event.tag = number();
      break;
    case Kind::wait:
      event.request = wide();
      event.peer = number();
      event.tag = number();
      if (random() % 2 == 0) event.bytes = TraceEvent::unknown_bytes;
      break;
    case Kind::collective:
      event.operation = static_cast<Collective>(random() % collective_operations_known);
      event.root = number();
      event.bytes_received = wide();
      if (random() % 3 == 0) event.request = wide();
      for (u64 i = random() % 3 == 0 ? random() % 40 : 0; i > 0; --i) event.sent.push_back(wide());
      for (u64 i = random() % 3 == 0 ? random() % 40 : 0; i > 0; --i) event.received.push_back(wide());
      break;
    case Kind::enter:
    case Kind::leave:
    case Kind::mark:
      event.name = static_cast<u32>(wide());
      event.bytes = 0;
      break;
    case Kind::count:
      event.name = static_cast<u32>(wide());
      break;
    case Kind::compute:
      break;
  }
  return event;
}

/// What `stored` says that there are.
constexpr u32 communicators_there = 3, names_there = 4;

/// `event` with numbers of what a trace of so many tasks has.
TraceEvent fitted(TraceEvent event, u32 tasks) {
  const bool sends = event.kind == Kind::send || event.kind == Kind::isend;
  if (event.peer != TraceEvent::any || sends) event.peer %= tasks;
  if (event.root != TraceEvent::no_root) event.root %= tasks;
  event.communicator %= communicators_there;
  event.name %= names_there;
  return event;
}

/// With times that go on within each task.
std::vector<TraceRecord> random_records(u32 tasks, u32 count, u64 seed = 7) {
  std::mt19937_64 random(seed);
  std::vector<TraceRecord> records(count);
  std::vector<u64> now(tasks, 0);
  for (TraceRecord& record : records) {
    record.task = static_cast<u32>(random() % tasks);
    record.event = fitted(random_event(random), tasks);
    record.event.begin_ns = now[record.task] += random() >> (random() % 40 + 24);
    record.event.end_ns = now[record.task] += random() >> (random() % 40 + 24);
  }
  return records;
}

std::shared_ptr<const TraceStore> stored(const std::vector<TraceRecord>& records, const KeepTask& keep = {},
                                         u64 buffering_bytes = StoreWriter::default_buffering_bytes) {
  std::vector<StoreFile> files;
  files.push_back(StoreFile::temporary("trace"));
  StoreWriter writer(files[0], 0, true, keep, buffering_bytes);
  for (const TraceRecord& record : records) writer.add(record, 0, 0);
  std::vector<StoreIndex> shares;
  shares.push_back(writer.finish());
  shares[0].files = 1;
  shares[0].communicators.resize(communicators_there);
  shares[0].names.resize(names_there);
  return std::make_shared<const TraceStore>(merged(std::move(shares)), std::move(files));
}

void expect_events_equal(const std::vector<TraceRecord>& records, u32 tasks,
                         const std::shared_ptr<const TraceStore>& store, u64 streams_at_a_time = 1) {
  ASSERT_EQ(tasks, store->index().tasks);
  std::vector<std::unique_ptr<EventStream>> streams(tasks);
  for (u32 task = 0; task < tasks; ++task) streams[task] = TraceStore::events(store, task, streams_at_a_time);
  TraceEvent event;
  // Interleaved reading, as in a simulation.
  for (const TraceRecord& record : records) {
    ASSERT_TRUE(streams[record.task]->next(event));
    ASSERT_EQ(record.event, event);
  }
  for (const auto& stream : streams) {
    EXPECT_FALSE(stream->next(event));
    EXPECT_FALSE(stream->next(event));
  }
}

TEST(Packing, GivesBackAnyNumbers) {
  std::mt19937_64 random(3);
  std::vector<TraceEvent> events(20000);
  std::vector<u8> packed;
  EventPacker packer(false);
  for (TraceEvent& event : events) packer.pack(event = random_event(random), packed);
  EventUnpacker unpacker(false);
  TraceEvent event;
  const u8* at = packed.data();
  for (const TraceEvent& expected : events) {
    at = unpacker.unpack(at, packed.data() + packed.size(), event);
    ASSERT_NE(nullptr, at);
    ASSERT_EQ(expected, event);
  }
  EXPECT_EQ(packed.data() + packed.size(), at);
}

TEST(TraceStore, WhatTheTraceHasNotIsNoEventOfIt) {
  const auto refused = [](auto&& change) {
    TraceRecord record;
    record.event.kind = Kind::collective;
    change(record.event);
    TraceEvent event;
    const auto stream = TraceStore::events(stored({record}), 0);
    return error_of<InputError>([&] { (void)stream->next(event); });
  };
  const char* const why = "names a task, communicator, region or size that the trace has not";
  EXPECT_NE(std::string::npos, refused([](TraceEvent& event) { event.root = 1; }).find(why));
  EXPECT_NE(std::string::npos, refused([](TraceEvent& event) { event.communicator = communicators_there; }).find(why));
  const auto with = [](Kind kind, u32 peer, u32 name) {
    return [=](TraceEvent& event) {
      event.kind = kind;
      event.peer = peer;
      event.name = name;
    };
  };
  for (const Kind kind : {Kind::send, Kind::isend, Kind::receive, Kind::ireceive, Kind::wait, Kind::probe})
    EXPECT_NE(std::string::npos, refused(with(kind, 1, 0)).find(why)) << static_cast<int>(kind);
  EXPECT_NE(std::string::npos, refused(with(Kind::isend, TraceEvent::any, 0)).find(why));
  for (const Kind kind : {Kind::enter, Kind::leave, Kind::mark})
    EXPECT_NE(std::string::npos, refused(with(kind, 0, names_there)).find(why)) << static_cast<int>(kind);
}

TEST(TraceStore, AnIndexThatContradictsItselfIsRefused) {
  const auto refused = [](auto&& change) {
    const auto store = stored(random_records(3, 100));
    StoreIndex index = store->index();
    change(index);
    std::vector<StoreFile> files;
    files.push_back(StoreFile::temporary("trace"));
    const std::vector<u8> bytes(store->stored_bytes(), 0);
    files[0].append(bytes.data(), bytes.size());
    files[0].flush();
    return error_of<InputError>([&] { TraceStore(std::move(index), std::move(files)); });
  };
  const std::string why = "the index of a trace store names what is not there; delete it";
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.blocks.back().bytes += 1'000'000; }));
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.blocks.back().offset = ~u64{0}; }));
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.blocks.back().file = 1; }));
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.first_block[1] = 9; }));
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.first_block.pop_back(); }));
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.tasks = ~u32{0}; }));
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.communicators.clear(); }));
  EXPECT_EQ(why, refused([](StoreIndex& index) { index.communicators[1].members = {3}; }));
}

TEST(TraceStore, GivesBackInterleavedTasksWithAllFieldsOfTheirEvents) {
  const auto records = random_records(13, 20000);
  const auto store = stored(records);
  EXPECT_EQ(20000u, store->index().events);
  expect_events_equal(records, 13, store);
}

TEST(TraceStore, SmallBuffersMakeMoreBlocksAndAreReadBackThroughSmallBuffers) {
  const auto records = random_records(100, 50000);
  const auto store = stored(records, {}, 1);
  EXPECT_GE(store->index().blocks.size(), 500u);
  expect_events_equal(records, 100, store, u64{1} << 40);
}

TEST(TraceStore, BlocksOfALongTaskAreReadBackOneAfterTheOther) {
  const auto records = random_records(2, 200000);
  const auto store = stored(records);
  EXPECT_GT(store->index().blocks.size(), 9u);
  EXPECT_LE(store->index().blocks.size(), store->stored_bytes() / (32 * 1024) + 3);
  expect_events_equal(records, 2, store);
}

TEST(TraceStore, TasksThatAreNotKeptAreCountedOnly) {
  const auto records = random_records(10, 10000);
  const auto store = stored(records, [](u32 task) { return task % 2 == 0; });
  EXPECT_EQ(10000u, store->index().events);
  EXPECT_EQ(10u, store->index().tasks);
  const auto stream = TraceStore::events(store, 4);
  TraceEvent event;
  for (const TraceRecord& record : records) {
    if (record.task != 4) continue;
    ASSERT_TRUE(stream->next(event));
    EXPECT_EQ(record.event, event);
  }
  EXPECT_FALSE(TraceStore::events(store, 5)->next(event));
}

TEST(TraceStore, ATemporaryOneLeavesNoFileBehind) {
  const ScratchFolder folder;
  ::setenv("TMPDIR", folder.file("").c_str(), 1);
  const auto store = stored(random_records(2, 10000), {}, 1);
  ::unsetenv("TMPDIR");
  EXPECT_EQ(0u, folder.entries());
}

/// What `action` does where files cannot become larger than 4 KiB, as on a full disk.
template <class Action>
void with_small_files(Action action) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{4096, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  action();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
}

TEST(TraceStore, AFullDiskOrAMissingFolderIsASystemError) {
  const auto records = random_records(4, 200000);
  ::setenv("TMPDIR", "/nonexistent-folder", 1);
  const std::string missing = error_of<SystemError>([&] { stored(records, {}, 1); });
  ::unsetenv("TMPDIR");
  EXPECT_NE(std::string::npos, missing.find("/nonexistent-folder (No such file or directory)")) << missing;
  std::string full;
  with_small_files([&] { full = error_of<SystemError>([&] { stored(records, {}, 1); }); });
  EXPECT_NE(std::string::npos, full.find("cannot write the temporary trace file")) << full;
}

std::string trace_text(u32 tasks, u32 rounds) {
  std::string text;
  for (u32 round = 0; round < rounds; ++round) {
    for (u32 task = 0; task < tasks; ++task) {
      const u32 next = (task + 1) % tasks;
      text += fmt::format("c {} {}\ns {} {} {} {}\nr {} {} {} {}\n", task, round, task, next, round, 100 + task,
                          (task + tasks - 1) % tasks, task, round, 100 + (task + tasks - 1) % tasks);
    }
  }
  return text;
}

std::vector<Op> ops_of_store(const std::shared_ptr<const TraceStore>& store, u32 task) {
  return ops_of(TraceProgram(store, "t"), task);
}

TEST(TraceStore, IsMadeBesideTheTraceAndUsedAgain) {
  const ScratchFolder folder;
  const TraceInput input = find_trace(folder.write("a.trc", trace_text(5, 100)));
  const auto first = store_of(input, {});
  EXPECT_EQ(2u, folder.entries());  // the trace and the store
  EXPECT_EQ(folder.file("a.trc.weft-store"), store_directory(input, ""));
  const auto written = std::filesystem::last_write_time(folder.file("a.trc.weft-store/index"));
  const auto second = store_of(input, {});
  EXPECT_EQ(written, std::filesystem::last_write_time(folder.file("a.trc.weft-store/index")));
  for (u32 task = 0; task < 5; ++task) EXPECT_EQ(ops_of_store(first, task), ops_of_store(second, task));
  EXPECT_EQ("trc", second->index().format);
  EXPECT_EQ(1500u, second->index().events);
}

TEST(TraceStore, IsMadeAnewWhenTheTraceHasChangedOrTheStoreIsDamaged) {
  const ScratchFolder folder;
  const std::string path = folder.write("a.trc", trace_text(5, 10));
  static_cast<void>(store_of(find_trace(path), {}));
  static_cast<void>(folder.write("a.trc", trace_text(5, 11)));
  EXPECT_EQ(165u, store_of(find_trace(path), {})->index().events);
  for (const char* name : {"a.trc.weft-store/index", "a.trc.weft-store/events-0"}) {
    const std::string part = folder.file(name);
    std::filesystem::resize_file(part, std::filesystem::file_size(part) / 2);
    EXPECT_EQ(165u, store_of(find_trace(path), {})->index().events) << name;
  }
  std::fstream index(folder.file("a.trc.weft-store/index"), std::ios::in | std::ios::out | std::ios::binary);
  index.seekp(60);
  index.put('\x55');
  index.close();
  EXPECT_THROW((void)StoreIndex::load(folder.file("a.trc.weft-store/index")), InputError);
  EXPECT_EQ(165u, store_of(find_trace(path), {})->index().events);
  EXPECT_EQ(2u, folder.entries());
}

TEST(TraceStore, InACacheOrNotAtAllIfAsked) {
  const ScratchFolder folder;
  const TraceInput input = find_trace(folder.write("a.trc", trace_text(3, 10)));
  StoreChoice none;
  none.kept = false;
  static_cast<void>(store_of(input, none));
  EXPECT_EQ(1u, folder.entries());
  StoreChoice cached;
  cached.cache = folder.file("cache");
  static_cast<void>(store_of(input, cached));
  EXPECT_EQ(2u, folder.entries());
  EXPECT_TRUE(std::filesystem::exists(store_directory(input, cached.cache) + "/index"));
}

TEST(TraceStore, AFullDiskIsNoFailureWhereTemporaryFilesFit) {
  const ScratchFolder folder;
  const TraceInput input = find_trace(folder.write("a.trc", trace_text(3, 50)));
  StoreChoice cached;
  cached.cache = "/proc/none";  // nobody can write there
  EXPECT_EQ(450u, store_of(input, cached)->index().events);
  EXPECT_EQ(1u, folder.entries());
}

TEST(TraceStore, PartsAndThreadsMakeNoDifference) {
  const ScratchFolder folder;
  const TraceInput input = find_trace(folder.write("a.trc", trace_text(7, 400)));
  const auto whole = store_of(input, {});
  const LineRanges ranges(input, 4096);
  ASSERT_GT(ranges.parts(), 20u);
  /// A file in many parts.
  struct Source final : TraceSource {
    explicit Source(const LineRanges& all) : lines(all) {}
    [[nodiscard]] u32 parts() const override { return lines.parts(); }
    [[nodiscard]] std::unique_ptr<TraceReader> open(u32 part) const override {
      return std::make_unique<TrcReader>(lines.open(part));
    }
    [[nodiscard]] std::string place(u32, u64) const override { return {}; }
    const LineRanges& lines;
  };
  const Source source(ranges);
  for (const u32 shares : {1U, 2U, 3U, 50U}) {
    std::vector<StoreFile> files;
    std::vector<StoreIndex> indices;
    for (u32 share = 0; share < shares; ++share) files.push_back(StoreFile::temporary("trace"));
    for (u32 share = 0; share < shares; ++share)
      indices.push_back(import_share(source, share, shares, files[share], {}, {}));
    const auto store = std::make_shared<const TraceStore>(merged(std::move(indices)), std::move(files));
    EXPECT_EQ(whole->index().events, store->index().events);
    for (u32 task = 0; task < 7; ++task) EXPECT_EQ(ops_of_store(whole, task), ops_of_store(store, task));
  }
}

TEST(LineRanges, KnowHowManyLinesComeBeforeEachPart) {
  const ScratchFolder folder;
  const std::string text = trace_text(4, 2000);
  const LineRanges ranges(find_trace(folder.write("a.trc", text)), 4096);
  std::string all;
  for (u32 part = 0; part < ranges.parts(); ++part) {
    EXPECT_EQ(ranges.lines_before(part), static_cast<u64>(std::count(all.begin(), all.end(), '\n')));
    all += read_head(*ranges.open(part), 1 << 20);
  }
  EXPECT_EQ(text, all);
}

TEST(TraceProgram, CountsTasksByTheLargestRankAndGivesEmptyStreamsToIdleOnes) {
  const ScratchFolder folder;
  const std::string path = folder.write("small.trc", "c 0 9\ns 0 5 1 10\nr 0 2 1 10\ns 3 3 0 0\n");
  const auto program = open_program(path);
  EXPECT_EQ(6u, program->tasks());
  EXPECT_EQ("small.trc", program->name());
  EXPECT_EQ(3u, summarise_trace(path).records);
  EXPECT_EQ(1u, summarise_trace(path).self_sends);
  EXPECT_EQ((std::vector<Op>{{OpKind::compute, 0, 0, 9}, {OpKind::send, 5, 1, 10}}), ops_of(*program, 0));
  EXPECT_EQ((std::vector<Op>{{OpKind::receive, 0, 1, 10}}), ops_of(*program, 2));
  for (const u32 idle : {1u, 3u, 4u, 5u}) EXPECT_TRUE(ops_of(*program, idle).empty());
  EXPECT_EQ(6u, count_trace_tasks(path));
}

TEST(TraceProgram, StreamsOutliveTheProgram) {
  const ScratchFolder folder;
  auto program = open_program(folder.write("t.trc", "c 0 1\nc 0 2\n"));
  const auto stream = program->open(TaskId(0));
  program.reset();
  EXPECT_EQ(1u, stream->next().amount);
  EXPECT_EQ(2u, stream->next().amount);
}

TEST(TraceInput, FilesOfAFolderComeInTheOrderOfTheirNumbers) {
  const ScratchFolder folder;
  for (const char* name : {"r-10.bin", "r-9.bin", "r-0.bin", "r-009b.bin", ".hidden", "other"})
    static_cast<void>(folder.write(name, "x"));
  const TraceInput input = find_trace(folder.file("r-*.bin"));
  EXPECT_TRUE(input.several);
  EXPECT_EQ((std::vector<std::string>{folder.file("r-0.bin"), folder.file("r-9.bin"), folder.file("r-009b.bin"),
                                      folder.file("r-10.bin")}),
            input.files);
  EXPECT_EQ(5u, find_trace(folder.file("")).files.size());
  EXPECT_NE(std::string::npos,
            error_of<InputError>([&] { (void)find_trace(folder.file("none*")); }).find("no plain file fits"));
}

}  // namespace
}  // namespace weft::workloads
