// Members of communicators from the calls of all tasks; see the header. A task waits in each call that makes a
// communicator until all of the parent are there, as the calls themselves do.
#include "workloads/trace/format/gathered_communicators.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

/// Communicators of one task, MPI_COMM_SELF: they have no number.
constexpr u32 gathered_self = ~u32{0} - 2;

template <class List>
bool list_before(const std::shared_ptr<const std::vector<List>>& a, const std::shared_ptr<const std::vector<List>>& b) {
  return *a < *b;
}

/// Ranks that ranges (first, last, stride) name; empty where they make no sense.
std::vector<i32> ranks_of_ranges(const std::vector<i32>& ranges, std::size_t members) {
  std::vector<i32> ranks;
  for (std::size_t i = 0; i + 2 < ranges.size(); i += 3) {
    const i64 last = ranges[i + 1], stride = ranges[i + 2];
    if (stride == 0) return {};
    for (i64 rank = ranges[i]; stride > 0 ? rank <= last : rank >= last; rank += stride) {
      if (rank < 0 || ranks.size() >= members) return ranks;
      ranks.push_back(static_cast<i32>(rank));
    }
  }
  return ranks;
}

/// The members whose ranks are listed (or are not listed), in order of the list (or of ranks).
std::vector<u32> members_at(const std::vector<u32>& members, const std::vector<i32>& ranks, bool listed) {
  std::vector<u32> result;
  std::vector<bool> named(listed ? 0 : members.size());
  for (const i32 rank : ranks) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= members.size()) continue;
    if (listed)
      result.push_back(members[static_cast<std::size_t>(rank)]);
    else
      named[static_cast<std::size_t>(rank)] = true;
  }
  for (std::size_t rank = 0; rank < named.size(); ++rank) {
    if (!named[rank]) result.push_back(members[rank]);
  }
  return result;
}

std::vector<u32> members_of_both(CommunicatorCall::Kind kind, const std::vector<u32>& a, const std::vector<u32>& b) {
  const bool unite = kind == CommunicatorCall::Kind::group_union;
  std::vector<u32> sorted = unite ? a : b;
  std::ranges::sort(sorted);
  const auto there = [&](u32 task) { return std::ranges::binary_search(sorted, task); };
  std::vector<u32> result;
  if (unite) {
    result = a;
    std::ranges::copy_if(b, std::back_inserter(result), [&](u32 task) { return !there(task); });
  } else {
    const bool common = kind == CommunicatorCall::Kind::group_intersection;
    std::ranges::copy_if(a, std::back_inserter(result), [&](u32 task) { return there(task) == common; });
  }
  return result;
}

}  // namespace

std::vector<TraceCommunicator> GatheredCommunicators::list() const {
  std::vector<TraceCommunicator> all;
  for (const Entry& entry : communicators) all.push_back({entry.members});
  if (all.empty()) all.emplace_back();
  all[0].members.clear();
  return all;
}

CommunicatorGatherer::CommunicatorGatherer(u32 tasks, CommunicatorNames names)
    : tasks_(tasks), names_(names), states_(tasks), lists_(&list_before<i32>), member_lists_(&list_before<u32>) {
  GatheredCommunicators::Entry world;
  for (u32 task = 0; task < tasks; ++task) world.members.push_back(task);
  result_.communicators.push_back(std::move(world));
  result_.made.resize(tasks);
}

void CommunicatorGatherer::add(u32 task, CommunicatorCall call, const std::vector<i32>& list) {
  if (calls_++ == most_calls)
    throw InputError(
        fmt::format("more than {} calls make communicators and groups (the trace is damaged, or too "
                    "large); cut the trace",
                    most_calls));
  if (!list.empty()) call.list = *lists_.insert(std::make_shared<const std::vector<i32>>(list)).first;
  states_.at(task).calls.push_back(std::move(call));
}

GatheredCommunicators CommunicatorGatherer::finish() {
  for (u32 task = 0; task < tasks_; ++task) {
    states_[task].communicators = {{names_.world, 0}, {names_.self, gathered_self}};
    states_[task].groups = {{names_.empty_group, kept({})}};
  }
  for (u32 task = 0; task < tasks_; ++task) {
    run(task);
    while (!ready_.empty()) {
      const u32 next = ready_.back();
      ready_.pop_back();
      run(next);
    }
  }
  for (u32 task = 0; task < tasks_; ++task) {  // those that wait for ever
    TaskState& state = states_[task];
    for (; state.at < state.calls.size(); ++state.at) {
      if (makes_communicator(state.calls[state.at].kind)) result_.made[task].push_back(GatheredCommunicators::unknown);
    }
  }
  return std::move(result_);
}

