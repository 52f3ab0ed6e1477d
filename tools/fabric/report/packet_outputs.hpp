// What weft fabric ebb says of patterns that were sent as packets, beside what it says of their flows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/base/file/hdf5_file.hpp"
#include "tools/fabric/report/flow_outputs.hpp"

namespace weft::tools {

/// Tables with flows and packets side by side: bandwidths, pairs by the congestion of their routes, and by their
/// fraction of a link.
[[nodiscard]] std::string packet_text(const FlowReport& report);
/// The value of the key "packets".
[[nodiscard]] nlohmann::json packet_json(const FlowReport& report);
/// The group /packets.
void write_packets(const FlowReport& report, files::Hdf5Writer& file);

}  // namespace weft::tools
