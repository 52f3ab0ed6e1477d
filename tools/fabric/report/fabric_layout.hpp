// Where the switches of a fabric are on its drawing: by levels, or on a ring where it is no tree.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// All cables between two switches, the smaller number first.
struct CableBundle {
  u32 cables = 0;
  double value = 0;  ///< of the channel that has most
  u32 channel = 0;   ///< that one
  bool marked = false;
};
using CableBundles = std::map<std::pair<u32, u32>, CableBundle>;

constexpr double drawing_width = 1200;
constexpr u32 named_on_ring = 72;

struct DrawnPlace {
  double x = 0, y = 0;
  double away_x = 0, away_y = 1;  ///< direction in which hosts and name are
};

struct DrawnLayout {
  std::vector<std::vector<u32>> rows;  ///< switches from the hosts up; one row if it is no tree
  std::vector<DrawnPlace> places;      ///< [switch]
  std::vector<u8> drawn;               ///< [switch]
  double height = 0, size = 9;
  double radius = 0;  ///< of the ring; 0: by levels
  [[nodiscard]] bool ring() const { return radius > 0; }
};

/// Layout of a fabric; of a large one, the switches at the links with the highest values (or with high ones of their
/// own, [switch], where there are any), in equal shares of all levels.
[[nodiscard]] DrawnLayout layout_of_fabric(const models::Subnet& subnet, const CableBundles& bundles,
                                           const std::vector<double>& switch_values);

/// Whether text comes before other text as people order names: numbers in them by their value.
[[nodiscard]] bool natural_less(const std::string& a, const std::string& b);

}  // namespace weft::tools
