// The windowed protocol: all ranks run one lookahead from the earliest tick with work anywhere, then all exchange.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/protocol.hpp"
#include "engine/transport.hpp"

namespace weft::engine {

class WindowedProtocol {
 public:
  /// `neighbours`: the ranks to exchange with; `are_all`: that is every other rank, on every rank.
  WindowedProtocol(Transport& transport, const std::vector<u32>& neighbours, bool are_all, Tick lookahead)
      : transport_(transport), are_all_(are_all), lookahead_(lookahead) {
    for (const u32 rank : neighbours) {
      out_.push_back({rank, {}});
      in_.push_back({rank, {}});
    }
  }

  template <class Part>
  Tick run(Part& part, Tick until) {
    Tick next = synchronise(part);
    while (next < until) {
      const Tick end = std::min(later_by(next, lookahead_), until);
      part.promise(end);
      part.run_before(end, [] {});
      ++part.count().windows;
      next = synchronise(part);
    }
    return next;
  }

 private:
  /// Exchanges what crossed and agrees on the earliest tick with work anywhere.
  template <class Part>
  Tick synchronise(Part& part) {
    Tick next = std::min(part.next(), part.earliest_crossing());
    for (std::size_t i = 0; i < out_.size(); ++i) part.pack(i, {.tick = next}, out_[i].bytes);
    transport_.exchange(out_, in_);
    for (const Batch& batch : in_) next = std::min(next, part.unpack(batch.bytes).tick);
    if (!are_all_) transport_.min({&next, 1});
    ++part.count().exchanges;
    return next;
  }

  Transport& transport_;
  bool are_all_;
  Tick lookahead_;
  std::vector<Batch> out_, in_;
};

}  // namespace weft::engine
