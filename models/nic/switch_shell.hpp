// What networks of switches of cells and of wormhole switches have in common towards runs, reports and checkpoints.
#pragma once

#include <algorithm>
#include <span>

#include "engine/base/error.hpp"
#include "models/core/packet_pool.hpp"
#include "models/core/state_records.hpp"
#include "models/core/wiring.hpp"
#include "models/nic/endpoints.hpp"

namespace weft::models::endpoint {

/// Base of such a network `Net`, beside endpoint::Endpoints. Net has entities_ with `global`, `has_node`, `work`,
/// `waiting` and `free_space`, a pool_ of packets, and what it lists under "What endpoint::SwitchShell asks for".
template <class Net>
class SwitchShell {
 public:
  [[nodiscard]] u32 global_id(u32 entity) const { return net().entities_[entity].global; }
  /// Whether packets enter and leave the network at this entity.
  [[nodiscard]] bool is_endpoint(u32 entity) const { return net().entities_[entity].has_node != 0; }
  /// Packets that an entity has put on its links.
  [[nodiscard]] u32 work(u32 entity) const { return net().entities_[entity].work; }
  [[nodiscard]] NodeNumbers policy() const { return {}; }

  /// Lets hosts inject from tick `now` on, or not; between runs.
  void set_injection(bool open, Tick now) {
    net().MachineStatistics::allow_injection(open, [&](u32 entity) {
      auto& s = net().entities_[entity];
      if (s.has_node != 0 && s.free_space.open(now)) net().wake_node(entity, now);
    });
  }

  [[nodiscard]] u32 state_bytes(u32 entity) const {
    StateWriter<Pool<>> count{net().pool_, nullptr};
    write(entity, count);
    return static_cast<u32>(count.bytes);
  }
  void save(u32 entity, std::byte* to) const {
    StateWriter<Pool<>> state{net().pool_, to};
    write(entity, state);
  }
  /// Throws InputError if these are not state_bytes(entity).
  void load(u32 entity, std::span<const std::byte> from) {
    StateReader<Pool<>> read{net().pool_, from};
    Net::visit_state(net(), entity, read);
    Counts<> counts;
    read(&counts, sizeof counts);
    if (!read.from.empty()) throw InputError("the state of a switch in the checkpoint is too long; take another one");
    net().restore(entity, counts);
    net().find_again(entity);
  }

  void count_details(Details& details) {
    net().details_ = &details;
    for (u32 e = 0; e < net().layout_.entities(); ++e)
      details.add_entity(global_id(e), net().queues_of(net().entities_[e]));
  }

  /// Packets of this process when all before tick `now` is done.
  [[nodiscard]] InFlight in_flight(Tick now) const {
    InFlight found;
    const auto see = [&](const auto& packet) { found.oldest_age = std::max(found.oldest_age, packet.age(now)); };
    for (u32 e = 0; e < net().entities_.size(); ++e) {
      net().for_each_at_node(e, [&](const auto& stored) {
        ++found.queued;
        see(stored.packet);
      });
      net().for_each_stored(net().entities_[e], [&](u32 /*port*/, const auto& stored) {
        ++found.network;
        see(stored.packet);
      });
    }
    net().kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
      if constexpr (std::is_same_v<Event, typename Net::Arrival> || std::is_same_v<Event, typename Net::Taken>) {
        if (!Net::is_data(event.packet)) return;
        ++found.network;
        see(event.packet);
      }
    });
    return found;
  }

 protected:
  /// What an entity is by its wires; its ports are those from `first_port` on.
  [[nodiscard]] static auto entity_of(const EntityWires& made, std::size_t first_port) {
    typename Net::Entity s;
    s.global = made.global;
    s.switch_ports = made.switch_ports;
    s.has_node = made.has_node ? 1 : 0;
    s.first_port = static_cast<u32>(first_port);
    return s;
  }
  /// A packet that is whole at its destination.
  [[nodiscard]] Endpoints::Travelled travelled(const auto& packet, Tick whole) const {
    const u32 links = packet.state.links;
    return {whole, links, links - (net().topology_.direct() ? 0U : 2U)};
  }

 private:
  template <class N = Net>
  using Pool = PacketPool<typename N::Packet>;
  template <class N = Net>
  using Counts = typename N::EndpointCounts;

  [[nodiscard]] Net& net() { return static_cast<Net&>(*this); }
  [[nodiscard]] const Net& net() const { return static_cast<const Net&>(*this); }

  template <class Writer>
  void write(u32 entity, Writer& to) const {
    Net::visit_state(net(), entity, to);
    const Counts<> counts = net().counts_of(entity);
    to(&counts, sizeof counts);
  }
};

}  // namespace weft::models::endpoint
