// Steps of a process to operations of its task; see the header.
#include "workloads/program/external/process_stream.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/program/message.hpp"

namespace weft::workloads {
namespace {

bool fits_probe(u32 wanted, u32 there) { return wanted == Command::any || wanted == there; }

}  // namespace

Op ProcessStream::next() {
  while (!is_over_) {
    if (awaited_ != none_awaited) return give({.kind = OpKind::await, .amount = std::exchange(awaited_, none_awaited)});
    if (!has_command_) {
      command_ = link_->take();
      has_command_ = true;
      is_charged_ = is_polled_ = false;
      if (command_.begins) counts_.call = command_.call;
    }
    if (const Op op = time_before(); op.kind != OpKind::end) return op;
    Op op;
    switch (command_.kind) {
      case CommandKind::send:
        return command_.is_blocking ? send() : start(OpKind::isend);
      case CommandKind::receive:
        return start(OpKind::ireceive);
      case CommandKind::await:
        op = wait();
        break;
      case CommandKind::cancel:
        op = withdraw();
        break;
      case CommandKind::listen:
        if (completions_.empty()) return give({.kind = OpKind::listen});
        answer(nullptr);
        break;
      case CommandKind::tell:
        answer(nullptr);
        if (command_.is_last) op = go_on();
        break;
      case CommandKind::probe:
      case CommandKind::probe_wait: {
        const Unexpected* const found = find();
        if (found == nullptr && command_.kind == CommandKind::probe_wait) return give({.kind = OpKind::listen});
        answer(found);
        break;
      }
      case CommandKind::returns:
        has_command_ = false;
        op = go_on();
        break;
      case CommandKind::end:
        is_over_ = counts_.is_over = true;
        counts_.end_ps = now_ps();
        break;
    }
    if (op.kind != OpKind::end) return op;
  }
  return {};
}

Op ProcessStream::give(Op op) {
  ++operations_;
  return op;
}

u64 ProcessStream::now_ps() const {
  return static_cast<u64>(std::llround(static_cast<double>(now_) * times_.ps_of_tick));
}

u64 ProcessStream::next_cost(u64 measured_ns) {
  const u64 ns = cost_.next(measured_ns);
  if (times_.recorded != nullptr) times_.recorded->push_back(ns);
  counts_.beyond_table = cost_.missing();
  return ns;
}

Op ProcessStream::compute(u64 ns) {
  counts_.computed_ns += ns;
  return give({.kind = OpKind::compute, .amount = ns});
}

Op ProcessStream::time_before() {
  if (command_.begins && !is_charged_) {
    is_charged_ = true;
    const bool paid = std::exchange(is_paid_, false);
    const u64 ns = paid ? 0 : next_cost(command_.computed_ns);
    if (ns > 0) return compute(ns);
  }
  if (command_.is_poll && !is_polled_) {
    is_polled_ = true;
    ++counts_.polls;
    if (times_.poll_ns > 0) return give({.kind = OpKind::compute, .amount = times_.poll_ns});
  }
  return {};
}

/// A short one is the network's at once.
Op ProcessStream::send() {
  const bool waits = command_.is_synchronous || times_.rendezvous(command_.bytes);
  if (waits) awaited_ = operations_;
  command_.is_quiet = true;
  return start(waits ? OpKind::isend : OpKind::send);
}

Op ProcessStream::start(OpKind kind) {
  has_command_ = false;
  if (kind != OpKind::ireceive) {
    if (command_.bytes > times_.limits.message_bytes) {
      throw SystemError(fmt::format("the process of task {} sends a message that is too long: {}", times_.task,
                                    too_many_packets(command_.bytes, times_.limits)));
    }
    ++counts_.sent;
    counts_.sent_bytes += command_.bytes;
  }
  if (!command_.is_quiet) {
    requests_[operations_] = {command_.request, false, false, {.request = command_.request}};
    operation_of_[command_.request] = operations_;
  }
  return give({.kind = kind,
               .peer = command_.peer,
               .tag = command_.tag,
               .amount = command_.bytes,
               .is_synchronous = command_.is_synchronous,
               .communicator = command_.communicator});
}

Op ProcessStream::wait() {
  has_command_ = false;
  const auto found = operation_of_.find(command_.request);
  if (found == operation_of_.end()) {
    if (command_.is_quiet)
      std::erase_if(completions_, [&](const Completion& entry) { return entry.request == command_.request; });
    return {};
  }
  if (command_.is_quiet) requests_[found->second].is_quiet = true;
  return give({.kind = OpKind::await, .amount = found->second});
}

/// A receive that no message has come for is complete as one that was cancelled.
Op ProcessStream::withdraw() {
  has_command_ = false;
  const auto found = operation_of_.find(command_.request);
  if (found == operation_of_.end()) return {};
  const u32 operation = found->second;
  if (requests_[operation].is_matched) return {};
  completions_.push_back({.request = command_.request, .is_cancelled = true});
  requests_.erase(operation);
  operation_of_.erase(found);
  return give({.kind = OpKind::cancel, .amount = operation});
}

const ProcessStream::Unexpected* ProcessStream::find() const {
  const auto found = std::ranges::find_if(unexpected_, [&](const Unexpected& message) {
    return message.communicator == command_.communicator && fits_probe(command_.peer, message.source) &&
           fits_probe(command_.tag, message.tag);
  });
  return found == unexpected_.end() ? nullptr : &*found;
}

void ProcessStream::answer(const Unexpected* found) {
  Answer answer;
  answer.now_ps = now_ps();
  if (found != nullptr) {
    answer.found = true;
    answer.source = found->source;
    answer.tag = found->tag;
    answer.number = found->number;
    answer.bytes = found->bytes;
  }
  const std::size_t count = std::min<std::size_t>(completions_.size(), link_->most_completions());
  told_.assign(completions_.begin(), completions_.begin() + static_cast<std::ptrdiff_t>(count));
  completions_.erase(completions_.begin(), completions_.begin() + static_cast<std::ptrdiff_t>(count));
  answer.completions = static_cast<u16>(count);
  answer.more = !completions_.empty();
  if (answer.more) command_.is_last = false;
  ++counts_.answers;
  has_command_ = false;
  link_->answer(answer, told_);
}

Op ProcessStream::go_on() {
  if (is_paid_ || !cost_.is_known()) return {};
  is_paid_ = true;
  const u64 ns = next_cost(0);
  return ns > 0 ? compute(ns) : Op{};
}

bool ProcessStream::takes(const Message& message, Tick /*tick*/) {
  unexpected_.push_back({message.source, message.tag, message.communicator, message.number, message.bytes});
  return false;
}

void ProcessStream::matched(u32 operation, const ReceivedMessage& message, Tick /*tick*/) {
  const auto there = std::find_if(unexpected_.rbegin(), unexpected_.rend(), [&](const Unexpected& entry) {
    return entry.source == message.source && entry.number == message.number;
  });
  if (there != unexpected_.rend()) unexpected_.erase(std::next(there).base());
  const auto found = requests_.find(operation);
  if (found == requests_.end()) return;
  found->second.is_matched = true;
  found->second.completion.source = message.source;
  found->second.completion.number = message.number;
  found->second.completion.bytes = message.bytes;
}

void ProcessStream::complete(u32 operation, Tick /*tick*/) {
  const auto found = requests_.find(operation);
  if (found == requests_.end()) return;
  if (found->second.is_matched) {
    ++counts_.received;
    counts_.received_bytes += found->second.completion.bytes;
  }
  if (!found->second.is_quiet) completions_.push_back(found->second.completion);
  operation_of_.erase(found->second.number);
  requests_.erase(found);
}

}  // namespace weft::workloads
