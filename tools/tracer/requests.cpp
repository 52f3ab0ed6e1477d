// MPI's calls that complete, start and free requests.
#include "tools/tracer/call.hpp"

using namespace weft::tracer;
namespace records = weft::records;

extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  Outermost call;
  if (!call.is_recorded() || *request == handles.no_request) return WEFT_REAL(Wait)(request, status);
  const MPI_Request before = *request;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE) status = &came;
  const int result = WEFT_REAL(Wait)(request, status);
  if (result == MPI_SUCCESS) call.wait(0, before, *status);
  return result;
}
WEFT_ALSO_AS_PMPI(Wait)

extern "C" int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  Outermost call;
  if (!call.is_recorded() || *request == handles.no_request) return WEFT_REAL(Test)(request, flag, status);
  const MPI_Request before = *request;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE) status = &came;
  const int result = WEFT_REAL(Test)(request, flag, status);
  if (result != MPI_SUCCESS) return result;
  if (*flag) {
    call.wait(0, before, *status);
  } else {
    call.found_nothing();
  }
  return result;
}
WEFT_ALSO_AS_PMPI(Test)

namespace {

/// Waits for all requests of an array, or for those that `which` names.
void record_waits(Outermost& call, const Requests& kept, int count, const int* which = nullptr) {
  std::uint8_t flags = 0;
  for (int ix = 0; ix < count; ++ix) {
    const MPI_Request before = kept.before[which == nullptr ? ix : which[ix]];
    if (before == handles.no_request) continue;
    call.wait(flags, before, kept.statuses[ix]);
    flags = records::continues;
  }
}

}  // namespace

extern "C" int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  Outermost call;
  const Requests kept = call.is_recorded() ? keep_requests(call.thread(), count, requests, statuses) : Requests();
  if (!kept.is_there()) return WEFT_REAL(Waitall)(count, requests, statuses);
  const int result = WEFT_REAL(Waitall)(count, requests, kept.statuses);
  if (result == MPI_SUCCESS) record_waits(call, kept, count);
  return result;
}
WEFT_ALSO_AS_PMPI(Waitall)

extern "C" int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  Outermost call;
  const Requests kept = call.is_recorded() ? keep_requests(call.thread(), count, requests, statuses) : Requests();
  if (!kept.is_there()) return WEFT_REAL(Testall)(count, requests, flag, statuses);
  const int result = WEFT_REAL(Testall)(count, requests, flag, kept.statuses);
  if (result != MPI_SUCCESS) return result;
  if (*flag) {
    record_waits(call, kept, count);
  } else {
    call.found_nothing();
  }
  return result;
}
WEFT_ALSO_AS_PMPI(Testall)

extern "C" int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const Requests kept = call.is_recorded() ? keep_requests(call.thread(), count, requests, status) : Requests();
  const int result = WEFT_REAL(Waitany)(count, requests, index, status);
  if (kept.is_there() && result == MPI_SUCCESS && *index != MPI_UNDEFINED) record_waits(call, kept, 1, index);
  return result;
}
WEFT_ALSO_AS_PMPI(Waitany)

extern "C" int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  Outermost call;
  MPI_Status came = {};
  if (status == MPI_STATUS_IGNORE && call.is_recorded()) status = &came;
  const Requests kept = call.is_recorded() ? keep_requests(call.thread(), count, requests, status) : Requests();
  const int result = WEFT_REAL(Testany)(count, requests, index, flag, status);
  if (!kept.is_there() || result != MPI_SUCCESS) return result;
  if (*flag && *index != MPI_UNDEFINED) record_waits(call, kept, 1, index);
  if (!*flag) call.found_nothing();
  return result;
}
WEFT_ALSO_AS_PMPI(Testany)

extern "C" int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  Outermost call;
  const Requests kept = call.is_recorded() ? keep_requests(call.thread(), count, requests, statuses) : Requests();
  if (!kept.is_there()) return WEFT_REAL(Waitsome)(count, requests, done, indices, statuses);
  const int result = WEFT_REAL(Waitsome)(count, requests, done, indices, kept.statuses);
  if (result == MPI_SUCCESS && *done != MPI_UNDEFINED) record_waits(call, kept, *done, indices);
  return result;
}
WEFT_ALSO_AS_PMPI(Waitsome)

extern "C" int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  Outermost call;
  const Requests kept = call.is_recorded() ? keep_requests(call.thread(), count, requests, statuses) : Requests();
  if (!kept.is_there()) return WEFT_REAL(Testsome)(count, requests, done, indices, statuses);
  const int result = WEFT_REAL(Testsome)(count, requests, done, indices, kept.statuses);
  if (result != MPI_SUCCESS || *done == MPI_UNDEFINED) return result;
  if (*done > 0) {
    record_waits(call, kept, *done, indices);
  } else {
    call.found_nothing();
  }
  return result;
}
WEFT_ALSO_AS_PMPI(Testsome)

extern "C" int MPI_Start(MPI_Request* request) {
  Outermost call;
  const int result = WEFT_REAL(Start)(request);
  if (call.is_recorded() && result == MPI_SUCCESS) call.start(0, *request);
  return result;
}
WEFT_ALSO_AS_PMPI(Start)

extern "C" int MPI_Startall(int count, MPI_Request requests[]) {
  Outermost call;
  const int result = WEFT_REAL(Startall)(count, requests);
  if (!call.is_recorded() || result != MPI_SUCCESS) return result;
  for (int ix = 0; ix < count; ++ix) call.start(ix == 0 ? std::uint8_t{0} : records::continues, requests[ix]);
  return result;
}
WEFT_ALSO_AS_PMPI(Startall)

extern "C" int MPI_Request_free(MPI_Request* request) {
  Outermost call;
  const std::uint64_t before = bits_of(*request);
  const int result = WEFT_REAL(Request_free)(request);
  if (call.is_recorded() && result == MPI_SUCCESS) call.forget(before);
  return result;
}
WEFT_ALSO_AS_PMPI(Request_free)
