// MPI's calls of messages between two ranks.
#include "tools/tracer/call.hpp"

using namespace weft::tracer;
namespace records = weft::records;

/// Blocking sends, and those that start a request.
#define WEFT_SEND(name, flags)                                                                                \
  extern "C" int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    Outermost call;                                                                                           \
    const int result = WEFT_REAL(name)(data, count, type, to, tag, comm);                                     \
    if (call.is_recorded() && result == MPI_SUCCESS && to != MPI_PROC_NULL)                                   \
      call.message(Kind::send, flags, comm, to, tag, bytes_of(count, type));                                  \
    return result;                                                                                            \
  }                                                                                                           \
  WEFT_ALSO_AS_PMPI(name)
#define WEFT_REQUEST_OF_SEND(name, kind, flags)                                                             \
  extern "C" int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                            MPI_Request* request) {                                                         \
    Outermost call;                                                                                         \
    const int result = WEFT_REAL(name)(data, count, type, to, tag, comm, request);                          \
    if (call.is_recorded() && result == MPI_SUCCESS && to != MPI_PROC_NULL)                                 \
      call.message(Kind::kind, flags, comm, to, tag, bytes_of(count, type), *request);                      \
    return result;                                                                                          \
  }                                                                                                         \
  WEFT_ALSO_AS_PMPI(name)
#define WEFT_REQUEST_OF_RECEIVE(name, kind)                                                             \
  extern "C" int MPI_##name(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, \
                            MPI_Request* request) {                                                     \
    Outermost call;                                                                                     \
    const int result = WEFT_REAL(name)(data, count, type, from, tag, comm, request);                    \
    if (call.is_recorded() && result == MPI_SUCCESS && from != MPI_PROC_NULL)                           \
      call.message(Kind::kind, 0, comm, from, tag, bytes_of(count, type), *request);                    \
    return result;                                                                                      \
  }                                                                                                     \
  WEFT_ALSO_AS_PMPI(name)

WEFT_SEND(Send, 0)
WEFT_SEND(Bsend, 0)
WEFT_SEND(Rsend, 0)
WEFT_SEND(Ssend, records::special)
WEFT_REQUEST_OF_SEND(Isend, isend, 0)
WEFT_REQUEST_OF_SEND(Ibsend, isend, 0)
WEFT_REQUEST_OF_SEND(Irsend, isend, 0)
WEFT_REQUEST_OF_SEND(Issend, isend, records::special)
WEFT_REQUEST_OF_SEND(Send_init, send_init, 0)
WEFT_REQUEST_OF_SEND(Bsend_init, send_init, 0)
WEFT_REQUEST_OF_SEND(Rsend_init, send_init, 0)
WEFT_REQUEST_OF_SEND(Ssend_init, send_init, records::special)
WEFT_REQUEST_OF_RECEIVE(Irecv, ireceive)
WEFT_REQUEST_OF_RECEIVE(Recv_init, receive_init)

extern "C" int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                        MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const int result = WEFT_REAL(Recv)(data, count, type, from, tag, comm, status);
  if (call.is_recorded() && result == MPI_SUCCESS && from != MPI_PROC_NULL)
    call.message(Kind::receive, 0, comm, status->MPI_SOURCE, status->MPI_TAG, bytes_of(*status));
  return result;
}
WEFT_ALSO_AS_PMPI(Recv)

namespace {

struct SentPart {
  int to, tag, count;
  MPI_Datatype type;
};

/// What a call sent, and what came in it.
void exchanged(Outermost& call, MPI_Comm comm, const SentPart& sent, int from, const MPI_Status& came) {
  const bool sends = sent.to != MPI_PROC_NULL;
  if (sends) call.message(Kind::send, 0, comm, sent.to, sent.tag, bytes_of(sent.count, sent.type));
  if (from != MPI_PROC_NULL)
    call.message(Kind::receive, sends ? records::continues : std::uint8_t{0}, comm, came.MPI_SOURCE, came.MPI_TAG,
                 bytes_of(came));
}

}  // namespace

extern "C" int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* place, int room,
                            MPI_Datatype place_type, int from, int from_tag, MPI_Comm comm, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const int result =
      WEFT_REAL(Sendrecv)(data, count, type, to, tag, place, room, place_type, from, from_tag, comm, status);
  if (!call.is_recorded() || result != MPI_SUCCESS) return result;
  exchanged(call, comm, {to, tag, count, type}, from, *status);
  return result;
}
WEFT_ALSO_AS_PMPI(Sendrecv)