void CommunicatorGatherer::run(u32 task) {
  TaskState& state = states_[task];
  while (state.at < state.calls.size()) {
    const CommunicatorCall& call = state.calls[state.at];
    if (makes_communicator(call.kind)) return meet(task, call);  // whoever goes on is in ready_
    make_group(state, call);
    ++state.at;
  }
}

CommunicatorGatherer::Members CommunicatorGatherer::kept(std::vector<u32> members) {
  const auto [place, fresh] = member_lists_.insert(std::make_shared<const std::vector<u32>>(std::move(members)));
  if (fresh) members_ += (*place)->size();
  if (members_ > most_members)
    throw InputError(
        fmt::format("communicators and groups have more than {} members in all (the trace is damaged, or "
                    "too large); cut the trace",
                    most_members));
  return *place;
}

void CommunicatorGatherer::make_group(TaskState& state, const CommunicatorCall& call) {
  const auto group = [&](u32 number) -> Members {
    const auto found = state.groups.find(number);
    return found == state.groups.end() ? nullptr : found->second;
  };
  Members made;
  if (call.kind == Kind::group_of || call.kind == Kind::remote_group_of) {
    const auto found = state.communicators.find(call.parent);
    const u32 task = static_cast<u32>(&state - states_.data());
    if (found != state.communicators.end() && found->second == gathered_self) made = kept({task});
    if (found != state.communicators.end() && found->second < gathered_self) {
      const auto& entry = result_.communicators[found->second];
      const auto middle = entry.members.begin() + entry.first_side;
      const bool first = std::find(entry.members.begin(), middle, task) != middle;
      const bool remote = call.kind == Kind::remote_group_of;
      if (entry.first_side == 0 && !remote) made = kept(entry.members);
      if (entry.first_side != 0)
        made = kept(first != remote ? std::vector<u32>(entry.members.begin(), middle)
                                    : std::vector<u32>(middle, entry.members.end()));
    }
  } else if (const Members parent = group(call.parent)) {
    static const std::vector<i32> empty;
    const std::vector<i32>& list = call.list == nullptr ? empty : *call.list;
    switch (call.kind) {
      case Kind::group_include:
      case Kind::group_exclude:
        made = kept(members_at(*parent, list, call.kind == Kind::group_include));
        break;
      case Kind::group_include_ranges:
      case Kind::group_exclude_ranges:
        made =
            kept(members_at(*parent, ranks_of_ranges(list, parent->size()), call.kind == Kind::group_include_ranges));
        break;
      default:
        if (const Members other = group(call.other)) made = kept(members_of_both(call.kind, *parent, *other));
    }
  }
  if (made == nullptr)
    state.groups.erase(call.result);
  else
    state.groups[call.result] = made;
}

void CommunicatorGatherer::conclude(const Arrival& arrival, u32 number) {
  TaskState& state = states_[arrival.task];
  result_.made[arrival.task].push_back(number);
  if (number == GatheredCommunicators::none) {
    state.communicators.erase(arrival.call->result);
  } else {
    state.communicators[arrival.call->result] = number;
  }
  ++state.at;
  ready_.push_back(arrival.task);
}

void CommunicatorGatherer::conclude_all(const Meeting& meeting, u32 number) {
  for (const Arrival& arrival : meeting) conclude(arrival, number);
}

u32 CommunicatorGatherer::define(GatheredCommunicators::Entry entry) {
  members_ += entry.members.size();
  if (members_ > most_members)
    throw InputError(
        fmt::format("communicators have more than {} members in all (the trace is damaged, or too large); "
                    "cut the trace",
                    most_members));
  result_.communicators.push_back(std::move(entry));
  return static_cast<u32>(result_.communicators.size() - 1);
}

