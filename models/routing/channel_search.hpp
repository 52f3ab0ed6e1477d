// Looks for deadlock before a run: a routing is taken at its word for packets between all pairs of nodes, and what they
// wait for on their paths makes up a graph of channels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/routing/channel_graph.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// What to look for, and how long.
struct ChannelSearch {
  u32 virtual_channels = 1;
  TakesCandidate takes = TakesCandidate::any;
  bool ignores_conditions = false;  ///< the router takes candidates whatever free space Candidates wants kept
  bool holds_channels = false;      ///< packets hold the channels behind them until their tail has left (HeldChannels)
  u64 most_steps = ~u64{0};         ///< questions to the routing; the search ends behind them
  /// States of new packets of a pair of nodes, and occupancies at a router that decides by them: all that the routing
  /// lists if they are no more than `most_listed`, else so many random draws, the first with none of the bits and with
  /// all, until `most_in_vain` of them in a row change nothing.
  u32 most_listed = 14, most_draws = 14, most_in_vain = 4;
  std::function<void(u32 done, u32 all)> progress = {};  ///< told of each node whose routes have been tried
};

/// A packet in the queue behind a channel of a link between routers.
struct WaitingPacket {
  u32 router = 0, port = 0, channel = 0;  ///< whose output it is
  u32 from = 0, to = 0;                   ///< nodes
};

struct ChannelFindings {
  enum class Answer : u8 {
    free,        ///< of deadlock, for all that was tried
    cycle,       ///< packets may wait for one another in a cycle
    too_large,   ///< free of deadlock, for what so many steps came to: the routes to some nodes
    conditions,  ///< not known: channels are open only where more free space is kept than a packet needs (bubbles)
  } answer = Answer::free;
  u64 steps = 0;
  u64 channels = 0;                            ///< a bit for each VC that packets take between routers, on any link
  u32 most_beginnings = 0;                     ///< different states of new packets of a pair of nodes, as far as tried
  u32 least_channels = ~u32{0};                ///< of a link between routers, that a packet could choose from
  u64 pairs = 0, sampled_pairs = 0;            ///< of nodes; those of which `begin` was asked with random draws
  u32 destinations = 0, all_destinations = 0;  ///< nodes to which all routes were tried; those that work
  bool sampled_decisions = false;              ///< Routing::decide was asked with random occupancies
  /// Whether all that packets can do was tried.
  [[nodiscard]] bool tried_all() const { return answer == Answer::free && sampled_pairs == 0 && !sampled_decisions; }
  std::vector<WaitingPacket> cycle =
      {};  ///< each waits for free space in the channel of the next, the last in that of the first
};

/// Steps that a search of this network takes at least, roughly: whoever allows less is spared making the routing.
[[nodiscard]] u64 least_steps(const Topology& topology);

/// Tries out the routes of all pairs of nodes. Links between nodes and routers are left out: nobody in the network
/// waits for those that lead in, and those that lead out drain. A pure function of its arguments. Throws ConfigError if
/// a packet has neither a candidate nor come to its end.
[[nodiscard]] ChannelFindings search_channels(const Topology& topology, const Routing& routing,
                                              const ChannelSearch& search);

/// A line for each packet: where it is, between which nodes it is on its way, and what it waits for.
[[nodiscard]] std::string describe_cycle(const Topology& topology, const std::vector<WaitingPacket>& cycle);

}  // namespace weft::models
