// Events of a task to records; see the header.
#include "workloads/trace/format/otf2/otf2_task_writer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/format/otf2/otf2_library.hpp"
#include "workloads/trace/format/otf2/otf2_sizes.hpp"

namespace weft::workloads::otf2 {
namespace {

using Kind = TraceEvent::Kind;

void check_writing(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS) throw SystemError(fmt::format("an event of OTF2 cannot be written ({})", said(code)));
}

std::string collective_call(const TraceEvent& event) {
  return mpi_name(event.operation, event.request != TraceEvent::no_request);
}

}  // namespace

WrittenCommunicators::WrittenCommunicators(const StoreIndex& index) : tasks_(index.tasks) {
  const std::vector<TraceCommunicator>& all = index.communicators;
  for (u32 number = 1; number + u64{tasks_} <= all.size() && !is_self(number); ++number) {
    bool is_row = true;
    for (u32 task = 0; is_row && task < tasks_; ++task)
      is_row = all[number + task].members.size() == 1 && all[number + task].members[0] == task;
    if (is_row) first_self_ = number;
  }
  groups_.resize(all.size());
  for (u32 number = 0; number < all.size(); ++number) {
    groups_[number].members = static_cast<u32>(all[number].members.size());
    for (u32 rank = 0; rank < all[number].members.size(); ++rank)
      groups_[number].ranks.emplace_back(all[number].members[rank], rank);
    std::ranges::sort(groups_[number].ranks);
  }
}

const WrittenCommunicators::Group& WrittenCommunicators::group(u32 communicator) const {
  if (communicator >= groups_.size())
    throw ConfigError(
        fmt::format("the trace has no communicator {} (of {}); import it again", communicator, groups_.size()));
  return groups_[communicator];
}

u32 WrittenCommunicators::rank_of(u32 communicator, u32 task) const {
  const Group& known = group(communicator);
  if (known.members == 0) return task;
  const auto found = std::ranges::lower_bound(known.ranks, task, {}, &std::pair<u32, u32>::first);
  if (found == known.ranks.end() || found->first != task)
    throw ConfigError(fmt::format(
        "task {} is not in communicator {}, on which it has messages or calls; check the trace", task, communicator));
  return found->second;
}

u32 WrittenCommunicators::size_of(u32 communicator) const {
  const u32 members = group(communicator).members;
  return members == 0 ? tasks_ : members;
}

u32 WrittenCommunicators::reference(u32 communicator) const {
  return is_self(communicator) ? first_self_ : communicator;
}

u32 Written::region(const std::string& name, bool is_call) {
  const auto [known, is_new] = numbers_.try_emplace({name, is_call}, static_cast<u32>(regions.size()));
  if (is_new) regions.push_back({name, is_call, known->second});
  return known->second;
}

u32 Written::counter(const std::string& name) {
  const auto number = static_cast<u32>(std::ranges::find(counters, name) - counters.begin());
  if (number == counters.size()) counters.push_back(name);
  return number;
}

TaskWriter::TaskWriter(OTF2_EvtWriter* to, u32 task, const StoreIndex& index, const WrittenCommunicators& communicators,
                       Written& written)
    : to_(to), task_(task), index_(index), communicators_(communicators), written_(written) {}

/// Times of records never go back.
void TaskWriter::advance(u64 time) { now_ = std::max(now_, time); }

void TaskWriter::write(EventStream& events) {
  // In a trace without times computing at the end would be nowhere.
  if (!index_.has_times) check_writing(OTF2_EvtWriter_ProgramBegin(to_, nullptr, 0, 0, 0, nullptr));
  TraceEvent event, next;
  bool there = events.next(event);
  while (there) {
    const bool more = events.next(next);
    if (event.kind == Kind::compute) {
      end_call();
      now_ += index_.has_times ? 0 : event.bytes;
    } else if (event.kind == Kind::count) {
      end_call();
      write_count(event);
    } else if (event.kind >= Kind::enter) {
      end_call();
      write_region(event);
    } else {
      write_call(event, more ? &next : nullptr);
    }
    std::swap(event, next);
    there = more;
  }
  end_call();
  for (const auto& [request, started] : started_) {
    if (started.kind == Kind::ireceive && started.peer != TraceEvent::any)
      ++written_.losses["messages of {} receives that nobody waits for"];
  }
  if (!index_.has_times) check_writing(OTF2_EvtWriter_ProgramEnd(to_, nullptr, now_, 0));
  written_.end_ns = std::max(written_.end_ns, now_);
}

