// Records of single tasks: regions, windows, the end of room, checkpoints.
#include "workloads/program/timeline.hpp"

#include <gtest/gtest.h>

namespace weft::workloads {
namespace {

using Kind = TimelineRecord::Kind;

Op an_op(OpKind kind, u32 peer = 0) { return {kind, peer, 5, 100}; }

std::vector<TimelineRecord> records_of(const TaskTimeline& task, Tick now = 1000, Tick cut = never) {
  std::vector<TimelineRecord> all;
  task.add_records(all, now, cut);
  return all;
}

std::vector<TimelineRecord> of_kind(const std::vector<TimelineRecord>& all, Kind kind) {
  std::vector<TimelineRecord> some;
  for (const TimelineRecord& record : all) {
    if (record.kind == kind) some.push_back(record);
  }
  return some;
}

TEST(TaskTimeline, OperationsOfAListEndWhereTheNextBegins) {
  const TimelineSpec spec{.tasks = {13}};
  TaskTimeline task(spec, 13, 10);
  task.take(0, 0, an_op(OpKind::compute), {});
  task.take(0, 40, an_op(OpKind::send, 2), {});
  task.sent(0, 7);
  task.take(0, 50, an_op(OpKind::receive, 1), {});
  task.arrived(11, 3, 60, 5, 64, true);
  task.handled(0, 70, 11, 3, 64);
  task.take(0, 80, an_op(OpKind::end), {});
  task.over(0, 80);
  const auto all = records_of(task);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].end, 40U);
  EXPECT_EQ(all[1].peer, 12U);  // of all jobs
  EXPECT_EQ(all[1].flow, (u64{13} << 32 | 7) + 1);
  EXPECT_EQ(all[2].peer, 11U);
  EXPECT_EQ(all[2].begin, 50U);
  EXPECT_EQ(all[2].arrived, 60U);
  EXPECT_EQ(all[2].handled, 70U);
  EXPECT_EQ(all[2].end, 80U);
  EXPECT_EQ(all[2].bytes, 64U);
}

TEST(TaskTimeline, RegionsGoOnOverOperationsAndAreNotCutByThoseThatTakeNoTime) {
  const TimelineSpec spec{.tasks = {0}};
  TaskTimeline task(spec, 0, 0);
  const u32 outer_inner[] = {4, 9}, outer[] = {4};
  task.take(0, 0, an_op(OpKind::compute), outer_inner);
  task.take(0, 10, an_op(OpKind::mark), {});
  task.take(0, 10, an_op(OpKind::compute), outer_inner);
  task.take(0, 30, an_op(OpKind::compute), outer);
  task.take(0, 35, an_op(OpKind::compute), {});
  task.take(0, 50, an_op(OpKind::end), {});
  task.over(0, 50);
  const auto regions = of_kind(records_of(task), Kind::region);
  ASSERT_EQ(regions.size(), 2U);
  EXPECT_EQ(regions[0].peer, 9U);
  EXPECT_EQ(regions[0].depth, 1U);
  EXPECT_EQ(regions[0].begin, 0U);
  EXPECT_EQ(regions[0].end, 30U);
  EXPECT_EQ(regions[1].peer, 4U);
  EXPECT_EQ(regions[1].end, 35U);
}

TEST(TaskTimeline, KeepsWhatOverlapsTheWindow) {
  const TimelineSpec spec{.tasks = {0}, .from = 100, .to = 200};
  TaskTimeline task(spec, 0, 0);
  for (const Tick at : {0U, 50U, 150U, 190U, 260U}) task.take(0, at, an_op(OpKind::compute), {});
  task.over(0, 300);
  const auto all = records_of(task);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].begin, 50U);
  EXPECT_EQ(all[2].begin, 190U);
  EXPECT_EQ(all[2].end, 260U);
}

