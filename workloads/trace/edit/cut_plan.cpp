// Decisions of a cut; see the header.
#include "workloads/trace/edit/cut_plan.hpp"

namespace weft::workloads {

TaskPlan CutPlanner::plan(u32 task, TaskWalk& walk) {
  task_ = task;
  sends_.clear();
  receives_.clear();
  calls_.clear();
  TaskPlan plan;
  while (walk.next()) {
    if (walk.where() == Where::within) {
      if (plan.kept.empty()) plan.first = walk.number();
      plan.kept.push_back(false);
    }
    plan_event(walk, plan);
  }
  for (const bool kept : plan.kept) report_.kept_events += kept ? 1 : 0;
  return plan;
}

void CutPlanner::plan_event(const TaskWalk& walk, TaskPlan& plan) {
  const bool within = walk.where() == Where::within;
  const TraceEvent& event = walk.event();
  bool keep = true;
  switch (event.kind) {
    case Kind::send:
    case Kind::isend:
      keep = walk.where() != Where::after && keeps_send(walk);
      break;
    case Kind::receive:
      keep = walk.where() != Where::after && keeps_receive(walk, event);
      break;
    case Kind::ireceive:  // known when it ends; without an end no message comes
      keep = event.peer == TraceEvent::any || kept_.has(event.peer);
      break;
    case Kind::wait:
      return plan_wait(walk, plan);
    case Kind::probe:
      keep = within && keeps_probe(walk);
      break;
    case Kind::collective:
      keep = walk.where() != Where::after && keeps_call(walk);
      break;
    case Kind::compute:
    case Kind::enter:
    case Kind::leave:
    case Kind::mark:
    case Kind::count:
      break;
  }
  if (within) plan.kept.back() = keep;
}

void CutPlanner::plan_wait(const TaskWalk& walk, TaskPlan& plan) {
  const bool within = walk.where() == Where::within;
  const TaskWalk::Started* const started = walk.started();
  if (started == nullptr) {
    if (within) plan.kept.back() = true;
    return;
  }
  const bool began_within = started->where == Where::within;
  const u64 start = began_within ? started->number - plan.first : 0;
  bool keep = began_within && plan.kept[start];
  if (walk.receives() && walk.received_where() != Where::after) {
    keep = keeps_receive(walk, walk.received());
    if (began_within) plan.kept[start] = keep;
    if (!began_within && within && keep) {
      ++report_.turned_waits;
      plan.turned.emplace(walk.number(), walk.received());
    }
  }
  if (walk.ends_late() && keep) {
    ++report_.added_waits;
    plan.late_waits.push_back(walk.event());
  }
  if (!within) return;
  if (!keep) ++report_.dropped_waits;
  plan.kept.back() = keep;
}

bool CutPlanner::keeps_send(const TaskWalk& walk) {
  const TraceEvent& event = walk.event();
  const bool within = walk.where() == Where::within;
  if (!kept_.has(event.peer)) {
    if (within) note(Crossing::send_to_left_out, walk, event);
    return false;
  }
  const ChannelKey channel = counts_.channel(task_, event.peer, event);
  const u64 number = sends_[channel]++;
  if (!within) return false;
  if (!counts_.kept_messages(channel).has(number)) {
    note(Crossing::send, walk, event);
    if (!choice_.complete) return false;
    TraceEvent receive = event;
    receive.kind = Kind::receive;
    receive.peer = task_;
    ++report_.added_receives;
    miss(event.peer, counts_.received_before(channel, number), receive);
  }
  ++report_.kept_sends;
  return true;
}

bool CutPlanner::keeps_receive(const TaskWalk& walk, const TraceEvent& receive) {
  const bool within = walk.received_where() == Where::within;
  if (!kept_.has(receive.peer)) {
    if (within) note(Crossing::receive_of_left_out, walk, receive);
    return false;
  }
  const ChannelKey channel = counts_.channel(receive.peer, task_, receive);
  const u64 number = receives_[channel]++;
  if (!within) return false;
  if (!counts_.kept_messages(channel).has(number)) {
    note(Crossing::receive, walk, receive);
    if (!choice_.complete) return false;
    TraceEvent send = receive;
    send.kind = Kind::send;
    send.peer = task_;
    if (send.bytes == TraceEvent::unknown_bytes) send.bytes = 0;
    ++report_.added_sends;
    miss(receive.peer, counts_.sent_before(channel, number), send);
  }
  ++report_.kept_receives;
  return true;
}

bool CutPlanner::keeps_call(const TaskWalk& walk) {
  const TraceEvent& event = walk.event();
  const u64 number = calls_[event.communicator]++;
  if (walk.where() != Where::within) return false;
  if (event.root != TraceEvent::no_root && !kept_.has(event.root)) {
    note(Crossing::call_of_left_out, walk, event);
    return false;
  }
  if (!counts_.kept_calls(event.communicator).has(number)) {
    note(Crossing::call, walk, event);
    return false;
  }
  ++report_.kept_calls;
  return true;
}

bool CutPlanner::keeps_probe(const TaskWalk& walk) {
  const TraceEvent& event = walk.event();
  if (is_whole()) return true;
  const bool known = event.peer != TraceEvent::any && event.tag != TraceEvent::any && kept_.has(event.peer);
  if (known) {
    const ChannelKey channel = counts_.channel(event.peer, task_, event);
    const auto received = receives_.find(channel);
    const u64 number = received == receives_.end() ? 0 : received->second;
    if (choice_.complete || counts_.kept_messages(channel).has(number)) return true;
  }
  note(Crossing::probe, walk, event);
  return false;
}

void CutPlanner::note(Crossing crossing, const TaskWalk& walk, const TraceEvent& event) {
  CrossingCount& count = report_.crossings[static_cast<std::size_t>(crossing)];
  ++count.events;
  if (event.bytes != TraceEvent::unknown_bytes) count.bytes += event.bytes;
  if (count.examples.size() < CrossingCount::most_examples) count.examples.push_back({task_, walk.number() + 1, event});
}

void CutPlanner::miss(u32 task, bool at_begin, const TraceEvent& event) {
  TraceEvent end;
  end.kind = event.kind;
  end.peer = event.peer;
  end.tag = event.tag;
  end.communicator = event.communicator;
  end.bytes = event.bytes;
  if (!missing_.empty()) {
    MissingEnd& last = missing_.back();
    if (last.task == task && last.at_begin == at_begin && last.event == end) {
      ++last.count;
      return;
    }
  }
  missing_.push_back({task, at_begin, std::move(end), 1});
}

}  // namespace weft::workloads
