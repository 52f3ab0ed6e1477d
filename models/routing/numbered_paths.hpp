// The face of a routing with several paths of a pair, of which sources choose one by its number (dispersive routing).
#pragma once

#include "engine/base/types.hpp"
#include "models/routing/route_state.hpp"

namespace weft::models {

class NumberedPaths {
 public:
  /// Paths of a pair, numbered from 0 (RouterMode::routes_have_numbers).
  [[nodiscard]] virtual u32 routes(NodeId /*from*/, NodeId /*to*/) const { return 1; }
  /// Sets a new packet's state, in place of Routing::begin: it takes one of them.
  virtual void take(RouteState& /*state*/, NodeId /*from*/, NodeId /*to*/, u32 /*route*/) const {}
  /// Which of them a packet has.
  [[nodiscard]] virtual u32 route_taken(const RouteState& /*state*/, NodeId /*from*/, NodeId /*to*/) const { return 0; }

 protected:
  ~NumberedPaths() = default;
};

}  // namespace weft::models
