// Open MPI 4: all messages, those inside of collective calls too, pass through a table of functions of its messaging
// component, `mca_pml` (ompi/mca/pml/pml.h); collective components wait by another, `ompi_request_functions`
// (ompi/request/request.h).
#include "tools/tracer/communicators.hpp"
#include "tools/tracer/inner_messages.hpp"

#ifdef OPEN_MPI
#include <cstdio>

namespace weft::tracer {
namespace {

/// Tags of collective calls that do not wait (ompi/mca/coll/base/coll_tags.h): their messages belong to no call.
constexpr int first_nonblocking_tag = -27, last_nonblocking_tag = -0x7FFF'FFFF / 2 + 1;

/// The first functions of the tables, in their order.
struct Messaging {
  void *add_procs, *del_procs, *enable, *progress, *add_comm, *del_comm;
  int (*irecv_init)(void*, std::size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  int (*irecv)(void*, std::size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  int (*recv)(void*, std::size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
  int (*isend_init)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request*);
  int (*isend)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request*);
  int (*send)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm);
};
struct Waiting {
  int (*test)(MPI_Request*, int*, MPI_Status*);
  void *test_any, *test_all, *test_some;
  int (*wait)(MPI_Request*, MPI_Status*);
  int (*wait_any)(std::size_t, MPI_Request*, int*, MPI_Status*);
  int (*wait_all)(std::size_t, MPI_Request*, MPI_Status*);
  void* wait_some;
};
Messaging usual;
Waiting usual_waiting;
Messaging* messaging = nullptr;
Waiting* waiting = nullptr;

/// The thread, if this message is to be recorded.
Thread* recorder_of(int tag) {
  Thread* const thread = own;
  if (thread == nullptr || !thread->is_inside || tag >= 0) return nullptr;
  return tag > first_nonblocking_tag || tag < last_nonblocking_tag ? thread : nullptr;
}
Thread* recorder_of_waits() { return own != nullptr && own->is_inside ? own : nullptr; }
std::uint64_t code_of(MPI_Comm comm) { return std::uint64_t{number_of(comm)} << 1; }
std::uint64_t length(std::size_t count, MPI_Datatype type) { return count == 0 ? 0 : count * size_of(type); }

void inner_wait(Thread& thread, std::uint64_t begin, MPI_Request request, const MPI_Status& status) {
  std::uint8_t* to = put_head(thread, thread.at, Kind::wait, records::inner, begin);
  to = put_duration(thread, to, 0, thread.tick());
  to = put_request(thread, to, bits_of(request));
  end_record(thread, put_status(to, status));
}

int send(const void* data, std::size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm) {
  if (Thread* const thread = recorder_of(tag))
    inner_message(*thread, Kind::send, thread->tick(), code_of(comm), to, tag, length(count, type));
  return usual.send(data, count, type, to, tag, mode, comm);
}
int isend(const void* data, std::size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
          MPI_Request* request) {
  if (Thread* const thread = recorder_of(tag))
    inner_message(*thread, Kind::send, thread->tick(), code_of(comm), to, tag, length(count, type));
  return usual.isend(data, count, type, to, tag, mode, comm, request);
}
/// Collective calls start what they have made ready at once.
int isend_init(const void* data, std::size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
               MPI_Request* request) {
  if (Thread* const thread = recorder_of(tag))
    inner_message(*thread, Kind::send, thread->tick(), code_of(comm), to, tag, length(count, type));
  return usual.isend_init(data, count, type, to, tag, mode, comm, request);
}
int recv(void* data, std::size_t count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  Thread* const thread = recorder_of(tag);
  if (thread == nullptr) return usual.recv(data, count, type, from, tag, comm, status);
  const std::uint64_t begin = thread->tick();
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE) status = &came;
  const int result = usual.recv(data, count, type, from, tag, comm, status);
  inner_message(*thread, Kind::receive, begin, code_of(comm), status->MPI_SOURCE, tag, bytes_of(*status));
  return result;
}
void record_posted(Thread& thread, std::size_t count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Request request) {
  const std::uint64_t now = thread.tick();
  std::uint8_t* to = put_head(thread, thread.at, Kind::ireceive, records::inner, now);
  to = put_duration(thread, to, 0, now);
  to = put_message(to, code_of(comm), from, tag, length(count, type));
  end_record(thread, put_request(thread, to, bits_of(request)));
}
int irecv(void* data, std::size_t count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = usual.irecv(data, count, type, from, tag, comm, request);
  if (Thread* const thread = recorder_of(tag)) record_posted(*thread, count, type, from, tag, comm, *request);
  return result;
}
int irecv_init(void* data, std::size_t count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request* request) {
  const int result = usual.irecv_init(data, count, type, from, tag, comm, request);
  if (Thread* const thread = recorder_of(tag)) record_posted(*thread, count, type, from, tag, comm, *request);
  return result;
}

int wait(MPI_Request* request, MPI_Status* status) {
  Thread* const thread = recorder_of_waits();
  if (thread == nullptr || *request == handles.no_request) return usual_waiting.wait(request, status);
  const std::uint64_t begin = thread->tick();
  const MPI_Request before = *request;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE) status = &came;
  const int result = usual_waiting.wait(request, status);
  inner_wait(*thread, begin, before, *status);
  return result;
}
int test(MPI_Request* request, int* completed, MPI_Status* status) {
  Thread* const thread = recorder_of_waits();
  if (thread == nullptr || *request == handles.no_request) return usual_waiting.test(request, completed, status);
  const std::uint64_t begin = thread->tick();
  const MPI_Request before = *request;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE) status = &came;
  const int result = usual_waiting.test(request, completed, status);
  if (*completed) inner_wait(*thread, begin, before, *status);
  return result;
}
int wait_any(std::size_t count, MPI_Request* requests, int* index, MPI_Status* status) {
  Thread* const thread = recorder_of_waits();
  MPI_Request* const before = thread == nullptr ? nullptr : thread->requests.room<MPI_Request>(count + 1);
  if (before == nullptr) return usual_waiting.wait_any(count, requests, index, status);
  const std::uint64_t begin = thread->tick();
  for (std::size_t ix = 0; ix < count; ++ix) before[ix] = requests[ix];
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE) status = &came;
  const int result = usual_waiting.wait_any(count, requests, index, status);
  if (*index >= 0 && static_cast<std::size_t>(*index) < count) inner_wait(*thread, begin, before[*index], *status);
  return result;
}
int wait_all(std::size_t count, MPI_Request* requests, MPI_Status* statuses) {
  Thread* const thread = recorder_of_waits();
  MPI_Request* const before = thread == nullptr ? nullptr : thread->requests.room<MPI_Request>(count + 1);
  MPI_Status* const came = statuses != MPI_STATUSES_IGNORE || thread == nullptr
                               ? statuses
                               : thread->inner_statuses.room<MPI_Status>(count + 1);
  if (before == nullptr || came == nullptr) return usual_waiting.wait_all(count, requests, statuses);
  const std::uint64_t begin = thread->tick();
  for (std::size_t ix = 0; ix < count; ++ix) before[ix] = requests[ix];
  const int result = usual_waiting.wait_all(count, requests, came);
  for (std::size_t ix = 0; ix < count; ++ix) {
    if (before[ix] != handles.no_request) inner_wait(*thread, begin, before[ix], came[ix]);
  }
  return result;
}

}  // namespace