void CommunicatorGatherer::meet(u32 task, const CommunicatorCall& call) {
  using Gathered = GatheredCommunicators;
  const auto found = states_[task].communicators.find(call.parent);
  const u32 parent = found == states_[task].communicators.end() ? Gathered::unknown : found->second;
  const Arrival arrival{task, &call};
  const bool none = call.result == names_.null;
  if (call.kind == Kind::unknown || parent == Gathered::unknown) {
    conclude(arrival, none ? Gathered::none : Gathered::unknown);
  } else if (parent == gathered_self) {
    const bool alone = call.kind != Kind::inter && call.kind != Kind::merge;
    conclude(arrival, none ? Gathered::none : alone ? define({{task}, 0, {}}) : Gathered::unknown);
  } else {
    Meeting& meeting = meetings_[parent];
    meeting.push_back(arrival);
    if (meeting.size() < result_.communicators[parent].members.size()) return;
    Meeting all = std::move(meeting);
    meetings_.erase(parent);
    resolve(parent, std::move(all));
  }
}

void CommunicatorGatherer::resolve(u32 parent, Meeting meeting) {
  const auto& members = result_.communicators[parent].members;
  std::unordered_map<u32, u32> rank_of;
  for (u32 rank = 0; rank < members.size(); ++rank) rank_of[members[rank]] = rank;
  std::ranges::sort(meeting, {}, [&](const Arrival& arrival) { return rank_of[arrival.task]; });
  const Kind kind = meeting[0].call->kind;
  const bool inter = result_.communicators[parent].first_side != 0;
  const bool fits = std::ranges::all_of(meeting, [&](const Arrival& arrival) { return arrival.call->kind == kind; });
  if (!fits || (inter && kind != Kind::dup && kind != Kind::merge) || (!inter && kind == Kind::merge))
    return conclude_all(meeting, GatheredCommunicators::unknown);
  switch (kind) {
    case Kind::dup:
      conclude_all(meeting, define(result_.communicators[parent]));
      break;
    case Kind::split:
      split(meeting);
      break;
    case Kind::create:
      create(meeting);
      break;
    case Kind::cartesian:
    case Kind::graph: {
      u64 size = kind == Kind::graph ? static_cast<u64>(std::max(0, meeting[0].call->colour)) : 1;
      GatheredCommunicators::Entry entry;
      if (kind == Kind::cartesian && meeting[0].call->list != nullptr) entry.dims = *meeting[0].call->list;
      for (const i32 dim : entry.dims) size = std::min<u64>(size * static_cast<u64>(std::max(0, dim)), members.size());
      entry.members.assign(members.begin(),
                           members.begin() + static_cast<std::ptrdiff_t>(std::min<u64>(size, members.size())));
      const u32 made = define(std::move(entry));
      for (std::size_t i = 0; i < meeting.size(); ++i)
        conclude(meeting[i], i < size ? made : GatheredCommunicators::none);
      break;
    }
    case Kind::cartesian_part:
      cartesian_part(parent, meeting);
      break;
    case Kind::inter:
      bridge(parent, meeting);
      break;
    case Kind::merge:
      merge(parent, meeting);
      break;
    default:
      conclude_all(meeting, GatheredCommunicators::unknown);
  }
}

void CommunicatorGatherer::split(const Meeting& meeting) {
  std::map<i32, std::vector<std::size_t>> colours;
  for (std::size_t i = 0; i < meeting.size(); ++i) {
    const CommunicatorCall& call = *meeting[i].call;
    if (call.colour < 0 || call.result == names_.null)
      conclude(meeting[i], GatheredCommunicators::none);
    else
      colours[call.colour].push_back(i);
  }
  for (auto& [colour, ranks] : colours) {
    std::ranges::stable_sort(ranks, {}, [&](std::size_t rank) { return meeting[rank].call->key; });
    GatheredCommunicators::Entry entry;
    for (const std::size_t rank : ranks) entry.members.push_back(meeting[rank].task);
    const u32 made = define(std::move(entry));
    for (const std::size_t rank : ranks) conclude(meeting[rank], made);
  }
}

void CommunicatorGatherer::create(const Meeting& meeting) {
  std::unordered_map<u32, u32> made;  // by task
  for (const Arrival& arrival : meeting) {
    if (arrival.call->result == names_.null) {
      conclude(arrival, GatheredCommunicators::none);
      continue;
    }
    if (!made.contains(arrival.task)) {
      const auto& groups = states_[arrival.task].groups;
      const auto group = groups.find(arrival.call->other);
      if (group != groups.end() && std::ranges::find(*group->second, arrival.task) != group->second->end()) {
        const u32 number = define({*group->second, 0, {}});
        for (const u32 member : *group->second) made.emplace(member, number);
      }
    }
    const auto found = made.find(arrival.task);
    conclude(arrival, found == made.end() ? GatheredCommunicators::unknown : found->second);
  }
}