TEST(TaskTimeline, EndsWhereThereIsNoMoreRoom) {
  const TimelineSpec spec{.tasks = {0}, .most_records = 3};
  TaskTimeline task(spec, 0, 0);
  const u32 region[] = {1};
  for (Tick at = 0; at < 100; at += 10) task.take(0, at, an_op(OpKind::compute), region);
  EXPECT_EQ(task.full_at(), 40U);
  const auto all = records_of(task, 100, task.full_at());
  for (const TimelineRecord& record : all) EXPECT_LE(record.end, 40U);
  ASSERT_EQ(of_kind(all, Kind::region).size(), 1U);
  EXPECT_EQ(of_kind(all, Kind::region)[0].finished, 0U);
  EXPECT_EQ(of_kind(all, Kind::compute).size(), 4U);
  // Another task was full before.
  EXPECT_EQ(of_kind(records_of(task, 100, 15), Kind::compute).size(), 2U);
}

TEST(TaskTimeline, OfGraphsOperationsOverlap) {
  const TimelineSpec spec{.tasks = {2}};
  TaskTimeline task(spec, 2, 0);
  GraphOp receive, compute;
  receive.kind = GraphOp::Kind::receive;
  receive.peer = GraphOp::any;
  compute.kind = GraphOp::Kind::compute;
  task.begin(5, 0, receive);
  task.begin(6, 10, compute);
  task.end(6, 90);
  task.handled(5, 95, 1, 0, 8);
  const auto all = records_of(task);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].lane, 0U);
  EXPECT_EQ(all[1].peer, 1U);
  EXPECT_EQ(all[1].finished, 0U);
  EXPECT_EQ(all[1].end, 1000U);
}

TEST(TaskTimeline, WhatWasStartedIsAMessageOnce) {
  const TimelineSpec spec{.tasks = {1}};
  TaskTimeline task(spec, 1, 0);
  Op await;
  await.kind = OpKind::await;
  task.start(0, 0, an_op(OpKind::ireceive, 2));
  task.start(1, 0, an_op(OpKind::isend, 2));
  task.launched(1, 0);
  task.take(0, 0, an_op(OpKind::compute), {});
  task.arrived(2, 7, 20, 5, 100, true);
  await.amount = 1;
  task.take(0, 30, await, {});  // complete already
  await.amount = 0;
  task.take(0, 30, await, {});
  task.taken(0, 45, 2, 7, 100);
  task.over(0, 50);
  const auto all = records_of(task);
  ASSERT_EQ(of_kind(all, Kind::send).size(), 1U);
  EXPECT_EQ(of_kind(all, Kind::send)[0].flow, (u64{1} << 32) + 1);
  ASSERT_EQ(of_kind(all, Kind::receive).size(), 1U);
  const TimelineRecord receive = of_kind(all, Kind::receive)[0];
  EXPECT_EQ(receive.begin, 30U);
  EXPECT_EQ(receive.arrived, 20U);
  EXPECT_EQ(receive.handled, 45U);
  EXPECT_EQ(receive.end, 50U);
  EXPECT_EQ(receive.flow, (u64{2} << 32 | 7) + 1);
}

TEST(TaskTimeline, GoesOnFromACheckpoint) {
  const TimelineSpec spec{.tasks = {0}};
  TaskTimeline whole(spec, 0, 0), begun(spec, 0, 0), resumed(spec, 0, 0);
  const u32 region[] = {3};
  const auto first_half = [&](TaskTimeline& task) {
    task.take(0, 0, an_op(OpKind::compute), region);
    task.take(0, 20, an_op(OpKind::receive, 2), region);
    task.arrived(2, 1, 25, 5, 100, true);
    task.arrived(2, 6, 26, 5, 100, true);
  };
  const auto second_half = [&](TaskTimeline& task) {
    task.handled(0, 30, 2, 1, 100);
    task.take(0, 35, an_op(OpKind::receive, 2), region);
    task.handled(0, 40, 2, 6, 100);
    task.over(0, 40);
  };
  first_half(whole);
  first_half(begun);
  engine::ByteWriter bytes;
  begun.save(bytes);
  engine::ByteReader reader(bytes.bytes());
  resumed.load(reader);
  reader.finish();
  second_half(whole);
  second_half(resumed);
  const auto a = records_of(whole), b = records_of(resumed);
  ASSERT_EQ(a.size(), 4U);
  ASSERT_EQ(b.size(), a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].begin, b[k].begin);
    EXPECT_EQ(a[k].end, b[k].end);
    EXPECT_EQ(a[k].flow, b[k].flow);
    EXPECT_EQ(a[k].arrived, b[k].arrived);
  }
}

}  // namespace
}  // namespace weft::workloads
