// When tasks on all ranks have come to a meeting, and when that ends.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/run/context.hpp"
#include "workloads/program/host/program_host.hpp"
#include "workloads/program/job.hpp"

namespace weft::tools {

/// Collective operations of programs that meet (Program::meets). The ranks tell rank 0 who has come, at least each
/// `least_ticks`, which is the least that a meeting lasts: so they hear of the last one who comes before the meeting
/// ends, which is exact therefore, however the tasks are shared out.
class Meetings {
 public:
  /// What it is given must outlive it. None if no job meets.
  [[nodiscard]] static std::optional<Meetings> of(Context& context, workloads::ProgramHost& host,
                                                  const std::vector<workloads::ProgramJob>& jobs);

  [[nodiscard]] Tick least_ticks() const { return least_; }
  /// What has happened so far is told, and meetings of which all tasks have come get their end, which is still to come:
  /// the first of these ticks, `never` if there is none. Throws InputError on all ranks if tasks do not agree in what
  /// they do there. Collective.
  Tick exchange();

 private:
  struct End {
    workloads::MeetingKey meeting;
    Tick at = 0;
  };

  Meetings(Context& context, workloads::ProgramHost& host, const std::vector<workloads::ProgramJob>& jobs);
  /// Takes account of who has come, on rank 0; what is wrong with them.
  std::string add(const std::vector<workloads::MeetingShare>& shares, std::vector<End>& ends);
  [[nodiscard]] std::string complaint(const workloads::MeetingShare& whole) const;
  [[nodiscard]] Tick length(u32 job, u64 ps) const;

  Context& context_;
  workloads::ProgramHost& host_;
  const std::vector<workloads::ProgramJob>& jobs_;
  Tick least_ = never;
  std::map<workloads::MeetingKey, workloads::MeetingShare> waiting_;  ///< on rank 0
};

}  // namespace weft::tools
