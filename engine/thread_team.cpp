// A transport for each thread; what goes to other processes goes through MPI.
#include "engine/thread_team.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <sched.h>
#include <system_error>
#include <thread>

#include "engine/base/error.hpp"
#include "engine/base/system/cores.hpp"
#include "engine/doorbell.hpp"
#include "engine/thread_mail.hpp"
#include "engine/thread_meeting.hpp"
#include "engine/transport_parts.hpp"

namespace weft::engine {
namespace {

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Thrown where a thread waits for one that has failed.
struct OtherFailed {};

/// What the threads of a process share.
struct Shared {
  Shared(Transport& whole_ranks, u32 count)
      : whole(whole_ranks), threads(count), crowded(count > usable_cores()), meeting(count), bells(count) {
    // Bytes of memory for the mails to a thread, as long as there are not so many that little would be left for each.
    constexpr std::size_t of_thread = std::size_t{1} << 20, least = 2560, most = std::size_t{1} << 16;
    for (u32 k = 0; k < count * count; ++k) mails.emplace_back(std::clamp(of_thread / count, least, most));
  }

  [[nodiscard]] ThreadMail& mail(u32 from, u32 to) { return mails[from * threads + to]; }

  Transport& whole;
  u32 threads;
  bool crowded;  ///< who waits keeps others from working
  ThreadMeeting meeting;
  std::deque<ThreadMail> mails;  ///< [from * threads + to]
  std::vector<Doorbell> bells;   ///< [thread]
  std::atomic<bool> failed = false;
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(Shared& shared, u32 thread)
      : shared_(shared),
        thread_(thread),
        far_(shared.whole.size() > 1 ? thread_of(shared.whole, thread, shared.threads) : nullptr) {}

  [[nodiscard]] u32 rank() const override { return first() + thread_; }
  [[nodiscard]] u32 size() const override { return shared_.whole.size() * shared_.threads; }
  [[nodiscard]] u32 threads() const override { return shared_.threads; }

  void exchange(std::span<const Batch> out, std::span<Batch> in) override {
    for (const Batch& batch : out) {
      if (is_near(batch.rank)) {
        put(batch.rank, batch.bytes);
      } else {
        std::vector<std::byte> bytes = batch.bytes;
        far_->post(batch.rank, bytes);
      }
    }
    for (Batch& batch : in) receive(batch);
    if (far_) far_->complete_sends();
  }

  void post(u32 rank, std::vector<std::byte>& bytes) override {
    if (!is_near(rank)) return far_->post(rank, bytes);
    put(rank, bytes);
    bytes.clear();
  }

  void advance() override {
    if (far_) far_->advance();
  }

  void receive(Batch& batch) override {
    if (!is_near(batch.rank)) return far_->receive(batch);
    ThreadMail& mail = shared_.mail(batch.rank - first(), thread_);
    if (!sampled([&] { return mail.take(batch.bytes); })) wait_until([&] { return mail.take(batch.bytes); });
    shared_.bells[batch.rank - first()].ring();  // it may wait for room
  }

  void complete_sends() override {
    if (far_) far_->complete_sends();
  }

  void sum(std::span<u64> values) override {
    reduce(
        values, [](u64 a, u64 b) { return a + b; }, &Transport::sum);
  }
  void min(std::span<u64> values) override {
    reduce(
        values, [](u64 a, u64 b) { return std::min(a, b); }, &Transport::min);
  }
  void max(std::span<u64> values) override {
    reduce(
        values, [](u64 a, u64 b) { return std::max(a, b); }, &Transport::max);
  }

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) override {
    const std::array<u64, 2> place = {address(mine.data()), mine.size()};
    meet(place);
    std::vector<std::vector<std::byte>> all;
    if (thread_ == 0) all = shared_.whole.size() > 1 ? gather_processes() : batches_here();
    meet({});  // until then what others gave must stay where it is
    return all;
  }

  void broadcast(std::vector<std::byte>& bytes) override {
    if (thread_ == 0 && shared_.whole.size() > 1) shared_.whole.broadcast(bytes);
    const std::array<u64, 2> place = {address(bytes.data()), bytes.size()};
    meet(place);
    if (thread_ != 0) {
      const u64* const said = shared_.meeting.said(0, thread_);
      const auto* const from = reinterpret_cast<const std::byte*>(said[0]);
      bytes.assign(from, from + said[1]);
    }
    meet({});
  }

