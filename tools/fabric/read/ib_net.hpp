// Reader of what ibnetdiscover prints, and of the net files of ibsim, which are written in the same way.
#pragma once

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/line_reader.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// Throws InputError with file and line.
[[nodiscard]] Fabric read_ib_net(LineReader& lines, const NotHosts& not_hosts);

}  // namespace weft::tools
