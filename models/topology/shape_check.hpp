// Checks of the keys that several kinds of topology have alike: they are there, and small enough for the network to
// be numbered.
#pragma once

#include <string>
#include <vector>

#include "engine/base/parameters.hpp"

namespace weft::models {

/// Most nodes, and most routers, of any network.
inline constexpr u64 most_nodes = u64{1} << 31;

/// Throws ConfigError: "topology.KEY = VALUE is not possible (REASON); use SUGGESTION".
[[noreturn]] void refuse_shape(const std::string& key, const std::string& value, const std::string& reason,
                               const std::string& suggestion);

/// Throws ConfigError, "topology.KEY is missing (NETWORK needs WHAT); use e.g. EXAMPLE", unless the key has a value.
void need_shape(const Parameters& keys, const std::string& key, const std::string& network, const std::string& what,
                const std::string& example);

/// Sizes along dimensions: how many dimensions there may be, and what they make up ("a twisted torus").
struct DimensionLimits {
  std::size_t least, most;
  std::string network;
};
/// The list `dims`, of at least 1 router each and at least 2, at most `most_nodes` in all. Throws ConfigError with
/// the nearest valid list.
[[nodiscard]] std::vector<u32> checked_dims(const Parameters& keys, const DimensionLimits& limits);

/// An integer that is needed, in a range. Throws ConfigError with the nearest valid value.
[[nodiscard]] u32 checked_count(const Parameters& keys, const std::string& key, IntegerRange range,
                                const std::string& network, i64 example);

/// The row of topology.dims, the same for every kind.
[[nodiscard]] Setting dims_row(const std::string& help);
/// The row of topology.nodes, the same for every kind.
[[nodiscard]] Setting nodes_row();

/// The row of topology.unidirectional, the same for every kind.
[[nodiscard]] Setting unidirectional_row();

/// "16x8"
[[nodiscard]] std::string dims_text(const std::vector<u32>& dims);

}  // namespace weft::models
