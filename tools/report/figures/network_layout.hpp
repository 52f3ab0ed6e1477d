// Where the routers of a network are drawn, and how its links: planes of grids, levels of trees, groups on a circle.
#pragma once

#include <string>
#include <vector>

#include "models/topology/topology.hpp"

namespace weft::tools {

/// A box or circle around some routers.
struct LayoutFrame {
  float x = 0, y = 0, width = 0, height = 0;
  bool round = false;
  std::string label;
  float label_x = 0, label_y = 0;  ///< its left end, above a box; its middle beside a circle
};

/// A drawing; neighbours are 1 apart, y grows downwards.
struct NetworkLayout {
  enum class Rule : u8 { planes, levels, groups, circle, rows } rule = Rule::rows;
  std::vector<float> x, y;  ///< [router]
  std::vector<u32> part;    ///< level or group, [router]; empty with other rules
  std::vector<u32> dims;    ///< of planes: routers in each dimension of a copy of the network
  bool complete = false;    ///< of planes: all routers of a line are joined
  std::vector<LayoutFrame> frames;
};

/// "planes", "levels"...
[[nodiscard]] const char* name_of(NetworkLayout::Rule rule);

/// Grids (meshes, tori, HyperX...) as planes of their first two dimensions, tiled over the others; networks whose links
/// lead from a level to the next by levels; groups of routers on a circle; all else on a circle or in rows, by number.
[[nodiscard]] NetworkLayout layout_of(const models::Topology& topology);

/// How a half of a link is drawn: 0 straight to the far router, `curves` in all beside it, a stub in one of
/// `directions` from the right by the bottom (wrap-around links, other planes, nodes), or not at all.
struct Bend {
  static constexpr u8 straight = 0, curves = 15, first_stub = 16, silent = 255;
  static constexpr u32 directions = 64;
};

/// The links of all routers, port by port: Bend of each.
[[nodiscard]] std::vector<u8> bends_of(const models::Topology& topology, const NetworkLayout& layout);

}  // namespace weft::tools
