// Calls of MPI as events; collective calls are in dumpi_collectives.cpp. See the header.
#include "workloads/trace/format/dumpi/dumpi_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr u32 user_function = dumpi_enter;  // name of functions that a user wanted recorded

}  // namespace

std::vector<TraceName> dumpi_names() {
  std::vector<TraceName> names;
  for (u16 function = 0; function < dumpi_enter; ++function) names.push_back({dumpi_name(function), true});
  names.push_back({"user function", false});
  return names;
}

DumpiReader::DumpiReader(DumpiFile file, std::shared_ptr<const DumpiTrace> trace, u32 task)
    : file_(std::move(file)),
      trace_(std::move(trace)),
      task_(task),
      body_(file_),
      types_(file_),
      communicators_(*trace_, task) {}

bool DumpiReader::read_more() {
  if (!body_.next(call_)) return false;
  if (!began_) zero_ns_ = call_.begin_ns;
  began_ = true;
  begin_ns_ = call_.has_wall ? std::max(last_ns_, call_.begin_ns - std::min(call_.begin_ns, zero_ns_)) : last_ns_;
  end_ns_ = call_.has_wall ? std::max(begin_ns_, call_.end_ns - std::min(call_.end_ns, zero_ns_)) : last_ns_;
  last_ns_ = end_ns_;
  take();
  return true;
}

TraceEvent& DumpiReader::add(Kind kind) {
  TraceEvent& event = queue(task_);
  event.kind = kind;
  event.begin_ns = begin_ns_;
  event.end_ns = end_ns_;
  return event;
}

void DumpiReader::take() {
  using Field = DumpiField;
  switch (call_.function) {
    case dumpi_send:
    case dumpi_bsend:
    case dumpi_ssend:
    case dumpi_rsend:
      return send(Field::count, Field::datatype, Field::dest, Field::tag, false, call_.function == dumpi_ssend);
    case dumpi_isend:
    case dumpi_ibsend:
    case dumpi_issend:
    case dumpi_irsend:
      return send(Field::count, Field::datatype, Field::dest, Field::tag, true, call_.function == dumpi_issend);
    case dumpi_recv:
      return receive(Field::count, Field::datatype, Field::source, Field::tag, false);
    case dumpi_irecv:
      return receive_later();
    case dumpi_sendrecv: {
      send(Field::sendcount, Field::sendtype, Field::dest, Field::sendtag, false, false);
      return receive(Field::recvcount, Field::recvtype, Field::source, Field::recvtag, queued() > 0);
    }
    case dumpi_sendrecv_replace:
      send(Field::count, Field::datatype, Field::dest, Field::sendtag, false, false);
      return receive(Field::count, Field::datatype, Field::source, Field::recvtag, queued() > 0);
    case dumpi_send_init:
    case dumpi_bsend_init:
    case dumpi_ssend_init:
    case dumpi_rsend_init:
      keep_persistent(true, call_.function == dumpi_ssend_init);
      return other_call();
    case dumpi_recv_init:
      keep_persistent(false, false);
      return other_call();
    case dumpi_start:
      return start(value(Field::request), false);
    case dumpi_startall:
      for (const i32 request : call_.at(DumpiList::requests)) start(request, queued() > 0);
      return;
    case dumpi_wait:
    case dumpi_test: {
      bool continues = false;
      if (call_.function == dumpi_test && value(Field::flag) == 0) return;
      return wait(value(Field::request), call_.statuses.empty() ? nullptr : call_.statuses.data(), continues);
    }
    case dumpi_waitall:
      return wait_for_all();
    case dumpi_testall:
      if (value(Field::flag) != 0) wait_for_all();
      return;
    case dumpi_waitany:
      return wait_for_any();
    case dumpi_testany:
      if (value(Field::flag) != 0) wait_for_any();
      return;
    case dumpi_waitsome:
    case dumpi_testsome:
      return wait_for_some();
    case dumpi_probe:
      return probe();
    case dumpi_iprobe:
      if (value(Field::flag) != 0) probe();
      return;
    case dumpi_request_free:
      requests_.erase(value(Field::request));
      return other_call();
    case dumpi_enter:
    case dumpi_leave:
      add(call_.function == dumpi_enter ? Kind::enter : Kind::leave).name = user_function;
      return;
    default:
      if (collective()) return;
      if (dumpi_makes_communicator(call_.function)) communicators_.note(call_);
      types_.note(call_);
      other_call();
  }
}

