// Routes that packets carry: a file lists the ports by which a packet leaves each router on its path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/routing/table_routes.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// The routes of a network by pair of nodes. A file has one in a line, "FROM TO: PORT/CHANNEL PORT/CHANNEL ...", from
/// the router of node FROM to that of node TO; "/0" may be left out, comments begin with #. Several lines for a pair
/// are several routes.
class SourceRoutes {
 public:
  static constexpr u32 none = ~u32{0};
  /// Longest route, in hops.
  static constexpr u32 most_hops = 255;

  /// Reads the text of a file `name`. Throws InputError "NAME:LINE: ..." for what is no route, or none of this network
  /// with so many virtual channels.
  SourceRoutes(const std::string& name, std::string_view text, const Topology& topology, u32 channels);

  /// Takes the routes that tables say, for all pairs of nodes, each in one of the channels of its layer. Throws
  /// ConfigError if they are too many to be kept.
  SourceRoutes(const TableRoutes& tables, const Topology& topology, u32 channels);

  /// One of the routes of a pair, each with the same chance, or `none`. `bits` are random.
  [[nodiscard]] u32 choose(NodeId from, NodeId to, u64 bits) const;
  /// How many a pair has, and the first of them; the others follow.
  struct OfPair {
    u32 first = none, count = 0;
  };
  [[nodiscard]] OfPair of_pair(NodeId from, NodeId to) const;
  [[nodiscard]] u32 hops(u32 route) const { return begin_[route + 1] - begin_[route]; }
  /// What a route takes at its hop number `hop`: port * channels + channel.
  [[nodiscard]] u32 output(u32 route, u32 hop) const { return outputs_[begin_[route] + hop]; }
  [[nodiscard]] std::size_t count() const { return pairs_.size(); }

 private:
  struct Pair {
    u32 from, to;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };
  std::vector<Pair> pairs_;   ///< of each route, ascending
  std::vector<u32> begin_;    ///< [route]: in outputs_; one more at the end
  std::vector<u16> outputs_;  ///< of all routes
};

}  // namespace weft::models
