// In place of Open MPI's functions that wait and test, and its progress; see the header.
#include "tools/cosim/process/library/component/waiting.hpp"

namespace weft::tools::cosim {

bool is_polling = false;

namespace {

ompi_request_fns_t usual;
unsigned quiet = 0;                ///< Open MPI's progress is called from here
std::uint64_t seen_by_others = 0;  ///< what had happened when collective calls were last let go on
/// Calls that do not wait may take so many steps without a message.
constexpr unsigned idle_passes = 8;

/// Keeps Open MPI from making progress meanwhile.
class Quiet {
 public:
  Quiet() { ++quiet; }
  ~Quiet() { --quiet; }
};

/// Open MPI's progress, once. It does not give the core away where there are more processes than cores: nothing is
/// waited for here.
void pass() {
  opal_progress_yield_when_idle = false;
  opal_progress();
}

bool is_over(const ompi_request_t* request) { return request == nullptr || REQUEST_COMPLETE(request); }
bool is_active(const ompi_request_t* request) { return request->req_state == OMPI_REQUEST_ACTIVE; }
/// Whether there is nothing to wait for, or one is complete.
bool any_is_over(std::size_t count, ompi_request_t** requests) {
  std::size_t active = 0;
  for (std::size_t ix = 0; ix < count; ++ix) {
    if (!is_active(requests[ix])) continue;
    ++active;
    if (is_over(requests[ix])) return true;
  }
  return active == 0;
}
bool all_are_over(std::size_t count, ompi_request_t** requests) {
  for (std::size_t ix = 0; ix < count; ++ix) {
    if (!is_over(requests[ix])) return false;
  }
  return true;
}
bool all_are_own(std::size_t count, ompi_request_t** requests) {
  for (std::size_t ix = 0; ix < count; ++ix) {
    if (!is_over(requests[ix]) && !(is_own(requests[ix]) && reinterpret_cast<Request*>(requests[ix])->is_started))
      return false;
  }
  return true;
}

/// Waits for messages of its own one after the other. What it must not know is not asked for.
void await_all(std::size_t count, ompi_request_t** requests) {
  bool asks = false;
  for (std::size_t ix = 0; ix < count; ++ix) {
    if (is_over(requests[ix])) continue;
    Request& request = *reinterpret_cast<Request*>(requests[ix]);
    put({.kind = CommandKind::await, .is_quiet = request.is_send, .request = request.number});
    request.is_send ? complete_send(request) : void(asks = true);
  }
  if (asks) ask({.kind = CommandKind::tell, .is_last = is_message_call()});
}

void wait_for_all(std::size_t count, ompi_request_t** requests) {
  const Call call;
  while (!all_are_over(count, requests)) {
    if (started_inside() == 0) {
      // A call that does not wait may begin, or go on.
      const Quiet own;
      pass();
      pass();
    }
    if (all_are_own(count, requests) && started_inside() == 0) {
      await_all(count, requests);
    } else {
      let_others_go_on();
      if (!all_are_over(count, requests)) ask({.kind = CommandKind::listen});
    }
  }
}

void wait_for_any(std::size_t count, ompi_request_t** requests) {
  const Call call;
  while (!any_is_over(count, requests)) {
    let_others_go_on();
    if (!any_is_over(count, requests)) ask({.kind = CommandKind::listen});
  }
}

/// A look at requests of which too few are complete.
void poll() {
  ask({.kind = CommandKind::tell, .is_poll = true});
  let_others_go_on();
}

int wait(ompi_request_t** request, ompi_status_public_t* status) {
  wait_for_all(1, request);
  return usual.req_wait(request, status);
}
int wait_any(std::size_t count, ompi_request_t** requests, int* index, ompi_status_public_t* status) {
  wait_for_any(count, requests);
  return usual.req_wait_any(count, requests, index, status);
}
int wait_all(std::size_t count, ompi_request_t** requests, ompi_status_public_t* statuses) {
  wait_for_all(count, requests);
  return usual.req_wait_all(count, requests, statuses);
}
int wait_some(std::size_t count, ompi_request_t** requests, int* done, int* indices, ompi_status_public_t* statuses) {
  wait_for_any(count, requests);
  return usual.req_wait_some(count, requests, done, indices, statuses);
}
int test(ompi_request_t** request, int* done, ompi_status_public_t* status) {
  const Call call;
  const Quiet no_progress;
  if (!all_are_over(1, request)) poll();
  return usual.req_test(request, done, status);
}
int test_any(std::size_t count, ompi_request_t** requests, int* index, int* done, ompi_status_public_t* status) {
  const Call call;
  const Quiet no_progress;
  if (!any_is_over(count, requests)) poll();
  return usual.req_test_any(count, requests, index, done, status);
}
int test_all(std::size_t count, ompi_request_t** requests, int* done, ompi_status_public_t* statuses) {
  const Call call;
  const Quiet no_progress;
  if (!all_are_over(count, requests)) poll();
  return usual.req_test_all(count, requests, done, statuses);
}
int test_some(std::size_t count, ompi_request_t** requests, int* done, int* indices, ompi_status_public_t* statuses) {
  const Call call;
  const Quiet no_progress;
  if (!any_is_over(count, requests)) poll();
  return usual.req_test_some(count, requests, done, indices, statuses);
}

}  // namespace

void begin_waiting() {
  usual = ompi_request_functions;
  ompi_request_functions = {test, test_any, test_all, test_some, wait, wait_any, wait_all, wait_some};
}

void wait_for(ompi_request_t* request) { wait_for_all(1, &request); }

void let_others_go_on() {
  const Quiet own;
  for (unsigned idle = 0; idle < idle_passes; ++idle) {
    if (seen_by_others != happened()) idle = 0;
    seen_by_others = happened();
    pass();
  }
}

/// Where Open MPI waits for a request by itself, this is called over and over.
int progress() {
  if (quiet > 0 || started() == 0 || ompi_mpi_state >= OMPI_MPI_STATE_FINALIZE_STARTED) return 0;
  static unsigned idle = 0;
  const Call call;
  idle = seen_by_others == happened() ? idle + 1 : 0;
  if (is_polling) {
    ask({.kind = CommandKind::tell, .is_poll = true});
  } else if (idle >= idle_passes) {
    ask({.kind = CommandKind::listen});
  }
  seen_by_others = happened();
  return 1;
}

}  // namespace weft::tools::cosim
