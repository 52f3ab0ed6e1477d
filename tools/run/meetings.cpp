// Counts who has come to meetings, on rank 0; see the header.
#include "tools/run/meetings.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/transport.hpp"
#include "workloads/program/task_limits.hpp"
#include "workloads/trace/collectives.hpp"

namespace weft::tools {

using workloads::MeetingKey;
using workloads::MeetingShare;

std::optional<Meetings> Meetings::of(Context& context, workloads::ProgramHost& host,
                                     const std::vector<workloads::ProgramJob>& jobs) {
  if (std::ranges::none_of(jobs, [](const workloads::ProgramJob& job) { return job.program->meets(); })) return {};
  return Meetings(context, host, jobs);
}

Meetings::Meetings(Context& context, workloads::ProgramHost& host, const std::vector<workloads::ProgramJob>& jobs)
    : context_(context), host_(host), jobs_(jobs) {
  for (u32 job = 0; job < jobs.size(); ++job) {
    if (jobs[job].program->meets()) least_ = std::min(least_, length(job, jobs[job].program->least_meeting_ps()));
  }
}

/// At least a cycle: who comes last in it must be known before.
Tick Meetings::length(u32 job, u64 ps) const {
  const double ticks =
      std::min(static_cast<double>(ps) * jobs_[job].meeting_ticks / 1000, static_cast<double>(workloads::last_tick));
  return std::max(static_cast<Tick>(ticks + 0.5), context_.router.cycle_ticks);
}

Tick Meetings::exchange() {
  const std::vector<MeetingShare> mine = host_.take_arrivals();
  u64 any = mine.size();
  context_.transport.sum({&any, 1});
  if (any == 0) return never;
  std::vector<End> ends;
  std::string wrong;
  for (const auto& shares : engine::gather_values<MeetingShare>(context_.transport, mine)) {
    if (std::string found = add(shares, ends); wrong.empty()) wrong = std::move(found);
  }
  std::vector<std::byte> told(wrong.empty() ? 1 + ends.size() * sizeof(End) : 1 + wrong.size());
  told[0] = wrong.empty() ? std::byte{0} : std::byte{1};
  if (wrong.empty() && !ends.empty()) std::memcpy(told.data() + 1, ends.data(), ends.size() * sizeof(End));
  if (!wrong.empty()) std::memcpy(told.data() + 1, wrong.data(), wrong.size());
  context_.transport.broadcast(told);
  if (told[0] != std::byte{0}) {
    wrong.resize(told.size() - 1);
    std::memcpy(wrong.data(), told.data() + 1, wrong.size());
    throw InputError(wrong);
  }
  ends.resize((told.size() - 1) / sizeof(End));
  if (!ends.empty()) std::memcpy(static_cast<void*>(ends.data()), told.data() + 1, ends.size() * sizeof(End));
  Tick first = never;
  for (const End& end : ends) {
    host_.end_meeting(end.meeting, end.at);
    first = std::min(first, end.at);
  }
  return first;
}

std::string Meetings::add(const std::vector<MeetingShare>& shares, std::vector<End>& ends) {
  for (const MeetingShare& share : shares) {
    const auto at = waiting_.try_emplace(share.meeting, MeetingShare{.meeting = share.meeting}).first;
    MeetingShare& whole = at->second;
    whole.add(share);
    if (std::string found = complaint(whole); !found.empty()) return found;
    const MeetingKey& key = share.meeting;
    if (whole.tasks < jobs_[key.job].program->meeting_tasks(key.communicator)) continue;
    ends.push_back({key, whole.last + length(key.job, whole.ps)});
    waiting_.erase(at);
  }
  return {};
}

/// What tasks do not agree in, as far as they have come.
std::string Meetings::complaint(const MeetingShare& whole) const {
  const auto name = [](u32 what) { return workloads::name_of(static_cast<workloads::Collective>(what)); };
  const std::string where =
      fmt::format("collective call {} of communicator {}", u64{whole.meeting.number} + 1, whole.meeting.communicator);
  if (whole.least_what != whole.most_what) {
    return fmt::format(
        "{} is {} in some tasks and {} in others (all tasks of a communicator have the same calls); "
        "check the trace with 'weft trace check'",
        where, name(whole.least_what), name(whole.most_what));
  }
  const bool is_whole = whole.tasks == jobs_[whole.meeting.job].program->meeting_tasks(whole.meeting.communicator);
  if (whole.knowing > 1 || (is_whole && whole.knowing == 0)) {
    return fmt::format("tasks name different roots in {}, {} (all name one); check the trace with 'weft trace check'",
                       where, name(whole.least_what));
  }
  return {};
}

}  // namespace weft::tools
