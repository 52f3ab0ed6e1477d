// OpenSM's list of the subnet (opensm-subnet.lst): a line for each port with a cable.
#pragma once

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// Throws InputError with file and line for what is damaged or contradicts itself.
[[nodiscard]] Fabric read_subnet_list(FabricLines& lines, const NotHosts& not_hosts);

/// Whether a line is one of such a list.
[[nodiscard]] bool is_subnet_list(std::string_view line);

}  // namespace weft::tools
