// A network that delivers at once, to run collective operations on: what data reaches whom, and in how many messages.
#pragma once

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/collective/contributions.hpp"
#include "workloads/generator/collective/collective.hpp"
#include "workloads/generator/collective/communicator.hpp"
#include "workloads/generator/collective/piece_counts.hpp"

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

/// All operations of a task.
inline std::vector<Op> ops(const CollectiveSpec& collective, u32 task) {
  std::vector<Op> result;
  const auto stream = make_collective(collective)->open(TaskId(task));
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) result.push_back(op);
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

/// Pieces by target, each with the tasks that they are from.
using Pieces = std::vector<Origins>;

/// Pieces of a message: targets, and whose they are for each.
using Carried = std::vector<std::pair<u32, Origins>>;

/// How many targets there are: tasks, bytes, or one for all.
inline u32 targets(const CollectiveOperation& operation, const CollectiveSpec& collective) {
  if (operation.whole) return static_cast<u32>(collective.message_bytes);
  return operation.to_each ? collective.tasks : 1;
}

/// Bytes of a piece where lengths differ.
inline u64 counted_bytes(const CollectiveOperation& operation, const PieceCounts& counts, const DataPiece& piece) {
  if (operation.counts == CollectiveOperation::Counts::by_pair) return counts.of(piece.origin, piece.target);
  return counts.of(operation.counts == CollectiveOperation::Counts::by_origin ? piece.origin : piece.target);
}

/// The pieces of an operation for which one of its two functions says yes, by task. Empty ones are everywhere.
template <class Has>
std::vector<Pieces> pieces_of(const CollectiveOperation& operation, const Has& has, const CollectiveSpec& collective) {
  std::vector<Pieces> found(collective.tasks, Pieces(targets(operation, collective)));
  for (u32 task = 0; task < collective.tasks; ++task) {
    for (u32 target = 0; target < found[task].size(); ++target) {
      for (u32 origin = 0; origin < collective.tasks; ++origin) {
        const bool empty = collective.counts && counted_bytes(operation, *collective.counts, {origin, target}) == 0;
        if (empty || has({origin, target}, task, collective.tasks))
          found[task][target] = found[task][target].with(Origins::one(origin));
      }
    }
  }
  return found;
}

/// Pieces that tasks must have afterwards.
inline std::vector<Pieces> pieces_after(const CollectiveOperation& operation, const CollectiveSpec& collective) {
  if (operation.after_on_grid == nullptr) return pieces_of(operation, operation.after, collective);
  const auto has = [&](const DataPiece& piece, u32 task, u32) {
    return operation.after_on_grid(piece, task, collective);
  };
  return pieces_of(operation, has, collective);
}

/// The data of one task.
class Holdings {
 public:
  Holdings(const Pieces& before, bool adds_up) : adds_up_(adds_up), has_(before), sums_(before.size()) {
    for (std::size_t target = 0; target < before.size(); ++target) {
      before[target].each([&](u32 origin) { sums_[target].push_back(Origins::one(origin)); });
    }
  }
  const Pieces& has() const { return has_; }
  /// Whether it can give those of a target: as a sum without anything twice, if contributions are combined.
  bool can_give(std::size_t target, const Origins& wanted) const {
    if (!wanted.within(has_[target])) return false;
    return !adds_up_ || can_be_made(wanted, sums_[target]);
  }
  /// Returns how many new pieces there are.
  u64 take(const Carried& pieces) {
    u64 more = 0;
    for (const auto& [target, origins] : pieces) {
      const u32 had = has_[target].size();
      has_[target] = has_[target].with(origins);
      more += has_[target].size() - had;
      if (adds_up_ && std::ranges::find(sums_[target], origins) == sums_[target].end())
        sums_[target].push_back(origins);
    }
    return more;
  }

 private:
  bool adds_up_;
  Pieces has_;
  std::vector<std::vector<Origins>> sums_;  ///< as it got them, by target
};

struct Outcome {
  std::vector<Holdings> data;  ///< [task]
  u64 messages = 0, bytes = 0, longest = 0, unfinished = 0, unmatched = 0;
};

/// The pieces that go with a message.
inline Carried carried(const CollectiveKind::Message& message, const Pieces& has) {
  const CollectiveKind& kind = collective_kind(message.spec);
  const CollectiveOperation& operation = *OperationRegistry::instance().find(kind.operation);
  Carried result;
  for (u32 target = 0; target < has.size(); ++target) {
    Origins goes;
    if (kind.carries == nullptr && !operation.to_each) {
      goes = has[target];
    } else if (kind.carries == nullptr) {
      if (target == message.op.peer) goes = has[target].and_of(Origins::one(message.from));
    } else if (operation.adds_up) {
      if (kind.carries(message, {message.from, target})) goes = has[target];
    } else {
      has[target].each([&](u32 origin) {
        if (kind.carries(message, {origin, target})) goes = goes.with(Origins::one(origin));
      });
    }
    if (!goes.empty()) result.emplace_back(target, goes);
  }
  return result;
}

