// The outputs of a wormhole switch with several virtual channels as routes see them that decide by occupancy.
#pragma once

#include "models/machine/worms/vc_network_class.hpp"
#include "models/routing/occupancy.hpp"

namespace weft::models::worms {

template <class Host>
class VcNetwork<Host>::Outputs final : public Occupancy {
 public:
  Outputs(const VcNetwork& net, const Entity& s) : net_(net), s_(s) {}

  /// Cells here of packets that hold a channel of the port.
  [[nodiscard]] u32 waiting(u32 port) const override {
    u32 cells = 0;
    for (u32 vc = 0; vc < net_.vcs_; ++vc) {
      const u32 holder = net_.channel_at(s_, port * net_.vcs_ + vc).holder;
      if (holder != Channel::nobody && holder != Channel::draining) cells += net_.lane_at(s_, holder).cells;
    }
    return cells;
  }
  [[nodiscard]] u32 taken(u32 port, u32 channel) const override {
    if (net_.wire_at(s_, port).to_node) return 0;
    return net_.vc_.buffer_cells - static_cast<u32>(net_.channel_at(s_, port * net_.vcs_ + channel).credits);
  }
  [[nodiscard]] u32 load(u32 port) const override {
    u32 cells = waiting(port);
    for (u32 vc = 0; vc < net_.vcs_; ++vc) cells += taken(port, vc);
    return cells;
  }
  [[nodiscard]] u32 remote_waiting(u32 /*port*/, u32 /*far_port*/) const override {
    throw Bug("wormhole switches tell their neighbours nothing");  // check_wormhole
  }

 private:
  const VcNetwork& net_;
  const Entity& s_;
};

}  // namespace weft::models::worms
