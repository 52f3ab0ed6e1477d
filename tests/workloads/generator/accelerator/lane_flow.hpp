// Runs programs with lanes without a network and without time: messages are there at once, what is computed and waited
// for in the outside world is over at once, and each pair of tasks keeps its order for each tag. Who sends what is told
// to a test as it happens.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "workloads/program/program.hpp"

namespace weft::workloads::lane_test {

struct Flow {
  u64 messages = 0, bytes = 0, unfinished = 0, unmatched = 0;
  u64 most_held = 0;  ///< chunks that switches held at a time
  std::map<u8, u64> bytes_of_activity = {};
};
/// `sent`: number of the message among those of a sender with a tag. `received`: what `sent` returned comes along.
struct FlowHooks {
  std::function<u64(u32 task, u32 lane, const Op& op)> sent = [](u32, u32, const Op&) { return u64{0}; };
  std::function<void(u32 task, u32 lane, const Op& op, u64 what)> received = [](u32, u32, const Op&, u64) {};
};

inline Flow run_lanes(const Program& program, const FlowHooks& hooks = {}) {
  struct Message {
    u64 bytes, what;
  };
  struct Lane {
    std::unique_ptr<TaskStream> stream;
    Op op;
  };
  Flow flow;
  std::map<std::tuple<u32, u32, u32>, std::deque<Message>> wires;  // from, to, tag
  std::vector<std::vector<Lane>> tasks(program.tasks());
  std::vector<std::map<u32, u64>> counters(program.tasks());
  for (u32 task = 0; task < program.tasks(); ++task) {
    for (u32 lane = 0; lane < program.lanes(); ++lane) {
      tasks[task].push_back({program.open_lane(TaskId(task), lane), {}});
      tasks[task][lane].op = tasks[task][lane].stream->next();
    }
  }
  std::map<std::pair<u32, u32>, std::vector<Message>> held;         // by switches: group, chunk
  std::map<std::tuple<u32, u32, u32>, std::deque<Message>> shared;  // from switches: group, task, chunk
  const auto give = [&](u32 task, u32 lane, const Op& op) {
    const SwitchGroup group = program.switch_group(op.peer);
    std::vector<Message>& chunk = held[{op.peer, op.tag}];
    flow.most_held = std::max<u64>(flow.most_held, held.size());
    chunk.push_back({op.amount, hooks.sent(task, lane, op)});
    EXPECT_EQ(chunk.front().bytes, op.amount);
    ++flow.messages;
    flow.bytes += op.amount;
    if (chunk.size() < group.givers()) return;
    Message sum{op.amount, 0};
    for (const Message& one : chunk) {
      EXPECT_EQ(sum.what & one.what, 0u) << "twice";
      sum.what |= one.what;
    }
    held.erase({op.peer, op.tag});
    for (u32 rank = 0; rank < group.size; ++rank) shared[{op.peer, group.task(rank), op.tag}].push_back(sum);
  };
  const auto get = [&](u32 task, u32 lane, const Op& op) {
    auto& there = shared[{op.peer, task, op.tag}];
    if (there.empty()) return false;
    EXPECT_EQ(there.front().bytes, op.amount);
    hooks.received(task, lane, op, there.front().what);
    there.pop_front();
    return true;
  };
  const auto done = [&](u32 task, u32 lane, const Op& op) {
    switch (op.kind) {
      case OpKind::send:
        EXPECT_LT(op.peer, program.tasks());
        EXPECT_NE(op.peer, task);
        EXPECT_GT(op.amount, 0u);
        wires[{task, op.peer, op.tag}].push_back({op.amount, hooks.sent(task, lane, op)});
        ++flow.messages;
        flow.bytes += op.amount;
        flow.bytes_of_activity[op.activity] += op.amount;
        return true;
      case OpKind::receive: {
        auto& wire = wires[{op.peer, task, op.tag}];
        if (wire.empty()) return false;
        EXPECT_EQ(wire.front().bytes, op.amount);
        hooks.received(task, lane, op, wire.front().what);
        wire.pop_front();
        return true;
      }
      case OpKind::mark:
        ++counters[task][op.peer];
        return true;
      case OpKind::wait:
        return counters[task][op.peer] >= op.amount;
      case OpKind::give:
        give(task, lane, op);
        return true;
      case OpKind::get:
        return get(task, lane, op);
      case OpKind::compute:
      case OpKind::until:
      case OpKind::pause:
        return true;
      case OpKind::isend:
      case OpKind::ireceive:
      case OpKind::meet:
      case OpKind::imeet:
      case OpKind::await:
      case OpKind::listen:
      case OpKind::cancel:
        ADD_FAILURE() << "lanes have no requests";
        return true;
      case OpKind::end:
        break;
    }
    return false;
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (u32 task = 0; task < program.tasks(); ++task) {
      for (u32 lane = 0; lane < program.lanes(); ++lane) {
        Lane& at = tasks[task][lane];
        for (; at.op.kind != OpKind::end && done(task, lane, at.op); at.op = at.stream->next()) progress = true;
      }
    }
  }
  for (const auto& lanes : tasks) {
    for (const Lane& lane : lanes) flow.unfinished += lane.op.kind == OpKind::end ? 0 : 1;
  }
  for (const auto& [ends, wire] : wires) flow.unmatched += wire.size();
  for (const auto& [ends, wire] : shared) flow.unmatched += wire.size();
  flow.unmatched += held.size();
  return flow;
}

}  // namespace weft::workloads::lane_test
