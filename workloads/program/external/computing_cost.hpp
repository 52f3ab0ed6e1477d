// How long processes outside of the simulator compute, in simulated time: never by the wall clock, so that runs repeat.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Times of the computing of each task, in the order in which they come.
using CostTable = std::vector<std::vector<u64>>;

/// Lines `task nanoseconds`; # before comments. Throws InputError with the line.
[[nodiscard]] CostTable read_cost_table(const std::string& path, u32 tasks);
/// What is read so.
[[nodiscard]] std::string cost_table_text(const CostTable& table, const std::string& comment);

/// How long one task computes.
class ComputingCost {
 public:
  enum class Rule : u8 {
    fixed,    ///< always `fixed_ns`
    table,    ///< as recorded; `fixed_ns` beyond the end
    measured  ///< what the process says
  };
  ComputingCost(Rule rule, u64 fixed_ns, std::vector<u64> recorded = {})
      : rule_(rule), fixed_ns_(fixed_ns), recorded_(std::move(recorded)) {}

  /// Whether the next can be told before the process has come there.
  [[nodiscard]] bool is_known() const { return rule_ != Rule::measured; }
  /// The next, in nanoseconds.
  u64 next(u64 measured_ns) {
    if (rule_ == Rule::measured) return measured_ns;
    const u64 at = taken_++;
    return rule_ == Rule::table && at < recorded_.size() ? recorded_[at] : fixed_ns_;
  }
  /// How many were asked for, and how many the table did not have.
  [[nodiscard]] u64 taken() const { return taken_; }
  [[nodiscard]] u64 missing() const {
    return rule_ == Rule::table && taken_ > recorded_.size() ? taken_ - recorded_.size() : 0;
  }

 private:
  Rule rule_;
  u64 fixed_ns_;
  std::vector<u64> recorded_;
  u64 taken_ = 0;
};

}  // namespace weft::workloads
