// How the process waits: in simulated time, while Open MPI's own progress (collective calls that do not wait) goes on.
#pragma once

#include "tools/cosim/process/library/component/requests.hpp"

namespace weft::tools::cosim {

/// Takes the place of Open MPI's functions that wait for requests and test them.
void begin_waiting();
/// Until one request is complete.
void wait_for(ompi_request_t* request);
/// Lets collective calls that do not wait go on.
void let_others_go_on();
/// Open MPI's `pml_progress`.
int progress();
/// The program looks and does not wait, whatever Open MPI calls for that.
extern bool is_polling;
/// Gives the preloaded library what it asks for; false if it is not there.
bool set_hooks();  // hooks.cpp

}  // namespace weft::tools::cosim