/// Inside it nothing is computed.
void DumpiReader::other_call() {
  TraceEvent& enter = add(Kind::enter);
  enter.name = call_.function;
  enter.end_ns = begin_ns_;
  TraceEvent& leave = add(Kind::leave);
  leave.name = call_.function;
  leave.begin_ns = end_ns_;
}

DumpiCommunicator DumpiReader::communicator(DumpiField field) const {
  const u32 number = static_cast<u32>(value(field));
  const DumpiCommunicator found = communicators_.find(number);
  if (found.kind == DumpiCommunicator::Kind::unknown)
    body_.reject(call_.offset,
                 fmt::format("{} on a communicator whose members are not known (got number {})",
                             dumpi_name(call_.function), number),
                 "one of those that calls of all its tasks, recorded before, have made");
  return found;
}

/// The task of a rank of a communicator; `any` of negative ranks.
u32 DumpiReader::peer(i64 rank, const DumpiCommunicator& communicator) const {
  if (rank < 0) return TraceEvent::any;
  if (rank < i64{communicator.ranks}) return communicators_.task_of(communicator, static_cast<u32>(rank));
  if (trace_->alone && communicator.kind != DumpiCommunicator::Kind::self) return TraceEvent::any;
  body_.reject(
      call_.offset,
      fmt::format("{} with a rank that is not in its communicator (got rank {})", dumpi_name(call_.function), rank),
      fmt::format("ranks below {}", communicator.ranks));
}

u64 DumpiReader::bytes(i64 count, i64 type) const {
  if (count < 0) body_.reject(call_.offset, fmt::format("a negative number of elements (got {})", count), "0 or more");
  const u64 result = types_.bytes(count, type);
  if (result != TraceEvent::unknown_bytes && result > max_trace_bytes)
    body_.reject(call_.offset, fmt::format("more bytes than a message may have (got {})", result),
                 fmt::format("at most {}", max_trace_bytes));
  return result;
}

u32 DumpiReader::tag_of(i64 tag) const { return tag < 0 ? TraceEvent::any : static_cast<u32>(tag); }

void DumpiReader::send(DumpiField count, DumpiField type, DumpiField dest, DumpiField tag, bool non_blocking,
                       bool synchronous) {
  const DumpiCommunicator group = communicator();
  Request request;
  request.real = value(dest) >= 0;
  request.communicator = group;
  if (request.real) {
    TraceEvent& event = add(non_blocking ? Kind::isend : Kind::send);
    event.peer = peer(value(dest), group);
    event.tag = value(tag) < 0 ? 0 : static_cast<u32>(value(tag));
    event.communicator = group.number;
    event.bytes = bytes(value(count), value(type));
    event.synchronous = synchronous;
    if (non_blocking) event.request = static_cast<u64>(value(DumpiField::request));
  }
  if (non_blocking) keep(value(DumpiField::request), request);
}

void DumpiReader::receive(DumpiField count, DumpiField type, DumpiField source, DumpiField tag, bool continues) {
  const DumpiCommunicator group = communicator();
  const DumpiStatus* const status = call_.statuses.empty() ? nullptr : call_.statuses.data();
  const i64 from = status != nullptr ? status->source : value(source);
  // Some libraries call MPI_PROC_NULL what DUMPI calls any source; only a message has a source.
  if (value(source) < -1 || (value(source) < 0 && status != nullptr && from < 0)) return;
  TraceEvent& event = add(Kind::receive);
  event.continues = continues;
  event.peer = peer(value(source) < 0 ? from : value(source), group);
  event.tag = tag_of(value(tag) < 0 && status != nullptr ? status->tag : value(tag));
  event.communicator = group.number;
  event.bytes =
      status != nullptr && status->bytes >= 0 ? static_cast<u64>(status->bytes) : bytes(value(count), value(type));
}

void DumpiReader::receive_later() {
  const DumpiCommunicator group = communicator();
  Request request;
  request.kind = Kind::ireceive;
  request.communicator = group;
  request.real = value(DumpiField::source) >= -1;
  if (request.real) {
    TraceEvent& event = add(Kind::ireceive);
    event.peer = peer(value(DumpiField::source), group);
    event.tag = tag_of(value(DumpiField::tag));
    event.communicator = group.number;
    event.bytes = bytes(value(DumpiField::count), value(DumpiField::datatype));
    event.request = static_cast<u64>(value(DumpiField::request));
  }
  keep(value(DumpiField::request), request);
}

