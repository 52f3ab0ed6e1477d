// A route for each packet, at random.
#include "models/nic/dispersion.hpp"

namespace weft::models::endpoint {
namespace {

class RandomDispersion final : public Dispersion {
 public:
  u32 next(const Peer& peer, RandomDraws& draws) const override { return draws.below(peer.routes); }
};

[[maybe_unused]] const bool random_dispersion_registered = DispersionRegistry::instance().add(
    "random", {.help = "a route for each packet, at random, whatever happens.",
               .make = [](const DispersionSettings&) { return std::make_unique<RandomDispersion>(); }});

}  // namespace
}  // namespace weft::models::endpoint
