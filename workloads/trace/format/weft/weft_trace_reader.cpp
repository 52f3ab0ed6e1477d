// Records of weft's tracer as events; see the header.
#include "workloads/trace/format/weft/weft_trace_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_started = std::size_t{1} << 24;
/// Open requests with one handle: one that is used again and again was over each time, even if no record says so.
constexpr std::size_t most_of_a_handle = 4096;

/// Tags of Open MPI's own messages are negative.
i64 shown_tag(i64 tag, bool is_inner) { return is_inner && tag < 0 && tag > -i64{TraceEvent::any} ? -tag : tag; }

}  // namespace

WeftTraceReader::WeftTraceReader(const TraceInput& input, std::size_t number, std::shared_ptr<const RankOfTrace> rank,
                                 InnerMessages inner)
    : bytes_(input, number),
      rank_(std::move(rank)),
      as_messages_(inner == InnerMessages::as_recorded && rank_->file->header.has_inner != 0) {
  const std::vector<RecordBlock>& blocks = rank_->file->blocks;
  for (std::size_t ix = 0; ix < blocks.size(); ++ix) lanes_[blocks[ix].header.thread].blocks.push_back(ix);
}

bool WeftTraceReader::read_more() {
  if (Lane* const lane = first_lane()) {
    take_record(*lane);
    return true;
  }
  // A recording that ends inside of a call.
  const auto open = std::ranges::find_if(lanes_, [](const auto& lane) { return lane.second.is_inside; });
  if (open == lanes_.end()) return false;
  finish_call(open->second);
  return true;
}

bool WeftTraceReader::has_more(Lane& lane) {
  while (lane.records_left == 0) {
    if (lane.fields && !lane.fields->at_end()) lane.fields->reject("bytes behind the last record of a block");
    if (lane.next_block == lane.blocks.size()) return false;
    const RecordBlock& block = rank_->file->blocks[lane.blocks[lane.next_block++]];
    read_block(bytes_, block, lane.bytes);
    lane.fields.emplace(bytes_, lane.bytes, block.offset + sizeof block.header);
    lane.records_left = block.header.records;
    lane.last_ns = std::max(lane.last_ns, block.header.begin_ns);
    lane.last_request = 0;
  }
  return true;
}

u64 WeftTraceReader::next_time(Lane& lane) {
  RecordFields ahead = *lane.fields;
  const u8 head = ahead.byte();
  if ((head & records::continues) != 0) return lane.last_ns;
  const u64 begin = lane.last_ns + ahead.number(max_trace_compute_ns);
  const Kind kind{static_cast<u8>(head & records::kind_bits)};
  const bool waits = kind == Kind::receive || kind == Kind::wait || kind == Kind::probe;
  return waits ? begin + ahead.number(max_trace_compute_ns) : begin;
}

WeftTraceReader::Lane* WeftTraceReader::first_lane() {
  Lane* first = nullptr;
  u64 first_ns = 0;
  for (auto& [thread, lane] : lanes_) {
    if (!has_more(lane)) continue;
    if (lanes_.size() == 1) return &lane;
    const u64 ns = next_time(lane);
    if (first != nullptr && ns >= first_ns) continue;
    first = &lane;
    first_ns = ns;
  }
  return first;
}

void WeftTraceReader::take_record(Lane& lane) {
  RecordFields& fields = *lane.fields;
  position_ = fields.position();
  --lane.records_left;
  const u8 head = fields.byte();
  const u8 number = head & records::kind_bits, flags = head & static_cast<u8>(~records::kind_bits);
  if (number == 0 || number >= records::kinds)
    bytes_.reject(position_, fmt::format("a record of kind {}; expected 1..{}", number, records::kinds - 1));
  const Kind kind{number};
  if ((flags & records::continues) == 0) {
    const u64 passed = fields.number(max_trace_compute_ns);
    lane.begin_ns = std::min(lane.last_ns + passed, max_trace_compute_ns);
    lane.last_ns = lane.begin_ns;
    const bool has_duration = kind != Kind::collective && kind != Kind::enter && kind != Kind::leave &&
                              kind != Kind::mark && kind != Kind::forget && kind != Kind::resume;
    if (has_duration)
      lane.last_ns = std::min(lane.begin_ns + fields.number(max_trace_compute_ns), max_trace_compute_ns);
    continued_ = nullptr;
  }
  if ((flags & records::inner) != 0 && !lane.is_inside)
    bytes_.reject(position_, "a message of the library outside of all calls");
  switch (kind) {
    case Kind::send:
    case Kind::isend:
    case Kind::receive:
    case Kind::ireceive:
    case Kind::probe:
    case Kind::send_init:
    case Kind::receive_init:
      return take_message(lane, kind, flags);
    case Kind::wait:
      return take_wait(lane, flags);
    case Kind::start:
      return take_start(lane, flags);
    case Kind::forget:
      return take_forget(lane);
    case Kind::collective:
      return take_collective(lane, flags);
    case Kind::enter:
      if (lane.is_inside) bytes_.reject(position_, "a call begins inside of another");
      lane.is_inside = true;
      lane.inside_name = call_of(lane);
      return add_region(lane, TraceEvent::Kind::enter, lane.inside_name, lane.begin_ns);
    case Kind::leave:
      return take_leave(lane);
    case Kind::mark: {
      const i64 mark = fields.signed_number();
      const auto found = rank_->marks.find(mark);
      if (found == rank_->marks.end()) bytes_.reject(position_, fmt::format("mark {} is not defined", mark));
      return add_region(lane, TraceEvent::Kind::mark, found->second, lane.begin_ns);
    }
    case Kind::resume:
      add_region(lane, TraceEvent::Kind::enter, name_of_pause, end_ns_);
      return add_region(lane, TraceEvent::Kind::leave, name_of_pause, lane.begin_ns);
    case Kind::polled:
      add_region(lane, TraceEvent::Kind::enter, name_of_polling, lane.begin_ns);
      return add_region(lane, TraceEvent::Kind::leave, name_of_polling, lane.last_ns);
    case Kind::none:
      break;
  }
}

