// A route for each pair, drawn once.
#include "models/nic/dispersion.hpp"

namespace weft::models::endpoint {
namespace {

[[maybe_unused]] const bool static_dispersion_registered = DispersionRegistry::instance().add(
    "static", {.help = "a route for each destination, drawn once.",
               .make = [](const DispersionSettings&) { return std::make_unique<Dispersion>(); }});

}  // namespace
}  // namespace weft::models::endpoint
