// Grants in an order of the requests: each that finds its input and its output free.
#pragma once

#include <functional>
#include <vector>

#include "models/arbiter/scheduler.hpp"

namespace weft::models::arbiter {

/// What greedy schedulers end with: a maximal matching, in the order that they have found.
class Greedy {
 public:
  /// `order`: numbers of requests, the first served first, or what `number_of` makes one of.
  template <class Order, class NumberOf = std::identity>
  void grant(const Contest& contest, const Order& order, std::vector<u32>& granted, NumberOf number_of = {}) {
    input_taken_.assign(contest.ports, 0);
    output_taken_.assign(contest.ports, 0);
    for (const auto& entry : order) {
      const u32 number = std::invoke(number_of, entry);
      const Request& request = contest.requests[number];
      if (input_taken_[request.input] != 0 || output_taken_[request.output] != 0) continue;
      input_taken_[request.input] = output_taken_[request.output] = 1;
      granted.push_back(number);
    }
  }

 private:
  std::vector<u8> input_taken_, output_taken_;
};

}  // namespace weft::models::arbiter