  void barrier() override {
    meet({});
    if (shared_.whole.size() == 1) return;
    if (thread_ == 0) shared_.whole.barrier();
    meet({});
  }

  [[nodiscard]] double blocked_s() const override { return blocked_s_ + (far_ ? far_->blocked_s() : 0); }
  [[nodiscard]] double exchange_s() const override { return exchange_s_ + (far_ ? far_->exchange_s() : 0); }
  [[noreturn]] void abort(int code) override {
    shared_.whole.abort(code);
    std::_Exit(code);
  }

 private:
  static constexpr u32 patience = 1000;  ///< looks, some ten microseconds, before the thread sleeps
  static constexpr u32 yields = 2;       ///< before that, where there are fewer cores than threads

  [[nodiscard]] u32 first() const { return shared_.whole.rank() * shared_.threads; }
  [[nodiscard]] bool is_near(u32 rank) const { return rank - first() < shared_.threads; }
  [[nodiscard]] static u64 address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

  /// f(), of which every so many calls is timed for all of them: the clock takes as long as a short batch.
  template <class F>
  bool sampled(F&& f) {
    constexpr u32 every = 16;
    if (++calls_ % every != 0) return f();
    const double begin = now_s();
    const bool result = f();
    exchange_s_ += every * (now_s() - begin);
    return result;
  }

  void put(u32 rank, std::span<const std::byte> bytes) {
    ThreadMail& mail = shared_.mail(thread_, rank - first());
    if (!sampled([&] { return mail.put(bytes); })) wait_until([&] { return mail.put(bytes); });
    std::atomic_thread_fence(std::memory_order_seq_cst);
    shared_.bells[rank - first()].ring();
  }

  template <class Condition>
  void wait_until(Condition&& condition) {
    const double begin = now_s();
    Doorbell& bell = shared_.bells[thread_];
    for (u32 looks = shared_.crowded ? patience : 0; !condition(); ++looks) {
      if (looks < patience) {
        relax();
        continue;
      }
      if (shared_.failed.load(std::memory_order_relaxed)) throw OtherFailed();
      if (far_) {  // nobody rings for MPI
        advance();
        sched_yield();
      } else if (shared_.crowded && looks < patience + yields && now_s() >= yields_from_) {
        yield();
      } else if (bell.sleep_unless(condition)) {
        break;
      }
    }
    blocked_s_ += now_s() - begin;
  }

  /// To another thread of this process, which takes a fifth of the time of going to sleep and being woken; but where
  /// other programs have the core instead, it comes back after milliseconds: then not again for a while.
  void yield() {
    constexpr double long_s = 200e-6, while_s = 50e-3;
    const double begin = now_s();
    sched_yield();
    const double end = now_s();
    if (end - begin > long_s) yields_from_ = end + while_s;
  }

  /// Says these values and waits for all threads of this process.
  void meet(std::span<const u64> values) {
    shared_.meeting.say(thread_, values);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (Doorbell& bell : shared_.bells) bell.ring();
    for (u32 other = 0; other < shared_.threads; ++other) {
      const auto has_come = [&] { return shared_.meeting.has_come(other, thread_); };
      if (!has_come()) wait_until(has_come);
    }
  }

  template <class Combine>
  void reduce(std::span<u64> values, Combine&& combine, void (Transport::*of_processes)(std::span<u64>)) {
    for (std::size_t at = 0; at < values.size(); at += ThreadMeeting::most) {
      const auto some = values.subspan(at, std::min(ThreadMeeting::most, values.size() - at));
      meet(some);
      for (u32 other = 0; other < shared_.threads; ++other) {
        if (other == thread_) continue;
        const u64* const said = shared_.meeting.said(other, thread_);
        for (std::size_t k = 0; k < some.size(); ++k) some[k] = combine(some[k], said[k]);
      }
      if (shared_.whole.size() > 1) reduce_processes(some, of_processes);
    }
  }

