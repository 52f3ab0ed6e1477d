// How wide the masks of multistage switches must be: chosen in one place, since each width is compiled by itself.
#pragma once

#include <algorithm>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Channels of the largest switch of a tree or crossbar.
[[nodiscard]] inline u32 most_channels(const TreeGeometry& tree, u32 virtual_channels) {
  u32 ports = 0;
  for (std::size_t level = 0; level < tree.down.size(); ++level) {
    ports = std::max(ports, tree.down[level] + tree.up[level]);
  }
  return ports * virtual_channels;
}

/// Words of the widest masks that there are; a switch has fewer than 64 channels a word.
inline constexpr unsigned most_mask_words = 32;

/// Calls run.template operator()<Words>() for switches of so many channels: small, middle or large ones.
template <class Run>
decltype(auto) with_mask_words(u32 channels, Run&& run) {
  if (channels < 64) return run.template operator()<1U>();
  if (channels < 4 * 64) return run.template operator()<4U>();
  return run.template operator()<most_mask_words>();
}

}  // namespace weft::models
