// Forwarding tables as the text that OpenSM's file routing engine loads (opensm -R file -U FILE) and its own dumps are.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "models/subnet/engine/routing_engine.hpp"
#include "tools/fabric/fabric.hpp"

namespace weft::tools {

/// Calls write(text) for every switch. All switches and hosts have LIDs (hand_out_lids); `others` have entries too,
/// along the routes to their switches. Throws ConfigError if there are more LIDs than InfiniBand has.
void write_lfts(const models::Subnet& subnet, const models::FabricRouting& routing,
                const std::function<void(std::string_view)>& write, std::span<const OtherPort> others = {});

/// Virtual layers as lines "LEAF_GUID LID LAYER" for the routes of all switches with hosts that are not in layer 0.
void write_layers(const models::Subnet& subnet, const models::FabricRouting& routing,
                  const std::function<void(std::string_view)>& write);

}  // namespace weft::tools
