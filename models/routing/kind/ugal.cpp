// The rule, and its keys.
#include "models/routing/kind/ugal.hpp"

#include "models/routing/router_kind.hpp"

namespace weft::models {

std::vector<Setting> ugal_settings() {
  return {
      row::integer("router.ugal_bias_cells", "cells", 0, {0, 1 << 30},
                   "of ugal-l, ugal-g and par: the shortest path is taken unless what waits for it, times its links, "
                   "is more than that of the other path by so much."),
      row::integer("router.ugal_threshold_cells", "cells", 0, {0, 1 << 30},
                   "of the same: the shortest path is taken in any case if no more than that waits for it.")};
}

namespace {

[[maybe_unused]] const bool keys_of_ugal[] = {
    KeysOfModes::instance().add("router.ugal_bias_cells", {&RouterMode::by_occupancy, "choose by what waits"}),
    KeysOfModes::instance().add("router.ugal_threshold_cells", {&RouterMode::by_occupancy, "choose by what waits"}),
    KeysOfModes::instance().add("router.ugal_candidates", {&RouterMode::by_occupancy, "choose by what waits"})};

}  // namespace

Ugal::Ugal(const RouterSettings& settings, bool uses_remote)
    : uses_remote_(uses_remote),
      bias_cells_(static_cast<u64>(settings.own.integer("ugal_bias_cells"))),
      threshold_cells_(static_cast<u64>(settings.own.integer("ugal_threshold_cells"))) {}

u64 Ugal::load(const CandidatePath& path, const Occupancy& outputs) const {
  const bool remote = uses_remote_ && path.second != CandidatePath::no_port;
  return u64{outputs.load(path.port)} + (remote ? outputs.remote_waiting(path.port, path.second) : 0);
}

bool Ugal::takes_shortest(const CandidatePath& shortest, const CandidatePath& other, const Occupancy& outputs) const {
  const u64 waits = load(shortest, outputs);
  return waits <= threshold_cells_ || waits * shortest.links <= load(other, outputs) * other.links + bias_cells_;
}

}  // namespace weft::models
