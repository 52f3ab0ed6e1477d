// Requests of one task that were started and not waited for, in formats that do not number them.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// A request by what the format calls it: `Key` may be of several, the oldest of which is meant.
template <class Key>
class PendingRequests {
 public:
  struct Request {
    Key key{};
    bool receives = false;
    u32 peer = 0, tag = 0;  ///< as TraceEvent has them
    bool tested = false;    ///< whether it was over then, the trace does not say
  };
  /// Requests at a time, at most, of all tasks of a reader.
  static constexpr std::size_t most = std::size_t{1} << 24;

  /// The number of a new one.
  u64 start(Request request) {
    by_key_.emplace(std::pair{request.key, next_}, 0);
    requests_.emplace(next_, std::move(request));
    return next_++;
  }
  /// The oldest with a key; TraceEvent::no_request if there is none.
  [[nodiscard]] u64 find(const Key& key) const {
    const auto found = by_key_.lower_bound({key, 0});
    return found == by_key_.end() || found->first.first != key ? TraceEvent::no_request : found->first.second;
  }
  /// The oldest of those from one key up to another, of which there are few keys.
  [[nodiscard]] u64 oldest(const Key& first, const Key& last) const {
    u64 number = TraceEvent::no_request;
    for (auto at = by_key_.lower_bound({first, 0}); at != by_key_.end() && at->first.first < last;
         at = by_key_.upper_bound({at->first.first, TraceEvent::no_request}))
      number = std::min(number, at->first.second);
    return number;
  }
  /// Numbers of the requests from one key up to another.
  [[nodiscard]] std::vector<u64> between(const Key& first, const Key& last) const {
    std::vector<u64> numbers;
    for (auto at = by_key_.lower_bound({first, 0}); at != by_key_.end() && at->first.first < last; ++at)
      numbers.push_back(at->first.second);
    return numbers;
  }
  [[nodiscard]] bool has(u64 number) const { return requests_.contains(number); }
  [[nodiscard]] Request& at(u64 number) { return requests_.at(number); }
  Request end(u64 number) {
    const auto found = requests_.find(number);
    Request request = std::move(found->second);
    by_key_.erase({request.key, number});
    requests_.erase(found);
    return request;
  }
  [[nodiscard]] const std::map<u64, Request>& all() const { return requests_; }
  [[nodiscard]] std::size_t size() const { return requests_.size(); }

 private:
  u64 next_ = 1;
  std::map<u64, Request> requests_;
  std::map<std::pair<Key, u64>, char> by_key_;
};

}  // namespace weft::workloads
