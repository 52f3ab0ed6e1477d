// Reader of what ibnetdiscover prints, and of the net files of ibsim, which are written in the same way.
#pragma once

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// Throws InputError with file and line.
[[nodiscard]] Fabric read_ib_net(FabricLines& lines, const NotHosts& not_hosts);

}  // namespace weft::tools