  /// The first thread reduces over the processes for all of its own.
  void reduce_processes(std::span<u64> values, void (Transport::*of_processes)(std::span<u64>)) {
    const double begin = now_s();
    if (thread_ == 0) (shared_.whole.*of_processes)(values);
    blocked_s_ += now_s() - begin;
    meet(values);
    std::copy_n(shared_.meeting.said(0, thread_), values.size(), values.begin());
  }

  /// What each thread of this process gave. Of the first thread.
  [[nodiscard]] std::vector<std::vector<std::byte>> batches_here() const {
    std::vector<std::vector<std::byte>> all;
    for (u32 other = 0; other < shared_.threads; ++other) {
      const u64* const said = shared_.meeting.said(other, thread_);
      const auto* const from = reinterpret_cast<const std::byte*>(said[0]);
      all.emplace_back(from, from + said[1]);
    }
    return all;
  }

  /// Each process sends what its threads gave, lengths first. Of the first thread.
  [[nodiscard]] std::vector<std::vector<std::byte>> gather_processes() {
    std::vector<u64> lengths;
    std::vector<std::byte> together;
    for (const auto& batch : batches_here()) {
      lengths.push_back(batch.size());
      together.insert(together.end(), batch.begin(), batch.end());
    }
    const auto lengths_of = gather_values<u64>(shared_.whole, lengths);
    const auto bytes_of = shared_.whole.gather(together);
    std::vector<std::vector<std::byte>> all;
    for (std::size_t process = 0; process < bytes_of.size(); ++process) {
      auto at = bytes_of[process].begin();
      for (const u64 length : lengths_of[process]) {
        all.emplace_back(at, at + static_cast<std::ptrdiff_t>(length));
        at += static_cast<std::ptrdiff_t>(length);
      }
    }
    return all;
  }

  Shared& shared_;
  u32 thread_;
  std::unique_ptr<Transport> far_;  ///< to the threads of other processes; null without any
  double blocked_s_ = 0, exchange_s_ = 0;
  double yields_from_ = 0;  ///< until then it does not
  u32 calls_ = 0;           ///< of what is sampled
};

/// The threads at work, and what became of each.
class Threads {
 public:
  Threads(Transport& whole, u32 threads, ThreadWork& work) : shared_(whole, threads), work_(work), thrown_(threads) {}

  void all() {
    std::vector<std::jthread> others;
    try {
      for (u32 thread = 1; thread < shared_.threads; ++thread) others.emplace_back([this, thread] { one(thread); });
    } catch (const std::system_error& error) {
      const std::size_t started = others.size() + 1;
      shared_.failed = true;
      others.clear();
      throw SystemError(fmt::format("only {} of {} threads can be started ({}); use fewer --threads", started,
                                    shared_.threads, error.what()));
    }
    one(0);
    others.clear();
    for (const std::exception_ptr& thrown : thrown_) {
      if (thrown) std::rethrow_exception(thrown);
    }
  }

 private:
  void one(u32 thread) {
    try {
      ThreadTransport transport(shared_, thread);
      work_.on_rank(transport);
    } catch (const OtherFailed&) {
    } catch (...) {
      thrown_[thread] = std::current_exception();
      shared_.failed = true;
      come_back();
      wait_for_others();
      return;
    }
    come_back();
  }

  void come_back() {
    const std::lock_guard guard(lock_);
    ++back_;
    changed_.notify_all();
  }

  /// In the handler of a failure.
  void wait_for_others() {
    std::unique_lock guard(lock_);
    if (!changed_.wait_for(guard, std::chrono::seconds(10), [this] { return back_ == shared_.threads; })) work_.stuck();
  }

  Shared shared_;
  ThreadWork& work_;
  std::vector<std::exception_ptr> thrown_;  ///< [thread]; null: it came to its end, or waited for one that did not
  std::mutex lock_;
  std::condition_variable changed_;
  u32 back_ = 0;  ///< threads that have come back
};

}  // namespace

void on_threads(Transport& whole, u32 threads, ThreadWork& work) {
  if (threads <= 1) return work.on_rank(whole);
  Threads(whole, threads, work).all();
}

}  // namespace weft::engine
