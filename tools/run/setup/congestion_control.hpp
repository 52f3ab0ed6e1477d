// Global congestion control: no new packets while too many are in the network.
#pragma once

#include <algorithm>

#include "engine/base/types.hpp"
#include "engine/protocol.hpp"

namespace weft::tools {

/// GCC of INSEE (congestion.gcc_packets, gcc_period_cycles). Packets in the network (header out of the injection
/// queue, tail not consumed) are counted at every multiple of the period. From one sample to the next nodes inject or
/// not by the sample before: what a node knows is one to two periods old, so the lookahead between processes stays what
/// it is, and all decide alike. Packets that have been accepted by injection queues still enter.
class CongestionControl {
 public:
  /// No control if `threshold_packets` is 0.
  CongestionControl(u64 threshold_packets, Tick period) : threshold_(threshold_packets), period_(period) {}

  [[nodiscard]] bool on() const { return threshold_ != 0; }
  [[nodiscard]] bool open() const { return open_; }
  [[nodiscard]] u64 last_sample() const { return last_sample_; }
  /// The next tick at which to count; `never` if there is no control. `packets` are in the network, and nothing happens
  /// before tick `upcoming`: counts that can change nothing are left out.
  [[nodiscard]] Tick next_after(Tick now, Tick upcoming, u64 packets) const {
    if (!on()) return never;
    const bool settled = last_sample_ == packets && open_ == (packets <= threshold_);
    const Tick from = settled ? std::max(now, upcoming) : now;
    return engine::later_by(from - from % period_, period_);
  }
  [[nodiscard]] bool due_at(Tick now) const { return on() && now % period_ == 0; }
  /// So many packets are in the network. True if injection opens or closes by it.
  bool sample(u64 packets) {
    const bool before = open_;
    open_ = last_sample_ <= threshold_;
    last_sample_ = packets;
    return open_ != before;
  }
  /// Goes on as another left off.
  void restore(bool open, u64 last_sample) {
    open_ = open;
    last_sample_ = last_sample;
  }

 private:
  u64 threshold_;
  Tick period_;
  u64 last_sample_ = 0;
  bool open_ = true;
};

}  // namespace weft::tools
