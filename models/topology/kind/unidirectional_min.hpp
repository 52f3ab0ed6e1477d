// Unidirectional multistage networks of k x k switches, what their routing computes with: the digits of a line's
// number.
#pragma once

#include "models/topology/topology.hpp"

namespace weft::models {

/// Stages of switches between the k^n terminals, one for each node: all links lead from a terminal through every stage
/// to a terminal (omega, delta, butterfly and baseline networks). Lines between stages are numbered like nodes; switch
/// s of a stage has the lines s k to s k + k - 1. Whatever the wiring, output p of stage i leads on to the nodes whose
/// digit n - 1 - i (base k) is p. Ports: of switches 0 to k - 1 out, k to 2k - 1 in; of terminals the node's, out, in.
/// Routers: stage by stage, then terminals by node.
class UnidirectionalMin : public Topology {
 public:
  static constexpr u32 terminal_out = 1, terminal_in = 2;

  [[nodiscard]] virtual u32 radix() const = 0;   ///< k
  [[nodiscard]] virtual u32 stages() const = 0;  ///< n
  /// Stage of a switch; `stages()` for terminals.
  [[nodiscard]] virtual u32 stage(RouterId router) const = 0;
  /// Digit d of a node's number, base k.
  [[nodiscard]] virtual u32 digit(NodeId node, u32 d) const = 0;
};

}  // namespace weft::models