void TaskWriter::write_region(const TraceEvent& event) {
  advance(event.begin_ns);
  const TraceName name = event.name < index_.names.size() ? index_.names[event.name] : TraceName{"unknown", false};
  if (event.kind == Kind::mark && name.text == "PROGRAM_BEGIN")
    return check_writing(OTF2_EvtWriter_ProgramBegin(to_, nullptr, now_, 0, 0, nullptr));
  if (event.kind == Kind::mark && name.text == "PROGRAM_END")
    return check_writing(OTF2_EvtWriter_ProgramEnd(to_, nullptr, now_, 0));
  const u32 region = written_.region(name.text, name.is_call);
  if (event.kind != Kind::leave) check_writing(OTF2_EvtWriter_Enter(to_, nullptr, now_, region));
  if (event.kind == Kind::mark) ++written_.losses["that {} marks are moments: they are regions without length"];
  if (event.kind != Kind::enter) check_writing(OTF2_EvtWriter_Leave(to_, nullptr, now_, region));
}

/// Readers take the difference to the value that was there when the call before ended.
void TaskWriter::write_count(const TraceEvent& event) {
  advance(event.begin_ns);
  const u32 metric = written_.counter(event.name < index_.names.size() ? index_.names[event.name].text : "unknown");
  const OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value;
  value.unsigned_int = counted_[event.name] += event.bytes;
  check_writing(OTF2_EvtWriter_Metric(to_, nullptr, now_, metric, 1, &type, &value));
}

/// The call that an event is of. The next one says whether it is of the same.
std::string TaskWriter::call_name(const TraceEvent& event, const TraceEvent* next) const {
  const bool goes_on = next != nullptr && next->continues;
  switch (event.kind) {
    case Kind::send:
      if (goes_on && next->kind == Kind::receive) return "MPI_Sendrecv";
      return event.synchronous ? "MPI_Ssend" : "MPI_Send";
    case Kind::isend:
      return event.synchronous ? "MPI_Issend" : "MPI_Isend";
    case Kind::receive:
      return "MPI_Recv";
    case Kind::ireceive:
      return "MPI_Irecv";
    case Kind::wait:
      return goes_on ? "MPI_Waitall" : "MPI_Wait";
    case Kind::probe:
      return "MPI_Probe";
    default:
      return collective_call(event);
  }
}

void TaskWriter::end_call() {
  if (!in_call_) return;
  advance(call_end_);
  check_writing(OTF2_EvtWriter_Leave(to_, nullptr, now_, call_));
  in_call_ = false;
}

void TaskWriter::write_call(const TraceEvent& event, const TraceEvent* next) {
  if (!event.continues || !in_call_) {
    end_call();
    advance(event.begin_ns);
    call_ = written_.region(call_name(event, next), true);
    check_writing(OTF2_EvtWriter_Enter(to_, nullptr, now_, call_));
    in_call_ = true;
    call_end_ = now_;
  }
  call_end_ = std::max(call_end_, event.end_ns);
  write_record(event);
}

u32 TaskWriter::rank_or_any(u32 communicator, u32 peer) const {
  return peer == TraceEvent::any ? OTF2_UNDEFINED_UINT32 : communicators_.rank_of(communicator, peer);
}

