// Law "back-to-back": trains of packets, each as fast as the NIC takes it, as messages of several packets make them.
#include "workloads/traffic/draws.hpp"

namespace weft::workloads {
namespace {

class BackToBackArrivals final : public Arrivals {
 public:
  explicit BackToBackArrivals(const ArrivalSpec& spec)
      : seed_(spec.seed), packets_(static_cast<u64>(spec.keys.integer("train_packets"))) {
    // A train takes packets_ - 1 cycles, one a packet, and the mean of all gaps is as without trains.
    const double between = static_cast<double>(packets_) / spec.packets_per_cycle - static_cast<double>(packets_ - 1);
    chance_ = 1 / std::max(1.0, between);
  }
  u64 gap(u32 source, u64 number, ArrivalState& /*state*/) const override {
    return number % packets_ != 0 ? 1 : first_success(chance_, bits_of_packet(seed_, source, number));
  }

 private:
  u64 seed_, packets_;
  double chance_;  ///< of a train, in each cycle between trains
};

[[maybe_unused]] const bool back_to_back_registered = ArrivalRegistry::instance().add(
    "back-to-back",
    {.help =
         "trains of workload.train_packets packets, a packet a cycle as far as the NIC takes them, at random times.",
     .make = [](const ArrivalSpec& spec) { return std::make_unique<BackToBackArrivals>(spec); },
     .settings = {row::integer("workload.train_packets", "packets", 10, {1, 1'000'000}, "packets of a train.")}});

}  // namespace
}  // namespace weft::workloads
