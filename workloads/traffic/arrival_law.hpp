// Laws of arrivals: when the sources of synthetic traffic generate packets; one file per law, found by name.
// docs/adding-an-arrival-law.md adds one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"

namespace weft::workloads {

/// What a law keeps of a source between two of its packets. Plain data: it lies in checkpoints. All zero before the
/// first packet.
struct ArrivalState {
  u64 left = 0;    ///< cycles of a period that are to come
  u64 period = 0;  ///< number of periods begun
};

/// The gaps between the packets of sources. Immutable: the same source, number and state give the same gap on any rank.
class Arrivals {
 public:
  virtual ~Arrivals() = default;
  /// Cycles from the generation of packet `number` - 1 of a source to that of packet `number`, at least 1, at most
  /// `most_cycles`; of packet 0 from the cycle before the run. Asked once for each number, in order.
  [[nodiscard]] virtual u64 gap(u32 source, u64 number, ArrivalState& state) const = 0;
  /// Which phase of the traffic the packet belongs to whose gap was asked for last, from 0: patterns may change with
  /// it.
  [[nodiscard]] virtual u32 phase(const ArrivalState& /*state*/) const { return 0; }

  static constexpr u64 most_cycles = 1'000'000'000'000'000;  ///< longer than any run
};

/// What a law is made for.
struct ArrivalSpec {
  double packets_per_cycle = 0;  ///< of each source, the mean over a long time: above 0, at most 1
  u64 seed = 1;
  Parameters keys = {};  ///< all of [workload], by name
};

struct ArrivalLaw {
  static constexpr ChoiceKey choice{"workload.arrivals"};

  std::string help;  ///< one line
  /// None: sources draw geometric gaps by themselves (Bernoulli trials), without a virtual call.
  std::function<std::unique_ptr<const Arrivals>(const ArrivalSpec&)> make = {};
  std::vector<Setting> settings = {};  ///< its own keys, "workload.on_cycles"...
  /// What is wrong with the keys, if anything is, at an offered load in phits/node/cycle.
  std::function<std::optional<Complaint>(const Parameters& keys, double offered_load)> check = {};
};
using ArrivalRegistry = Registry<ArrivalLaw>;

/// The arrivals of a law that is known; null for Bernoulli trials, or if there are none.
[[nodiscard]] inline std::unique_ptr<const Arrivals> make_arrivals(const std::string& law, const ArrivalSpec& spec) {
  const ArrivalLaw* const found = ArrivalRegistry::instance().find(law);
  return found != nullptr && found->make && spec.packets_per_cycle > 0 ? found->make(spec) : nullptr;
}

}  // namespace weft::workloads
