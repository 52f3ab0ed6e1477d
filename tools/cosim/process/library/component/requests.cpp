// From requests of Open MPI to steps, and from completions to data in the program's buffers; see the header.
#include "tools/cosim/process/library/component/requests.hpp"

#include <cstdlib>
#include <cstring>

#include "tools/cosim/process/library/component/payload.hpp"

namespace weft::tools::cosim {
namespace {

std::uint32_t own = 0, sent = 0;
/// [number of a started request], null for free ones, which `free_numbers` has.
Request** by_number = nullptr;
std::uint32_t* free_numbers = nullptr;
std::uint32_t numbers = 0, free_count = 0;
std::size_t started_count = 0, inside_count = 0;

std::uint32_t take_number(Request& request) {
  if (free_count == 0) {
    const std::uint32_t more = numbers == 0 ? 64 : 2 * numbers;
    by_number = static_cast<Request**>(std::realloc(by_number, more * sizeof(Request*)));
    free_numbers = static_cast<std::uint32_t*>(std::realloc(free_numbers, more * sizeof(std::uint32_t)));
    if (by_number == nullptr || free_numbers == nullptr) fail("no memory for requests");
    for (std::uint32_t number = more; number > numbers; --number) {
      by_number[number - 1] = nullptr;
      free_numbers[free_count++] = number - 1;
    }
    numbers = more;
  }
  const std::uint32_t number = free_numbers[--free_count];
  by_number[number] = &request;
  ++started_count;
  inside_count += is_inside(request.tag);
  return number;
}

void give_back(Request& request) {
  by_number[request.number] = nullptr;
  free_numbers[free_count++] = request.number;
  --started_count;
  inside_count -= is_inside(request.tag);
}

void destroy(Request* request) {
  if (request->type != nullptr) OMPI_DATATYPE_RELEASE(request->type);
  OBJ_RELEASE(request->comm);
  OBJ_RELEASE(request);
}

int cancel(ompi_request_t* base, int /*flag*/) {
  Request& request = *reinterpret_cast<Request*>(base);
  // Sends cannot be: the receiver may know of them.
  if (request.is_send || !request.is_started) return OMPI_SUCCESS;
  const Call call;
  put({.kind = CommandKind::cancel, .request = request.number});
  ask({.kind = CommandKind::tell});
  return OMPI_SUCCESS;
}

int start_all(std::size_t count, ompi_request_t** requests) {
  for (std::size_t ix = 0; ix < count; ++ix) {
    requests[ix]->req_state = OMPI_REQUEST_ACTIVE;
    start(*reinterpret_cast<Request*>(requests[ix]));
  }
  return OMPI_SUCCESS;
}

void construct(Request* request) {
  request->super.req_type = OMPI_REQUEST_PML;
  request->super.req_start = start_all;
  request->super.req_free = free_request;
  request->super.req_cancel = cancel;
  request->super.req_f_to_c_index = MPI_UNDEFINED;
}

/// Ends the request for Open MPI; it may be gone then.
void finish(Request& request) {
  request.is_started = false;
  const bool freed = request.is_freed;
  ompi_request_complete(&request.super, true);
  if (freed) destroy(&request);
}

/// Data as a program has it.
struct Data {
  void* at;
  std::size_t count;
  ompi_datatype_t* type;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t size = 0;
    opal_datatype_type_size(&type->super, &size);
    return size * count;
  }
};

void pack(const Data& from, void* data, std::size_t bytes) {
  opal_convertor_t convertor;
  OBJ_CONSTRUCT(&convertor, opal_convertor_t);
  opal_convertor_copy_and_prepare_for_send(ompi_proc_local()->super.proc_convertor, &from.type->super,
                                           static_cast<std::int32_t>(from.count), from.at, 0, &convertor);
  iovec piece = {static_cast<char*>(data), bytes};
  std::uint32_t pieces = 1;
  std::size_t most = bytes;
  opal_convertor_pack(&convertor, &piece, &pieces, &most);
  OBJ_DESTRUCT(&convertor);
}

/// Returns MPI's error.
int unpack(Request& request, void* data, std::size_t bytes) {
  opal_convertor_t convertor;
  OBJ_CONSTRUCT(&convertor, opal_convertor_t);
  opal_convertor_copy_and_prepare_for_recv(ompi_proc_local()->super.proc_convertor, &request.type->super,
                                           static_cast<std::int32_t>(request.count), request.data, 0, &convertor);
  std::size_t room = 0;
  opal_convertor_get_packed_size(&convertor, &room);
  iovec piece = {static_cast<char*>(data), bytes < room ? bytes : room};
  std::uint32_t pieces = 1;
  std::size_t most = piece.iov_len;
  if (most > 0) opal_convertor_unpack(&convertor, &piece, &pieces, &most);
  OBJ_DESTRUCT(&convertor);
  return bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

/// Puts what is sent where its receiver finds it, and says so.
void send(const Data& data, const Envelope& envelope, Command command) {
  const std::size_t bytes = data.bytes();
  const std::uint32_t number = sent++;
  Block* const block = new_block(own, number, bytes);
  block->source = envelope.comm->c_my_rank;
  block->tag = envelope.tag;
  if (bytes > 0) pack(data, data_of(block), bytes);
  command.kind = CommandKind::send;
  command.peer = task_of(envelope.comm, envelope.peer);
  command.tag = tag_of(envelope.tag);
  command.communicator = communicator_of(envelope.comm->c_contextid, envelope.tag);
  command.bytes = bytes;
  put(command);
}

Data data_of(const Request& request) { return {request.data, request.count, request.type}; }

void start_send(Request& request) {
  const bool is_buffered = request.mode == MCA_PML_BASE_SEND_BUFFERED;
  send(data_of(request), {request.peer, request.tag, request.comm},
       {.is_quiet = is_buffered,
        .is_synchronous = request.mode == MCA_PML_BASE_SEND_SYNCHRONOUS,
        .request = request.number});
  if (is_buffered) complete_send(request);
}

void start_receive(Request& request) {
  put({.kind = CommandKind::receive,
       .request = request.number,
       .peer = request.peer == MPI_ANY_SOURCE ? Command::any : task_of(request.comm, request.peer),
       .tag = request.tag == MPI_ANY_TAG ? Command::any : tag_of(request.tag),
       .communicator = communicator_of(request.comm->c_contextid, request.tag == MPI_ANY_TAG ? 0 : request.tag),
       .bytes = data_of(request).bytes()});
}

void receive(Request& request, const Completion& completion) {
  Block* const block = block_of(completion.source, completion.number);
  if (block == nullptr) fail("a message that is nowhere");
  ompi_status_public_t& status = request.super.req_status;
  status.MPI_SOURCE = block->source;
  status.MPI_TAG = block->tag;
  status._ucount = block->bytes;
  status.MPI_ERROR = unpack(request, data_of(block), block->bytes);
  // Open MPI counts what was received.
  if (status.MPI_ERROR != MPI_SUCCESS) status._ucount = data_of(request).bytes();
  release(completion.source, completion.number);
}

}  // namespace
}  // namespace weft::tools::cosim

