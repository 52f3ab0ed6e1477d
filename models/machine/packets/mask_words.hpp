// How wide the masks of routers must be: chosen in one place, since each width is compiled by itself.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/base/error.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Channels of the largest router of a network.
[[nodiscard]] inline u32 most_channels(const Topology& topology, u32 virtual_channels) {
  return topology.most_ports() * virtual_channels;
}

/// Widths of masks that are compiled, in words, ascending; a router has fewer than 64 channels a word.
using SwitchWords = std::integer_sequence<unsigned, 1, 4, 32>;  ///< multistage switches
using PlainWords = std::integer_sequence<unsigned, 1, 4>;       ///< plain routers

/// Calls run.template operator()<Words>() with the least width that holds so many channels. Throws ConfigError if none
/// does.
template <class Widths, class Run>
decltype(auto) with_mask_words(u32 channels, Run&& run) {
  return [&]<unsigned First, unsigned... Others>(std::integer_sequence<unsigned, First, Others...>)->decltype(auto) {
    using Result = decltype(run.template operator()<First>());
    if constexpr (sizeof...(Others) == 0) {
      if (channels >= 64 * First) {
        throw ConfigError(
            fmt::format("a router of this network has {} channels, more than {} (the largest router of this kind "
                        "that can be simulated); use fewer ports or router.virtual_channels",
                        channels, 64 * First - 1));
      }
      return static_cast<Result>(run.template operator()<First>());
    } else {
      if (channels < 64 * First) return static_cast<Result>(run.template operator()<First>());
      return static_cast<Result>(with_mask_words<std::integer_sequence<unsigned, Others...>>(channels, run));
    }
  }
  (Widths{});
}

}  // namespace weft::models
