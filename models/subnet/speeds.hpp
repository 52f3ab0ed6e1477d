// How fast the cables of a fabric are, compared with each other: what a share of "a link" is a share of, and cables
// that are slower than their like.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::models {

/// Speed by its name: width and speed of InfiniBand ("4xQDR", data rates of the InfiniBand architecture 1.6, tables of
/// 5.2 and 6.4) or a rate ("25 Gb/s"). Nothing for other words.
[[nodiscard]] std::optional<LinkSpeed> link_speed_named(std::string_view name);

/// The speed that most hosts' links have of those whose rate is known, of equally many the fastest; where no host's is
/// known, that of most links between switches. Of no name if no rate is known.
[[nodiscard]] LinkSpeed usual_speed(const Subnet& subnet);

/// Rate of each channel as a multiple of the usual speed's, 1 where it is not known; empty if all are 1.
[[nodiscard]] std::vector<double> relative_rates(const Subnet& subnet);

/// Links of each speed that is known, by name.
[[nodiscard]] std::map<std::string, u64> speeds_of(const Subnet& subnet);

/// A cable that is slower than most of its like, links of hosts or those between the same levels of a tree.
struct SlowLink {
  u32 channel = 0;  ///< of the switch at its end; of two switches the first
  LinkSpeed speed;
  LinkSpeed usual;  ///< of its like
  u64 alike = 0;    ///< of its like that have the usual speed
};
/// All of them, in the order of their channels. Of several speeds among links alike those are odd that are slower than
/// the commonest and that not more than an eighth of them have, or one alone;
/// of cables side by side all that are slower than the fastest. `levels`: those of fabric_levels, or empty.
[[nodiscard]] std::vector<SlowLink> slow_links(const Subnet& subnet, const std::vector<u32>& levels);

}  // namespace weft::models
