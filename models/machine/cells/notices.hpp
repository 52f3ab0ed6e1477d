// What switches of cells tell their neighbours of the packets that wait for their outputs, for routings that ask
// (Occupancy::told).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::cells {

/// The neighbour behind `port` has so many cells waiting for its output `far_port`.
struct Notice {
  u32 entity;
  u16 port, far_port;
  u32 cells;
};

/// What has been told and heard by all entities of a process. Empty where no routing asks.
class Notices {
 public:
  /// `step`: cells by which what waits for an output changes before it is told anew; it is told in whole steps. Of
  /// several routings it is told over the ports that any of them wants.
  Notices(const Topology& topology, std::vector<const Routing*> routings, u32 step);

  /// Adds the next entity, a switch with so many ports (0: a node alone).
  void add(const Topology& topology, RouterId router, u32 ports);

  /// Notes that what waits for an output has changed in this tick.
  void changed(u32 entity, u32 port) {
    if (used() && !listeners(entity, port).empty()) [[unlikely]]
      changed_.push_back(port);
  }
  /// Calls send(over, port, cells) for all that is to be told; once an entity and tick. `waiting(port)`: cells.
  template <class Waiting, class Send>
  void tell(u32 entity, Waiting&& waiting, Send&& send) {
    for (const u32 port : changed_) {
      const u32 cells = waiting(port) / step_ * step_;
      u32& said = said_[first_port_[entity] + port];
      if (said == cells) continue;
      said = cells;
      for (const u16 over : listeners(entity, port)) send(over, port, cells);
    }
    changed_.clear();
  }
  void hear(const Notice& notice) { heard_[place(notice.entity, notice.port, notice.far_port)] = notice.cells; }
  [[nodiscard]] u32 heard(u32 entity, u32 port, u32 far_port) const {
    return used() ? heard_[place(entity, port, far_port)] : 0;
  }
  /// Whether anything is told at all.
  [[nodiscard]] bool used() const { return !routings_.empty(); }

  /// Hands the pieces of an entity's state to f(pointer, bytes).
  template <class Self, class F>
  static void visit_state(Self& self, u32 entity, F&& f) {
    if (!self.used()) return;
    const u32 first = self.first_port_[entity], ports = self.first_port_[entity + 1] - first;
    if (ports != 0) f(&self.said_[first], ports * sizeof(u32));
    const std::size_t from = self.first_heard_[entity], to = self.first_heard_[entity + 1];
    if (to != from) f(&self.heard_[from], (to - from) * sizeof(u32));
  }
  [[nodiscard]] std::size_t bytes() const {
    return (said_.size() + heard_.size() + first_listener_.size()) * sizeof(u32) + listeners_.size() * sizeof(u16);
  }

 private:
  [[nodiscard]] std::size_t place(u32 entity, u32 port, u32 far_port) const {
    return first_heard_[entity] + std::size_t{port} * far_ports_ + far_port;
  }
  [[nodiscard]] std::span<const u16> listeners(u32 entity, u32 port) const {
    const u32* const first = &first_listener_[first_port_[entity] + port];
    return {listeners_.data() + first[0], listeners_.data() + first[1]};
  }

  std::vector<const Routing*> routings_;  ///< that listen
  u32 step_;
  u32 far_ports_ = 0;                        ///< most of a router
  std::vector<u32> first_port_{0};           ///< in said_, [entity]
  std::vector<std::size_t> first_heard_{0};  ///< in heard_, [entity]
  std::vector<u32> said_;                    ///< cells, of ports in turn
  std::vector<u32> heard_;                   ///< cells, [port][far port]
  std::vector<u32> first_listener_{0};       ///< in listeners_, as said_
  std::vector<u16> listeners_;               ///< ports over which it is told
  std::vector<u32> changed_;                 ///< ports of the entity whose turn it is
};

}  // namespace weft::models::cells
