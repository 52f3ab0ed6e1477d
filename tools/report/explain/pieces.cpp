// What records of a task mean; see the header and docs/where-time-goes.md.
#include "tools/report/explain/pieces.hpp"

#include <algorithm>

namespace weft::tools::explain {
namespace {

using workloads::TimelineRecord;
using Kind = TimelineRecord::Kind;

class PieceMaker {
 public:
  PieceMaker(const timeline::TimelineJob& job, u32 job_number, const Messages& messages)
      : job_(job), job_number_(job_number), messages_(messages) {}

  void add(const TimelineRecord& r) {
    switch (r.kind) {
      case Kind::compute:
        return work(r, r.begin, r.end, Part::compute);
      case Kind::give:
        return work(r, r.begin, r.end, Part::send);
      case Kind::send:
        if (is_graph() && messages_.rendezvous(r.flow) != nullptr) return wait_for_receiver(r, r.flow);
        return work(r, r.begin, r.end, Part::send);
      case Kind::receive:
        wait_for_message(r);
        return work(r, r.handled, r.end, Part::receive);
      case Kind::get:
        wait_for_switch(r);
        return work(r, r.handled, r.end, Part::receive);
      case Kind::await:
        if (messages_.rendezvous(r.flow) != nullptr) return wait_for_receiver(r, r.flow);
        return wait(r, r.end, Part::send, Drawn::nobody, r.begin, {messages_.begun(r.flow), r.task, Part::send});
      case Kind::drain:
        if (const u64 flow = messages_.taken_last(r.task); flow != 0) return wait_for_receiver(r, flow);
        return work(r, r.begin, r.end, Part::send);
      case Kind::probe:
      case Kind::lane:
        return wait(r, r.end, Part::other, r.kind == Kind::probe ? r.peer : Drawn::nobody, r.begin, {});
      case Kind::meeting:
        return wait(r, r.end, Part::other, Drawn::nobody, r.begin, {});
      case Kind::outside:
        return wait(r, r.end, Part::idle, Drawn::nobody, r.begin, {});
      case Kind::region:
      case Kind::arrival:
      case Kind::post:
        return;
    }
  }

  TaskPieces made;

 private:
  /// What the end of a wait led from.
  struct Cause {
    Tick at = never;  ///< never: nobody else
    u32 task = 0;
    Part part = Part::transfer;
  };

  /// Sends of graphs are complete when their rendezvous is; those of other tasks are not waited for, or by `await`.
  [[nodiscard]] bool is_graph() const { return !job_.linear && job_.regions.empty(); }

  void push(const TimelineRecord& r, Tick begin, Tick end, Tick over, Part part, u32 peer) {
    if (end > begin) made.pieces.push_back({begin, end, over, peer, r.lane, part});
  }

  void work(const TimelineRecord& r, Tick begin, Tick end, Part part) {
    if (end <= begin) return;
    push(r, begin, end, end, part, Drawn::nobody);
    made.steps.push_back({begin, end, begin, r.task, part});
  }

  /// A wait from the begin of a record on: until `split` for what `first` says, then in transfer.
  void wait(const TimelineRecord& r, Tick end, Part first, u32 peer, Tick split, const Cause& cause) {
    if (end <= r.begin) return;
    split = std::clamp(split, r.begin, end);
    const Part rest = first == Part::late_sender || first == Part::late_receiver ? Part::transfer : first;
    push(r, r.begin, split, end, first, peer);
    push(r, split, end, end, rest, peer);
    const bool known = cause.at < end;
    made.steps.push_back(
        {r.begin, end, known ? cause.at : r.begin, known ? cause.task : r.task, known ? cause.part : rest});
  }

  void wait_for_message(const TimelineRecord& r) {
    const Tick begun = messages_.begun(r.flow);
    if (begun == never) return wait(r, r.handled, Part::other, r.peer, r.begin, {});
    // It is there: what it waits for is the task's own processor or NIC.
    if (r.arrived <= r.begin) return work(r, r.begin, r.handled, Part::receive);
    Cause cause{begun, Messages::sender(r.flow)};
    const Messages::Rendezvous* const rendezvous = messages_.rendezvous(r.flow);
    if (rendezvous != nullptr && rendezvous->posted >= begun) cause = {rendezvous->posted, r.task};
    wait(r, r.handled, Part::late_sender, r.peer, begun, cause);
  }

  void wait_for_receiver(const TimelineRecord& r, u64 flow) {
    const Messages::Rendezvous& message = *messages_.rendezvous(flow);
    const Tick begun = messages_.begun(flow);
    const bool late = begun == never || message.posted > begun;
    const Cause cause = late ? Cause{message.posted, message.receiver} : Cause{begun, r.task};
    wait(r, r.end, Part::late_receiver, message.receiver, message.posted, cause);
  }

  void wait_for_switch(const TimelineRecord& r) {
    const auto giver = messages_.given(job_number_, r.peer, r.tag, r.handled);
    if (!giver) return wait(r, r.handled, Part::other, Drawn::nobody, r.begin, {});
    wait(r, r.handled, Part::late_sender, giver->task, giver->at, {giver->at, giver->task});
  }

  const timeline::TimelineJob& job_;
  u32 job_number_;
  const Messages& messages_;
};

}  // namespace

TaskPieces pieces_of(std::span<const TimelineRecord> records, const timeline::TimelineJob& job, u32 job_number,
                     const Messages& messages) {
  PieceMaker maker(job, job_number, messages);
  for (const TimelineRecord& record : records) maker.add(record);
  return std::move(maker.made);
}

}  // namespace weft::tools::explain
