// Streams of operations written as coroutines: `co_yield` an operation, or all of another generator, where the program
// comes to it. A stream holds the frames of the generators that it is in, nothing in proportion to its length.
// `co_yield condition ? one() : other()` is compiled wrongly by GCC 12; choose the function before it is called.
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

#include "workloads/program/program.hpp"

namespace weft::workloads {

class [[nodiscard]] OpGenerator {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    Op op;
    promise_type* outermost = this;  ///< that is resumed by `next`
    Handle current = {};             ///< of the outermost: the one to go on with
    Handle outer = {};               ///< of who yielded all of this: to go on with after it
    std::exception_ptr failure;

    OpGenerator get_return_object() { return OpGenerator(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(const Op& value) {
      outermost->op = value;
      return {};
    }
    /// All operations of another generator come first.
    auto yield_value(OpGenerator&& whole) {
      struct Awaiter {
        OpGenerator held;
        bool await_ready() const noexcept { return false; }
        void await_suspend(Handle outer) noexcept {
          promise_type& inner = held.handle_.promise();
          inner.outermost = outer.promise().outermost;
          inner.outer = outer;
          inner.outermost->current = held.handle_;
        }
        void await_resume() const noexcept {}
      };
      return Awaiter{std::move(whole)};
    }
    void return_void() {}
    void unhandled_exception() { outermost->failure = std::current_exception(); }
  };

  OpGenerator(OpGenerator&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  OpGenerator& operator=(OpGenerator&&) = delete;
  ~OpGenerator() {
    if (handle_) handle_.destroy();
  }

  /// The next operation; `end` after the last.
  Op next() {
    promise_type& outermost = handle_.promise();
    if (!outermost.current) outermost.current = handle_;
    for (;;) {
      if (handle_.done()) return {};
      const Handle running = outermost.current;
      outermost.op = {};
      running.resume();
      if (outermost.failure) std::rethrow_exception(std::exchange(outermost.failure, {}));
      if (running.done()) {
        if (running == handle_) return {};
        outermost.current = running.promise().outer;
        continue;
      }
      // It has come to an operation, or to another generator, which `current` is now.
      if (outermost.op.kind != OpKind::end) return outermost.op;
    }
  }

 private:
  explicit OpGenerator(Handle handle) : handle_(handle) {}
  Handle handle_;
};

/// The stream of a generator.
[[nodiscard]] inline std::unique_ptr<TaskStream> stream_of(OpGenerator generator) {
  class Stream final : public TaskStream {
   public:
    explicit Stream(OpGenerator from) : from_(std::move(from)) {}
    Op next() override { return from_.next(); }

   private:
    OpGenerator from_;
  };
  return std::make_unique<Stream>(std::move(generator));
}

}  // namespace weft::workloads
