// Packed events; see the header.
#include "workloads/trace/store/packing.hpp"

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

constexpr u8 kind_bits = 0x0F, is_synchronous = 0x10, is_continued = 0x20, has_communicator = 0x40, has_more = 0x80;
constexpr u64 most_members = u64{1} << 24;

u8* put(u8* to, u64 value) {
  while (value >= 0x80) {
    *to++ = static_cast<u8>(value) | 0x80;
    value >>= 7;
  }
  *to++ = static_cast<u8>(value);
  return to;
}

/// Numbers that may be absent: all bits set, of 32 or of 64.
u8* put_if(u8* to, u32 value) { return put(to, value == ~u32{0} ? 0 : u64{value} + 1); }
u8* put_if(u8* to, u64 value) { return put(to, value + 1); }

u64 zigzag(u64 difference) { return (difference << 1) ^ (0 - (difference >> 63)); }
u64 from_zigzag(u64 value) { return (value >> 1) ^ (0 - (value & 1)); }

void put_list(std::vector<u8>& to, const std::vector<u64>& values) {
  u8 bytes[10];
  to.insert(to.end(), bytes, put(bytes, values.size()));
  for (const u64 value : values) to.insert(to.end(), bytes, put(bytes, value));
}

/// Takes numbers from packed bytes until they end.
struct Taker {
  const u8* at;
  const u8* end;
  bool short_of = false;

  u64 number() {
    u64 value = 0;
    for (u32 shift = 0; at < end; shift += 7) {
      const u8 byte = *at++;
      if (shift > 63) throw InputError("a number of more than 64 bits (the store of a trace is damaged); delete it");
      value |= static_cast<u64>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    short_of = true;
    return 0;
  }
  u32 small() { return static_cast<u32>(number()); }
  u32 small_if() { return static_cast<u32>(number() - 1); }
  u64 number_if() { return number() - 1; }
  void list(std::vector<u64>& values) {
    const u64 count = number();
    if (count > most_members) throw InputError("a list that is too long (the store of a trace is damaged); delete it");
    values.clear();
    for (u64 i = 0; i < count && !short_of; ++i) values.push_back(number());
  }
};

bool has_message(Kind kind) { return kind >= Kind::send && kind <= Kind::ireceive; }
bool has_request(Kind kind) { return kind == Kind::isend || kind == Kind::ireceive || kind == Kind::wait; }

/// What a wait says besides its request.
bool says_more(const TraceEvent& event) {
  if (event.kind == Kind::wait)
    return event.peer != TraceEvent::any || event.tag != TraceEvent::any || event.bytes != TraceEvent::unknown_bytes;
  return event.kind == Kind::collective &&
         (event.request != TraceEvent::no_request || !event.sent.empty() || !event.received.empty());
}

}  // namespace

void EventPacker::pack(const TraceEvent& event, std::vector<u8>& to) {
  u8 packed[most_packed_bytes];
  const bool more = says_more(event);
  u8* at = packed;
  *at++ = static_cast<u8>(static_cast<u32>(event.kind) | (event.synchronous ? is_synchronous : 0) |
                          (event.continues ? is_continued : 0) | (event.communicator != 0 ? has_communicator : 0) |
                          (more ? has_more : 0));
  if (has_times_) {
    at = put(at, zigzag(event.begin_ns - last_end_));
    at = put(at, zigzag(event.end_ns - event.begin_ns));
    last_end_ = event.end_ns;
  }
  if (event.communicator != 0) at = put(at, event.communicator);
  if (has_request(event.kind)) at = put_if(at, event.request);
  if (has_message(event.kind) || event.kind == Kind::probe || (event.kind == Kind::wait && more)) {
    at = put_if(at, event.peer);
    at = put_if(at, event.tag);
    at = put_if(at, event.bytes);
  } else if (event.kind == Kind::compute) {
    at = put(at, event.bytes);
  } else if (event.kind == Kind::collective) {
    *at++ = static_cast<u8>(event.operation);
    at = put_if(at, event.root);
    at = put_if(at, event.bytes);
    at = put_if(at, event.bytes_received);
    if (more) at = put_if(at, event.request);
  } else if (event.kind >= Kind::enter) {
    at = put(at, event.name);
    if (event.kind == Kind::count) at = put(at, event.bytes);
  }
  to.insert(to.end(), packed, at);
  if (event.kind == Kind::collective && more) {
    put_list(to, event.sent);
    put_list(to, event.received);
  }
}

const u8* EventUnpacker::unpack(const u8* from, const u8* end, TraceEvent& event) {
  if (from == end) return nullptr;
  Taker take{from + 1, end};
  const u8 head = *from;
  const bool more = (head & has_more) != 0;
  if ((head & kind_bits) > static_cast<u8>(Kind::count))
    throw InputError("an event of an unknown kind (the store of a trace is damaged); delete it");
  event.kind = static_cast<Kind>(head & kind_bits);
  event.synchronous = (head & is_synchronous) != 0;
  event.continues = (head & is_continued) != 0;
  event.begin_ns = event.end_ns = 0;
  if (has_times_) {
    event.begin_ns = last_end_ + from_zigzag(take.number());
    event.end_ns = event.begin_ns + from_zigzag(take.number());
  }
  event.communicator = (head & has_communicator) != 0 ? take.small() : 0;
  event.request = has_request(event.kind) ? take.number_if() : TraceEvent::no_request;
  const bool waits_for_known = event.kind == Kind::wait && more;
  event.peer = event.tag = event.kind == Kind::wait ? TraceEvent::any : 0;
  event.bytes = event.kind == Kind::wait ? TraceEvent::unknown_bytes : 0;
  event.bytes_received = 0;
  event.root = TraceEvent::no_root;
  event.name = 0;
  event.operation = Collective::barrier;
  event.sent.clear();
  event.received.clear();
  if (has_message(event.kind) || event.kind == Kind::probe || waits_for_known) {
    event.peer = take.small_if();
    event.tag = take.small_if();
    event.bytes = take.number_if();
  } else if (event.kind == Kind::compute) {
    event.bytes = take.number();
  } else if (event.kind == Kind::collective) {
    const u64 operation = take.number();
    if (operation >= collective_operations_known)
      throw InputError("a collective of an unknown kind (the store of a trace is damaged); delete it");
    event.operation = static_cast<Collective>(operation);
    event.root = take.small_if();
    event.bytes = take.number_if();
    event.bytes_received = take.number_if();
    if (more) {
      event.request = take.number_if();
      take.list(event.sent);
      take.list(event.received);
    }
  } else if (event.kind >= Kind::enter) {
    event.name = take.small();
    if (event.kind == Kind::count) event.bytes = take.number();
  }
  if (take.short_of) return nullptr;
  last_end_ = event.end_ns;
  return take.at;
}

}  // namespace weft::workloads