void TaskWriter::write_record(const TraceEvent& event) {
  const u32 reference = communicators_.reference(event.communicator);
  const bool sends = event.kind == Kind::send || event.kind == Kind::isend;
  if (event.kind == Kind::receive) advance(event.end_ns);
  if (sends && event.request != TraceEvent::no_request) {
    check_writing(OTF2_EvtWriter_MpiIsend(to_, nullptr, now_, rank_or_any(event.communicator, event.peer), reference,
                                          event.tag, event.bytes, event.request));
    started_.insert_or_assign(event.request, event);
  } else if (sends) {
    check_writing(OTF2_EvtWriter_MpiSend(to_, nullptr, now_, rank_or_any(event.communicator, event.peer), reference,
                                         event.tag, event.bytes));
  } else if (event.kind == Kind::receive) {
    check_writing(OTF2_EvtWriter_MpiRecv(to_, nullptr, now_, rank_or_any(event.communicator, event.peer), reference,
                                         event.tag, event.bytes));
  } else if (event.kind == Kind::ireceive) {
    check_writing(OTF2_EvtWriter_MpiIrecvRequest(to_, nullptr, now_, event.request));
    started_.insert_or_assign(event.request, event);
  } else if (event.kind == Kind::wait) {
    write_wait(event);
  } else if (event.kind == Kind::collective && event.request != TraceEvent::no_request) {
    check_writing(OTF2_EvtWriter_NonBlockingCollectiveRequest(to_, nullptr, now_, event.request));
    started_.insert_or_assign(event.request, event);
  } else if (event.kind == Kind::collective) {
    write_collective(event, false);
  } else {
    ++written_.losses["source and tag of {} probes"];
  }
}

void TaskWriter::write_wait(const TraceEvent& event) {
  const auto found = started_.find(event.request);
  if (found == started_.end()) {
    ++written_.losses["{} waits for requests that were not begun"];
    return;
  }
  TraceEvent started = std::move(found->second);
  started_.erase(found);
  advance(event.end_ns);
  if (started.kind == Kind::isend || started.kind == Kind::send)
    return check_writing(OTF2_EvtWriter_MpiIsendComplete(to_, nullptr, now_, event.request));
  if (started.kind == Kind::collective) return write_collective(started, true);
  // What came is known better when it is there.
  if (event.communicator != 0) started.communicator = event.communicator;
  if (event.peer != TraceEvent::any) started.peer = event.peer;
  if (event.tag != TraceEvent::any) started.tag = event.tag;
  if (event.bytes != TraceEvent::unknown_bytes) started.bytes = event.bytes;
  check_writing(OTF2_EvtWriter_MpiIrecv(to_, nullptr, now_, rank_or_any(started.communicator, started.peer),
                                        communicators_.reference(started.communicator), started.tag, started.bytes,
                                        event.request));
}

void TaskWriter::write_collective(const TraceEvent& event, bool is_wait) {
  const CallPlace place{communicators_.size_of(event.communicator), communicators_.rank_of(event.communicator, task_),
                        event.root == task_};
  const Totals totals = totals_of(event, place);
  const u32 root = event.root == TraceEvent::no_root ? OTF2_UNDEFINED_UINT32
                                                     : communicators_.rank_of(event.communicator, event.root);
  const u32 reference = communicators_.reference(event.communicator);
  const auto operation = static_cast<OTF2_CollectiveOp>(event.operation);
  if (!event.sent.empty() || !event.received.empty())
    ++written_.losses["lengths of the single pieces of {} collective calls: OTF2 has their sums"];
  if (is_wait)
    return check_writing(OTF2_EvtWriter_NonBlockingCollectiveComplete(to_, nullptr, now_, operation, reference, root,
                                                                      totals.sent, totals.received, event.request));
  check_writing(OTF2_EvtWriter_MpiCollectiveBegin(to_, nullptr, now_));
  advance(event.end_ns);
  check_writing(
      OTF2_EvtWriter_MpiCollectiveEnd(to_, nullptr, now_, operation, reference, root, totals.sent, totals.received));
}

}  // namespace weft::workloads::otf2