void CommunicatorGatherer::cartesian_part(u32 parent, const Meeting& meeting) {
  const std::vector<i32> dims = result_.communicators[parent].dims;
  const auto& remain = meeting[0].call->list;
  if (dims.empty() || remain == nullptr || remain->size() < dims.size())
    return conclude_all(meeting, GatheredCommunicators::unknown);
  std::map<u64, std::vector<std::pair<u64, std::size_t>>> parts;  // by the coordinates that are dropped
  for (std::size_t rank = 0; rank < meeting.size(); ++rank) {
    u64 rest = rank, kept = 0, dropped = 0, kept_stride = 1, dropped_stride = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
      const u64 size = static_cast<u64>(std::max(1, dims[d])), coordinate = rest % size;
      rest /= size;
      u64& sum = (*remain)[d] != 0 ? kept : dropped;
      u64& stride = (*remain)[d] != 0 ? kept_stride : dropped_stride;
      sum += coordinate * stride;
      stride *= size;
    }
    parts[dropped].emplace_back(kept, rank);
  }
  for (auto& [dropped, ranks] : parts) {
    std::ranges::sort(ranks);
    GatheredCommunicators::Entry entry;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if ((*remain)[d] != 0) entry.dims.push_back(dims[d]);
    }
    for (const auto& [kept, rank] : ranks) entry.members.push_back(meeting[rank].task);
    const u32 made = define(std::move(entry));
    for (const auto& [kept, rank] : ranks) conclude(meeting[rank], made);
  }
}

void CommunicatorGatherer::merge(u32 parent, const Meeting& meeting) {
  const GatheredCommunicators::Entry entry = result_.communicators[parent];
  const auto middle = entry.members.begin() + entry.first_side;
  const bool first_last = meeting[0].call->colour != 0, second_last = meeting.back().call->colour != 0;
  const bool first_first = first_last == second_last ? entry.members.front() < *middle : second_last;
  std::vector<u32> members(first_first ? entry.members.begin() : middle, first_first ? middle : entry.members.end());
  members.insert(members.end(), first_first ? middle : entry.members.begin(),
                 first_first ? entry.members.end() : middle);
  conclude_all(meeting, define({std::move(members), 0, {}}));
}

void CommunicatorGatherer::bridge(u32 local, Meeting& meeting) {
  const CommunicatorCall& any = *meeting[0].call;
  const auto unknown = [&] { conclude_all(meeting, GatheredCommunicators::unknown); };
  if (any.colour < 0 || static_cast<std::size_t>(any.colour) >= meeting.size()) return unknown();
  const Arrival& leader = meeting[static_cast<std::size_t>(any.colour)];
  const auto peers = states_[leader.task].communicators.find(leader.call->other);
  if (peers == states_[leader.task].communicators.end() || peers->second >= gathered_self) return unknown();
  const auto& members = result_.communicators[peers->second].members;
  if (leader.call->key < 0 || static_cast<std::size_t>(leader.call->key) >= members.size()) return unknown();
  const u32 remote = members[static_cast<std::size_t>(leader.call->key)];
  const std::pair<u32, u32> leaders{std::min(leader.task, remote), std::max(leader.task, remote)};
  const std::pair<std::pair<u32, u32>, i32> place{leaders, leader.call->tag};
  const auto found = bridges_.find(place);
  if (found == bridges_.end()) {
    bridges_[place] = {local, std::move(meeting)};
    return;
  }
  const HalfBridge other = std::move(found->second);
  bridges_.erase(found);
  GatheredCommunicators::Entry entry = {result_.communicators[other.local].members, 0, {}};
  entry.first_side = static_cast<u32>(entry.members.size());
  const auto& own = result_.communicators[local].members;
  entry.members.insert(entry.members.end(), own.begin(), own.end());
  const u32 made = define(std::move(entry));
  conclude_all(other.meeting, made);
  conclude_all(meeting, made);
}

}  // namespace weft::workloads
