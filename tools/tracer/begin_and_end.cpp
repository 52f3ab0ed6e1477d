// Begin and end of a recording: MPI_Init, MPI_Finalize, MPI_Abort; MPI_Pcontrol.
#include <cstdlib>

#include "tools/tracer/call.hpp"
#include "tools/tracer/inner_messages.hpp"

using namespace weft::tracer;
namespace records = weft::records;

namespace {

/// Library and version alone, of a text that may be many lines.
const char* library_version() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  WEFT_REAL(Get_library_version)(text, &length);
  return text;
}

void begin() {
  int rank = 0, ranks = 0, level = 0;
  if (std::getenv("WEFT_TRACE_DIR") == nullptr || started) return;
  find_handles();
  WEFT_REAL(Comm_rank)(handles.world, &rank);
  WEFT_REAL(Comm_size)(handles.world, &ranks);
  WEFT_REAL(Query_thread)(&level);
  begin_communicators();
  const char* const version = library_version();
  const bool has_inner = see_inner_messages(rank, ranks, version);
  // Times of all ranks count from here.
  WEFT_REAL(Barrier)(handles.world);
  start_recording(rank, ranks, level > MPI_THREAD_FUNNELED, has_inner, version);
}

void end(records::State state) {
  if (!started) return;
  see_no_inner_messages();
  end_recording(state);
}

}  // namespace

extern "C" int MPI_Init(int* argc, char*** argv) {
  const int result = WEFT_REAL(Init)(argc, argv);
  if (result == MPI_SUCCESS) begin();
  return result;
}
WEFT_ALSO_AS_PMPI(Init)

extern "C" int MPI_Init_thread(int* argc, char*** argv, int wanted, int* provided) {
  const int result = WEFT_REAL(Init_thread)(argc, argv, wanted, provided);
  if (result == MPI_SUCCESS) begin();
  return result;
}
WEFT_ALSO_AS_PMPI(Init_thread)

extern "C" int MPI_Finalize(void) {
  {
    // What was computed before belongs to the trace.
    Outermost call;
    if (call.is_recorded()) {
      call.enter(Call::Finalize, handles.world);
      call.leave();
    }
  }
  end(records::State::complete);
  return WEFT_REAL(Finalize)();
}
WEFT_ALSO_AS_PMPI(Finalize)

extern "C" int MPI_Abort(MPI_Comm comm, int code) {
  end(records::State::aborted);
  return WEFT_REAL(Abort)(comm, code);
}
WEFT_ALSO_AS_PMPI(Abort)

extern "C" int MPI_Pcontrol(const int level, ...) {
  if (level == 0) {
    switched_on = false;
  } else if (level == 1) {
    switched_on = true;
  } else {
    Outermost call;
    if (call.is_recorded()) call.mark(level);
  }
  return MPI_SUCCESS;
}
WEFT_ALSO_AS_PMPI(Pcontrol)
