// What the crossbars of a network of switches are matched with, one after the other: scratch of a tick.
#pragma once

#include <memory>
#include <vector>

#include "models/arbiter/matching.hpp"
#include "models/arbiter/scheduler.hpp"

namespace weft::models::cells {

/// The first packet of a queue of an input asks for a VC of an output.
struct CrossbarRequest {
  u32 packet;  ///< in the pool
  u16 output, vc;
};

/// What an input asks for in a tick.
struct Asking {
  u32 input;
  u32 begin, end;  ///< in Crossbar::requests
  bool choice;     ///< some may take one of several outputs
};

/// A packet that asks, of an input in Crossbar::asking, with its requests.
struct AgedPacket {
  Tick age;        ///< since it was generated
  u32 asking;      ///< in Crossbar::asking
  u32 lane;        ///< of its queue
  Tick ready_at;   ///< orders queues of one lane
  u32 begin, end;  ///< in Crossbar::requests
};

struct Crossbar {
  /// In `asked`: an input that asks for several outputs, or VCs, asks for this one too.
  static constexpr u16 by_several = 0x8000;

  arbiter::Matching matching;
  std::unique_ptr<arbiter::Scheduler> scheduler;  ///< null: it is built in
  bool scheduler_counts_queues = false;
  std::vector<CrossbarRequest> requests = {};  ///< of a tick, by input
  std::vector<Asking> asking = {};             ///< of those, by input
  std::vector<Asking> asking_of = {};          ///< [input], of those that ask
  std::vector<u16> asked = {};                 ///< [output]: how many ask for it; 0 between matchings
  std::vector<arbiter::Matching::Contender> contenders = {};
  std::vector<AgedPacket> by_age = {};           ///< the oldest first
  std::vector<u8> in_transit = {};               ///< [output]: inputs from switches ask for it
  std::vector<arbiter::Request> contested = {};  ///< as requests, for the scheduler
  std::vector<u32> granted = {};                 ///< of those
  std::vector<u32> lost = {};                    ///< inputs that have to be looked at again
  std::vector<u32> matched = {};                 ///< inputs that have found an output
  std::vector<CrossbarRequest> chosen = {};      ///< [input], of those in `matched`
  Tick next_input = never;                       ///< when an input of the switch has to be looked at next
};

}  // namespace weft::models::cells
