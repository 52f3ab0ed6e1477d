// Output of iblinkinfo, with a heading for each node or (--line) all in one line: cables with widths and speeds.
#pragma once

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// Throws InputError with file and line for what is damaged or contradicts itself.
[[nodiscard]] Fabric read_link_info(FabricLines& lines, const NotHosts& not_hosts);

/// Whether a line is one of iblinkinfo.
[[nodiscard]] bool is_link_info(std::string_view line);

}  // namespace weft::tools
