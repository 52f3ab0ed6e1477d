// Flows as a program: each task starts flows at times of its own, and nobody receives them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/program/program.hpp"
#include "workloads/traffic/flow_file.hpp"
#include "workloads/traffic/flow_sizes.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

struct Flow {
  u64 start_cycle = 0;  ///< from the begin of the task
  u32 to = 0;           ///< task
  u64 bytes = 0;
};

/// The flows of one task, in order of their starts.
class FlowStream {
 public:
  virtual ~FlowStream() = default;
  /// False after the last.
  virtual bool next(Flow& flow) = 0;
};

/// What flows of one task do that are at its NIC at one time.
enum class FlowOrder : u8 {
  fair,    ///< their packets take turns; each starts at its time
  in_turn  ///< a flow starts when the NIC has taken the one before it, if that is after its time
};

/// Messages are numbered as flows.
class FlowProgram : public Program {
 public:
  explicit FlowProgram(FlowOrder order) : order_(order) {}
  [[nodiscard]] FlowOrder order() const { return order_; }
  [[nodiscard]] bool keeps_time() const final { return true; }
  /// That nobody waits for.
  [[nodiscard]] bool has_requests() const final { return order_ == FlowOrder::fair; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const final;
  /// The program must outlive its streams.
  [[nodiscard]] virtual std::unique_ptr<FlowStream> flows(TaskId task) const = 0;

 private:
  FlowOrder order_;
};

struct RandomFlowSpec {
  u32 tasks = 0;
  u64 flows = 0;           ///< of all tasks together, shared out evenly to those that send; 0: no limit
  u64 last_cycle = never;  ///< flows start before that
  double mean_cycles = 0;  ///< between the starts of two flows of a task, on average
  u64 seed = 1;
  FlowOrder order = FlowOrder::fair;
};

/// Poisson processes with sizes of a distribution and destinations of a pattern. Throws ConfigError for a pattern in
/// which no task sends.
[[nodiscard]] std::unique_ptr<FlowProgram> make_random_flows(const RandomFlowSpec& spec, FlowSizes sizes,
                                                             std::string name, std::unique_ptr<Pattern> pattern);
/// Flows of a list that is sorted by start; a ns has so many cycles.
[[nodiscard]] std::unique_ptr<FlowProgram> make_listed_flows(u32 tasks, const std::vector<ListedFlow>& flows,
                                                             double cycles_per_ns, std::string name, FlowOrder order);

}  // namespace weft::workloads
