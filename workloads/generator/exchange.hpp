// Pairs of tasks that send each other messages, all at the same time: what tells how much of its links' bandwidth a
// network gives to a pattern.
#pragma once

#include <string>
#include <vector>

#include "models/topology/topology.hpp"
#include "workloads/generator/patterns.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

struct ExchangeSpec {
  std::string name;        ///< a pattern, as pattern_named takes it, or "pairs"
  std::vector<u32> pairs;  ///< "pairs": source and destination of each in turn, as numbers of tasks
  u32 tasks = 0;
  u64 message_bytes = 0;
  u32 messages = 1;       ///< of each pair, one after the other
  bool both_ways = true;  ///< both of a pair send and wait for the other's message before the next; else one sends
  u64 seed = 1;           ///< of patterns that are drawn
};

/// The tasks of pairs. In each round of the pattern, and for each of its messages, a task sends to all that the pattern
/// says, and then waits for what all of its partners have sent. Nothing else keeps rounds apart.
class ExchangeProgram final : public Program {
 public:
  /// `topology`: whose switches patterns of hosts go by; task t is on node t for them. Throws ConfigError for what is
  /// no pattern, and for pairs that are none.
  ExchangeProgram(const ExchangeSpec& spec, const models::Topology& topology);

  u32 tasks() const override { return spec_.tasks; }
  std::unique_ptr<TaskStream> open(TaskId task) const override;
  std::string name() const override;

  /// What a task receives in all, in bytes.
  [[nodiscard]] u64 received_bytes(TaskId task) const;
  /// Whether the pattern is of nodes, not tasks: placed elsewhere it would be another one.
  [[nodiscard]] bool is_of_nodes() const { return of_nodes_; }

  /// Pairs are kept only of patterns that cannot say which those of a task are.
  u64 bytes() const override;

  /// Tasks that a task sends to, and those it hears from, in a round.
  struct Partners {
    std::vector<u32> to, from;
  };

 private:
  class Stream;
  /// The pairs of a round by task: those that task t is in are pairs[begin[t]] to pairs[begin[t + 1]].
  struct Round {
    std::vector<u32> begin;
    std::vector<TaskPair> pairs;
  };
  void keep_round(const std::vector<TaskPair>& pairs);
  /// A round of a pattern, without its random bits.
  [[nodiscard]] PatternRound round_of(u32 number) const;
  /// Puts the partners of a task in a round in place of what is in `with`; `scratch` is overwritten.
  void find_partners(u32 task, u32 round, Partners& with, std::vector<TaskPair>& scratch) const;
  [[nodiscard]] u64 messages_to(u32 task) const;

  ExchangeSpec spec_;
  bool of_nodes_ = false;
  const FlowPattern* pattern_ = nullptr;  ///< that says which pairs a task is in; null: they are kept
  u32 argument_ = 0;                      ///< of the pattern
  u32 rounds_ = 0;
  std::vector<Round> kept_;
  u64 messages_to_each_ = 0;  ///< in all rounds, where tasks are alike
};

}  // namespace weft::workloads
