// Reals to ticks.
#include "models/nic/message_costs.hpp"

#include <cmath>

namespace weft::models {
namespace {

bool is_whole_ns(double ns) { return std::floor(ns) == ns; }

/// Ticks of a term that is not a product: the whole number below, or the one that a few roundings of reals have missed.
double rounded(double exact) {
  constexpr double roundings = 1e-15;
  const double nearest = std::round(exact);
  return std::abs(exact - nearest) <= roundings * nearest ? nearest : exact;
}

}  // namespace

MessageCosts::MessageCosts(const LogGops& p) : rendezvous_bytes_(p.rendezvous_bytes) {
  double units_per_ns = 1;
  if (!is_whole_ns(p.latency_ns) || !is_whole_ns(p.overhead_ns) || !is_whole_ns(p.gap_ns)) {
    units_per_ns = 1000;
    ticks_per_ns_ = 1000;
  } else if (p.latency_ns + p.overhead_ns < 1 || (rendezvous_bytes_ != 0 && p.gap_ns + p.overhead_ns < 1)) {
    ticks_per_unit_ = ticks_per_ns_ = 1024;
  }
  byte_gap_ = p.byte_gap_ns * units_per_ns;
  byte_overhead_ = p.byte_overhead_ns * units_per_ns;
  latency_ = ticks_of(rounded(p.latency_ns * units_per_ns));
  overhead_ = ticks_of(rounded(p.overhead_ns * units_per_ns));
  gap_ = ticks_of(rounded(p.gap_ns * units_per_ns));
}

MessageCosts::MessageCosts(const LogGops& p, double ticks_per_ns)
    : byte_gap_(p.byte_gap_ns * ticks_per_ns),
      byte_overhead_(p.byte_overhead_ns * ticks_per_ns),
      latency_(ticks_of(rounded(p.latency_ns * ticks_per_ns))),
      overhead_(ticks_of(rounded(p.overhead_ns * ticks_per_ns))),
      gap_(ticks_of(rounded(p.gap_ns * ticks_per_ns))),
      rendezvous_bytes_(p.rendezvous_bytes) {}

Tick MessageCosts::ticks_of(double units) const {
  constexpr double most = 1e15;  // in any ticks far beyond the end of every run, and sums of some are still ticks
  return static_cast<Tick>(std::min(units, most)) * ticks_per_unit_;
}

Tick MessageCosts::lookahead() const {
  const Tick message = latency_ + overhead_, answer = rendezvous_bytes_ != 0 ? gap_ + overhead_ : never;
  return std::max<Tick>(1, std::min(message, answer));
}

}  // namespace weft::models
