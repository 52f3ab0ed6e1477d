// Readers of what subnet managers and their tools say of routes: linear forwarding tables in three forms, and tables
// from service levels to virtual lanes.
#pragma once

#include <vector>

#include "models/subnet/forwarding.hpp"
#include "models/subnet/sl_to_vl.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"

namespace weft::tools {

/// Tables of OpenSM (opensm-lfts.dump), of infiniband-diags (dump_lfts, ibroute) or of ibdiagnet (.fdbs), by the LIDs
/// of the fabric. Throws InputError with file and line for what is damaged or of another fabric.
[[nodiscard]] models::ForwardingTables read_tables(FabricLines& lines, const Fabric& fabric);

/// Gives the nodes of a fabric the LIDs that the first table of a file has for them. Throws InputError if it does not
/// name nodes.
void learn_lmc(FabricLines& lines, Fabric& fabric);
void learn_lids(FabricLines& lines, Fabric& fabric);

/// opensm-sl2vl.dump.
[[nodiscard]] models::SlToVl read_sl_to_vl(FabricLines& lines, const Fabric& fabric);

/// Whether a line is the heading of a forwarding table.
[[nodiscard]] bool is_table_heading(std::string_view line);

}  // namespace weft::tools
