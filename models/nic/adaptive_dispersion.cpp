// Another route at random when packets are stopped.
#include "models/nic/dispersion.hpp"

namespace weft::models::endpoint {
namespace {

class AdaptiveDispersion final : public Dispersion {
 public:
  explicit AdaptiveDispersion(const DispersionSettings& settings) : settings_(settings) {}
  void left(Peer& peer, bool stopped, RandomDraws& draws) const override {
    if (!count_stopped(peer, stopped, settings_.in_a_row) || !draws.chance(settings_.percent)) return;
    peer.route = draws.other_route(peer);
    peer.stopped = 0;
  }

 private:
  DispersionSettings settings_;
};

[[maybe_unused]] const bool adaptive_dispersion_registered = DispersionRegistry::instance().add(
    "adaptive",
    {.help = "a route for each destination; when enough packets were stopped, with some probability another at random.",
     .make = [](const DispersionSettings& settings) { return std::make_unique<AdaptiveDispersion>(settings); },
     .has_threshold = true,
     .default_threshold = 4,
     .default_percent = 50});

}  // namespace
}  // namespace weft::models::endpoint
