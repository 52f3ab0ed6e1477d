// What becomes of a fabric that loses links or switches: the cables that are left, routed anew, and how that compares.
#pragma once

#include <string>
#include <vector>

#include "models/subnet/forwarding.hpp"
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

/// The fabric without these. Hosts keep their numbers; switches that are gone, or reach no host any more though they
/// did before, are left out, so that routing engines do not take them for parts of a tree.
[[nodiscard]] models::Subnet subnet_without(const models::Subnet& subnet, const Removal& removal);

/// The hosts of the part of the fabric that has most of them; of several parts alike, the first.
[[nodiscard]] std::vector<u32> largest_part(const models::Subnet& subnet);

/// A routed fabric in figures that can be compared.
struct RoutedState {
  u64 links = 0;             ///< between switches
  u64 routes = 0, lost = 0;  ///< between hosts of the set; those that do not arrive
  u64 longest = 0;           ///< links of the longest route
  double mean_links = 0;     ///< of those that arrive
  u64 most_routes = 0;       ///< on any channel between switches, those of all hosts
  u32 tangles = 0;           ///< groups of channels in credit loops
  u64 looped_channels = 0;
  u32 layers = 1;      ///< virtual layers that the engine uses: credit loops of all together may be broken by them
  bool judged = true;  ///< false: bandwidth is not known since routes are lost, or there are no two hosts
  double bandwidth = 0, ci95 = 0;
};

struct StateChoice {
  std::vector<u32> hosts;  ///< whose routes count and who send
  u64 patterns = 1000, seed = 1;
  u32 layers = 1;
};
[[nodiscard]] RoutedState state_of(const models::Subnet& subnet, const models::ForwardingTables& tables,
                                   const StateChoice& choice);

}  // namespace weft::tools