/// Times do not decrease, whatever clocks of threads say.
TraceEvent& WeftTraceReader::add(Lane& lane, TraceEvent::Kind kind, u8 flags) {
  TraceEvent& event = queue(rank_->file->header.rank);
  event.kind = kind;
  event.continues = (flags & records::continues) != 0 && continued_ == &lane;
  begin_ns_ = event.begin_ns = std::max(begin_ns_, lane.begin_ns);
  end_ns_ = event.end_ns = std::max({end_ns_, lane.last_ns, event.begin_ns});
  continued_ = &lane;
  return event;
}

void WeftTraceReader::add_region(Lane& lane, TraceEvent::Kind kind, u32 name, u64 at_ns) {
  TraceEvent& event = queue(rank_->file->header.rank);
  event.kind = kind;
  event.name = name;
  begin_ns_ = event.begin_ns = std::max(begin_ns_, at_ns);
  end_ns_ = event.end_ns = std::max(end_ns_, event.begin_ns);
  continued_ = &lane;
}

const KnownCommunicator& WeftTraceReader::communicator_of(u64 number) const {
  const auto found = rank_->communicators.find(static_cast<u32>(std::min<u64>(number, ~u32{0})));
  if (found == rank_->communicators.end())
    bytes_.reject(position_, fmt::format("communicator {} is not defined", number));
  return found->second;
}

u32 WeftTraceReader::task_of(const KnownCommunicator& communicator, bool is_world, i64 rank) const {
  const std::vector<u32>* const peers = is_world ? nullptr : communicator.peers;
  const u64 most = peers == nullptr ? tasks() : peers->size();
  if (rank < 0 || static_cast<u64>(rank) >= most)
    bytes_.reject(position_, fmt::format("rank {} of a communicator of {} ranks", rank, most));
  return peers == nullptr ? static_cast<u32>(rank) : (*peers)[static_cast<std::size_t>(rank)];
}

WeftTraceReader::Message WeftTraceReader::message_of(Lane& lane, u8 flags, bool may_be_any) const {
  RecordFields& fields = *lane.fields;
  Message message;
  const u64 code = fields.number();
  const bool is_inner = (flags & records::inner) != 0;
  message.communicator = &communicator_of(code >> 1);
  message.number = message.communicator->number + (is_inner ? 1 : 0);
  const i64 rank = fields.signed_number();
  const i64 tag = fields.signed_number();
  message.bytes = fields.number(max_trace_bytes);
  const bool is_any = rank == records::any && may_be_any;
  message.peer = is_any ? TraceEvent::any : task_of(*message.communicator, (code & 1) != 0, rank);
  message.is_left_out = message.peer == RecordedCommunicator::no_task && !is_any;
  if (tag == records::any && may_be_any && !is_inner) {
    message.tag = TraceEvent::any;
  } else {
    const i64 shown = shown_tag(tag, is_inner);
    if (shown < 0 || shown >= i64{TraceEvent::any})
      bytes_.reject(position_, fmt::format("tag {}; expected 0..2^31 - 1", tag));
    message.tag = static_cast<u32>(shown);
  }
  if (message.peer == rank_->file->header.rank || message.communicator->is_single) message.is_left_out = true;
  return message;
}

u64 WeftTraceReader::request_of(Lane& lane) const {
  lane.last_request += static_cast<u64>(lane.fields->signed_number());
  return lane.last_request;
}

u64 WeftTraceReader::add_request(Lane& lane, u64 handle, const Started& started) {
  Requests& requests = started.is_inner ? lane.inner_started : started_;
  if (requests.size() >= most_started) bytes_.reject(position_, "more than 2^24 requests at a time");
  std::list<Started>& with_handle = requests[handle];
  if (with_handle.size() == most_of_a_handle) with_handle.pop_front();
  Started& added = with_handle.emplace_back(started);
  added.request = requests_++;
  added.lane = &lane;
  if (started.is_inner) lane.inner_order.push_back(handle);
  return added.request;
}

