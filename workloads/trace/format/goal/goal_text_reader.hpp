// Reader of GOAL, the text form of LogGOPSim and Schedgen: for each rank its operations and what they require.
//   num_ranks N
//   rank R {
//     [LABEL:] send SIZEb to RANK [tag T] [comm C] [cpu S] [nic N]
//     [LABEL:] recv SIZEb from RANK|-1 [tag T|-1] [comm C] [cpu S] [nic N]
//     [LABEL:] calc NANOSECONDS [cpu S]
//     LABEL requires LABEL
//     LABEL irequires LABEL
//   }
// and what weft adds to it:
//     [LABEL:] probe SIZEb from RANK|-1 [tag T|-1] [comm C]
//     [LABEL:] join
//     [LABEL:] until|pause NANOSECONDS [cpu S]
//     LABEL requires-any LABEL...
// docs/programs.md says what all that means.
#pragma once

#include <string>
#include <vector>

#include "workloads/program/graph_reader.hpp"
#include "workloads/program/keep_task.hpp"
#include "workloads/trace/format/goal/goal_labels.hpp"
#include "workloads/trace/format/goal/goal_lexer.hpp"

namespace weft::workloads {

/// Strict: whatever is not exactly such a file ends in InputError "file:line: problem (got ...); expected ...". Ranks
/// that are not kept are passed over, to their '}'.
class GoalTextReader final : public GraphReader {
 public:
  explicit GoalTextReader(std::unique_ptr<ByteSource> source, KeepTask keep = {});
  [[nodiscard]] u32 tasks() const override { return tasks_; }
  bool next(u32& task, GraphBuilder& graph) override;

 private:
  struct Waiting {
    u32 label, on;  ///< numbers of labels
    bool start;
  };
  void skip_line_ends();
  void expect_word(std::string_view word, const std::string& expected);
  u64 number(const std::string& field, u64 least, u64 most);
  u64 value(std::string_view digits, const std::string& field, u64 least, u64 most);
  u64 bytes();
  u32 rank_or_any(const std::string& field, bool any_fits);
  void read_rank(GraphBuilder* graph);
  void statement(GraphBuilder& graph);
  void operation(const std::string& kind, const std::string& label, u32 line, GraphBuilder& graph);
  void options(GraphOp& op, const std::string& kind);
  void requirement(const std::string& label, u32 line, GraphBuilder& graph);
  void resolve(GraphBuilder& graph);
  void check_label(std::string_view label);
  void end_statement(const std::string& expected);

  GoalLexer lexer_;
  KeepTask keep_;
  u32 tasks_ = 0;
  u32 rank_ = 0;  ///< that is read, or comes next
  GoalLabels labels_;
  std::vector<Waiting> waiting_;   ///< requirements of labels of which an operation was not known
  std::vector<u32> one_suffices_;  ///< labels with requires-any
  std::string first_, kind_;       ///< words of a statement
};

}  // namespace weft::workloads
