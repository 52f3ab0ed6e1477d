// When messages were begun, and when receives for them were there: what the other side of a wait did.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tools/result/timeline/timeline_frame.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::tools::explain {

/// The messages of all tasks, of the numbers that TimelineRecord::flow has.
class Messages {
 public:
  explicit Messages(const timeline::TimelineFrame& frame);
  /// All records of a task.
  void add_task(u32 task, std::span<const workloads::TimelineRecord> records);
  /// After the last task.
  void finish();

  struct Rendezvous {
    Tick posted = never;  ///< the receive that took it was there
    Tick taken = 0;       ///< and is complete
    u32 receiver = 0;
  };
  /// When the send of a message began; `never`: it was not recorded.
  [[nodiscard]] Tick begun(u64 flow) const;
  [[nodiscard]] static u32 sender(u64 flow) { return static_cast<u32>((flow - 1) >> 32); }
  /// When a message that went by rendezvous was taken; null: it did not, or was not received.
  [[nodiscard]] const Rendezvous* rendezvous(u64 flow) const;
  /// The message that was taken last of those that a task sent by rendezvous; 0: there is none.
  [[nodiscard]] u64 taken_last(u32 task) const { return task < last_.size() ? last_[task] : 0; }

  struct Given {
    Tick at = 0;
    u32 task = 0;
  };
  /// Who was the last to give a chunk to the switch of a group, at a time or before.
  [[nodiscard]] std::optional<Given> given(u32 job, u32 group, u32 chunk, Tick at) const;

 private:
  [[nodiscard]] static u32 number(u64 flow) { return static_cast<u32>(flow - 1); }
  [[nodiscard]] bool by_rendezvous(u64 flow, u64 bytes) const;
  void receive(const workloads::TimelineRecord& record);

  const timeline::TimelineFrame& frame_;
  std::vector<std::vector<Tick>> begun_;                     ///< [sender][number]
  std::vector<std::vector<Rendezvous>> rendezvous_;          ///< likewise; empty of tasks without any
  std::vector<u64> last_;                                    ///< [task]
  std::map<std::pair<u64, u32>, std::vector<Given>> given_;  ///< by (job and group, chunk), in order of time
};

}  // namespace weft::tools::explain
