// The MPI transport; the one file that includes mpi.h.
#include "engine/transport.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <mpi.h>
#include <optional>
#include <sched.h>
#include <string_view>
#include <sys/statvfs.h>
#include <type_traits>

#include "engine/base/error.hpp"
#include "engine/mailbox.hpp"
#include "engine/transport_parts.hpp"

namespace weft::engine {
namespace {

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw SystemError(fmt::format("{} failed ({}); check that all ranks are alive", what,
                                std::string_view(text, static_cast<std::size_t>(length))));
}

/// MPI counts bytes in an int; what may be longer goes in pieces of this size.
constexpr std::size_t piece_bytes = std::size_t{1} << 30;

/// Bytes of one message as MPI wants them. Throws SystemError if they are too many.
int message_bytes(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw SystemError(
        fmt::format("a message of {} bytes to another rank (MPI sends at most {} at once); use more ranks", bytes,
                    std::numeric_limits<int>::max()));
  }
  return static_cast<int>(bytes);
}

/// Calls f(begin, bytes) for each piece of so many bytes.
template <class F>
void for_pieces(std::size_t bytes, F&& f) {
  for (std::size_t at = 0; at < bytes; at += piece_bytes) f(at, static_cast<int>(std::min(piece_bytes, bytes - at)));
}

/// Mailboxes of this process and those on the same machine. Those that others put batches into are in its own memory.
class SharedMailboxes {
 public:
  /// Collective. Without shared memory there are none.
  SharedMailboxes(MPI_Comm ranks, u32 rank, u32 size) : to_(size), from_(size) {
    check(MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, static_cast<int>(rank), MPI_INFO_NULL, &machine_),
          "finding the ranks of this machine");
    pretend_smaller_machines(rank);
    int here = 0, local = 0;
    MPI_Comm_size(machine_, &here);
    MPI_Comm_rank(machine_, &local);
    const std::size_t ranks_here = static_cast<std::size_t>(here);
    const std::size_t batch_bytes =
        Mailbox::batch_bytes_in(std::min(rank_bytes, machine_bytes / ranks_here) / ranks_here);
    if (here == 1 || batch_bytes == 0) return;
    const std::size_t box_bytes = Mailbox::bytes_for(batch_bytes), all_bytes = ranks_here * box_bytes + alignment;
    if (!is_room(local, ranks_here * all_bytes)) return;
    std::byte* mine = nullptr;
    check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(all_bytes), 1, MPI_INFO_NULL, machine_, &mine, &memory_),
          "sharing memory");
    std::memset(mine, 0, all_bytes);
    std::vector<u32> ranks_of(ranks_here);
    check(MPI_Allgather(&rank, 1, MPI_UINT32_T, ranks_of.data(), 1, MPI_UINT32_T, machine_), "sharing memory");
    for (int peer = 0; peer < here; ++peer) {
      if (peer == local) continue;
      const u32 peers_rank = ranks_of[static_cast<std::size_t>(peer)];
      from_[peers_rank].emplace(boxes_of(local) + box_bytes * static_cast<std::size_t>(peer), batch_bytes);
      to_[peers_rank].emplace(boxes_of(peer) + box_bytes * static_cast<std::size_t>(local), batch_bytes);
    }
    crowded_ = here > processors();
    check(MPI_Barrier(machine_), "sharing memory");
  }
  ~SharedMailboxes() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0) return;
    if (memory_ != MPI_WIN_NULL) MPI_Win_free(&memory_);
    if (machine_ != MPI_COMM_NULL) MPI_Comm_free(&machine_);
  }
  SharedMailboxes(const SharedMailboxes&) = delete;
  SharedMailboxes& operator=(const SharedMailboxes&) = delete;

  /// Null: that rank is elsewhere.
  [[nodiscard]] Mailbox* to(u32 rank) { return to_[rank] ? &*to_[rank] : nullptr; }
  [[nodiscard]] Mailbox* from(u32 rank) { return from_[rank] ? &*from_[rank] : nullptr; }

  /// Whether these processes have fewer processors than they are: who waits keeps others from working.
  [[nodiscard]] bool crowded() const { return crowded_; }

  /// Lets MPI work on what it still has to do, whoever waits for that: no message is ever found here.
  void let_mpi_work() const {
    int found = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, machine_, &found, MPI_STATUS_IGNORE), "waiting for a neighbour rank");
  }

 private:
  static constexpr std::size_t alignment = 64;
  // Bytes of memory for the mailboxes of a rank, and of a machine; MPI takes more for itself.
  static constexpr std::size_t rank_bytes = std::size_t{1} << 20, machine_bytes = std::size_t{1} << 25;

  /// WEFT_RANKS_PER_MACHINE=n: as if machines had no more; for tests of several on one. With 1 all goes by MPI.
  void pretend_smaller_machines(u32 rank) {
    const char* const given = std::getenv("WEFT_RANKS_PER_MACHINE");
    const int most = given == nullptr ? 0 : std::atoi(given);
    if (most <= 0) return;
    MPI_Comm whole = machine_;
    check(MPI_Comm_split(whole, static_cast<int>(rank) / most, static_cast<int>(rank), &machine_),
          "finding the ranks of this machine");
    MPI_Comm_free(&whole);
  }

  /// Number of processors that any of the processes may run on.
  [[nodiscard]] int processors() const {
    cpu_set_t all;
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof all, &all);
    check(MPI_Allreduce(MPI_IN_PLACE, &all, sizeof all, MPI_BYTE, MPI_BOR, machine_), "counting processors");
    return CPU_COUNT(&all);
  }

  /// Whether the machine has memory to share to spare. MPI itself may hang if it has not.
  [[nodiscard]] bool is_room(int local, std::size_t bytes) const {
    int room = 0;
    struct statvfs shared = {};
    if (local == 0 && statvfs("/dev/shm", &shared) == 0) room = shared.f_bavail * shared.f_frsize / 4 >= bytes ? 1 : 0;
    check(MPI_Bcast(&room, 1, MPI_INT, 0, machine_), "sharing memory");
    return room != 0;
  }

  /// Where the mailboxes of a process of this machine are, as seen from here: at multiples of 64, as in its own memory,
  /// since memory is shared by pages.
  [[nodiscard]] std::byte* boxes_of(int process) const {
    MPI_Aint bytes = 0;
    int unit = 0;
    std::byte* memory = nullptr;
    check(MPI_Win_shared_query(memory_, process, &bytes, &unit, &memory), "sharing memory");
    const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(memory) % alignment;
    return past == 0 ? memory : memory + (alignment - past);
  }

  MPI_Comm machine_ = MPI_COMM_NULL;
  MPI_Win memory_ = MPI_WIN_NULL;
  bool crowded_ = false;
  std::vector<std::optional<Mailbox>> to_, from_;  ///< [rank]
};

