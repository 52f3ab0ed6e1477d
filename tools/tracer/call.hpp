// A call of the program, from its begin to its end, and the records that it makes.
#pragma once

#include "tools/tracer/communicators.hpp"
#include "tools/tracer/recorder.hpp"

namespace weft::tracer {

/// Stands in each function that takes the place of one of MPI. Calls inside of others are not recorded: they are the
/// library's, or of functions of the program that it calls.
class Outermost {
 public:
  Outermost() {
    if (!started.load(std::memory_order_relaxed)) return;
    thread_ = this_thread();
    if (thread_ == nullptr || thread_->depth++ != 0) return;
    Thread& thread = *thread_;
    ++thread.calls;
    is_recorded_ = switched_on.load(std::memory_order_relaxed) && (!has_window || in_window(thread));
    if (!is_recorded_) {
      thread.has_paused = true;
      return;
    }
    begin_ = thread.tick();
    if (thread.has_paused) after_pause();
  }
  ~Outermost() {
    if (thread_ != nullptr) --thread_->depth;
  }
  Outermost(const Outermost&) = delete;
  Outermost& operator=(const Outermost&) = delete;

  [[nodiscard]] bool is_recorded() const { return is_recorded_; }
  [[nodiscard]] Thread& thread() { return *thread_; }

  /// Each of these ends a call, or goes on with it where `flags` say so.
  void message(Kind kind, std::uint8_t flags, MPI_Comm comm, int peer, int tag, std::uint64_t bytes) {
    end_record(*thread_, put_whole(kind, flags, comm, peer, tag, bytes));
  }
  void message(Kind kind, std::uint8_t flags, MPI_Comm comm, int peer, int tag, std::uint64_t bytes,
               MPI_Request request) {
    end_record(*thread_, put_request(*thread_, put_whole(kind, flags, comm, peer, tag, bytes), bits_of(request)));
  }
  void wait(std::uint8_t flags, MPI_Request request, const MPI_Status& status) {
    std::uint8_t* to = put_timed(Kind::wait, flags);
    to = put_request(*thread_, to, bits_of(request));
    end_record(*thread_, put_status(to, status));
  }
  void start(std::uint8_t flags, MPI_Request request) {
    end_record(*thread_, put_request(*thread_, put_timed(Kind::start, flags), bits_of(request)));
  }
  void forget(std::uint64_t request) {
    prepare();
    std::uint8_t* const to = put_head(*thread_, thread_->at, Kind::forget, 0, begin_);
    end_record(*thread_, put_request(*thread_, to, request));
  }
  void mark(int number);
  /// A test that found nothing: those one after the other are one record.
  void found_nothing();
  /// What lies between these are messages of the library.
  void enter(Call call, MPI_Comm comm);
  void leave();
  /// Begins what `leave` ends.
  struct Sizes {
    std::uint64_t bytes = 0, received = 0;
    const int* sent_counts = nullptr;  ///< of v collectives, in elements
    const int* received_counts = nullptr;
    MPI_Datatype sent_type = {}, received_type = {};
    const MPI_Datatype* sent_types = nullptr;  ///< MPI_Alltoallw
    const MPI_Datatype* received_types = nullptr;
    int pieces = 0;  ///< of each list
  };
  void collective(Call call, MPI_Comm comm, int root, const Sizes& sizes, const MPI_Request* request = nullptr);

 private:
  void after_pause();
  /// What has to be recorded before.
  void prepare() {
    if (thread_->polled_to != 0) record_polling(*thread_);
  }
  std::uint8_t* put_timed(Kind kind, std::uint8_t flags) {
    if (!(flags & records::continues)) prepare();
    std::uint8_t* const to = put_head(*thread_, thread_->at, kind, flags, begin_);
    return flags & records::continues ? to : put_duration(*thread_, to, flags, thread_->tick());
  }
  std::uint8_t* put_whole(Kind kind, std::uint8_t flags, MPI_Comm comm, int peer, int tag, std::uint64_t bytes) {
    return put_message(put_timed(kind, flags), std::uint64_t{number_of(comm)} << 1, peer, tag, bytes);
  }

  Thread* thread_ = nullptr;
  std::uint64_t begin_ = 0;
  bool is_recorded_ = false;
};

/// Waits for requests in an array that the library overwrites: what was in it, and statuses where the program has none.
struct Requests {
  MPI_Request* before = nullptr;
  MPI_Status* statuses = nullptr;
  [[nodiscard]] bool is_there() const { return before != nullptr && statuses != nullptr; }
};
Requests keep_requests(Thread& thread, int count, const MPI_Request* requests, MPI_Status* statuses);

}  // namespace weft::tracer
