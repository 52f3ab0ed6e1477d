// The rows of [congestion] that all schemes have, their check, and the scheme that a run is told to take.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "models/nic/congestion.hpp"

namespace weft::models::endpoint {
namespace {

constexpr const char* none = "none";

/// The scheme that [congestion] names; null: none.
const CongestionKind* kind_of(const Parameters& keys) {
  const std::string name = keys.has("kind") ? keys.text("kind") : none;
  const CongestionKind* const kind = CongestionRegistry::instance().find(name);
  WEFT_ASSERT(kind != nullptr || name == none);
  return kind;
}

/// The keys with the defaults of a kind's rows where they are not given.
Parameters with_defaults(Parameters keys, const CongestionKind& kind) {
  for (const Setting& row : kind.settings) {
    if (!keys.has(row.name())) keys.set(row.name(), row.fallback);
  }
  return keys;
}

std::vector<std::string> schemes_that(bool CongestionKind::*property) {
  std::vector<std::string> names = CongestionRegistry::instance().names();
  std::erase_if(names,
                [&](const std::string& name) { return !(CongestionRegistry::instance().find(name)->*property); });
  return names;
}

std::string one_of(const std::vector<std::string>& names) {
  return fmt::format("\"{}\"", fmt::join(names, "\" or \""));
}

}  // namespace

std::vector<Setting> congestion_rows() {
  std::vector<std::string> kinds = CongestionRegistry::instance().names();
  kinds.insert(kinds.begin(), none);
  return {
      row::choice("congestion.kind", none, kinds,
                  fmt::format("how sources are kept from sending more than the network takes; `weft describe "
                              "congestion` explains the schemes. All but {} are for switches of cells.",
                              fmt::join(schemes_that(&CongestionKind::of_all_routers), ", "))),
      row::integer("congestion.gcc_packets", "packets", 0, {0, std::numeric_limits<i64>::max()},
                   "nodes inject nothing while more than these are in the network, with any scheme; 0: any "
                   "number."),
      row::real("congestion.gcc_fraction", "", 0.0, {0.0, 1.0},
                "in place of congestion.gcc_packets: the same as a share of the packets that the queues of all "
                "routers hold together; 0: any number.")
          .not_beside("congestion.gcc_packets"),
      row::integer("congestion.gcc_period_cycles", "cycles", 1, {1, 1'000'000},
                   "how often packets are counted for congestion.gcc_packets or gcc_fraction. Nodes go by the count "
                   "before the last, so what they know is one to two periods old. Short periods cost time: all ranks "
                   "meet at each."),
      row::integer("congestion.window_cells", "cells", 0, {0, 1 << 30},
                   "in flight from a node to another at most, until their acknowledgements are back, with any "
                   "scheme; 0: any number.")};
}

std::optional<Complaint> congestion_without_effect(const std::string& key, const Parameters& keys,
                                                   const std::string& router) {
  const std::string scheme_name = keys.text("kind");
  const CongestionKind* const scheme = CongestionRegistry::instance().find(scheme_name);
  const auto unless = [&](bool CongestionKind::*property) {
    return Complaint{key, fmt::format("with congestion.kind = \"{}\"", scheme_name),
                     "remove it, or use kind = " + one_of(schemes_that(property))};
  };
  const bool counts =
      key == "congestion.gcc_packets" || key == "congestion.gcc_fraction" || key == "congestion.gcc_period_cycles";
  if (counts && scheme == nullptr) return unless(&CongestionKind::needs_count);
  const bool of_all = scheme != nullptr && scheme->of_all_routers && (counts || key == "congestion.kind");
  if (!router_kind(router).controls_congestion && !of_all) {
    std::vector<std::string> routers = RouterRegistry::instance().names();
    std::erase_if(routers, [](const std::string& name) { return !router_kind(name).controls_congestion; });
    return Complaint{key, fmt::format("on {} routers", router),
                     fmt::format("remove it, use congestion.kind = {}, or router.kind = {}",
                                 one_of(schemes_that(&CongestionKind::of_all_routers)), one_of(routers))};
  }
  const bool counted = keys.integer("gcc_packets") != 0 || keys.real("gcc_fraction") > 0;
  if (key == "congestion.gcc_period_cycles" && !counted) {
    return Complaint{key, "without congestion.gcc_packets or gcc_fraction",
                     "remove it, or give congestion.gcc_packets"};
  }
  if (key == "congestion.window_cells" && (scheme == nullptr || !scheme->make))
    return unless(&CongestionKind::needs_window);
  return {};
}

std::optional<Complaint> check_congestion(const Parameters& keys, i64 longest_packet) {
  const CongestionKind* const kind = kind_of(keys);
  if (kind == nullptr) return {};
  const std::string name = keys.text("kind");
  const i64 window = keys.has("window_cells") ? keys.integer("window_cells") : 0;
  const bool counts = keys.integer("gcc_packets") != 0 || (keys.has("gcc_fraction") && keys.real("gcc_fraction") > 0);
  if (kind->needs_count && !counts) {
    return Complaint{"congestion.gcc_packets", fmt::format("is 0, but kind = \"{}\" needs it", name),
                     "use a number of packets that the network can hold, for example 4 for each node, or "
                     "gcc_fraction"};
  }
  if (kind->needs_window && window == 0) {
    return Complaint{"congestion.window_cells", fmt::format("is 0, but kind = \"{}\" needs it", name),
                     fmt::format("use for example window_cells = {}", 4 * longest_packet)};
  }
  if (window != 0 && window < longest_packet) {
    return Complaint{"congestion.window_cells",
                     fmt::format("is too few for packets of {} phits (none could be sent)", longest_packet),
                     fmt::format("use window_cells = {}, or 0", 4 * longest_packet)};
  }
  return kind->check ? kind->check(with_defaults(keys, *kind)) : std::nullopt;
}

bool controls_any_router(const Parameters& keys) {
  const CongestionKind* const kind = kind_of(keys);
  return kind != nullptr && kind->of_all_routers;
}

bool marks_packets(const RouterSettings& settings) {
  const CongestionKind* const kind = kind_of(settings.congestion);
  return kind != nullptr && kind->marks;
}

Congestion::Congestion(const RouterSettings& settings) : longest_packet_(settings.packet_phits), seed_(settings.seed) {
  const CongestionKind* const kind = kind_of(settings.congestion);
  if (kind == nullptr || !kind->make) return;
  const Parameters keys = with_defaults(settings.congestion, *kind);
  scheme_ = kind->make({keys, settings.cycle_ticks, settings.packet_phits});
  window_cells_ = keys.has("window_cells") ? static_cast<u32>(keys.integer("window_cells")) : 0;
  marks_ = kind->marks;
  has_windows_ = kind->has_windows;
  measures_delay_ = kind->measures_delay;
  acknowledges_ = window_cells_ != 0 || has_windows_ || measures_delay_;
  quiet_ticks_ = scheme_->quiet_ticks();
}

}  // namespace weft::models::endpoint
