// Members of ProgramHost: tasks that wait until all of a communicator have come. They say that they are there, and are
// told from outside when it is over (tools/run/meetings.hpp): a process does not see who comes elsewhere.
#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

void ProgramHost::come_to_meeting(const TaskContext& context, u32 operation) {
  const GraphOp& op = op_of(context.task, operation);
  add_to_meeting({.meeting = {context.task.job, op.communicator, op.tag},
                  .operation = operation,
                  .at = context.now,
                  .ps = op.is_synchronous ? op.amount : 0,
                  .what = op.peer,
                  .knows = op.is_synchronous ? 1U : 0U},
                 context.entity, context.slot);
}

void ProgramHost::add_to_meeting(const TaskMeeting& came, u32 entity, u32 slot) {
  meetings_[node_at(entity).first + slot].push_back(came);
  meeting_places_[came.meeting].push_back({entity, slot, came.operation});
  MeetingShare& share = came_.try_emplace(came.meeting, MeetingShare{.meeting = came.meeting}).first->second;
  share.add({.meeting = came.meeting,
             .tasks = 1,
             .knowing = came.knows,
             .least_what = came.what,
             .most_what = came.what,
             .last = came.at,
             .ps = came.ps});
}

std::vector<MeetingShare> ProgramHost::take_arrivals() {
  std::vector<MeetingShare> shares;
  for (const auto& [meeting, share] : came_) shares.push_back(share);
  came_.clear();
  return shares;
}

void ProgramHost::end_meeting(const MeetingKey& meeting, Tick at) {
  const auto found = meeting_places_.find(meeting);
  if (found == meeting_places_.end()) return;  // none of its tasks is here
  for (const MeetingPlace& place : found->second) {
    std::erase_if(meetings_[node_at(place.entity).first + place.slot],
                  [&meeting](const TaskMeeting& came) { return came.meeting == meeting; });
    Event over{.entity = place.entity, .slot = static_cast<u8>(place.slot), .kind = Event::Kind::met};
    over.message.operation = place.operation;
    network_->schedule(at, over);
  }
  meeting_places_.erase(found);
}

}  // namespace weft::workloads
