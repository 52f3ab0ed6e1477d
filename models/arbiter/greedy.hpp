// Grants in an order of the requests: each that finds its input and its output free.
#pragma once

#include <span>
#include <vector>

#include "models/arbiter/scheduler.hpp"

namespace weft::models::arbiter {

/// What greedy schedulers end with: a maximal matching, in the order that they have found.
class Greedy {
 public:
  /// `order` yields indices of contest.requests, the first served first.
  template <class Order, class IndexOf>
  void grant(const Contest& contest, const Order& order, IndexOf&& index_of, std::vector<u32>& granted) {
    input_taken_.assign(contest.ports, 0);
    output_taken_.assign(contest.ports, 0);
    for (const auto& entry : order) {
      const u32 index = index_of(entry);
      const Request& request = contest.requests[index];
      if (input_taken_[request.input] != 0 || output_taken_[request.output] != 0) continue;
      input_taken_[request.input] = output_taken_[request.output] = 1;
      granted.push_back(index);
    }
  }

 private:
  std::vector<u8> input_taken_, output_taken_;
};

}  // namespace weft::models::arbiter
