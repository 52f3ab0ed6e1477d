// Ranks as threads of one process, so that unit tests can run the parallel kernel without MPI.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/thread_team.hpp"

namespace weft::engine::testing {

/// A rank that gives up with std::runtime_error after `limit` exchanges and batches posted, so that a kernel that never
/// ends fails its test.
class LimitedTransport final : public Transport {
 public:
  LimitedTransport(Transport& rank, u64 limit) : of_(rank), left_(limit) {}
  [[nodiscard]] u32 rank() const override { return of_.rank(); }
  [[nodiscard]] u32 size() const override { return of_.size(); }
  [[nodiscard]] u32 threads() const override { return of_.threads(); }
  void exchange(std::span<const Batch> out, std::span<Batch> in) override {
    if (left_-- == 0) throw std::runtime_error("the kernel keeps exchanging and does not end");
    of_.exchange(out, in);
  }
  void post(u32 rank, std::vector<std::byte>& bytes) override {
    if (left_-- == 0) throw std::runtime_error("the kernel keeps posting and does not end");
    of_.post(rank, bytes);
  }
  void advance() override { of_.advance(); }
  void receive(Batch& batch) override { of_.receive(batch); }
  void complete_sends() override { of_.complete_sends(); }
  void sum(std::span<u64> values) override { of_.sum(values); }
  void min(std::span<u64> values) override { of_.min(values); }
  void max(std::span<u64> values) override { of_.max(values); }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) override { return of_.gather(mine); }
  void broadcast(std::vector<std::byte>& bytes) override { of_.broadcast(bytes); }
  void barrier() override { of_.barrier(); }
  [[nodiscard]] double blocked_s() const override { return of_.blocked_s(); }
  [[nodiscard]] double exchange_s() const override { return of_.exchange_s(); }
  [[noreturn]] void abort(int) override { throw Bug("abort was called in a test"); }

 private:
  Transport& of_;
  u64 left_;
};

/// A function for each rank.
class WorkOfTest final : public ThreadWork {
 public:
  explicit WorkOfTest(std::function<void(Transport&)> body) : body_(std::move(body)) {}
  void on_rank(Transport& rank) override { body_(rank); }
  void stuck() override { throw Bug("ranks of a test wait for one that failed"); }

 private:
  std::function<void(Transport&)> body_;
};

/// Calls body(transport) on `ranks` threads and waits for all; rethrows what the first failing rank threw.
inline void run_ranks(u32 ranks, const std::function<void(Transport&)>& body, u64 exchange_limit = 1'000'000) {
  const auto process = single_process();
  WorkOfTest work([&](Transport& rank) {
    LimitedTransport transport(rank, exchange_limit);
    body(transport);
  });
  on_threads(*process, ranks, work);
}

}  // namespace weft::engine::testing
