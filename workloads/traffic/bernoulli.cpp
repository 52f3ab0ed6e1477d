// Law "bernoulli": a packet in each cycle with the same chance, whatever was before.
#include "workloads/traffic/arrival_law.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool bernoulli_registered = ArrivalRegistry::instance().add(
    "bernoulli", {.help = "a packet in each cycle with the same chance, whatever was before."});

}  // namespace
}  // namespace weft::workloads
