// Ranks as threads of one process, so that unit tests can run the parallel kernel without MPI.
#pragma once

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/error.hpp"
#include "engine/transport.hpp"

namespace weft::engine::testing {

/// What a rank is told when another one has failed.
struct Abandoned : std::runtime_error {
  Abandoned() : std::runtime_error("another rank failed") {}
};

/// What the ranks of one test share.
struct ThreadWorld {
  explicit ThreadWorld(u32 ranks)
      : mail(ranks, std::vector<std::vector<std::byte>>(ranks)),
        post(ranks, std::vector<std::deque<std::vector<std::byte>>>(ranks)),
        words(ranks),
        meet(ranks) {}

  /// Everybody waits for everybody; throws Abandoned if one has failed.
  void wait() {
    meet.arrive_and_wait();
    if (failed) throw Abandoned();
  }

  std::vector<std::vector<std::vector<std::byte>>> mail;              ///< [from][to]
  std::vector<std::vector<std::deque<std::vector<std::byte>>>> post;  ///< [from][to], guarded by post_mutex
  std::mutex post_mutex;
  std::condition_variable posted;
  std::vector<std::vector<u64>> words;  ///< [rank]
  std::barrier<> meet;
  std::atomic<bool> failed = false;
};

/// Transport of one such rank. Gives up with std::runtime_error after `exchange_limit` exchanges and batches posted, so
/// that a kernel that never ends fails its test.
class ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadWorld& world, u32 rank, u64 exchange_limit)
      : world_(world), rank_(rank), left_(exchange_limit) {}
  [[nodiscard]] u32 rank() const override { return rank_; }
  [[nodiscard]] u32 size() const override { return static_cast<u32>(world_.mail.size()); }
  void exchange(std::span<const Batch> out, std::span<Batch> in) override {
    if (left_-- == 0) throw std::runtime_error("the kernel keeps exchanging and does not end");
    for (const Batch& batch : out) world_.mail[rank_][batch.rank] = batch.bytes;
    world_.wait();
    for (Batch& batch : in) batch.bytes = world_.mail[batch.rank][rank_];
    world_.wait();
  }
  void post(u32 rank, std::vector<std::byte>& bytes) override {
    if (left_-- == 0) throw std::runtime_error("the kernel keeps posting and does not end");
    {
      const std::lock_guard lock(world_.post_mutex);
      world_.post[rank_][rank].push_back(bytes);
    }
    bytes.clear();
    world_.posted.notify_all();
  }
  void receive(Batch& batch) override {
    std::unique_lock lock(world_.post_mutex);
    auto& queue = world_.post[batch.rank][rank_];
    world_.posted.wait(lock, [&] { return !queue.empty() || world_.failed; });
    if (queue.empty()) throw Abandoned();
    batch.bytes = std::move(queue.front());
    queue.pop_front();
  }
  void settle() override {}
  void advance() override {}
  void sum(std::span<u64> values) override {
    reduce(values, [](u64 a, u64 b) { return a + b; });
  }
  void min(std::span<u64> values) override {
    reduce(values, [](u64 a, u64 b) { return a < b ? a : b; });
  }
  void max(std::span<u64> values) override {
    reduce(values, [](u64 a, u64 b) { return a > b ? a : b; });
  }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) override {
    world_.mail[rank_][0].assign(mine.begin(), mine.end());
    world_.wait();
    std::vector<std::vector<std::byte>> all;
    if (rank_ == 0) {
      for (auto& row : world_.mail) all.push_back(row[0]);
    }
    world_.wait();
    return all;
  }
  void broadcast(std::vector<std::byte>& bytes) override {
    if (rank_ == 0) world_.mail[0][0] = bytes;
    world_.wait();
    bytes = world_.mail[0][0];
    world_.wait();
  }
  void barrier() override { world_.wait(); }
  [[nodiscard]] double blocked_s() const override { return 0; }
  [[nodiscard]] double exchange_s() const override { return 0; }
  [[noreturn]] void abort(int) override { throw Bug("abort was called in a test"); }

 private:
  template <class F>
  void reduce(std::span<u64> values, F&& combine) {
    world_.words[rank_].assign(values.begin(), values.end());
    world_.wait();
    for (u32 r = 0; r < size(); ++r) {
      if (r == rank_) continue;
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = combine(values[i], world_.words[r][i]);
    }
    world_.wait();
  }

  ThreadWorld& world_;
  u32 rank_;
  u64 left_;
};

/// Calls body(transport) on `ranks` threads and waits for all; rethrows what the first failing rank threw.
inline void run_ranks(u32 ranks, const std::function<void(Transport&)>& body, u64 exchange_limit = 1'000'000) {
  ThreadWorld world(ranks);
  std::vector<std::exception_ptr> errors(ranks);
  std::vector<std::thread> threads;
  for (u32 rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadTransport transport(world, rank, exchange_limit);
      try {
        body(transport);
      } catch (const Abandoned&) {
        world.meet.arrive_and_drop();
      } catch (...) {
        errors[rank] = std::current_exception();
        {
          const std::lock_guard lock(world.post_mutex);
          world.failed = true;
        }
        world.posted.notify_all();
        world.meet.arrive_and_drop();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace weft::engine::testing
