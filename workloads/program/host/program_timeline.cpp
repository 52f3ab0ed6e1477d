// Members of ProgramHost that tell the timeline what happens; see timeline.hpp.
#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {
namespace {

/// By what a timeline knows an operation.
u32 timeline_key(const TaskRun& task, u32 operation) {
  if (task.linear) return 0;
  return task.lanes.empty() ? operation : TaskRun::lane_of(operation);
}

}  // namespace

/// The next operation of a lane, or of a linear program. Lanes beside the first are in no activity while they wait for
/// another.
void ProgramHost::note_taken(const TaskRun& task, u32 list, const Op& op, Tick now) {
  const bool request = op.kind == OpKind::isend || op.kind == OpKind::ireceive || op.kind == OpKind::imeet;
  if (request) return timeline_.of(task.id).start(static_cast<u32>(task.operations), now, op);
  regions_.clear();
  const bool waits_beside = list > 0 && op.kind == OpKind::wait;
  if (task.linear) {
    task.stream->add_regions(regions_);
  } else if (!task.activities.empty() && !waits_beside) {
    regions_.push_back(op.activity);
  }
  const bool over = op.kind == OpKind::end && !task.linear;
  if (over) return timeline_.of(task.id).over(static_cast<u8>(list), now);
  timeline_.of(task.id).take(static_cast<u8>(list), now, op, regions_);
}

void ProgramHost::note_finished(const TaskRun& task, Tick now) {
  if (task.linear) timeline_.of(task.id).over(0, now);
}

void ProgramHost::note_sent(const TaskRun& task, const Work& sending) {
  if (is_request(task, sending.operation)) return timeline_.of(task.id).launched(sending.operation, sending.number);
  timeline_.of(task.id).sent(timeline_key(task, sending.operation), sending.number);
}

void ProgramHost::note_handled(const TaskRun& task, const Work& work, Tick now) {
  if (is_request(task, work.operation))
    return timeline_.of(task.id).taken(work.operation, now, work.source, work.number, work.bytes);
  timeline_.of(task.id).handled(timeline_key(task, work.operation), now, work.source, work.number, work.bytes);
}

void ProgramHost::note_arrived(const TaskRun& task, const Message& message, Tick now) {
  if (message.communicator == GraphOp::by_switch) return;
  timeline_.of(task.id).arrived(message.source, message.number, now, message.tag, message.bytes,
                                jobs_[task.job].causal);
}

}  // namespace weft::workloads
