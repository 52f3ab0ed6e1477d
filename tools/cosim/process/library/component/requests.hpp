// Sends and receives of Open MPI that weft carries out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tools/cosim/process/library/component/link.hpp"
#include "tools/cosim/process/library/component/open_mpi.hpp"

namespace weft::tools::cosim {

/// A request of Open MPI; it goes by pointers to the first member.
struct Request {
  ompi_request_t super;
  bool is_send;
  bool is_started;  ///< and not complete
  bool is_freed;    ///< by the program, before it was complete
  bool is_unbound;  ///< a receive of a matched probe that has no buffer yet
  bool is_held;     ///< that is complete but for its buffer: `completion`
  mca_pml_base_send_mode_t mode;
  void* data;
  std::size_t count;
  ompi_datatype_t* type;
  int peer, tag;
  ompi_communicator_t* comm;
  std::uint32_t number;  ///< while it is started
  Completion completion;
};

/// What a send or receive is of.
struct Envelope {
  int peer, tag;
  ompi_communicator_t* comm;
};

void begin_requests(std::uint32_t own_task);
[[nodiscard]] Request* new_request(bool is_send, const void* data, std::size_t count, ompi_datatype_t* type,
                                   const Envelope& envelope, bool is_persistent);
void start(Request& request);
/// Without a request, where nothing else is to go on.
void send_and_wait(const void* data, std::size_t count, ompi_datatype_t* type, const Envelope& envelope,
                   mca_pml_base_send_mode_t mode);
/// A receive of the message that a probe has found.
[[nodiscard]] Request* take_found(const Answer& found, const Envelope& envelope);
void bind(Request& request, void* data, std::size_t count, ompi_datatype_t* type);
/// A send that was awaited: nobody says that it is complete.
void complete_send(Request& request);
int free_request(ompi_request_t** request);
[[nodiscard]] bool is_own(const ompi_request_t* request);
/// Ends all that is not complete, at the end of the program.
void drop_all();

/// The task behind a rank of a communicator (of the other group, between two).
[[nodiscard]] std::uint32_t task_of(ompi_communicator_t* comm, int rank);
void set_status_of_probe(const Answer& found, ompi_status_public_t* status);

/// Started, and not complete; those of them that are of collective calls that do not wait.
[[nodiscard]] std::size_t started();
[[nodiscard]] std::size_t started_inside();
/// Messages of such calls, and of those that make communicators (ompi/mca/coll/base/coll_tags.h).
[[nodiscard]] inline bool is_inside(int tag) { return tag <= -27; }

}  // namespace weft::tools::cosim
