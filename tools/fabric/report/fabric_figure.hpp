// The drawing of a fabric on a page, with a search for hosts and switches and the routes between them.
#pragma once

#include <string>

#include "models/subnet/forwarding.hpp"
#include "models/subnet/subnet.hpp"
#include "tools/fabric/report/fabric_drawing.hpp"
#include "tools/report/page/page.hpp"

namespace weft::tools {

/// `tables`: routes to first addresses that the search shows, left out where the fabric is too large for a page that is
/// to stay small; null: only places are found. `heading`: of the figure, may be empty.
void add_drawing(page::Page& page, const models::Subnet& subnet, const FabricDrawing& drawing,
                 const models::ForwardingTables* tables, const std::string& heading = "");

}  // namespace weft::tools
