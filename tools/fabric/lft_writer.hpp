// Forwarding tables as the text that OpenSM's file routing engine loads (opensm -R file -U FILE) and its own dumps are.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "models/subnet/engine/routing_engine.hpp"

namespace weft::tools {

/// Calls write(text) for every switch. All switches and hosts have LIDs (hand_out_lids). Throws ConfigError if they are
/// more than InfiniBand has.
void write_lfts(const models::Subnet& subnet, const models::FabricRouting& routing,
                const std::function<void(std::string_view)>& write);

/// Virtual layers as lines "LEAF_GUID LID LAYER" for the routes of all switches with hosts that are not in layer 0.
void write_layers(const models::Subnet& subnet, const models::FabricRouting& routing,
                  const std::function<void(std::string_view)>& write);

}  // namespace weft::tools
