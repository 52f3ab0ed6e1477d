// A routed fabric as a page for people and as a table of its channels for programs.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "models/subnet/routes.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/findings.hpp"
#include "tools/fabric/measured_links.hpp"

namespace weft::tools {

/// What a page is about, and how its bandwidth is measured.
struct FabricPage {
  const Fabric& fabric;
  const models::ForwardingTables& tables;
  const models::RouteSurvey& survey;  ///< of these tables
  std::string routing;                ///< where the routes come from
  u32 layers = 1;                     ///< virtual layers of the engine
  u64 patterns = 1000, seed = 1;
  const FabricFindings& found;              ///< what is wrong with the fabric
  const MeasuredLinks* measured = nullptr;  ///< counters of ports; null: none were read
};

/// The page, all in one: facts, drawing, bandwidths of random bisect patterns, lengths of routes, worst links, what is
/// wrong.
[[nodiscard]] std::string fabric_page(const FabricPage& page);

/// A row for each channel with a cable, hosts' own included: from, port, to, port, targets, routes; with counters also
/// octets, load and waited, empty for what was not read. Returns the rows.
u64 write_channels(const FabricPage& page, const std::function<void(std::string_view)>& write);

}  // namespace weft::tools