bool see_inner_messages(int rank, int /*ranks*/, const char* version) {
  // The tables are those of this series.
  int major = 0;
  if (std::sscanf(version, "Open MPI v%d.", &major) != 1 || major != 4) return false;
  messaging = static_cast<Messaging*>(symbol_of("libmpi.so.40", "mca_pml"));
  waiting = static_cast<Waiting*>(symbol_of("libmpi.so.40", "ompi_request_functions"));
  if (messaging == nullptr || waiting == nullptr) {
    if (rank == 0) std::fprintf(stderr, "weft tracer: this Open MPI shows no messages inside of collective calls\n");
    return false;
  }
  usual = *messaging;
  usual_waiting = *waiting;
  messaging->send = send;
  messaging->isend = isend;
  messaging->recv = recv;
  messaging->irecv = irecv;
  messaging->isend_init = isend_init;
  messaging->irecv_init = irecv_init;
  waiting->wait = wait;
  waiting->test = test;
  waiting->wait_any = wait_any;
  waiting->wait_all = wait_all;
  return true;
}

void see_no_inner_messages() {
  if (messaging == nullptr || waiting == nullptr) return;
  messaging->send = usual.send;
  messaging->isend = usual.isend;
  messaging->recv = usual.recv;
  messaging->irecv = usual.irecv;
  messaging->isend_init = usual.isend_init;
  messaging->irecv_init = usual.irecv_init;
  *waiting = usual_waiting;
}

void end_of_inner_messages(Thread& /*thread*/) {}

}  // namespace weft::tracer
#endif
