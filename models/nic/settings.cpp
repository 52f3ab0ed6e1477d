// The rows, and their values in ticks.
#include "models/nic/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::endpoint {
namespace {

/// Schemes with a property, as a user reads them.
std::string schemes_with(bool DispersionKind::*property) {
  std::string all;
  for (const std::string& name : DispersionRegistry::instance().names()) {
    if (DispersionRegistry::instance().find(name)->*property)
      all += fmt::format("{}\"{}\"", all.empty() ? "" : " or ", name);
  }
  return all;
}

}  // namespace

std::vector<Setting> setting_rows() {
  return {
      row::text("nic.dispersion", "none",
                "how NICs choose the routes of their packets: none: the routing does; static: one for each pair; "
                "random: one for each packet; adaptive: another when packets were stopped; probing: another that "
                "a small packet has found free. docs/myrinet.md has the rules."),
      row::integer("nic.dispersion_threshold", "packets", std::nullopt, {0, 1'000'000},
                   "adaptive, probing: a NIC does something about a route when more packets than these were stopped; "
                   "not given: 4 and 16, the published ones."),
      row::integer("nic.dispersion_percent", "%", std::nullopt, {1, 100},
                   "adaptive, probing: with which probability it does then, with each further one that is stopped; not "
                   "given: 50 and 100, the published ones."),
      row::choice("nic.dispersion_count", "all", {"all", "row"},
                  "adaptive, probing: all: every stopped packet counts; row: only those in a row."),
      row::integer("nic.probe_cells", "cells", std::nullopt, {1, 4096},
                   "probing: length of a probe, and of its answer; not given: 1."),
      row::integer(
          "nic.probe_travel_cycles", "cycles", std::nullopt, {1, 1'000'000'000},
          "probing: a route is free on which a probe travels no longer; not given: what one takes on the longest "
          "route of an empty network, and a tenth of what the longest packet takes on a link."),
      row::integer(
          "nic.probe_tries", "", std::nullopt, {1, 100'000},
          "probing: after so many probes in a row that found no free route any other is taken; not given: as many as "
          "nic.probe_rounds says."),
      row::integer("nic.probe_rounds", "", std::nullopt, {1, 1000},
                   "probing: probe_tries of a destination for each of its routes, that all of them are probed several "
                   "times; not given: 4."),
      row::real("nic.threshold_factor", "", std::nullopt, {1.0, 1e6},
                "probing: by which the threshold of a destination is then multiplied, until a probe finds a route; not "
                "given: 2."),
      row::integer(
          "nic.routes_known", "routes", std::nullopt, {1, 1'000'000},
          "any scheme: a NIC knows so many of the routes of each destination, neighbours by their numbers from "
          "one that is drawn; not given: all."),
      row::integer(
          "nic.routes_held", "routes", std::nullopt, {1, 1'000'000},
          "any scheme: a NIC has memory for so many routes, all destinations together; others are fetched from "
          "the host's, in place of those unused for longest; not given: for all."),
      row::integer(
          "nic.route_fetch_cycles", "cycles", std::nullopt, {0, 1'000'000'000},
          "with nic.routes_held: how long a packet waits for a route that is fetched; not given: 80, about 1 us "
          "of a 10 Gb/s link (assumed).")};
}

std::optional<Complaint> check_nics(const RouterChoice& choice) {
  const auto& registry = DispersionRegistry::instance();
  const std::string scheme = choice.keys.text("dispersion");
  const DispersionKind* const kind = registry.find(scheme);
  if (kind == nullptr && scheme != "none") {
    return Complaint{"nic.dispersion", "is no scheme of NICs",
                     fmt::format("take one of none, {}", fmt::join(registry.names(), ", "))};
  }
  for (const std::string key : {"dispersion_threshold", "dispersion_percent", "dispersion_count", "probe_cells",
                                "probe_travel_cycles", "probe_tries", "probe_rounds", "threshold_factor"}) {
    const bool count = key == "dispersion_count", given = count ? choice.keys.text(key) != "all" : choice.keys.has(key);
    const auto property = key.starts_with("dispersion") ? &DispersionKind::has_threshold : &DispersionKind::probes;
    if (!given || (kind != nullptr && kind->*property)) continue;
    return Complaint{"nic." + key, fmt::format("has no effect with nic.dispersion = \"{}\"", scheme),
                     "remove it, or use dispersion = " + schemes_with(property)};
  }
  for (const std::string key : {"routes_known", "routes_held", "route_fetch_cycles"}) {
    if (choice.keys.has(key) && kind == nullptr)
      return Complaint{"nic." + key, "has no effect with nic.dispersion = \"none\"",
                       "remove it, or choose a dispersion"};
  }
  if (choice.keys.has("route_fetch_cycles") && !choice.keys.has("routes_held")) {
    return Complaint{"nic.route_fetch_cycles", "has no effect (NICs have memory for all routes)",
                     "remove it, or give nic.routes_held"};
  }
  if (choice.keys.has("probe_rounds") && choice.keys.has("probe_tries")) {
    return Complaint{"nic.probe_rounds", "has no effect (nic.probe_tries says how many probes there are)",
                     "remove one of them"};
  }
  return {};
}

NicSettings nic_settings(const RouterSettings& settings) {
  const Parameters& own = settings.own;
  const auto whole = [&](const std::string& key, i64 fallback) {
    return static_cast<u32>(own.has(key) ? own.integer(key) : fallback);
  };
  NicSettings s;
  s.scheme = own.text("dispersion");
  if (!s.active()) return s;
  const DispersionKind& kind = *DispersionRegistry::instance().find(s.scheme);
  s.dispersion.threshold = whole("dispersion_threshold", kind.default_threshold);
  s.dispersion.percent = whole("dispersion_percent", kind.default_percent);
  s.dispersion.in_a_row = means(own.text("dispersion_count"), "row", "all");
  s.dispersion.probe_tries = whole("probe_tries", s.dispersion.probe_tries);
  s.dispersion.probe_rounds = whole("probe_rounds", s.dispersion.probe_rounds);
  s.subset = whole("routes_known", 0);
  s.memory = whole("routes_held", 0);
  constexpr i64 usual_fetch_cycles = 80;
  s.fetch_ticks = Tick{whole("route_fetch_cycles", usual_fetch_cycles)} * settings.cycle_ticks;
  if (own.has("threshold_factor")) s.dispersion.threshold_factor = own.real("threshold_factor");
  s.probe_cells = whole("probe_cells", s.probe_cells);
  if (s.probe_cells > settings.packet_phits) {
    throw ConfigError(fmt::format("nic.probe_cells = {} is more than packet.phits = {}; use probe_cells = {} or less",
                                  s.probe_cells, settings.packet_phits, settings.packet_phits));
  }
  if (own.has("probe_travel_cycles"))
    s.probe_ticks = static_cast<Tick>(own.integer("probe_travel_cycles")) * settings.cycle_ticks;
  s.seed = settings.seed;
  return s;
}

}  // namespace weft::models::endpoint
