// Another route when packets are stopped, one that a probe has found free.
#include <algorithm>
#include <cmath>

#include "models/nic/dispersion.hpp"

namespace weft::models::endpoint {
namespace {

class ProbingDispersion final : public Dispersion {
 public:
  explicit ProbingDispersion(const DispersionSettings& settings) : settings_(settings) {}

  void left(Peer& peer, bool stopped, RandomDraws& draws) const override {
    if (!count_stopped(peer, stopped, settings_.in_a_row) || !draws.chance(settings_.percent)) return;
    peer.tries = 1;
    peer.candidate = draws.other_route(peer);
  }
  void taken(Peer& peer, RandomDraws& draws) const override {
    const u64 tries = settings_.probe_tries != 0 ? settings_.probe_tries : u64{settings_.probe_rounds} * peer.routes;
    if (peer.tries < tries) {
      ++peer.tries;
      peer.candidate = draws.other_route(peer);
      return;
    }
    take(peer, draws.other_route(peer));
    if (settings_.threshold_factor <= 1) return;
    const double raised = std::max(peer.threshold + 1.0, std::floor(peer.threshold * settings_.threshold_factor));
    peer.threshold = static_cast<u32>(std::min(most_threshold, raised));
  }
  void free(Peer& peer) const override {
    take(peer, peer.candidate);
    peer.threshold = settings_.threshold;
  }

 private:
  static constexpr double most_threshold = 1'000'000;

  static void take(Peer& peer, u32 route) {
    peer.route = route;
    peer.candidate = Peer::none;
    peer.stopped = 0;
  }

  DispersionSettings settings_;
};

[[maybe_unused]] const bool probing_dispersion_registered = DispersionRegistry::instance().add(
    "probing",
    {.help = "a route for each destination; when enough packets were stopped, small packets look for another that is "
             "free: the first that is answered soon enough is taken. After some tries in vain any other is taken, and "
             "the threshold raised.",
     .make = [](const DispersionSettings& settings) { return std::make_unique<ProbingDispersion>(settings); },
     .has_threshold = true,
     .default_threshold = 16,
     .default_percent = 100,
     .probes = true});

}  // namespace
}  // namespace weft::models::endpoint
