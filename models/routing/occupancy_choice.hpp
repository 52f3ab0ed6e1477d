// The face of a routing whose paths go by output occupancy (UGAL, PAR, DAL...), for switches that can tell it.
#pragma once

#include "engine/base/types.hpp"
#include "models/routing/occupancy.hpp"
#include "models/routing/route_state.hpp"

namespace weft::models {

class OccupancyChoice {
 public:
  /// Whether `decide` does anything (RouterMode::by_occupancy).
  [[nodiscard]] virtual bool decides() const { return false; }
  /// Settles in a packet's state what depends on output occupancy: before `route`, once at each router but that of
  /// the destination.
  virtual void decide(RouteState& /*state*/, const QueuePlace& /*at*/, NodeId /*from*/, NodeId /*to*/,
                      const Occupancy& /*outputs*/) const {}
  /// Whether `decide` goes by remote congestion information (Occupancy::remote_waiting).
  [[nodiscard]] virtual bool uses_remote_occupancy() const { return false; }
  /// If so: whether a router notifies the one behind its port `over` of what waits for its output `port`.
  [[nodiscard]] virtual bool notifies(RouterId /*router*/, u32 /*port*/, u32 /*over*/) const { return true; }

 protected:
  ~OccupancyChoice() = default;
};

}  // namespace weft::models
