// A network that delivers at once, to run collective operations on: what data reaches whom, and in how many messages.
#pragma once

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/error.hpp"
#include "workloads/collective/collective.hpp"

namespace weft::workloads::collective_test {

constexpr u64 part_bytes = 7;

struct Case {
  std::string operation, algorithm;
};

inline CollectiveSpec spec(const std::string& operation, const std::string& algorithm, u32 tasks,
                           u64 bytes = part_bytes) {
  CollectiveSpec result;
  result.operation = operation;
  result.algorithm = algorithm;
  result.tasks = tasks;
  result.message_bytes = bytes;
  return result;
}

inline std::string error_of(const CollectiveSpec& collective) {
  try {
    static_cast<void>(make_collective(collective));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

using Pieces = std::set<DataPiece>;

/// The pieces of an operation for which one of its two functions says yes, by task.
inline std::vector<Pieces> pieces_of(const CollectiveOperation& operation, CollectiveOperation::Has has, u32 tasks) {
  std::vector<Pieces> found(tasks);
  for (u32 task = 0; task < tasks; ++task) {
    for (u32 origin = 0; origin < tasks; ++origin) {
      for (u32 target = 0; target < (operation.to_each ? tasks : 1); ++target) {
        if (has({origin, target}, task, tasks)) found[task].insert({origin, target});
      }
    }
  }
  return found;
}

struct Outcome {
  std::vector<Pieces> data;  ///< [task]
  u64 messages = 0, bytes = 0, longest = 0, unfinished = 0, unmatched = 0;
};

/// Runs the operation. Where `bytes` makes pieces of part_bytes, a message brings no more new ones than its length has
/// space for, unless the operation adds up.
inline Outcome run(const Case& c, u32 tasks, u64 bytes = part_bytes, u32 repetitions = 1) {
  auto collective = spec(c.operation, c.algorithm, tasks, bytes);
  collective.repetitions = repetitions;
  const CollectiveOperation& operation = *OperationRegistry::instance().find(c.operation);
  const CollectiveKind& kind = collective_kind(collective);
  const bool of_whole_pieces = bytes == (operation.whole ? tasks * part_bytes : part_bytes);
  const auto program = make_collective(collective);
  struct Message {
    Op op;
    Pieces pieces;
  };
  std::map<std::pair<u32, u32>, std::deque<Message>> wires;  // from, to
  std::map<std::pair<u32, u32>, u32> sends;                  // of a task with a tag
  Outcome outcome{pieces_of(operation, operation.before, tasks)};
  const auto sent = [&](u32 task, const Op& op) {
    Pieces result;
    const CollectiveKind::Message message{tasks, task, sends[{task, op.tag}]++, op};
    for (const DataPiece& piece : outcome.data[task]) {
      const bool usual = !operation.to_each || (piece.origin == task && piece.target == op.peer);
      if (kind.carries ? kind.carries(message, piece, part_bytes) : usual) result.insert(piece);
    }
    return result;
  };
  std::vector<std::unique_ptr<TaskStream>> streams;
  std::vector<Op> current;
  for (u32 task = 0; task < tasks; ++task) {
    streams.push_back(program->open(TaskId(task)));
    current.push_back(streams.back()->next());
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (u32 task = 0; task < tasks; ++task) {
      for (Op& op = current[task]; op.kind != OpKind::end; op = streams[task]->next()) {
        EXPECT_LT(op.peer, tasks);
        EXPECT_NE(op.peer, task);
        EXPECT_GT(op.amount, 0U);
        Pieces& has = outcome.data[task];
        if (op.kind == OpKind::send) {
          wires[{task, op.peer}].push_back({op, sent(task, op)});
          ++outcome.messages;
          outcome.bytes += op.amount;
          outcome.longest = std::max(outcome.longest, op.amount);
        } else {
          auto& wire = wires[{op.peer, task}];
          const auto found = std::ranges::find_if(
              wire, [&](const Message& m) { return m.op.tag == op.tag && m.op.amount == op.amount; });
          if (found == wire.end()) break;
          const std::size_t had = has.size();
          has.insert(found->pieces.begin(), found->pieces.end());
          if (!operation.adds_up && of_whole_pieces) {
            EXPECT_LE(has.size() - had, op.amount / part_bytes) << "task " << task;
          }
          wire.erase(found);
        }
        progress = true;
      }
    }
  }
  for (const Op& op : current) outcome.unfinished += op.kind != OpKind::end ? 1 : 0;
  for (const auto& [ends, wire] : wires) outcome.unmatched += wire.size();
  return outcome;
}

inline bool takes(const Case& c, u32 tasks) { return error_of(spec(c.operation, c.algorithm, tasks)).empty(); }

}  // namespace weft::workloads::collective_test
