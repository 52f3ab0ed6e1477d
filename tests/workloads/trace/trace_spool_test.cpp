// Spool and program: what goes in comes out, per task and in order, from memory and from disk, whatever the
// interleaving.
#include "workloads/trace/trace_spool.hpp"

#include <csignal>
#include <random>
#include <sys/resource.h>

#include "tests/workloads/trace/trace_test_tools.hpp"

namespace weft::workloads {
namespace {

std::vector<TraceRecord> random_records(u32 tasks, u32 count) {
  std::mt19937_64 random(7);
  std::vector<TraceRecord> records(count);
  for (TraceRecord& record : records) {
    record.task = static_cast<u32>(random() % tasks);
    const u64 wide = random() >> (random() % 64);
    if (random() % 3 == 0) {
      record.op = {OpKind::compute, 0, 0, wide % max_trace_compute_ns};
    } else {
      const u32 peer = static_cast<u32>(random() >> (random() % 32 + 32));
      record.op = {random() % 2 == 0 ? OpKind::send : OpKind::receive, peer, static_cast<u32>(wide),
                   wide % max_trace_bytes};
    }
  }
  return records;
}

void expect_streams_equal(const std::vector<TraceRecord>& records, u32 tasks,
                          const std::shared_ptr<const TraceSpool>& spool) {
  std::vector<std::unique_ptr<TaskStream>> streams(tasks);
  for (u32 task = 0; task < tasks; ++task) streams[task] = TraceSpool::open(spool, TaskId(task));
  // Interleaved reading, as in a simulation.
  for (const TraceRecord& record : records) ASSERT_EQ(record.op, streams[record.task]->next());
  for (const auto& stream : streams) {
    EXPECT_EQ(OpKind::end, stream->next().kind);
    EXPECT_EQ(OpKind::end, stream->next().kind);
  }
}

std::shared_ptr<TraceSpool> spooled(const std::vector<TraceRecord>& records, KeepTask keep, SpoolLimits limits) {
  auto spool = std::make_shared<TraceSpool>(std::move(keep), limits);
  for (const TraceRecord& record : records) spool->add(record.task, record.op);
  spool->finish();
  return spool;
}

TEST(TraceSpool, GivesBackInterleavedTasksFromMemory) {
  const auto records = random_records(13, 20000);
  const auto spool = spooled(records, {}, {});
  EXPECT_TRUE(spool->in_memory());
  EXPECT_EQ(20000u, spool->records());
  expect_streams_equal(records, 13, spool);
}

TEST(TraceSpool, GivesBackStreamsOfManyBlocksFromDisk) {
  const auto records = random_records(3, 200000);
  const auto spool = spooled(records, {}, {1024, 64 << 20});
  EXPECT_FALSE(spool->in_memory());
  EXPECT_GT(spool->blocks(), 9u);
  EXPECT_LE(spool->blocks(), spool->stored_bytes() / (32 * 1024) + 3);
  expect_streams_equal(records, 3, spool);
}

TEST(TraceSpool, SmallBuffersForManyTasksOnlyMakeMoreBlocks) {
  const auto records = random_records(100, 50000);
  const auto spool = spooled(records, {}, {1024, 1});
  EXPECT_GE(spool->blocks(), 500u);
  expect_streams_equal(records, 100, spool);
}

TEST(TraceSpool, TasksThatAreNotKeptAreCountedOnly) {
  const auto records = random_records(10, 10000);
  const auto spool = spooled(records, [](u32 task) { return task % 2 == 0; }, {});
  std::vector<TraceRecord> kept;
  for (const TraceRecord& record : records) {
    if (record.task % 2 == 0) kept.push_back(record);
  }
  EXPECT_EQ(10000u, spool->records());
  EXPECT_EQ(kept.size(), spool->kept_records());
  const auto stream = TraceSpool::open(spool, TaskId(4));
  for (const TraceRecord& record : kept) {
    if (record.task == 4) {
      ASSERT_EQ(record.op, stream->next());
    }
  }
  EXPECT_EQ(OpKind::end, stream->next().kind);
  EXPECT_THROW((void)TraceSpool::open(spool, TaskId(5)), Bug);
}

TEST(TraceSpool, LeavesNoFileBehind) {
  const TestFolder folder;
  ::setenv("TMPDIR", folder.file("").c_str(), 1);
  const auto spool = spooled(random_records(2, 10000), {}, {1024, 1});
  ::unsetenv("TMPDIR");
  EXPECT_FALSE(spool->in_memory());
  EXPECT_EQ(0u, folder.files());
}

TEST(TraceSpool, AFullDiskOrAMissingFolderIsASystemError) {
  const auto records = random_records(4, 200000);
  ::setenv("TMPDIR", "/nonexistent-folder", 1);
  const std::string missing = error_of<SystemError>([&] { spooled(records, {}, {1024, 1}); });
  ::unsetenv("TMPDIR");
  EXPECT_NE(std::string::npos, missing.find("/nonexistent-folder (No such file or directory)")) << missing;
  // A file size limit fails the write as a full disk does.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{4096, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string full = error_of<SystemError>([&] { spooled(records, {}, {1024, 1}); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(std::string::npos, full.find("cannot write the temporary trace file")) << full;
}

TEST(TraceProgram, CountsTasksByTheLargestRankAndGivesEmptyStreamsToIdleOnes) {
  const TestFolder folder;
  const TraceProgram program(folder.write("small.trc", "c 0 9\ns 0 5 1 10\nr 0 2 1 10\ns 3 3 0 0\n"));
  EXPECT_EQ(6u, program.tasks());
  EXPECT_EQ("small.trc", program.name());
  EXPECT_EQ(3u, program.records());
  EXPECT_EQ(1u, program.self_sends());
  EXPECT_EQ((std::vector<Op>{{OpKind::compute, 0, 0, 9}, {OpKind::send, 5, 1, 10}}), ops_of(program, 0));
  EXPECT_EQ((std::vector<Op>{{OpKind::receive, 0, 1, 10}}), ops_of(program, 2));
  for (const u32 idle : {1u, 3u, 4u, 5u}) EXPECT_TRUE(ops_of(program, idle).empty());
  EXPECT_EQ(6u, count_trace_tasks(folder.file("small.trc")));
}

TEST(TraceProgram, StreamsOutliveTheProgram) {
  auto program = std::make_unique<TraceProgram>(reader_of("c 0 1\nc 0 2\n"), "t");
  const auto stream = program->open(TaskId(0));
  program.reset();
  EXPECT_EQ(1u, stream->next().amount);
  EXPECT_EQ(2u, stream->next().amount);
}

}  // namespace
}  // namespace weft::workloads
