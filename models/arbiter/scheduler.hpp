// A scheduler of crossbars as a part: which requests are granted in a tick. Each registers itself in a file of its own;
// docs/adding-a-scheduler.md adds one.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/types.hpp"

namespace weft::models::arbiter {

/// An input of a crossbar asks for a VC of an output, for the first packet of one of its queues.
struct Request {
  u32 input, output, vc;
  Tick generated_at;  ///< when that packet was generated
  u32 queued_cells;   ///< of all packets of that queue; 0 unless the kind counts them
  u32 traffic_class;  ///< of that packet
};

/// What is asked of a crossbar in a tick: by ascending input.
struct Contest {
  std::span<const Request> requests;
  u32 ports;  ///< inputs, and as many outputs
  Tick now;
  u32 turn;  ///< contests of this crossbar before this one
  u64 bits;  ///< random, of this contest
};

/// One object serves all crossbars of a process in turn: it keeps nothing from one contest to the next but scratch.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// Adds the numbers of the requests that are granted: at most one of an input, and one of an output; at least one.
  virtual void grant(const Contest& contest, std::vector<u32>& granted) = 0;
};

struct SchedulerKind {
  static constexpr ChoiceKey choice{"router.scheduling"};

  std::string help;                   ///< one line
  std::vector<std::string> machines;  ///< kinds of routers, or the machines that these run in (RouterKind::machine)
  /// From the keys of [router]; empty: the machines have it built in.
  std::function<std::unique_ptr<Scheduler>(const Parameters&)> make = {};
  std::vector<Setting> settings = {};  ///< its own keys, "router.weight"...
  bool counts_queues = false;          ///< Request::queued_cells
};
using SchedulerRegistry = Registry<SchedulerKind>;

}  // namespace weft::models::arbiter
