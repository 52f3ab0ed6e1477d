// Independent sources as a program, for jobs beside others: each task sends messages of a packet at random times to the
// destinations of a pattern, and nobody receives them.
#pragma once

#include <memory>

#include "workloads/program/program.hpp"
#include "workloads/traffic/arrival_law.hpp"
#include "workloads/traffic/packet_lengths.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

/// What the sources of a job send.
struct SourceSpec {
  u32 tasks = 0;
  double packets_per_cycle = 0;  ///< chance of a new packet per task and cycle; 1: at once
  u64 packets = 0;               ///< of each task; 0: without end
  PacketLengths cells{1, 1};     ///< of packets, their headers included
  u32 header_phits = 0, phit_bytes = 4;
  u64 seed = 1;
};

/// As the sources of SyntheticHost with bounded queues: a packet that finds the NIC full waits, and nothing is
/// generated meanwhile. Pauses between packets are in cycles, not ns: run it with a cycle's ticks a ns, at will.
class SourceProgram final : public Program {
 public:
  /// `arrivals`: null for Bernoulli trials.
  SourceProgram(const SourceSpec& spec, std::string name, std::unique_ptr<Pattern> pattern,
                std::unique_ptr<const Arrivals> arrivals = nullptr);

  [[nodiscard]] u32 tasks() const override { return spec_.tasks; }
  /// The program must outlive its streams.
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override;
  [[nodiscard]] std::string name() const override { return name_; }

 private:
  class Stream;

  SourceSpec spec_;
  std::string name_;
  std::unique_ptr<Pattern> pattern_;
  std::unique_ptr<const Arrivals> arrivals_;
  double log_miss_;
};

}  // namespace weft::workloads
