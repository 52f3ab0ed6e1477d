// The MPI transport and its single-process stand-in; the one file that includes mpi.h.
#include "engine/transport.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <mpi.h>
#include <string_view>

#include "engine/error.hpp"

namespace weft::engine {
namespace {

class SingleProcess final : public Transport {
 public:
  [[nodiscard]] u32 rank() const override { return 0; }
  [[nodiscard]] u32 size() const override { return 1; }
  void exchange(std::span<const Parcel>, std::span<Parcel>) override {}
  void post(u32, std::vector<std::byte>&) override { throw Bug("a parcel was posted although there is no other rank"); }
  void advance() override {}
  void receive(Parcel&) override { throw Bug("a parcel was awaited although there is no other rank"); }
  void settle() override {}
  void sum(std::span<u64>) override {}
  void min(std::span<u64>) override {}
  void max(std::span<u64>) override {}
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) override {
    return {{mine.begin(), mine.end()}};
  }
  void broadcast(std::vector<std::byte>&) override {}
  void barrier() override {}
  [[nodiscard]] double blocked_s() const override { return 0; }
  [[nodiscard]] double exchange_s() const override { return 0; }
  [[noreturn]] void abort(int code) override { std::_Exit(code); }
};

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

class MpiTransport final : public Transport {
 public:
  MpiTransport(int* argc, char*** argv) {
    if (MPI_Init(argc, argv) != MPI_SUCCESS)
      throw SystemError("MPI did not start (MPI_Init failed); try it with mpirun -n 1");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    rank_ = static_cast<u32>(value);
    MPI_Comm_size(MPI_COMM_WORLD, &value);
    size_ = static_cast<u32>(value);
  }
  ~MpiTransport() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Finalize();
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] u32 rank() const override { return rank_; }
  [[nodiscard]] u32 size() const override { return size_; }

  void exchange(std::span<const Parcel> out, std::span<Parcel> in) override {
    const double begin = MPI_Wtime();
    requests_.resize(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      check(MPI_Isend(out[i].bytes.data(), message_bytes(out[i].bytes.size()), MPI_BYTE, static_cast<int>(out[i].rank),
                      exchange_tag, MPI_COMM_WORLD, &requests_[i]),
            "sending to a neighbour rank");
    }
    double before = MPI_Wtime();
    exchange_s_ += before - begin;
    for (Parcel& parcel : in) {
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      check(MPI_Mprobe(static_cast<int>(parcel.rank), exchange_tag, MPI_COMM_WORLD, &message, &status),
            "waiting for a neighbour rank");
      blocked_s_ += MPI_Wtime() - before;
      take(message, status, parcel);
      before = MPI_Wtime();
    }
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "sending to the neighbour ranks");
    blocked_s_ += MPI_Wtime() - before;
  }

  void post(u32 rank, std::vector<std::byte>& bytes) override {
    const double begin = MPI_Wtime();
    if (spare_.empty()) reclaim();
    // The buffer must stay where it is until MPI has done with it: a vector that is moved keeps its memory.
    posted_.push_back(std::move(bytes));
    sends_.push_back(MPI_REQUEST_NULL);
    check(MPI_Isend(posted_.back().data(), message_bytes(posted_.back().size()), MPI_BYTE, static_cast<int>(rank),
                    post_tag, MPI_COMM_WORLD, &sends_.back()),
          "posting to a neighbour rank");
    bytes.clear();
    if (!spare_.empty()) {
      bytes.swap(spare_.back());
      spare_.pop_back();
    }
    exchange_s_ += MPI_Wtime() - begin;
  }

  void advance() override {
    if (sends_.empty()) return;
    const double begin = MPI_Wtime();
    reclaim();
    exchange_s_ += MPI_Wtime() - begin;
  }

  void receive(Parcel& parcel) override {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    int found = 0;
    check(MPI_Improbe(static_cast<int>(parcel.rank), post_tag, MPI_COMM_WORLD, &found, &message, &status),
          "looking for a parcel of a neighbour rank");
    if (found == 0) {
      const double begin = MPI_Wtime();
      check(MPI_Mprobe(static_cast<int>(parcel.rank), post_tag, MPI_COMM_WORLD, &message, &status),
            "waiting for a neighbour rank");
      blocked_s_ += MPI_Wtime() - begin;
    }
    take(message, status, parcel);
  }

  void settle() override {
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
    check(MPI_Gather(&count, 1, MPI_UINT64_T, counts.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD), "gathering sizes");
    std::vector<std::vector<std::byte>> result;
    if (rank_ != 0) {
      for_pieces(mine.size(), [&](std::size_t at, int bytes) {
        check(MPI_Send(mine.data() + at, bytes, MPI_BYTE, 0, gather_tag, MPI_COMM_WORLD), "gathering");
      });
      return result;
    }
    result.emplace_back(mine.begin(), mine.end());
    for (u32 r = 1; r < size_; ++r) {
      std::vector<std::byte>& theirs = result.emplace_back(counts[r]);
      for_pieces(theirs.size(), [&](std::size_t at, int bytes) {
        check(MPI_Recv(theirs.data() + at, bytes, MPI_BYTE, static_cast<int>(r), gather_tag, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE),
              "gathering");
      });
    }
    return result;
  }

  void broadcast(std::vector<std::byte>& bytes) override {
    u64 length = bytes.size();
    check(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD), "broadcasting a size");
    bytes.resize(length);
    for_pieces(bytes.size(), [&](std::size_t at, int piece) {
      check(MPI_Bcast(bytes.data() + at, piece, MPI_BYTE, 0, MPI_COMM_WORLD), "broadcasting");
    });
  }

  void barrier() override { check(MPI_Barrier(MPI_COMM_WORLD), "a barrier"); }
  [[nodiscard]] double blocked_s() const override { return blocked_s_; }
  [[nodiscard]] double exchange_s() const override { return exchange_s_; }
  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  static constexpr int exchange_tag = 1, post_tag = 2, gather_tag = 3;

  void take(MPI_Message& message, const MPI_Status& status, Parcel& parcel) {
    const double begin = MPI_Wtime();
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    parcel.bytes.resize(static_cast<std::size_t>(count));
    check(MPI_Mrecv(parcel.bytes.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE),
          "receiving from a neighbour rank");
    exchange_s_ += MPI_Wtime() - begin;
  }

  /// Makes buffers of parcels that have left spare.
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
    check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, op, MPI_COMM_WORLD),
          "a reduction");
    blocked_s_ += MPI_Wtime() - begin;
  }

  u32 rank_ = 0, size_ = 1;
  double blocked_s_ = 0, exchange_s_ = 0;
  std::vector<MPI_Request> requests_;                   ///< of the exchange under way
  std::vector<MPI_Request> sends_;                      ///< of parcels posted
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

std::unique_ptr<Transport> open_transport(int* argc, char*** argv) {
  if (!launched_in_parallel()) return single_process();
  return std::make_unique<MpiTransport>(argc, argv);
}

std::unique_ptr<Transport> single_process() { return std::make_unique<SingleProcess>(); }

}  // namespace weft::engine