/// Where an operation runs: among which tasks, with which tags, and as ranks of which program.
struct Among {
  Communicator communicator;
  u32 first_tag = 0;
  /// As a rank of the communicator sees it.
  Op of_rank(Op op) const {
    if (op.kind != OpKind::send && op.kind != OpKind::receive) return op;
    EXPECT_TRUE(communicator.has(op.peer)) << op.peer;
    EXPECT_GE(op.tag, first_tag);
    op.peer = communicator.rank(op.peer);
    op.tag -= first_tag;
    return op;
  }
};

/// Runs the operation. A message brings no more new pieces than its length has space for; sums of several tasks' data
/// fill it, and can be made by the sender without taking anything twice. Operations of which only the bytes of the
/// messages count need no data: `with_data` false.
inline Outcome run(const CollectiveSpec& collective, bool with_data = true, const Among* among = nullptr) {
  const CollectiveSpec resolved = resolved_collective(collective);
  const CollectiveOperation& operation = *OperationRegistry::instance().find(collective.operation);
  const CollectiveKind& kind = collective_kind(collective);
  // Parts of a piece may come in several messages; it is there with the last of them.
  const bool in_parts = kind.divides && !operation.whole;
  std::vector<u64> room(collective.tasks, 0);  // bytes that came and no piece has filled
  const u64 piece_bytes = operation.whole ? 1 : collective.message_bytes;
  const auto program = make_collective(collective);
  struct Message {
    Op op;
    Carried pieces;
  };
  std::map<std::pair<u32, u32>, std::deque<Message>> wires;  // from, to
  std::map<std::pair<u32, u32>, u32> sends;                  // of a task with a tag
  Outcome outcome;
  if (with_data) {
    for (const Pieces& pieces : pieces_of(operation, operation.before, collective))
      outcome.data.emplace_back(pieces, operation.adds_up);
  }
  const auto sent = [&](u32 task, const Op& op) {
    if (!with_data) return Carried{};
    const Holdings& sender = outcome.data[task];
    Carried pieces = carried({resolved, task, sends[{task, op.tag}]++, op}, sender.has());
    if (collective.counts) {
      u64 bytes = 0;
      for (const auto& [target, origins] : pieces)
        origins.each([&](u32 origin) { bytes += counted_bytes(operation, *collective.counts, {origin, target}); });
      if (!kind.divides) {
        EXPECT_EQ(bytes, op.amount) << "from task " << task << " to " << op.peer << ", tag " << op.tag;
      }
    }
    if (!operation.adds_up) return pieces;
    for (const auto& [target, origins] : pieces)
      EXPECT_TRUE(sender.can_give(target, origins)) << "task " << task << ", piece " << target;
    EXPECT_EQ(pieces.size() * piece_bytes, op.amount)
        << "from task " << task << " to " << op.peer << ", tag " << op.tag;
    return pieces;
  };
  std::vector<std::unique_ptr<TaskStream>> streams;
  std::vector<Op> current;
  const auto next = [&](u32 task) {
    const Op op = streams[task]->next();
    return among == nullptr ? op : among->of_rank(op);
  };
  for (u32 task = 0; task < collective.tasks; ++task) {
    streams.push_back(among == nullptr
                          ? program->open(TaskId(task))
                          : open_on_communicator(*program, among->communicator, TaskId(among->communicator.task(task)),
                                                 among->first_tag));
    current.push_back(next(task));
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (u32 task = 0; task < collective.tasks; ++task) {
      for (Op& op = current[task]; op.kind != OpKind::end; op = next(task)) {
        EXPECT_LT(op.peer, collective.tasks);
        if (!collective.self_messages) {
          EXPECT_NE(op.peer, task);
        }
        if (!kind.empties && !collective.empty_messages) {
          EXPECT_EQ(op.amount == 0, operation.signals);
        }
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
          if (with_data) {
            const u64 more = outcome.data[task].take(found->pieces);
            if (!operation.adds_up && !operation.signals && !collective.counts) {
              if (!in_parts) room[task] = 0;
              room[task] += op.amount;
              EXPECT_LE(more, room[task] / piece_bytes) << "task " << task;
              room[task] -= std::min(room[task], more * piece_bytes);
            }
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

/// Only how many messages of how many bytes.
inline Outcome amounts(const CollectiveSpec& collective) { return run(collective, false); }

inline bool takes(const Case& c, u32 tasks) { return error_of(spec(c.operation, c.algorithm, tasks)).empty(); }

}  // namespace weft::workloads::collective_test
