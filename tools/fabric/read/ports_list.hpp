// Output of ibnetdiscover -p: a list of ports, each with the far end of its cable.
#pragma once

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// Throws InputError with file and line for what is damaged or contradicts itself.
[[nodiscard]] Fabric read_ports_list(FabricLines& lines, const NotHosts& not_hosts);

/// Whether a line is one of ibnetdiscover -p.
[[nodiscard]] bool is_ports_list(std::string_view line);

}  // namespace weft::tools