void DumpiReader::keep(i64 request, const Request& kept) {
  if (request == dumpi_null) return;
  requests_[request] = kept;
  if (requests_.size() > most_requests)
    body_.reject(call_.offset, fmt::format("more than {} requests that nothing waits for", most_requests),
                 "requests that end");
}

void DumpiReader::keep_persistent(bool sends, bool synchronous) {
  using Field = DumpiField;
  Request request;
  request.kind = sends ? Kind::isend : Kind::ireceive;
  request.persistent = true;
  request.active = false;
  request.synchronous = synchronous;
  request.communicator = communicator();
  const i64 rank = value(sends ? Field::dest : Field::source);
  request.real = rank >= (sends ? 0 : -1);
  request.peer = request.real ? peer(rank, request.communicator) : 0;
  request.tag = sends && value(Field::tag) < 0 ? 0 : tag_of(value(Field::tag));
  request.bytes = bytes(value(Field::count), value(Field::datatype));
  keep(value(Field::request), request);
}

void DumpiReader::start(i64 number, bool continues) {
  const auto found = requests_.find(number);
  if (found == requests_.end() || !found->second.persistent) return;
  Request& request = found->second;
  request.active = true;
  if (!request.real) return;
  TraceEvent& event = add(request.kind);
  event.continues = continues;
  event.peer = request.peer;
  event.tag = request.tag;
  event.communicator = request.communicator.number;
  event.bytes = request.bytes;
  event.synchronous = request.synchronous;
  event.request = static_cast<u64>(number);
}

void DumpiReader::wait(i64 number, const DumpiStatus* status, bool& continues) {
  const auto found = requests_.find(number);
  if (number == dumpi_null || found == requests_.end() || !found->second.active) return;
  const Request request = found->second;
  if (request.persistent)
    found->second.active = false;
  else
    requests_.erase(found);
  const bool receives = request.kind == Kind::ireceive;
  const bool told = receives && status != nullptr;
  if (!request.real || (told && (status->cancelled || status->source < 0))) return;
  TraceEvent& event = add(Kind::wait);
  event.continues = continues;
  event.request = static_cast<u64>(number);
  event.peer = told ? peer(status->source, request.communicator) : TraceEvent::any;
  event.tag = told ? tag_of(status->tag) : TraceEvent::any;
  event.bytes = told && status->bytes >= 0 ? static_cast<u64>(status->bytes) : TraceEvent::unknown_bytes;
  continues = true;
}

void DumpiReader::wait_for_all() {
  const auto& requests = call_.at(DumpiList::requests);
  const bool told = call_.statuses.size() == requests.size();
  bool continues = false;
  for (std::size_t i = 0; i < requests.size(); ++i) wait(requests[i], told ? &call_.statuses[i] : nullptr, continues);
}

void DumpiReader::wait_for_any() {
  const auto& requests = call_.at(DumpiList::requests);
  const i64 index = value(DumpiField::index);
  bool continues = false;
  if (index >= 0 && static_cast<u64>(index) < requests.size())
    wait(requests[static_cast<std::size_t>(index)], call_.statuses.size() == 1 ? call_.statuses.data() : nullptr,
         continues);
}

void DumpiReader::wait_for_some() {
  const auto& requests = call_.at(DumpiList::requests);
  const auto& indices = call_.at(DumpiList::indices);
  const bool told = call_.statuses.size() == indices.size();
  bool continues = false;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const i32 index = indices[i];
    if (index < 0 || static_cast<std::size_t>(index) >= requests.size())
      body_.reject(call_.offset, fmt::format("an index beyond the requests (got {})", index),
                   fmt::format("0..{}", requests.size()));
    wait(requests[static_cast<std::size_t>(index)], told ? &call_.statuses[i] : nullptr, continues);
  }
}

void DumpiReader::probe() {
  const DumpiCommunicator group = communicator();
  const DumpiStatus* const status = call_.statuses.empty() ? nullptr : call_.statuses.data();
  const i64 source = value(DumpiField::source), tag = value(DumpiField::tag);
  if (source < -1 || (source < 0 && status != nullptr && status->source < 0)) return;
  TraceEvent& event = add(Kind::probe);
  event.peer = peer(source < 0 && status != nullptr ? status->source : source, group);
  event.tag = tag_of(tag < 0 && status != nullptr ? status->tag : tag);
  event.communicator = group.number;
  event.bytes = status != nullptr && status->bytes >= 0 ? static_cast<u64>(status->bytes) : TraceEvent::unknown_bytes;
}

}  // namespace weft::workloads