using weft::tools::cosim::Request;
extern "C" {
OBJ_CLASS_DECLARATION(Request);
OBJ_CLASS_INSTANCE(Request, ompi_request_t, weft::tools::cosim::construct, nullptr);
}

namespace weft::tools::cosim {

void begin_requests(std::uint32_t own_task) { own = own_task; }
std::size_t started() { return started_count; }
std::size_t started_inside() { return inside_count; }
bool is_own(const ompi_request_t* request) { return request->req_free == free_request; }

std::uint32_t task_of(ompi_communicator_t* comm, int rank) {
  return ompi_group_get_proc_name(comm->c_remote_group, rank).vpid;
}

Request* new_request(bool is_send, const void* data, std::size_t count, ompi_datatype_t* type, const Envelope& envelope,
                     bool is_persistent) {
  Request* const request = OBJ_NEW(Request);
  if (request == nullptr) fail("no memory for requests");
  OMPI_REQUEST_INIT(&request->super, is_persistent);
  request->super.req_mpi_object.comm = envelope.comm;
  request->super.req_status = {};
  request->is_send = is_send;
  request->is_started = request->is_freed = request->is_unbound = request->is_held = false;
  request->mode = MCA_PML_BASE_SEND_STANDARD;
  request->data = const_cast<void*>(data);
  request->count = count;
  request->type = type;
  request->peer = envelope.peer;
  request->tag = envelope.tag;
  request->comm = envelope.comm;
  if (type != nullptr) OMPI_DATATYPE_RETAIN(type);
  OBJ_RETAIN(envelope.comm);
  return request;
}

void start(Request& request) {
  request.super.req_complete = REQUEST_PENDING;
  request.super.req_state = OMPI_REQUEST_ACTIVE;
  request.super.req_status = {};
  request.super.req_status.MPI_SOURCE = request.comm->c_my_rank;
  request.super.req_status.MPI_TAG = request.tag;
  request.is_started = true;
  request.number = take_number(request);
  request.is_send ? start_send(request) : start_receive(request);
}

Request* take_found(const Answer& found, const Envelope& envelope) {
  Request* const request = new_request(false, nullptr, 0, nullptr, envelope, false);
  request->super.req_state = OMPI_REQUEST_ACTIVE;
  request->is_started = request->is_unbound = true;
  request->number = take_number(*request);
  put({.kind = CommandKind::receive,
       .request = request->number,
       .peer = found.source,
       .tag = found.tag,
       .communicator = communicator_of(envelope.comm->c_contextid, envelope.tag == MPI_ANY_TAG ? 0 : envelope.tag),
       .bytes = found.bytes});
  return request;
}

void bind(Request& request, void* data, std::size_t count, ompi_datatype_t* type) {
  request.data = data;
  request.count = count;
  request.type = type;
  OMPI_DATATYPE_RETAIN(type);
  request.is_unbound = false;
  if (!request.is_held) return;
  request.is_held = false;
  receive(request, request.completion);
  finish(request);
}

void send_and_wait(const void* data, std::size_t count, ompi_datatype_t* type, const Envelope& envelope,
                   mca_pml_base_send_mode_t mode) {
  const bool is_buffered = mode == MCA_PML_BASE_SEND_BUFFERED;
  send({const_cast<void*>(data), count, type}, envelope,
       {.is_blocking = !is_buffered, .is_quiet = true, .is_synchronous = mode == MCA_PML_BASE_SEND_SYNCHRONOUS});
}

void complete_send(Request& request) {
  give_back(request);
  finish(request);
}

void complete(const Completion& completion) {
  Request* const request = completion.request < numbers ? by_number[completion.request] : nullptr;
  if (request == nullptr) return;
  give_back(*request);
  if (completion.is_cancelled) {
    request->super.req_status = {};
    request->super.req_status._cancelled = true;
    return finish(*request);
  }
  if (request->is_send) return finish(*request);
  if (request->is_unbound) {
    request->is_held = true;
    request->completion = completion;
    return;
  }
  receive(*request, completion);
  finish(*request);
}

int free_request(ompi_request_t** request) {
  Request* const freed = reinterpret_cast<Request*>(*request);
  OMPI_REQUEST_FINI(&freed->super);
  if (freed->is_started) {
    freed->is_freed = true;
  } else {
    destroy(freed);
  }
  *request = MPI_REQUEST_NULL;
  return OMPI_SUCCESS;
}

void drop_all() {
  for (std::uint32_t number = 0; number < numbers; ++number) {
    if (by_number[number] != nullptr && !by_number[number]->is_send)
      put({.kind = CommandKind::cancel, .request = number});
  }
}

void set_status_of_probe(const Answer& found, ompi_status_public_t* status) {
  if (status == MPI_STATUS_IGNORE) return;
  const Block* const block = block_of(found.source, found.number);
  if (block == nullptr) fail("a message that is nowhere");
  status->MPI_SOURCE = block->source;
  status->MPI_TAG = block->tag;
  status->MPI_ERROR = MPI_SUCCESS;
  status->_ucount = block->bytes;
  status->_cancelled = 0;
}

}  // namespace weft::tools::cosim