void WeftTraceReader::add_message(Lane& lane, TraceEvent::Kind kind, u8 flags, const Message& message) {
  TraceEvent& event = add(lane, kind, flags);
  event.communicator = message.number;
  event.peer = message.peer;
  event.tag = message.tag;
  event.bytes = message.bytes;
  event.synchronous = (flags & records::special) != 0;
}

void WeftTraceReader::take_message(Lane& lane, Kind kind, u8 flags) {
  using Event = TraceEvent::Kind;
  const bool receives = kind == Kind::receive || kind == Kind::ireceive || kind == Kind::receive_init;
  const bool is_inner = (flags & records::inner) != 0;
  const Message message = message_of(lane, flags, receives || kind == Kind::probe);
  const bool has_request =
      kind == Kind::isend || kind == Kind::ireceive || kind == Kind::send_init || kind == Kind::receive_init;
  const u64 handle = has_request ? request_of(lane) : 0;
  if (is_inner && !as_messages_) return;
  if (kind == Kind::send_init || kind == Kind::receive_init) {
    persistent_[handle] = {receives, (flags & records::special) != 0, message};
    return;
  }
  // Nothing says of a receive from anyone on a communicator of several that it is to itself.
  if (message.is_left_out) {
    if (kind != Kind::probe) ++(receives ? self_receives_ : self_sends_);
    return;
  }
  const Event event = kind == Kind::send       ? Event::send
                      : kind == Kind::isend    ? Event::isend
                      : kind == Kind::receive  ? Event::receive
                      : kind == Kind::ireceive ? Event::ireceive
                                               : Event::probe;
  add_message(lane, event, flags, message);
  if (has_request) last_queued().request = add_request(lane, handle, {0, receives, message.communicator, is_inner});
}

void WeftTraceReader::take_start(Lane& lane, u8 flags) {
  const u64 handle = request_of(lane);
  const auto found = persistent_.find(handle);
  if (found == persistent_.end()) return;  // made while nothing was recorded, or of another kind
  const Persistent& start = found->second;
  if (start.message.is_left_out) {
    ++(start.receives ? self_receives_ : self_sends_);
    return;
  }
  add_message(lane, start.receives ? TraceEvent::Kind::ireceive : TraceEvent::Kind::isend, flags, start.message);
  last_queued().synchronous = start.synchronous;
  last_queued().request = add_request(lane, handle, {0, start.receives, start.message.communicator, false});
}

void WeftTraceReader::take_forget(Lane& lane) {
  const u64 handle = request_of(lane);
  if (persistent_.erase(handle) > 0) return;
  const auto found = started_.find(handle);
  if (found == started_.end()) return;
  found->second.pop_back();
  if (found->second.empty()) started_.erase(found);
}

void WeftTraceReader::take_wait(Lane& lane, u8 flags) {
  const bool is_inner = (flags & records::inner) != 0;
  const u64 handle = request_of(lane);
  const u64 bytes = lane.fields->number();
  const i64 from = lane.fields->signed_number();
  const i64 tag = lane.fields->signed_number();
  if (is_inner && !as_messages_) return;
  Requests& requests = is_inner ? lane.inner_started : started_;
  const auto found = requests.find(handle);
  if (found == requests.end()) return;  // of something that is no message, or was started while nothing was recorded
  // Another thread may use a handle again before the end of the call that gave it back is known.
  std::list<Started>& with_handle = found->second;
  auto own =
      std::ranges::find(with_handle, &lane, [](const Started& each) { return static_cast<const Lane*>(each.lane); });
  if (own == with_handle.end()) own = with_handle.begin();
  const Started started = *own;
  with_handle.erase(own);
  if (found->second.empty()) requests.erase(found);
  if (started.receives && from < 0 && !is_inner) {
    // Cancelled: nothing came, and what the call took is no computing.
    add_region(lane, TraceEvent::Kind::enter, name_of_polling, lane.begin_ns);
    add_region(lane, TraceEvent::Kind::leave, name_of_polling, lane.last_ns);
    continued_ = nullptr;
    return;
  }
  TraceEvent& event = add(lane, TraceEvent::Kind::wait, flags);
  event.request = started.request;
  event.peer = event.tag = TraceEvent::any;
  event.bytes = TraceEvent::unknown_bytes;
  if (!started.receives || from < 0) return;
  event.peer = task_of(*started.communicator, false, from);
  const i64 shown = shown_tag(tag, is_inner);
  if (shown < 0 || shown >= i64{TraceEvent::any} || bytes == 0 || bytes - 1 > max_trace_bytes)
    bytes_.reject(position_, fmt::format("a message of tag {} and {} bytes that came", tag, bytes - 1));
  event.tag = static_cast<u32>(shown);
  event.bytes = bytes - 1;
}

}  // namespace weft::workloads
