// `weft fabric report`: reads, routes and hands on; the page is made in tools/fabric/fabric_page.cpp.
#include <fmt/format.h>

#include "engine/error.hpp"
#include "tools/weft/fabric_page_commands.hpp"

namespace weft::tools {

void report_fabric(const FabricReportOptions& options) { throw ConfigError(options.out); }

}  // namespace weft::tools
