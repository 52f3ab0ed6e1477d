// What tests of kernels share: specs, and programs that are run without a network.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/base/error.hpp"
#include "workloads/generator/kernel/kernel.hpp"

namespace weft::workloads::testing_kernels {

inline KernelSpec spec(const std::string& name, u32 tasks, u32 dimensions = 0) {
  KernelSpec result;
  result.name = name;
  result.tasks = tasks;
  result.message_bytes = 100;
  result.dimensions = dimensions;
  return result;
}

/// As many tasks as the shape has.
inline KernelSpec shaped(const std::string& name, const std::vector<i64>& shape) {
  i64 tasks = 1;
  for (const i64 side : shape) tasks *= side;
  KernelSpec result = spec(name, static_cast<u32>(tasks));
  result.shape = shape;
  return result;
}

using Channel = std::tuple<u32, u32, u32, u64>;  // from, to, tag, bytes

/// What came out of running a program on a network that delivers at once: sends go on, receives wait.
struct Replay {
  u64 sent = 0;
  u64 bytes = 0;         ///< of all messages
  u64 computing_ns = 0;  ///< of all tasks
  u64 unfinished_tasks = 0;
  u64 unmatched_messages = 0;
};

inline Replay replay(const Program& program) {
  Replay result;
  std::map<Channel, u64> arrived;
  std::vector<std::unique_ptr<TaskStream>> streams;
  std::vector<Op> current;
  for (u32 task = 0; task < program.tasks(); ++task) {
    streams.push_back(program.open(TaskId(task)));
    current.push_back(streams.back()->next());
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (u32 task = 0; task < program.tasks(); ++task) {
      for (Op& op = current[task]; op.kind != OpKind::end; op = streams[task]->next()) {
        if (op.kind == OpKind::compute) {
          result.computing_ns += op.amount;
          continue;
        }
        EXPECT_LT(op.peer, program.tasks());
        EXPECT_NE(op.peer, task);
        EXPECT_GT(op.amount, 0U);
        if (op.kind == OpKind::send) {
          result.bytes += op.amount;
          ++arrived[{task, op.peer, op.tag, op.amount}];
          ++result.sent;
        } else {
          u64& waiting = arrived[{op.peer, task, op.tag, op.amount}];
          if (waiting == 0) break;
          --waiting;
        }
        progress = true;
      }
    }
  }
  for (const Op& op : current) result.unfinished_tasks += op.kind != OpKind::end ? 1 : 0;
  for (const auto& [channel, count] : arrived) result.unmatched_messages += count;
  return result;
}

/// The replay of a kernel all of whose tasks end and all of whose messages are received.
inline Replay checked(const KernelSpec& kernel) {
  const Replay result = replay(*make_kernel(kernel));
  EXPECT_EQ(result.unfinished_tasks, 0U) << kernel.name;
  EXPECT_EQ(result.unmatched_messages, 0U) << kernel.name;
  return result;
}

inline u64 product_of(const std::vector<i64>& sides) {
  u64 all = 1;
  for (const i64 side : sides) all *= static_cast<u64>(side);
  return all;
}

inline u64 messages(const KernelSpec& kernel) { return replay(*make_kernel(kernel)).sent; }

inline std::vector<Op> ops(const KernelSpec& kernel, u32 task) {
  std::vector<Op> result;
  const auto stream = make_kernel(kernel)->open(TaskId(task));
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) result.push_back(op);
  return result;
}

inline Op send(u32 to, u32 tag = 0) { return {OpKind::send, to, tag, 100}; }
inline Op receive(u32 from, u32 tag = 0) { return {OpKind::receive, from, tag, 100}; }

inline std::string error_of(const KernelSpec& kernel) {
  try {
    (void)make_kernel(kernel);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace weft::workloads::testing_kernels
