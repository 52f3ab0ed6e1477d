// Events of a trace as those of some of its tasks: tasks and communicators with new numbers, lists of collective calls
// without the members that are left out.
#pragma once

#include <vector>

#include "workloads/trace/edit/cut_counts.hpp"

namespace weft::workloads {

class CutCommunicators {
 public:
  /// Keeps the communicators that have a member or are in use.
  CutCommunicators(const StoreIndex& index, const KeptTasks& kept, const CutCounts& counts);

  [[nodiscard]] std::vector<TraceCommunicator> kept() const { return communicators_; }
  /// Peer, root, communicator and lists of a kept event. Throws InputError for lists that are not as long as the
  /// communicator.
  void translate(TraceEvent& event) const;

 private:
  void filter(std::vector<u64>& list, u64& total, u32 communicator) const;

  const StoreIndex& index_;
  const KeptTasks& kept_;
  std::vector<TraceCommunicator> communicators_;
  std::vector<u32> numbers_;  ///< [number in the trace]
};

}  // namespace weft::workloads
