// A fabric that loses links or switches: what goes, and the cables that are left.
#pragma once

#include <string>
#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// What is taken away.
struct Removal {
  std::vector<u8> switches;        ///< [switch]: the whole switch
  std::vector<u8> ports;           ///< [channel of a switch]: the cable in this port, said at both of its ends
  std::vector<std::string> words;  ///< a line each, as people read it
  u64 cables = 0;                  ///< links that go, those of the switches included
};

/// Finds what `names` mean: a switch or a host (its cable) by description, GUID (0x...) or LID; "NAME:PORT", the cable
/// in a port of a switch. Throws ConfigError with the nearest name for one that is unknown or ambiguous, and for a port
/// without a cable.
[[nodiscard]] Removal removal_of(const models::Subnet& subnet, const std::vector<std::string>& names);

/// One switch; the cable in the port of a switch that has this channel.
[[nodiscard]] Removal removal_of_switch(const models::Subnet& subnet, u32 s);
[[nodiscard]] Removal removal_of_link(const models::Subnet& subnet, u32 channel);

/// The fabric without these. Hosts keep their numbers; switches that are gone, or reach no host any more though they
/// did before, are left out, so that routing engines do not take them for parts of a tree.
[[nodiscard]] models::Subnet subnet_without(const models::Subnet& subnet, const Removal& removal);

}  // namespace weft::tools
