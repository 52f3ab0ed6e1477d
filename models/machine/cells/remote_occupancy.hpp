// Remote congestion information: switches of cells send their neighbours the occupancy of their outputs, for routings
// that go by it (Occupancy::remote_waiting).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::cells {

/// The neighbour behind `port` has so many cells waiting for its output `far_port`.
struct OccupancyUpdate {
  u32 entity;
  u16 port, far_port;
  u32 cells;
};

/// What all entities of a process have sent and received. Empty where no routing asks.
class RemoteOccupancy {
 public:
  /// `step`: an update is sent when the occupancy of an output changes by so many cells, as a multiple of that. With
  /// several routings it goes out over the ports that any of them wants.
  RemoteOccupancy(const Topology& topology, std::vector<const OccupancyChoice*> routings, u32 step);

  /// Adds the next entity, a switch with so many ports (0: a node alone).
  void add(const Topology& topology, RouterId router, u32 ports);

  /// Notes that what waits for an output has changed in this tick.
  void changed(u32 entity, u32 port) {
    if (used() && !receivers(entity, port).empty()) [[unlikely]]
      changed_.push_back(port);
  }
  /// Calls send(over, port, cells) for each update due; once an entity and tick. `waiting(port)`: cells.
  template <class Waiting, class Send>
  void send_updates(u32 entity, Waiting&& waiting, Send&& send) {
    for (const u32 port : changed_) {
      const u32 cells = waiting(port) / step_ * step_;
      u32& sent = sent_[first_port_[entity] + port];
      if (sent == cells) continue;
      sent = cells;
      for (const u16 over : receivers(entity, port)) send(over, port, cells);
    }
    changed_.clear();
  }
  void absorb(const OccupancyUpdate& update) {
    received_[place(update.entity, update.port, update.far_port)] = update.cells;
  }
  [[nodiscard]] u32 waiting(u32 entity, u32 port, u32 far_port) const {
    return used() ? received_[place(entity, port, far_port)] : 0;
  }
  /// Whether any routing asks.
  [[nodiscard]] bool used() const { return !routings_.empty(); }

  /// Hands the pieces of an entity's state to f(pointer, bytes).
  template <class Self, class F>
  static void visit_state(Self& self, u32 entity, F&& f) {
    if (!self.used()) return;
    const u32 first = self.first_port_[entity], ports = self.first_port_[entity + 1] - first;
    if (ports != 0) f(&self.sent_[first], ports * sizeof(u32));
    const std::size_t from = self.first_received_[entity], to = self.first_received_[entity + 1];
    if (to != from) f(&self.received_[from], (to - from) * sizeof(u32));
  }
  [[nodiscard]] std::size_t bytes() const {
    return (sent_.size() + received_.size() + first_receiver_.size()) * sizeof(u32) + receivers_.size() * sizeof(u16);
  }

 private:
  [[nodiscard]] std::size_t place(u32 entity, u32 port, u32 far_port) const {
    return first_received_[entity] + std::size_t{port} * far_ports_ + far_port;
  }
  [[nodiscard]] std::span<const u16> receivers(u32 entity, u32 port) const {
    const u32* const first = &first_receiver_[first_port_[entity] + port];
    return {receivers_.data() + first[0], receivers_.data() + first[1]};
  }

  std::vector<const OccupancyChoice*> routings_;  ///< that ask
  u32 step_;
  u32 far_ports_ = 0;                           ///< most of a router
  std::vector<u32> first_port_{0};              ///< in sent_, [entity]
  std::vector<std::size_t> first_received_{0};  ///< in received_, [entity]
  std::vector<u32> sent_;                       ///< cells, of ports in turn
  std::vector<u32> received_;                   ///< cells, [port][far port]
  std::vector<u32> first_receiver_{0};          ///< in receivers_, as sent_
  std::vector<u16> receivers_;                  ///< ports over which updates are sent
  std::vector<u32> changed_;                    ///< ports of the entity whose turn it is
};

}  // namespace weft::models::cells
