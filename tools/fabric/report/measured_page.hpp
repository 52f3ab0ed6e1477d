// Counters of ports on the page of a fabric.
#pragma once

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/measured_links.hpp"
#include "tools/report/page/page.hpp"

namespace weft::tools {

/// Sections with the links drawn by what they carried, the most loaded of them, and errors.
void add_measured(page::Page& page, const Fabric& fabric, const MeasuredLinks& measured);

}  // namespace weft::tools
