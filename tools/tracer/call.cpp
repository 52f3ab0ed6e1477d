// Records of calls that are rarer or longer than messages.
#include "tools/tracer/call.hpp"

#include "tools/tracer/inner_messages.hpp"

namespace weft::tracer {
namespace {

/// Tests that come sooner after one another are one wait.
constexpr std::uint64_t polling_gap_ns = 5000;

std::uint8_t* put_list(std::uint8_t* to, const int* counts, MPI_Datatype type, const MPI_Datatype* types, int pieces) {
  if (counts == nullptr) return records::put(to, 0);
  to = records::put(to, static_cast<std::uint64_t>(pieces));
  const std::uint64_t size = types == nullptr ? size_of(type) : 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const auto count = static_cast<std::uint64_t>(counts[piece] < 0 ? 0 : counts[piece]);
    to = records::put(to, count * (types == nullptr ? size : count == 0 ? 0 : size_of(types[piece])));
  }
  return to;
}

/// Numbers of marks that have been defined; those beyond are not recorded.
constexpr std::size_t most_marks = 256;
std::atomic<std::int64_t> marks[most_marks];  ///< number + 2^32; 0: free

bool is_defined(int number) {
  const std::int64_t wanted = std::int64_t{number} + (std::int64_t{1} << 32);
  for (auto& each : marks) {
    std::int64_t there = each.load(std::memory_order_relaxed);
    if (there == 0 && each.compare_exchange_strong(there, wanted)) {
      std::uint8_t definition[1 + records::most_varint_bytes] = {static_cast<std::uint8_t>(records::Definition::mark)};
      std::uint8_t* const end = records::put(definition + 1, records::zigzag(number));
      write_definition(definition, static_cast<std::size_t>(end - definition));
      return true;
    }
    if (there == wanted) return true;
  }
  return false;
}

}  // namespace

void Outermost::mark(int number) {
  if (!is_defined(number)) return;
  prepare();
  std::uint8_t* const to = put_head(*thread_, thread_->at, Kind::mark, 0, begin_);
  end_record(*thread_, records::put(to, records::zigzag(number)));
}

void Outermost::after_pause() {
  thread_->has_paused = false;
  thread_->polled_to = 0;
  end_record(*thread_, put_head(*thread_, thread_->at, Kind::resume, 0, begin_));
}

void Outermost::found_nothing() {
  const std::uint64_t end = thread_->tick();
  if (thread_->polled_to != 0 && begin_ - thread_->polled_to > polling_gap_ns) record_polling(*thread_);
  if (thread_->polled_to == 0) thread_->polled_from = begin_;
  thread_->polled_to = end;
}

void Outermost::enter(Call call, MPI_Comm comm) {
  prepare();
  std::uint8_t* const to = put_head(*thread_, thread_->at, Kind::enter, 0, begin_);
  end_record(*thread_, records::put(to, static_cast<std::uint64_t>(call)));
  thread_->comm = comm;
  // Calls that make communicators use these already.
  thread_->knows_ranks = false;
  thread_->is_inside = true;
}

void Outermost::leave() {
  end_of_inner_messages(*thread_);
  thread_->is_inside = false;
  end_record(*thread_, put_head(*thread_, thread_->at, Kind::leave, 0, thread_->tick()));
}

void Outermost::collective(Call call, MPI_Comm comm, int root, const Sizes& sizes, const MPI_Request* request) {
  prepare();
  Thread& thread = *thread_;
  // Lists may be longer than a block.
  const std::size_t most = 256 + 2 * records::most_varint_bytes * static_cast<std::size_t>(sizes.pieces);
  const bool is_long = sizes.pieces > 0 && most > static_cast<std::size_t>(thread.full - thread.at);
  std::uint8_t* const begin = is_long ? long_record_begin(thread, most) : thread.at;
  if (begin == nullptr) return;
  std::uint8_t* to = put_head(thread, begin, Kind::collective, request != nullptr ? records::special : 0, begin_);
  to = records::put(to, static_cast<std::uint64_t>(call));
  to = records::put(to, std::uint64_t{number_of(comm)} << 1);
  to = records::put(to, records::zigzag(root + 1));
  to = records::put(to, sizes.bytes);
  to = records::put(to, sizes.received);
  to = put_list(to, sizes.sent_counts, sizes.sent_type, sizes.sent_types, sizes.pieces);
  to = put_list(to, sizes.received_counts, sizes.received_type, sizes.received_types, sizes.pieces);
  if (request != nullptr) to = put_request(thread, to, bits_of(*request));
  if (is_long) {
    long_record_end(thread, begin, to);
  } else {
    end_record(thread, to);
  }
  if (request != nullptr) return;
  thread.comm = comm;
  thread.knows_ranks = true;
  thread.is_inside = true;
}

Requests keep_requests(Thread& thread, int count, const MPI_Request* requests, MPI_Status* statuses) {
  Requests kept;
  const std::size_t room = count < 1 ? 1 : static_cast<std::size_t>(count);
  kept.before = thread.requests.room<MPI_Request>(room);
  kept.statuses = statuses == MPI_STATUSES_IGNORE ? thread.statuses.room<MPI_Status>(room) : statuses;
  if (!kept.is_there()) return kept;
  if (statuses == MPI_STATUSES_IGNORE) std::memset(static_cast<void*>(kept.statuses), 0, room * sizeof(MPI_Status));
  for (int ix = 0; ix < count; ++ix) kept.before[ix] = requests[ix];
  return kept;
}

}  // namespace weft::tracer
