// Several jobs side by side, each with a pattern and a load of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/pattern/pattern.hpp"

namespace weft::workloads {

struct JobSpec {
  u32 nodes = 0;
  std::string pattern;
  u32 load_percent = 100;  ///< of the load that all nodes generate
};

/// Job after job takes consecutive places; what is left over is idle. A job's pattern knows its own places only. Of the
/// packets that a node of a job would generate it sends `load_percent`, drawn at random; for the others `destination`
/// gives the source itself.
class Jobs final : public Pattern {
 public:
  /// Throws ConfigError if the jobs need more than spec.nodes, and what make_pattern throws for any of them.
  Jobs(const std::vector<JobSpec>& jobs, const PatternSpec& spec);
  [[nodiscard]] NodeId destination(NodeId source, u64 random_bits) const override;
  [[nodiscard]] bool sends(NodeId source) const override;
  /// Number of the job of a place, or `idle`.
  [[nodiscard]] u32 job_of(NodeId place) const;
  static constexpr u32 idle = ~u32{0};

 private:
  struct Job {
    u32 first, nodes, load_percent;
    std::unique_ptr<Pattern> pattern;
  };
  std::vector<Job> jobs_;
};

}  // namespace weft::workloads
