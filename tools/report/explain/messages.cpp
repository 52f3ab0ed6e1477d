// Both sides of messages; see the header.
#include "tools/report/explain/messages.hpp"

#include <algorithm>

namespace weft::tools::explain {

using workloads::TimelineRecord;
using Kind = TimelineRecord::Kind;

Messages::Messages(const timeline::TimelineFrame& frame) : frame_(frame) {
  const std::size_t tasks = frame.jobs.back().first_task + frame.jobs.back().tasks;
  begun_.resize(tasks);
  rendezvous_.resize(tasks);
  last_.resize(tasks, 0);
}

bool Messages::by_rendezvous(u64 flow, u64 bytes) const {
  if (flow == 0 || sender(flow) >= begun_.size()) return false;
  const u64 least = frame_.job_of(sender(flow)).rendezvous_bytes;
  return least != 0 && std::max<u64>(bytes, 1) > least;
}

void Messages::add_task(u32 task, std::span<const TimelineRecord> records) {
  const auto job = static_cast<u64>(&frame_.job_of(task) - frame_.jobs.data());
  for (const TimelineRecord& r : records) {
    if (r.kind == Kind::send && r.flow != 0 && sender(r.flow) == task) {
      std::vector<Tick>& begun = begun_[task];
      const u32 at = number(r.flow);
      // Numbers of a task are dense, but for those of a window.
      if (at >= begun.size()) begun.resize(std::size_t{at} + 1, never);
      begun[at] = r.begin;
    }
    if (r.kind == Kind::post || r.kind == Kind::receive) receive(r);
    if (r.kind == Kind::give) given_[{job << 32 | r.peer, r.tag}].push_back({r.begin, task});
  }
}

void Messages::receive(const TimelineRecord& record) {
  if (!by_rendezvous(record.flow, record.bytes)) return;
  std::vector<Rendezvous>& of_sender = rendezvous_[sender(record.flow)];
  if (number(record.flow) >= of_sender.size()) of_sender.resize(std::size_t{number(record.flow)} + 1);
  Rendezvous& known = of_sender[number(record.flow)];
  known.posted = std::min(known.posted, record.begin);
  known.taken = std::max(known.taken, record.end);
  known.receiver = record.task;
}

void Messages::finish() {
  for (u32 task = 0; task < rendezvous_.size(); ++task) {
    Tick taken = 0;
    for (u32 at = 0; at < rendezvous_[task].size(); ++at) {
      const Rendezvous& message = rendezvous_[task][at];
      if (message.posted == never || (last_[task] != 0 && message.taken <= taken)) continue;
      last_[task] = (u64{task} << 32 | at) + 1;
      taken = message.taken;
    }
  }
  for (auto& [chunk, gifts] : given_)
    std::ranges::sort(gifts, {}, [](const Given& one) { return std::pair(one.at, one.task); });
}

Tick Messages::begun(u64 flow) const {
  if (flow == 0 || sender(flow) >= begun_.size()) return never;
  const std::vector<Tick>& begun = begun_[sender(flow)];
  return number(flow) < begun.size() ? begun[number(flow)] : never;
}

const Messages::Rendezvous* Messages::rendezvous(u64 flow) const {
  if (flow == 0 || sender(flow) >= rendezvous_.size()) return nullptr;
  const std::vector<Rendezvous>& of_sender = rendezvous_[sender(flow)];
  const bool known = number(flow) < of_sender.size() && of_sender[number(flow)].posted != never;
  return known ? &of_sender[number(flow)] : nullptr;
}

std::optional<Messages::Given> Messages::given(u32 job, u32 group, u32 chunk, Tick at) const {
  const auto found = given_.find({u64{job} << 32 | group, chunk});
  if (found == given_.end()) return {};
  const auto after = std::ranges::upper_bound(found->second, at, {}, &Given::at);
  if (after == found->second.begin()) return {};
  return *(after - 1);
}

}  // namespace weft::tools::explain