extern "C" int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                                    MPI_Comm comm, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const int result = WEFT_REAL(Sendrecv_replace)(data, count, type, to, tag, from, from_tag, comm, status);
  if (!call.is_recorded() || result != MPI_SUCCESS) return result;
  exchanged(call, comm, {to, tag, count, type}, from, *status);
  return result;
}
WEFT_ALSO_AS_PMPI(Sendrecv_replace)

extern "C" int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const int result = WEFT_REAL(Probe)(from, tag, comm, status);
  if (call.is_recorded() && result == MPI_SUCCESS && from != MPI_PROC_NULL)
    call.message(Kind::probe, 0, comm, status->MPI_SOURCE, status->MPI_TAG, bytes_of(*status));
  return result;
}
WEFT_ALSO_AS_PMPI(Probe)

extern "C" int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const int result = WEFT_REAL(Iprobe)(from, tag, comm, flag, status);
  if (!call.is_recorded() || result != MPI_SUCCESS || from == MPI_PROC_NULL) return result;
  if (*flag) {
    call.message(Kind::probe, 0, comm, status->MPI_SOURCE, status->MPI_TAG, bytes_of(*status));
  } else {
    call.found_nothing();
  }
  return result;
}
WEFT_ALSO_AS_PMPI(Iprobe)

namespace {

/// Messages that probes have found and no call has received yet, with their communicators: of a thread, few.
struct Found {
  std::uint64_t message;
  MPI_Comm comm;
};
constexpr unsigned most_found = 16;
thread_local Found found[most_found] __attribute__((tls_model("initial-exec")));
thread_local unsigned found_count __attribute__((tls_model("initial-exec"))) = 0;

void keep(MPI_Message message, MPI_Comm comm) { found[found_count++ % most_found] = {bits_of(message), comm}; }
/// Null if another thread has found it.
const Found* take(std::uint64_t message) {
  for (unsigned back = 1; back <= most_found && back <= found_count; ++back) {
    Found& each = found[(found_count - back) % most_found];
    if (each.message == message) {
      each.message = 0;
      return &each;
    }
  }
  return nullptr;
}

}  // namespace

extern "C" int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const int result = WEFT_REAL(Mprobe)(from, tag, comm, message, status);
  if (!call.is_recorded() || result != MPI_SUCCESS || from == MPI_PROC_NULL) return result;
  keep(*message, comm);
  call.message(Kind::probe, 0, comm, status->MPI_SOURCE, status->MPI_TAG, bytes_of(*status));
  return result;
}
WEFT_ALSO_AS_PMPI(Mprobe)

extern "C" int MPI_Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const int result = WEFT_REAL(Improbe)(from, tag, comm, flag, message, status);
  if (!call.is_recorded() || result != MPI_SUCCESS || from == MPI_PROC_NULL) return result;
  if (*flag) {
    keep(*message, comm);
    call.message(Kind::probe, 0, comm, status->MPI_SOURCE, status->MPI_TAG, bytes_of(*status));
  } else {
    call.found_nothing();
  }
  return result;
}
WEFT_ALSO_AS_PMPI(Improbe)

extern "C" int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const Found* const of = call.is_recorded() ? take(bits_of(*message)) : nullptr;
  const int result = WEFT_REAL(Mrecv)(data, count, type, message, status);
  if (of != nullptr && result == MPI_SUCCESS)
    call.message(Kind::receive, 0, of->comm, status->MPI_SOURCE, status->MPI_TAG, bytes_of(*status));
  return result;
}
WEFT_ALSO_AS_PMPI(Mrecv)

extern "C" int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  Outermost call;
  const Found* const of = call.is_recorded() ? take(bits_of(*message)) : nullptr;
  const int result = WEFT_REAL(Imrecv)(data, count, type, message, request);
  if (of != nullptr && result == MPI_SUCCESS)
    call.message(Kind::ireceive, 0, of->comm, MPI_ANY_SOURCE, MPI_ANY_TAG, bytes_of(count, type), *request);
  return result;
}
WEFT_ALSO_AS_PMPI(Imrecv)
