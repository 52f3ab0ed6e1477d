// Open MPI's messaging component (ompi/mca/pml/pml.h) by which messages pass through weft.
#include <cstdlib>

#include "tools/cosim/process/library/component/waiting.hpp"

namespace weft::tools::cosim {
namespace {

int send_init(const void* data, std::size_t count, ompi_datatype_t* type, int to, int tag,
              mca_pml_base_send_mode_t mode, ompi_communicator_t* comm, ompi_request_t** result) {
  Request* const request = new_request(true, data, count, type, {to, tag, comm}, true);
  request->mode = mode;
  *result = &request->super;
  return OMPI_SUCCESS;
}

int isend(const void* data, std::size_t count, ompi_datatype_t* type, int to, int tag, mca_pml_base_send_mode_t mode,
          ompi_communicator_t* comm, ompi_request_t** result) {
  const Call call;
  Request* const request = new_request(true, data, count, type, {to, tag, comm}, false);
  request->mode = mode;
  *result = &request->super;
  start(*request);
  return OMPI_SUCCESS;
}

int send(const void* data, std::size_t count, ompi_datatype_t* type, int to, int tag, mca_pml_base_send_mode_t mode,
         ompi_communicator_t* comm) {
  const Call call;
  // Collective calls that do not wait go on while this one waits.
  if (started_inside() == 0) {
    send_and_wait(data, count, type, {to, tag, comm}, mode);
    return OMPI_SUCCESS;
  }
  ompi_request_t* request = nullptr;
  isend(data, count, type, to, tag, mode, comm, &request);
  wait_for(request);
  return free_request(&request);
}

int receive_init(void* data, std::size_t count, ompi_datatype_t* type, int from, int tag, ompi_communicator_t* comm,
                 ompi_request_t** result) {
  *result = &new_request(false, data, count, type, {from, tag, comm}, true)->super;
  return OMPI_SUCCESS;
}

int ireceive(void* data, std::size_t count, ompi_datatype_t* type, int from, int tag, ompi_communicator_t* comm,
             ompi_request_t** result) {
  const Call call;
  Request* const request = new_request(false, data, count, type, {from, tag, comm}, false);
  *result = &request->super;
  start(*request);
  return OMPI_SUCCESS;
}

/// Waits for a receive and frees it; MPI's error.
int end_receive(ompi_request_t* request, ompi_status_public_t* status) {
  wait_for(request);
  if (status != MPI_STATUS_IGNORE) OMPI_COPY_STATUS(status, request->req_status, false);
  const int error = request->req_status.MPI_ERROR;
  free_request(&request);
  return error;
}

int receive(void* data, std::size_t count, ompi_datatype_t* type, int from, int tag, ompi_communicator_t* comm,
            ompi_status_public_t* status) {
  const Call call;
  ompi_request_t* request = nullptr;
  ireceive(data, count, type, from, tag, comm, &request);
  return end_receive(request, status);
}

Command probe_command(CommandKind kind, const Envelope& envelope) {
  return {.kind = kind,
          .is_poll = kind == CommandKind::probe,
          .peer = envelope.peer == MPI_ANY_SOURCE ? Command::any : task_of(envelope.comm, envelope.peer),
          .tag = envelope.tag == MPI_ANY_TAG ? Command::any : tag_of(envelope.tag),
          .communicator = communicator_of(envelope.comm->c_contextid, envelope.tag == MPI_ANY_TAG ? 0 : envelope.tag)};
}

/// Waits while collective calls go on.
Answer wait_for_message(const Envelope& envelope) {
  for (;;) {
    let_others_go_on();
    if (started_inside() == 0) return ask(probe_command(CommandKind::probe_wait, envelope));
    const Answer answer = ask(probe_command(CommandKind::probe, envelope));
    if (answer.found) return answer;
  }
}

int iprobe(int from, int tag, ompi_communicator_t* comm, int* found, ompi_status_public_t* status) {
  const Call call;
  const Answer answer = ask(probe_command(CommandKind::probe, {from, tag, comm}));
  let_others_go_on();
  *found = answer.found;
  if (answer.found) set_status_of_probe(answer, status);
  return OMPI_SUCCESS;
}

int probe(int from, int tag, ompi_communicator_t* comm, ompi_status_public_t* status) {
  const Call call;
  set_status_of_probe(wait_for_message({from, tag, comm}), status);
  return OMPI_SUCCESS;
}

/// The message that was found is taken: only its own receive gets it.
void take(const Answer& found, const Envelope& envelope, ompi_message_t** message, ompi_status_public_t* status) {
  ompi_status_public_t of_message = {};
  set_status_of_probe(found, &of_message);
  if (status != MPI_STATUS_IGNORE) OMPI_COPY_STATUS(status, of_message, false);
  ompi_message_t* const taken = ompi_message_alloc();
  taken->comm = envelope.comm;
  taken->req_ptr = take_found(found, envelope);
  taken->peer = of_message.MPI_SOURCE;
  taken->count = of_message._ucount;
  *message = taken;
}

int improbe(int from, int tag, ompi_communicator_t* comm, int* found, ompi_message_t** message,
            ompi_status_public_t* status) {
  const Call call;
  const Answer answer = ask(probe_command(CommandKind::probe, {from, tag, comm}));
  let_others_go_on();
  *found = answer.found;
  if (answer.found) take(answer, {from, tag, comm}, message, status);
  return OMPI_SUCCESS;
}

int mprobe(int from, int tag, ompi_communicator_t* comm, ompi_message_t** message, ompi_status_public_t* status) {
  const Call call;
  take(wait_for_message({from, tag, comm}), {from, tag, comm}, message, status);
  return OMPI_SUCCESS;
}

int imreceive(void* data, std::size_t count, ompi_datatype_t* type, ompi_message_t** message, ompi_request_t** result) {
  const Call call;
  Request* const request = static_cast<Request*>((*message)->req_ptr);
  ompi_message_return(*message);
  *message = MPI_MESSAGE_NULL;
  *result = &request->super;
  bind(*request, data, count, type);
  return OMPI_SUCCESS;
}

int mreceive(void* data, std::size_t count, ompi_datatype_t* type, ompi_message_t** message,
             ompi_status_public_t* status) {
  const Call call;
  ompi_request_t* request = nullptr;
  imreceive(data, count, type, message, &request);
  return end_receive(request, status);
}

int start_again(std::size_t count, ompi_request_t** requests) {
  const Call call;
  for (std::size_t ix = 0; ix < count; ++ix) start(*reinterpret_cast<Request*>(requests[ix]));
  return OMPI_SUCCESS;
}

int nothing_with_procs(ompi_proc_t** /*procs*/, std::size_t /*count*/) { return OMPI_SUCCESS; }
int nothing_with_comm(ompi_communicator_t* /*comm*/) { return OMPI_SUCCESS; }
int enable(bool /*enabled*/) { return OMPI_SUCCESS; }
int dump(ompi_communicator_t* /*comm*/, int /*verbose*/) { return OMPI_SUCCESS; }
int event(int /*state*/) { return OMPI_SUCCESS; }

mca_pml_base_module_t module = {
    .pml_add_procs = nothing_with_procs,
    .pml_del_procs = nothing_with_procs,
    .pml_enable = enable,
    .pml_progress = progress,
    .pml_add_comm = nothing_with_comm,
    .pml_del_comm = nothing_with_comm,
    .pml_irecv_init = receive_init,
    .pml_irecv = ireceive,
    .pml_recv = receive,
    .pml_isend_init = send_init,
    .pml_isend = isend,
    .pml_send = send,
    .pml_iprobe = iprobe,
    .pml_probe = probe,
    .pml_start = start_again,
    .pml_improbe = improbe,
    .pml_mprobe = mprobe,
    .pml_imrecv = imreceive,
    .pml_mrecv = mreceive,
    .pml_dump = dump,
    .pml_ft_event = event,
    .pml_max_contextid = 0x3FFF'FFFF,
    .pml_max_tag = 0x7FFF'FFFF,
    .pml_flags = 0,
};

/// The program has ended and MPI_Finalize was not called.
void leave() { leave_unfinished(); }

}  // namespace
}  // namespace weft::tools::cosim

using namespace weft::tools::cosim;

extern "C" mca_pml_base_module_t* weft_pml_init(int* priority, bool /*has_progress_threads*/, bool has_threads) {
  const opal_process_name_t name = ompi_proc_local()->super.proc_name;
  if (!attach(name.vpid, ompi_process_info.num_procs)) return nullptr;
  if (has_threads) refuse("MPI_Init_thread with MPI_THREAD_MULTIPLE");
  if (!set_hooks()) fail("libweft-cosim.so is not preloaded");
  begin_requests(name.vpid);
  begin_waiting();
  mca_pml_base_bsend_init(false);
  std::atexit(leave);
  *priority = 100;
  return &module;
}

extern "C" int weft_pml_end(void) {
  mca_pml_base_bsend_fini();
  return OMPI_SUCCESS;
}
