// MPICH 4 (ch4:ucx): all messages between ranks pass through calls of UCX, which the tracer takes the place of. Tags
// are 16 bits of context, of which the lowest says collective, 16 bits of the sender's rank in the communicator, and 32
// bits of MPICH's tag. Receivers are endpoints, which are told apart by sending a message to each rank at the begin.
#include "tools/tracer/communicators.hpp"
#include "tools/tracer/inner_messages.hpp"

#ifndef OPEN_MPI
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <ucp/api/ucp.h>

namespace weft::tracer {
namespace {

/// Tags from here are of collective calls that do not wait: their messages belong to no call (MPIR_FIRST_NBC_TAG).
constexpr std::uint32_t first_nonblocking_tag = 48;
constexpr std::uint32_t tag_mask = 0x00FF'FFFF;  // error flags are above
/// Bits of a context: a communicator of the library's own, of a node, between nodes, or of one group of two.
constexpr std::uint64_t subcommunicator_mask = 14;

bool is_seen = false;
/// Ranks that find nothing to do give their core away.
bool yields = false;

/// Endpoint -> rank of MPI_COMM_WORLD; filled before anything is recorded.
struct Endpoint {
  ucp_ep_h endpoint;
  int rank;
};
Endpoint* endpoints = nullptr;
std::size_t endpoint_places = 0;
thread_local int learning __attribute__((tls_model("initial-exec"))) = -1;
std::size_t learnt = 0;

std::size_t place_of(ucp_ep_h endpoint) {
  std::size_t at = (bits_of(endpoint) * 0x9E37'79B9'7F4A'7C15) >> 32;
  for (at %= endpoint_places; endpoints[at].endpoint != nullptr && endpoints[at].endpoint != endpoint;)
    at = (at + 1) % endpoint_places;
  return at;
}

/// Types whose data is not in one piece: UCX calls MPICH to pack them, with its object of the type, which begins with
/// the handle.
struct GenericType {
  std::atomic<ucp_datatype_t> type;
  std::atomic<const MPI_Datatype*> object;
};
constexpr std::size_t most_types = 1024;
GenericType types[most_types];
std::atomic<std::size_t> types_used;

std::size_t place_of_type(ucp_datatype_t type) {
  const std::size_t used = types_used.load() < most_types ? types_used.load() : most_types;
  std::size_t ix = 0;
  while (ix < used && types[ix].type.load() != type) ++ix;
  return ix;
}
std::uint64_t packed_bytes(std::size_t count, ucp_datatype_t type) {
  const std::size_t ix = place_of_type(type);
  if (ix >= most_types || types[ix].type.load() != type) return 0;
  return count * size_of(*types[ix].object.load());
}
std::uint64_t length(std::size_t count, const ucp_request_param_t& given) {
  if (!(given.op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE)) return count;
  const ucp_datatype_t type = given.datatype;
  if ((type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG) return count * (type >> UCP_DATATYPE_SHIFT);
  return packed_bytes(count, type);
}

/// A receive that was complete at once: whether the call waited for it there is known by what it does next.
struct Pending {
  std::uint64_t tag, bytes, at_ns;
};
constexpr std::size_t most_pending = 64;
struct Receives {
  Pending pending[most_pending];
  std::size_t count = 0;
  bool has_sent = false;         ///< since the first of these
  const void* posted = nullptr;  ///< where the last receive was posted that has not ended
};
thread_local Receives receives __attribute__((tls_model("initial-exec")));

/// Places in the library that post receives and go on: MPIC_Irecv and MPIC_Sendrecv, not MPIC_Recv. Learnt by watching.
constexpr std::size_t most_places = 64;
std::atomic<const void*> going_on[most_places];
bool goes_on(const void* place) {
  for (auto& each : going_on) {
    const void* const there = each.load(std::memory_order_relaxed);
    if (there == place) return true;
    if (there == nullptr) return false;
  }
  return false;
}
void learn_place(const void* place) {
  for (auto& each : going_on) {
    const void* none = nullptr;
    if (each.load() == place || each.compare_exchange_strong(none, place)) return;
  }
}
/// Something else is posted while that receive goes on.
void posted_beside() {
  if (receives.posted != nullptr) learn_place(receives.posted);
  receives.posted = nullptr;
}

bool is_collective(std::uint64_t tag) {
  return (tag >> 48 & 1) != 0 && (static_cast<std::uint32_t>(tag) & tag_mask) < first_nonblocking_tag;
}
Thread* recorder_of(std::uint64_t tag) {
  return own != nullptr && own->is_inside && is_seen && is_collective(tag) ? own : nullptr;
}

/// Calls that send on communicators which the tracer does not know: their messages are of MPI_COMM_WORLD.
std::uint64_t code_of(const Thread& thread) {
  return std::uint64_t{thread.comm == handles.no_comm ? records::world : number_of(thread.comm)} << 1;
}

void record_receive(Thread& thread, std::uint64_t tag, std::uint64_t bytes, std::uint64_t at_ns) {
  const bool is_own = !thread.knows_ranks || (tag >> 48 & subcommunicator_mask) != 0;
  const int from = is_own ? MPI_ANY_SOURCE : static_cast<int>(tag >> 32 & 0xFFFF);
  const int number = static_cast<int>(static_cast<std::uint32_t>(tag) & tag_mask);
  inner_message(thread, Kind::receive, at_ns, code_of(thread), from, number, bytes);
}
void record_pending(Thread& thread) {
  for (std::size_t ix = 0; ix < receives.count; ++ix) {
    const Pending& each = receives.pending[ix];
    record_receive(thread, each.tag, each.bytes, each.at_ns);
  }
  receives.count = 0;
  receives.has_sent = false;
}

/// What is in place of the library's own notice that a receive has ended.
struct Notice {
  ucp_tag_recv_nbx_callback_t usual;
  void* usual_data;
  const void* place;
};
void ended(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* data) {
  auto* const notice = static_cast<Notice*>(data);
  if (status == UCS_OK && own != nullptr && own->is_inside) {
    record_pending(*own);
    record_receive(*own, info->sender_tag, info->length, own->tick());
  }
  if (receives.posted == notice->place) receives.posted = nullptr;
  notice->usual(request, status, info, notice->usual_data);
  std::free(notice);
}

template <class Function>
Function in_ucx(std::atomic<Function>& kept, const char* name) {
  Function function = kept.load(std::memory_order_relaxed);
  if (function == nullptr) {
    void* found = symbol_of("libucp.so.0", name);
    if (found == nullptr) std::abort();
    function = reinterpret_cast<Function>(found);
    kept.store(function, std::memory_order_relaxed);
  }
  return function;
}
#define WEFT_UCX(name)                        \
  ([] {                                       \
    static std::atomic<decltype(&name)> kept; \
    return in_ucx(kept, #name);               \
  }())

void sent(ucp_ep_h endpoint, std::size_t count, std::uint64_t tag, const ucp_request_param_t* given) {
  if (learning >= 0 && endpoints != nullptr) {
    Endpoint& place = endpoints[place_of(endpoint)];
    if (place.endpoint == nullptr) ++learnt;
    place = {endpoint, learning};
    learning = -1;
    return;
  }
  Thread* const thread = recorder_of(tag);
  if (thread == nullptr) return;
  posted_beside();
  receives.has_sent = true;
  const Endpoint& to = endpoints[place_of(endpoint)];
  inner_message(*thread, Kind::send, thread->tick(), code_of(*thread) | 1,
                to.endpoint == nullptr ? MPI_ANY_SOURCE : to.rank,
                static_cast<int>(static_cast<std::uint32_t>(tag) & tag_mask), length(count, *given));
}

}  // namespace

extern "C" {

ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h endpoint, const void* data, std::size_t count, ucp_tag_t tag,
                                  const ucp_request_param_t* given) {
  sent(endpoint, count, tag, given);
  return WEFT_UCX(ucp_tag_send_nbx)(endpoint, data, count, tag, given);
}

ucs_status_ptr_t ucp_tag_send_sync_nbx(ucp_ep_h endpoint, const void* data, std::size_t count, ucp_tag_t tag,
                                       const ucp_request_param_t* given) {
  sent(endpoint, count, tag, given);
  return WEFT_UCX(ucp_tag_send_sync_nbx)(endpoint, data, count, tag, given);
}

ucs_status_ptr_t ucp_tag_recv_nbx(ucp_worker_h worker, void* data, std::size_t count, ucp_tag_t tag, ucp_tag_t mask,
                                  const ucp_request_param_t* given) {
  const auto real = WEFT_UCX(ucp_tag_recv_nbx);
  Thread* const thread = recorder_of(tag);
  if (thread == nullptr || !(given->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK))
    return real(worker, data, count, tag, mask, given);
  const void* const place = __builtin_return_address(0);
  posted_beside();
  if (receives.count > 0 && receives.has_sent) record_pending(*thread);
  auto* const notice = static_cast<Notice*>(std::malloc(sizeof(Notice)));
  if (notice == nullptr) return real(worker, data, count, tag, mask, given);
  *notice = {given->cb.recv, given->op_attr_mask & UCP_OP_ATTR_FIELD_USER_DATA ? given->user_data : nullptr, place};
  ucp_request_param_t changed = *given;
  ucp_tag_recv_info_t info = {};
  changed.op_attr_mask |= UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_RECV_INFO;
  changed.cb.recv = ended;
  changed.user_data = notice;
  if (!(given->op_attr_mask & UCP_OP_ATTR_FIELD_RECV_INFO)) changed.recv_info.tag_info = &info;
  const std::uint64_t begin = thread->tick();
  const ucs_status_ptr_t result = real(worker, data, count, tag, mask, &changed);
  if (UCS_PTR_IS_PTR(result)) {
    receives.posted = place;
    return result;
  }
  std::free(notice);
  if (UCS_PTR_STATUS(result) != UCS_OK) return result;
  const ucp_tag_recv_info_t came = *changed.recv_info.tag_info;
  if (goes_on(place) && receives.count < most_pending) {
    receives.pending[receives.count++] = {came.sender_tag, came.length, begin};
  } else {
    record_pending(*thread);
    record_receive(*thread, came.sender_tag, came.length, begin);
  }
  return result;
}

unsigned ucp_worker_progress(ucp_worker_h worker) {
  if (receives.count > 0 && own != nullptr && own->is_inside) record_pending(*own);
  const unsigned found = WEFT_UCX(ucp_worker_progress)(worker);
  if (found == 0 && yields) sched_yield();
  return found;
}

ucs_status_t ucp_dt_create_generic(const ucp_generic_dt_ops_t* operations, void* context, ucp_datatype_t* type) {
  const ucs_status_t status = WEFT_UCX(ucp_dt_create_generic)(operations, context, type);
  if (status == UCS_OK) {
    // Types are freed and others come at the same address: there is one entry of each.
    std::size_t ix = place_of_type(*type);
    if (ix >= types_used.load()) ix = types_used.fetch_add(1);
    if (ix >= most_types) return status;
    types[ix].object = static_cast<const MPI_Datatype*>(context);
    types[ix].type = *type;
  }
  return status;
}

}  // extern "C"

bool see_inner_messages(int rank, int ranks, const char* version) {
  yields = std::getenv("WEFT_TRACE_YIELD") != nullptr;
  const char* const found = std::strstr(version, "MPICH Version:");
  int major = 0;
  int is_ready = found != nullptr && std::sscanf(found, "MPICH Version: %d.", &major) == 1 && major == 4 &&
                 symbol_of("libucp.so.0", "ucp_tag_send_nbx") != nullptr;
  endpoint_places = 4 * static_cast<std::size_t>(ranks) + 4;
  endpoints = static_cast<Endpoint*>(std::calloc(endpoint_places, sizeof(Endpoint)));
  for (int distance = 0; distance < ranks; ++distance) {
    learning = (rank + distance) % ranks;
    WEFT_REAL(Sendrecv)
    (nullptr, 0, handles.byte, (rank + distance) % ranks, 1, nullptr, 0, handles.byte,
     (rank - distance + ranks) % ranks, 1, handles.world, MPI_STATUS_IGNORE);
    learning = -1;
    if (distance == 0) learnt = 0;  // to itself it need not send by UCX
  }
  is_ready = is_ready && learnt + 1 == static_cast<std::size_t>(ranks);
  int all = 0;
  WEFT_REAL(Allreduce)(&is_ready, &all, 1, handles.integer, handles.minimum, handles.world);
  if (!all && rank == 0)
    std::fprintf(stderr,
                 "weft tracer: this MPICH does not send its messages by UCX; collective calls are recorded as calls\n");
  is_seen = all != 0;
  return is_seen;
}

void see_no_inner_messages() { is_seen = false; }

void end_of_inner_messages(Thread& thread) {
  record_pending(thread);
  receives.posted = nullptr;
}

}  // namespace weft::tracer
#endif