class MpiTransport final : public Transport {
 public:
  MpiTransport(int* argc, char*** argv, bool for_threads) {
    int given = MPI_THREAD_SINGLE;
    const int code = for_threads ? MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &given) : MPI_Init(argc, argv);
    if (code != MPI_SUCCESS) throw SystemError("MPI did not start (MPI_Init failed); try it with mpirun -n 1");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    meet();
  }
  /// A transport among the ranks of `whole` that name the same part.
  MpiTransport(const MpiTransport& whole, u32 part) {
    check(MPI_Comm_split(whole.ranks_, static_cast<int>(part), static_cast<int>(whole.rank_), &ranks_),
          "dividing the ranks");
    meet();
  }
  /// For batches of one of several threads in each process of `whole`.
  MpiTransport(const MpiTransport& whole, u32 thread, u32 threads)
      : ranks_(whole.ranks_), thread_(thread), threads_(threads) {
    rank_ = whole.rank_;
    size_ = whole.size_;
  }
  ~MpiTransport() override {
    if (threads_ > 1) return;  // all else is the whole's
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0) return;
    mailboxes_.reset();
    if (ranks_ == MPI_COMM_WORLD) {
      MPI_Finalize();
    } else {
      MPI_Comm_free(&ranks_);
    }
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] MPI_Comm communicator() const { return ranks_; }
  [[nodiscard]] u32 rank() const override { return rank_; }
  [[nodiscard]] u32 size() const override { return size_; }

  void exchange(std::span<const Batch> out, std::span<Batch> in) override {
    for (const Batch& batch : out) {
      if (!put(batch.rank, batch.bytes)) send(batch.rank, batch.bytes, requests_);
    }
    for (Batch& batch : in) receive(batch);
    if (requests_.empty()) return;
    const double begin = MPI_Wtime();
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "sending to the neighbour ranks");
    requests_.clear();
    blocked_s_ += MPI_Wtime() - begin;
  }

  void post(u32 rank, std::vector<std::byte>& bytes) override {
    if (put(rank, bytes)) return bytes.clear();
    if (spare_.empty()) advance();
    // The buffer must stay where it is until MPI has done with it: a vector that is moved keeps its memory.
    posted_.push_back(std::move(bytes));
    send(rank, posted_.back(), sends_);
    bytes.clear();
    if (!spare_.empty()) {
      bytes.swap(spare_.back());
      spare_.pop_back();
    }
  }

  void advance() override {
    if (sends_.empty()) return;
    const double begin = MPI_Wtime();
    reclaim();
    exchange_s_ += MPI_Wtime() - begin;
  }

  void receive(Batch& batch) override {
    if (Mailbox* const box = mailboxes_ ? mailboxes_->from(batch.rank) : nullptr) {
      Mailbox::Found found = sampled([&] { return box->take(batch.bytes); });
      if (found == Mailbox::Found::nothing) {
        wait_until([&] { return (found = box->take(batch.bytes)) != Mailbox::Found::nothing; });
      }
      if (found == Mailbox::Found::batch) return;
    }
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    int found = 0;
    check(MPI_Improbe(process_of(batch.rank), tag_from(batch.rank), ranks_, &found, &message, &status),
          "looking for a batch of a neighbour rank");
    if (found == 0) {
      const double begin = MPI_Wtime();
      check(MPI_Mprobe(process_of(batch.rank), tag_from(batch.rank), ranks_, &message, &status),
            "waiting for a neighbour rank");
      blocked_s_ += MPI_Wtime() - begin;
    }
    take(message, status, batch);
  }

  void complete_sends() override {
    const double begin = MPI_Wtime();
    check(MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE), "posting");
    blocked_s_ += MPI_Wtime() - begin;
    reclaim();
  }

  void sum(std::span<u64> values) override { reduce(values, MPI_SUM); }
  void min(std::span<u64> values) override { reduce(values, MPI_MIN); }
  void max(std::span<u64> values) override { reduce(values, MPI_MAX); }

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) override {
    const u64 count = mine.size();
    std::vector<u64> counts(size_);
    check(MPI_Gather(&count, 1, MPI_UINT64_T, counts.data(), 1, MPI_UINT64_T, 0, ranks_), "gathering sizes");
    std::vector<std::vector<std::byte>> result;
    if (rank_ != 0) {
      for_pieces(mine.size(), [&](std::size_t at, int bytes) {
        check(MPI_Send(mine.data() + at, bytes, MPI_BYTE, 0, gather_tag, ranks_), "gathering");
      });
      return result;
    }
    result.emplace_back(mine.begin(), mine.end());
    for (u32 r = 1; r < size_; ++r) {
      std::vector<std::byte>& theirs = result.emplace_back(counts[r]);
      for_pieces(theirs.size(), [&](std::size_t at, int bytes) {
        check(MPI_Recv(theirs.data() + at, bytes, MPI_BYTE, static_cast<int>(r), gather_tag, ranks_, MPI_STATUS_IGNORE),
              "gathering");
      });
    }
    return result;
  }

  void broadcast(std::vector<std::byte>& bytes) override {
    u64 length = bytes.size();
    check(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, ranks_), "broadcasting a size");
    bytes.resize(length);
    for_pieces(bytes.size(), [&](std::size_t at, int piece) {
      check(MPI_Bcast(bytes.data() + at, piece, MPI_BYTE, 0, ranks_), "broadcasting");
    });
  }

  void barrier() override { check(MPI_Barrier(ranks_), "a barrier"); }
  [[nodiscard]] double blocked_s() const override { return blocked_s_; }
  [[nodiscard]] double exchange_s() const override { return exchange_s_; }
  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  static constexpr int gather_tag = 0, batch_tag = 1;  ///< the latter and above
  static constexpr u32 patience = 200;  ///< looks into a mailbox, some microseconds, before others get the processor

  [[nodiscard]] int process_of(u32 rank) const { return static_cast<int>(rank / threads_); }
  /// Each thread's batches for each other one have a tag of their own.
  [[nodiscard]] int tag_to(u32 rank) const {
    return batch_tag + static_cast<int>(thread_ * threads_ + rank % threads_);
  }
  [[nodiscard]] int tag_from(u32 rank) const {
    return batch_tag + static_cast<int>(rank % threads_ * threads_ + thread_);
  }

  /// f(), of which every so many calls is timed for all of them: the clock takes as long as a short batch.
  template <class F>
  std::invoke_result_t<F> sampled(F&& f) {
    constexpr u32 every = 16;
    if (++calls_ % every != 0) return f();
    const double begin = MPI_Wtime();
    const auto result = f();
    exchange_s_ += every * (MPI_Wtime() - begin);
    return result;
  }

  /// False if the batch must go by MPI.
  bool put(u32 rank, std::span<const std::byte> bytes) {
    Mailbox* const box = mailboxes_ ? mailboxes_->to(rank) : nullptr;
    if (box == nullptr) return false;
    Mailbox::Put put = sampled([&] { return box->put(bytes); });
    if (put == Mailbox::Put::full) wait_until([&] { return (put = box->put(bytes)) != Mailbox::Put::full; });
    return put == Mailbox::Put::done;
  }

  void send(u32 rank, const std::vector<std::byte>& bytes, std::vector<MPI_Request>& requests) {
    const double begin = MPI_Wtime();
    check(MPI_Isend(bytes.data(), message_bytes(bytes.size()), MPI_BYTE, process_of(rank), tag_to(rank), ranks_,
                    &requests.emplace_back(MPI_REQUEST_NULL)),
          "sending to a neighbour rank");
    exchange_s_ += MPI_Wtime() - begin;
  }

  /// For what another process of this machine does. MPI must go on meanwhile: others may wait for batches that have not
  /// left here, or for MPI's own words about some that came.
  template <class Condition>
  void wait_until(Condition&& condition) {
    const double begin = MPI_Wtime();
    for (u32 looks = mailboxes_->crowded() ? patience : 0; !condition(); ++looks) {
      if (looks < patience) {
        relax();
      } else {
        mailboxes_->let_mpi_work();
        sched_yield();
      }
    }
    blocked_s_ += MPI_Wtime() - begin;
  }

  void take(MPI_Message& message, const MPI_Status& status, Batch& batch) {
    const double begin = MPI_Wtime();
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    batch.bytes.resize(static_cast<std::size_t>(count));
    check(MPI_Mrecv(batch.bytes.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE),
          "receiving from a neighbour rank");
    exchange_s_ += MPI_Wtime() - begin;
  }

  /// Makes buffers of batches that have left spare.
  void reclaim() {
    if (sends_.empty()) return;
    int done = 0;
    done_.resize(sends_.size());
    check(MPI_Testsome(static_cast<int>(sends_.size()), sends_.data(), &done, done_.data(), MPI_STATUSES_IGNORE),
          "posting");
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (sends_[i] == MPI_REQUEST_NULL) {
        spare_.push_back(std::move(posted_[i]));
        continue;
      }
      std::swap(sends_[kept], sends_[i]);
      std::swap(posted_[kept++], posted_[i]);
    }
    sends_.resize(kept);
    posted_.resize(kept);
  }

  void reduce(std::span<u64> values, MPI_Op op) {
    const double begin = MPI_Wtime();
    check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, op, ranks_),
          "a reduction");
    blocked_s_ += MPI_Wtime() - begin;
  }

  /// Who they are, and what they share.
  void meet() {
    int value = 0;
    MPI_Comm_rank(ranks_, &value);
    rank_ = static_cast<u32>(value);
    MPI_Comm_size(ranks_, &value);
    size_ = static_cast<u32>(value);
    mailboxes_.emplace(ranks_, rank_, size_);
  }

  MPI_Comm ranks_ = MPI_COMM_WORLD;
  u32 rank_ = 0, size_ = 1;
  u32 thread_ = 0, threads_ = 1;  ///< of each process: whose batches these are
  std::optional<SharedMailboxes> mailboxes_;
  double blocked_s_ = 0, exchange_s_ = 0;
  u32 calls_ = 0;                                       ///< of what is sampled
  std::vector<MPI_Request> requests_;                   ///< of the exchange in progress
  std::vector<MPI_Request> sends_;                      ///< of batches posted
  std::vector<std::vector<std::byte>> posted_, spare_;  ///< their buffers; buffers that may be used again
  std::vector<int> done_;
};

