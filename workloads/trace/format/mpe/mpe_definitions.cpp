// What logs of MPE define, and what a first pass finds out; see mpe_log.hpp.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/format/mpe/mpe_log.hpp"

namespace weft::workloads {
namespace {

/// Events below this number are found without searching; MPE gives out lower ones but to very many of the user's.
constexpr u32 dense_events = 8192;
/// Events that no state and no definition has are told apart up to this many.
constexpr std::size_t most_undefined_events = 4096;
/// Collectives that a task is in at a time.
constexpr std::size_t most_open_states = 4096;

/// MPE 1 calls its states BARRIER, SENDRECV ...; names have 15 characters there.
std::string spelled_as_mpe2(i32 begin, i32 end, std::string name) {
  if (begin < 1 || begin % 2 == 0 || end != begin + 1) return name;
  constexpr std::size_t longest = 15;
  const std::string_view reserved = mpe_state_name(static_cast<u32>(begin / 2));
  if (reserved.size() < 4) return name;
  const std::string_view bare = reserved.substr(4);
  const bool fits = name.size() == bare.size() || (name.size() >= longest && name.size() < bare.size());
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const bool same =
      fits && std::equal(name.begin(), name.end(), bare.begin(), [&](char a, char b) { return lower(a) == lower(b); });
  return same ? std::string(reserved) : name;
}

}  // namespace

MpeDefinitions::MpeDefinitions(MpeNumbering numbering) : numbering_(numbering), dense_(dense_events) {
  if (numbering == MpeNumbering::none) return;
  const i32 first = numbering == MpeNumbering::from_one ? 1 : 0;
  for (u32 number = 0; number < mpe_reserved_states; ++number) {
    const std::string name(mpe_state_name(number));
    if (name.empty()) continue;
    define_state(first + 2 * static_cast<i32>(number), first + 2 * static_cast<i32>(number) + 1, name);
  }
  defined_states_ = 0;
}

MpeDefinitions::Meaning& MpeDefinitions::slot(i32 type) {
  return static_cast<u32>(type) < dense_events ? dense_[static_cast<u32>(type)] : sparse_[type];
}

void MpeDefinitions::define_state(i32 begin, i32 end, std::string name) {
  ++defined_states_;
  if (numbering_ != MpeNumbering::from_zero) name = spelled_as_mpe2(begin, end, std::move(name));
  MpeStateKind kind = mpe_state_kind(name);
  // MPE's own numbers are those of calls, also of a library that logs what this table does not know.
  if (numbering_ == MpeNumbering::from_zero && kind.role == MpeRole::region && begin >= 0 &&
      static_cast<u32>(begin) < 2 * mpe_reserved_states)
    kind.role = MpeRole::call;
  Meaning& first = slot(begin);
  if (first.kind == Meaning::Kind::begin && slot(end).kind == Meaning::Kind::end && slot(end).number == first.number) {
    MpeState& known = states[first.number];
    const bool same = known.text == name;
    known.text = std::move(name);
    known.kind = kind;
    known.expanded = known.expanded && same;
    return;
  }
  first = {Meaning::Kind::begin, static_cast<u32>(states.size())};
  slot(end) = {Meaning::Kind::end, static_cast<u32>(states.size())};
  states.push_back({.text = std::move(name), .kind = kind});
}

void MpeDefinitions::define_event(i32 type, std::string name) { events_.insert_or_assign(type, std::move(name)); }

void MpeDefinitions::define_member(i32 communicator, u32 rank, u32 task) {
  groups_[communicator].members.insert_or_assign(rank, task);
}

u32 MpeDefinitions::task_of(i32 communicator, u32 rank) const {
  if (communicator == 0) return rank < tasks ? rank : TraceEvent::any;
  const auto group = groups_.find(communicator);
  if (group == groups_.end()) return TraceEvent::any;
  const Group& found = group->second;
  if (rank < found.tasks.size()) return found.tasks[rank];
  const auto member = found.members.find(rank);
  return member == found.members.end() ? TraceEvent::any : member->second;
}

u32 MpeDefinitions::number_of(i32 communicator) const {
  if (communicator == 0) return 0;
  const auto group = groups_.find(communicator);
  return group == groups_.end() ? 0 : group->second.number;
}

void MpeDefinitions::survey(const MpeRecord& record) {
  origin_ns = std::min(origin_ns, record.time_ns);
  if (record.kind != MpeRecord::Kind::event) {
    if (const auto open = open_.find(record.task); open != open_.end())
      for (const u32 state : open->second) states[state].expanded = true;
    use_group(record.communicator);
    return;
  }
  const Meaning found = meaning(record.type);
  if (found.kind == Meaning::Kind::unknown || found.kind == Meaning::Kind::moment) {
    if (undefined_.size() < most_undefined_events) undefined_.try_emplace(record.type, false);
    return;
  }
  MpeState& state = states[found.number];
  state.is_used = true;
  if (state.kind.role != MpeRole::collective) return;
  use_group(record.communicator);
  std::vector<u32>& open = open_[record.task];
  if (found.kind == Meaning::Kind::begin) {
    for (const u32 outer : open)
      if (states[outer].kind.operation != state.kind.operation) states[outer].expanded = true;
    if (open.size() < most_open_states) open.push_back(found.number);  // the reader refuses more
    return;
  }
  const auto last = std::find(open.rbegin(), open.rend(), found.number);
  if (last != open.rend()) open.erase(std::next(last).base());
}

void MpeDefinitions::use_group(u32 communicator) {
  if (communicator == 0) return;
  const auto group = groups_.find(static_cast<i32>(communicator));
  if (group != groups_.end()) group->second.is_used = true;
}

bool MpeDefinitions::finish_survey() {
  open_.clear();
  bool again = false;
  for (const auto& [type, unused] : undefined_) {
    const Meaning found = meaning(type);
    if (found.kind != Meaning::Kind::begin && found.kind != Meaning::Kind::end) continue;
    states[found.number].is_used = true;
    again = again || states[found.number].kind.role == MpeRole::collective;
  }
  if (again) {
    undefined_.clear();
    return true;
  }
  number_names();
  number_groups();
  return false;
}

void MpeDefinitions::number_names() {
  for (MpeState& state : states) {
    if (!state.is_used) continue;
    state.name = static_cast<u32>(names.size());
    names.push_back({.text = state.text, .is_call = state.kind.role != MpeRole::region});
  }
  if (!knows_states()) return;
  for (const auto& [type, unused] : undefined_) {
    // MPE marks that it begins and ends with negative ones.
    if (type < 0 || slot(type).kind != Meaning::Kind::unknown) continue;
    const auto defined = events_.find(type);
    slot(type) = {Meaning::Kind::moment, static_cast<u32>(names.size())};
    names.push_back({.text = defined == events_.end() ? fmt::format("event {}", type) : defined->second});
  }
}

void MpeDefinitions::number_groups() {
  std::vector<i32> used;
  for (auto& [communicator, group] : groups_) {
    if (group.is_used) used.push_back(communicator);
    // Ranks that have logged nothing of a communicator are missing; the others are told apart all the same.
    std::vector<u32> in_order(group.members.size(), TraceEvent::any);
    for (const auto& [rank, task] : group.members)
      if (rank < in_order.size()) in_order[rank] = task;
    if (std::ranges::find(in_order, TraceEvent::any) != in_order.end()) continue;
    group.tasks = std::move(in_order);
    group.members = {};
  }
  std::ranges::sort(used);
  for (const i32 communicator : used) {
    Group& group = groups_[communicator];
    group.number = static_cast<u32>(communicators.size());
    std::vector<u32> members = group.tasks;
    for (const auto& [rank, task] : group.members) members.push_back(task);
    communicators.push_back({std::move(members)});
  }
}

}  // namespace weft::workloads
