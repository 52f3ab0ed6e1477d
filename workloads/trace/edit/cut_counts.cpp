// Counts of a cut; see the header.
#include "workloads/trace/edit/cut_counts.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {

std::size_t ChannelKeyHash::operator()(const ChannelKey& key) const {
  u64 hash = (u64{key.from} << 32 | key.to) * 0x9E37'79B9'7F4A'7C15ULL;
  hash = (hash ^ (hash >> 29) ^ (u64{key.communicator} << 32 | key.tag)) * 0xBF58'476D'1CE4'E5B9ULL;
  hash = (hash ^ (hash >> 31) ^ key.bytes) * 0x94D0'49BB'1331'11EBULL;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

KeptTasks::KeptTasks(const std::vector<u32>& tasks, u32 of) : numbers_(of, left_out) {
  for (const u32 task : tasks) {
    if (task >= of)
      throw ConfigError(fmt::format("task {} is none of the trace (it has tasks 0..{}); give others", task, of - 1));
    numbers_[task] = 0;
  }
  for (u32 task = 0; task < of; ++task) {
    if (!tasks.empty() && numbers_[task] == left_out) continue;
    numbers_[task] = static_cast<u32>(tasks_.size());
    tasks_.push_back(task);
  }
}

ChannelKey CutCounts::channel(u32 from, u32 to, const TraceEvent& message) const {
  if (index_.in_order) return {from, to, message.communicator, message.tag, 0};
  return {from, to, 0, message.tag, std::max<u64>(message.bytes, 1)};  // as INSEE matches
}

void CutCounts::check_communicator(u32 task, const TaskWalk& walk) {
  const u32 communicator = walk.event().communicator;
  if (communicator >= index_.communicators.size())
    throw InputError(fmt::format("task {}, event {} is on communicator {}, which the trace does not define", task,
                                 walk.number() + 1, communicator));
  if (walk.where() == Where::within) used_[communicator] = true;
}

void CutCounts::add(u32 task, TaskWalk& walk) {
  used_.resize(index_.communicators.size());
  std::unordered_map<u32, Calls> calls;
  const u64 before = events_within_;
  while (walk.next()) add_event(task, walk, calls);
  if (events_within_ == before) ++tasks_without_window_;
  for (const auto& [communicator, count] : calls) {
    Communicator& all = communicators_[communicator];
    ++all.members_seen;
    all.kept.begin = std::max(all.kept.begin, count.before);
    all.kept.end = std::min(all.kept.end, count.before + count.within);
  }
}

void CutCounts::add_event(u32 task, const TaskWalk& walk, std::unordered_map<u32, Calls>& calls) {
  using Kind = TraceEvent::Kind;
  const TraceEvent& event = walk.event();
  const bool before = walk.where() == Where::before, within = walk.where() == Where::within;
  check_communicator(task, walk);
  if (within) {
    ++events_within_;
    first_begin_ns_ = std::min(first_begin_ns_, event.begin_ns);
  }
  if ((event.kind == Kind::send || event.kind == Kind::isend) && kept_.has(event.peer) && (before || within)) {
    Channel& known = channels_[channel(task, event.peer, event)];
    ++(before ? known.sends_before : known.sends_within);
  } else if (event.kind == Kind::collective) {
    Calls& count = calls[event.communicator];
    count.before += before ? 1 : 0;
    count.within += within ? 1 : 0;
  }
  if (!walk.receives() || walk.received_where() == Where::after) return;
  const TraceEvent receive = walk.received();
  if (receive.peer == TraceEvent::any || receive.tag == TraceEvent::any)
    throw InputError(fmt::format(
        "task {}, event {} receives any message{}, and the trace does not say which one came (whether it "
        "was sent in the part that is kept is not known); cut a trace that does",
        task, walk.number() + 1, receive.peer == TraceEvent::any ? "" : fmt::format(" of task {}", receive.peer)));
  if (!kept_.has(receive.peer)) return;
  Channel& known = channels_[channel(receive.peer, task, receive)];
  ++(walk.received_where() == Where::before ? known.receives_before : known.receives_within);
}

void CutCounts::finish() {
  for (auto& [number, calls] : communicators_) {
    const std::vector<u32>& members = index_.communicators[number].members;
    const auto kept = std::ranges::count_if(members, [this](u32 member) { return kept_.has(member); });
    const u64 expected = members.empty() ? kept_.count() : static_cast<u64>(kept);
    // A member without any call has none to keep.
    if (calls.members_seen != expected) calls.kept = {};
  }
}

NumberRange CutCounts::kept_messages(const ChannelKey& channel) const {
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return {};
  const Channel& known = found->second;
  return {std::max(known.sends_before, known.receives_before),
          std::min(known.sends_before + known.sends_within, known.receives_before + known.receives_within)};
}

bool CutCounts::sent_before(const ChannelKey& channel, u64 number) const {
  return number < channels_.at(channel).sends_before;
}
bool CutCounts::received_before(const ChannelKey& channel, u64 number) const {
  return number < channels_.at(channel).receives_before;
}

}  // namespace weft::workloads