bool launched_in_parallel() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Transport> open_transport(int* argc, char*** argv, bool for_threads) {
  if (!launched_in_parallel()) return single_process();
  return std::make_unique<MpiTransport>(argc, argv, for_threads);
}

std::unique_ptr<Transport> thread_of(Transport& whole, u32 thread, u32 threads) {
  const auto* const ranks = dynamic_cast<const MpiTransport*>(&whole);
  if (ranks == nullptr) throw Bug("threads of other processes were asked for although MPI was not started");
  int given = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&given), "asking for threads");
  if (given != MPI_THREAD_MULTIPLE) {
    throw SystemError(
        "this MPI does not let several threads talk at once (MPI_THREAD_MULTIPLE); leave out --threads, or use one "
        "process of many threads without mpirun");
  }
  return std::make_unique<MpiTransport>(*ranks, thread, threads);
}

std::unique_ptr<Transport> part_of(Transport& whole, u32 part) {
  const auto* const ranks = dynamic_cast<const MpiTransport*>(&whole);
  if (ranks == nullptr) return single_process();
  return std::make_unique<MpiTransport>(*ranks, part);
}

int communicator_number(const Transport& transport) {
  const auto* const ranks = dynamic_cast<const MpiTransport*>(&transport);
  if (ranks == nullptr) throw Bug("a communicator was asked for although MPI was not started");
  return MPI_Comm_c2f(ranks->communicator());
}

}  // namespace weft::engine
