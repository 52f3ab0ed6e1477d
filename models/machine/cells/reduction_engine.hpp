// What the reduction units of a CellNetwork do: take packets in, combine or copy them, and put them on links in turn
// with what crosses the switch. docs/in-network-reduction.md has the rules.
#pragma once

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
inline bool CellNetwork<Host>::gives_to_switches(const Host& host) {
  if constexpr (reduces) return host.reduces();
  return false;
}

template <class Host>
inline bool CellNetwork<Host>::is_for_switches(const HostPacket& packet) {
  if constexpr (reduces) return packet.is_for_switches();
  return false;
}

template <class Host>
inline bool CellNetwork<Host>::has_reduction_unit(u32 entity) const {
  return reduces && !reduction_units_.empty() && reduction_units_[entity] != nullptr;
}

template <class Host>
template <class F>
inline void CellNetwork<Host>::with_reduction_unit(u32 entity, F&& f) {
  if constexpr (reduces) {
    if (has_reduction_unit(entity)) [[unlikely]]
      f(ReductionEngine<CellNetwork>{*this, entity});
  }
}

template <class Host>
void CellNetwork<Host>::take_in(Tick tick, const Arrival& e) {
  WEFT_ASSERT(has_reduction_unit(e.entity));
  with_reduction_unit(e.entity, [&](auto unit) { unit.take_in(tick, e); });
}

/// Members of CellNetwork with a host that gives switches something to combine.
template <class Net>
struct ReductionEngine {
  using Packet = typename Net::Packet;
  using Arrival = typename Net::Arrival;
  using Part = ReductionUnit::Part;

  Net& net;
  u32 entity;
  ReductionUnit& unit = *net.reduction_units_[entity];
  typename Net::Entity& s = net.entities_[entity];

  /// The units of this process, by the trees of all.
  static void set_up(Net& net, const std::vector<ReductionGroup>& groups) {
    check_buffers(net);
    net.reduction_units_.resize(net.entities_.size());
    const std::vector<std::vector<TreeSwitch>> trees = reduction_trees(net.topology_, groups);
    u32 tree = 0;
    for (const ReductionGroup& group : groups) {
      for (u32 channel = 0; channel < group.channels; ++channel, ++tree) {
        for (const TreeSwitch& at : trees[tree]) add_part(net, group, tree, at);
      }
      for (const auto& member : group.members) {
        const u32 node = net.layout_.entity_of(NodeId(member.node));
        if (node != Layout::none) unit_of(net, node);
      }
    }
  }
  /// A shared buffer has cells for each channel, those of the units too.
  static void check_buffers(const Net& net) {
    const u64 reserved = u64{net.channels_} * net.switch_.reserved_cells;
    if (!net.switch_.shared || reserved <= net.switch_.buffer_cells) return;
    throw ConfigError(fmt::format(
        "router.buffer_cells = {} is too few for {} channels, those of in-network reduction among them, with "
        "{} cells reserved for each; use buffer_cells = {}",
        net.switch_.buffer_cells, net.channels_, net.switch_.reserved_cells, 2 * reserved));
  }
  static ReductionUnit& unit_of(Net& net, u32 entity) {
    auto& unit = net.reduction_units_[entity];
    if (unit) return *unit;
    unit = std::make_unique<ReductionUnit>();
    const auto& s = net.entities_[entity];
    unit->come.resize(s.switch_ports);
    unit->out.resize(net.ports_of(s));
    unit->until.resize(net.ports_of(s));
    return *unit;
  }
  static void add_part(Net& net, const ReductionGroup& group, u32 tree, const TreeSwitch& at) {
    const u32 entity = net.layout_.entity_of_global(at.router);
    if (entity == Layout::none) return;
    Part part;
    part.tree = tree;
    part.parent = at.parent;
    part.children = at.children;
    part.member = group.members.front().node;
    if (group.combines) part.sums.resize(group.places);
    unit_of(net, entity).parts.push_back(std::move(part));
  }

  /// Hands what a checkpoint has of a unit to f(pointer, bytes) and f(list).
  template <class Unit, class F>
  static void visit_state(Unit& unit, F&& f) {
    f(&unit.turn, sizeof unit.turn);
    f(unit.until.data(), unit.until.size() * sizeof(Tick));
    for_lists(unit, [&](auto& list, bool) { f(list); });
  }
  /// Calls f(list, whether `packets` counts it) for all lists.
  template <class Unit, class F>
  static void for_lists(Unit& unit, F&& f) {
    for (auto& part : unit.parts) {
      f(part.ready, true);
      for (auto& sum : part.sums) f(sum, false);
    }
    for (auto& list : unit.come) f(list, true);
    for (auto& list : unit.out) f(list, true);
  }
  void find_again() {
    unit.packets = 0;
    for_lists(unit, [&](const List& list, bool counts) {
      if (counts) net.pool_.for_each(list, [&](const auto&) { ++unit.packets; });
    });
  }

  /// The first cell of a packet is in an input's buffer.
  void take_in(Tick tick, const Arrival& e) {
    const Wire& in = net.wire_at(s, e.port);
    Part& part = unit.part(e.packet.tree());
    const Tick whole = tick + Tick{e.packet.cells - 1U} * in.cell_ticks, ready = whole + net.switch_.reduction_ticks;
    net.note(s, e.port, tick, e.packet);
    if (net.details_ != nullptr) [[unlikely]]
      net.tell(PacketEvent::Kind::arrived, {entity, s.global, e.port * net.channels_ + e.packet.vc, tick, 0}, e.packet);
    if (!part.sums.empty() && e.port != part.parent) {
      give_back(e.port, e.packet, whole);
      return add(part, e.packet, tick, ready);
    }
    const u32 at = net.pool_.take();
    net.pool_[at] = {};
    net.pool_[at].packet = result_of(part, e.packet);
    net.pool_[at].packet.vc = e.packet.vc;
    net.pool_[at].ready_at = ready;
    net.pool_.append(unit.come[e.port], at);
    ++unit.packets;
    look_at(tick, ready);
  }

  /// The node's own host gives a packet.
  void inject(u32 at) {
    net.pool_.append(unit.out[s.switch_ports], at);
    ++unit.packets;
  }

  /// What is ready goes on to its outputs as far as there is room: of the parts and the inputs in turn.
  void go_on(Tick tick) {
    if (unit.packets == 0) return;
    const u32 sources = static_cast<u32>(unit.parts.size() + unit.come.size());
    for (u32 in_vain = 0, k = unit.turn; in_vain < sources; ++in_vain, k = k + 1 < sources ? k + 1 : 0) {
      const auto parts = static_cast<u32>(unit.parts.size());
      if (!(k < parts ? sum_goes_on(unit.parts[k], tick) : copy_goes_on(k - parts, tick))) continue;
      unit.turn = k + 1 < sources ? k + 1 : 0;
      in_vain = ~u32{0};
    }
  }

  /// Puts packets on the links that are free. `first`: before others do, but not twice in a row.
  void send(Tick tick, bool first) {
    if (unit.packets == 0) return;
    for (u32 port = 0; port < unit.out.size(); ++port) {
      if (unit.out[port].empty()) continue;
      const Tick busy = net.ports_.busy_until(s.first_port + port);
      if (busy > tick || (first && busy == unit.until[port])) continue;
      if (next_at(port, tick) <= tick) send_first(port, tick);
    }
  }

  /// When something may happen next, after `tick`, if no credits come that are awaited.
  [[nodiscard]] Tick due(Tick tick) {
    Tick when = never;
    if (unit.packets == 0) return when;
    const auto see = [&](const List& list) {
      if (!list.empty() && net.pool_.first(list).ready_at > tick) when = std::min(when, net.pool_.first(list).ready_at);
    };
    for (const Part& part : unit.parts) see(part.ready);
    for (const List& list : unit.come) see(list);
    for (u32 port = 0; port < unit.out.size(); ++port) {
      if (!unit.out[port].empty()) when = std::min(when, std::max(tick + 1, next_at(port, tick)));
    }
    return when;
  }

 private:
  /// A packet that is of nobody alone.
  [[nodiscard]] static Packet result_of(const Part& part, const Packet& given) {
    Packet result = given;
    result.combine();
    result.from = result.to = part.member;
    result.ties = 0;
    return result;
  }

  void look_at(Tick tick, Tick when) {
    if (when == tick) return net.kernel_->touch(entity);
    net.wake_at(entity, when);
  }

  /// Gives the cells of a packet back to the output before its input at once, at `when`.
  void give_back(u32 port, const Packet& packet, Tick when) {
    const Wire& in = net.wire_at(s, port);
    net.kernel_->send(in.peer, when + in.ticks,
                      CellCredit{0, static_cast<u16>(in.peer_port), packet.vc, packet.cells, CellCredit::at_once},
                      entity);
  }

  /// One more of a sum.
  void add(Part& part, const Packet& given, Tick tick, Tick ready) {
    List& sum = part.sums[given.place()];
    if (sum.empty()) {
      const u32 at = net.pool_.take();
      net.pool_[at] = {};
      net.pool_[at].packet = result_of(part, given);
      net.pool_.append(sum, at);
    } else {
      Packet& there = net.pool_.first(sum).packet;
      WEFT_ASSERT(there.cells == given.cells);
      if (given.age(tick) > there.age(tick)) there.set_generated_at(given.generated_at());
      there.state.links = std::max(there.state.links, given.state.links);
      ++net.statistics_.counters.combined;
      net.statistics_.counters.network_time += tick;
    }
    auto& stored = net.pool_.first(sum);
    stored.ready_at = std::max(stored.ready_at, ready);
    if (++stored.output < part.children.size()) return;
    const Tick when = stored.ready_at;
    put_in_order(part.ready, net.pool_.remove_first(sum));
    ++unit.packets;
    look_at(tick, when);
  }

  /// By when they are ready, then by place.
  void put_in_order(List& list, u32 at) {
    const auto key = [&](u32 of) { return std::pair(net.pool_[of].ready_at, net.pool_[of].packet.place()); };
    if (list.empty() || key(list.last) < key(at)) return net.pool_.append(list, at);
    u32 before = list.last;
    while (key(net.pool_[before].next) < key(at)) before = net.pool_[before].next;
    net.pool_[at].next = net.pool_[before].next;
    net.pool_[before].next = at;
  }

  [[nodiscard]] bool has_room(u32 port) const {
    static_assert(ReductionUnit::most_waiting == 2);
    const List& list = unit.out[port];
    return list.empty() || net.pool_[list.last].next == list.last;
  }
  /// To the parent, or, of a result, to all children.
  [[nodiscard]] bool have_room(const Part& part, bool up) const {
    if (up) return has_room(part.parent);
    return std::ranges::all_of(part.children, [&](const TreeChild& child) { return has_room(child.port); });
  }

  bool sum_goes_on(Part& part, Tick tick) {
    const bool up = part.parent != TreeSwitch::no_port;
    if (part.ready.empty() || net.pool_.first(part.ready).ready_at > tick || !have_room(part, up)) return false;
    line_up(part, net.pool_.remove_first(part.ready), up, tick);
    return true;
  }

  bool copy_goes_on(u32 port, Tick tick) {
    List& list = unit.come[port];
    if (list.empty() || net.pool_.first(list).ready_at > tick) return false;
    const Packet& packet = net.pool_.first(list).packet;
    Part& part = unit.part(packet.tree());
    const bool up = part.parent != TreeSwitch::no_port && part.parent != port;
    if (!have_room(part, up)) return false;
    give_back(port, packet, tick);
    line_up(part, net.pool_.remove_first(list), up, tick);
    return true;
  }

  /// Packet `at` of the pool waits for links from now on: as it is, or a copy for each child.
  void line_up(const Part& part, u32 at, bool up, Tick tick) {
    --unit.packets;
    const auto put = [&](u32 port, u32 copy) {
      net.pool_.append(unit.out[port], copy);
      ++unit.packets;
    };
    if (up) return put(part.parent, at);
    const u64 more = part.children.size() - 1;
    net.statistics_.counters.copies += more;
    net.statistics_.counters.network_time -= more * tick;
    for (std::size_t k = 0; k < part.children.size(); ++k) {
      const TreeChild& child = part.children[k];
      u32 copy = at;
      if (k != more) {  // the last is the packet itself
        copy = net.pool_.take();
        net.pool_[copy] = net.pool_[at];
      }
      Packet& packet = net.pool_[copy].packet;
      if (child.node != TreeChild::no_node) {
        packet.from = packet.to = child.node;
        packet.address(child.target);
      }
      put(child.port, copy);
    }
  }

  /// When the first packet for a link may begin on it, if no credits come that are awaited.
  [[nodiscard]] Tick next_at(u32 port, Tick tick) {
    const u32 cells = net.pool_.first(unit.out[port]).packet.cells;
    const Tick free =
        port < s.switch_ports ? net.crossing_at(s, port, cells, tick) : net.ports_.busy_until(s.first_port + port);
    return std::max(free, net.free_space_at(s, port, net.reduction_channel(), cells, tick));
  }

  void send_first(u32 port, Tick tick) {
    const u32 at = net.pool_.remove_first(unit.out[port]), vc = net.reduction_channel();
    --unit.packets;
    const Packet& packet = net.pool_[at].packet;
    const Wire& out = net.wire_at(s, port);
    if (!out.to_node) net.add_credits(s, port, vc, -i32{packet.cells});
    Tick begin = tick, busy = Tick{packet.cells} * out.cell_ticks;
    if (port >= s.switch_ports) {
      --s.waiting;
      net.record_injected(net.at_node(entity, packet, vc, tick), packet);
      s.free_space.left(tick + net.settings_.cycle_ticks);
    } else {
      s.took = 1;
      begin += net.settings_.switch_ticks;
      if (net.switch_.output_cells != 0) [[unlikely]] {
        Tick& through = net.link_through_[s.first_port + port];
        begin = std::max(begin, through);
        through = begin + busy;
      }
      busy = Tick{packet.cells} * out.cross_ticks;
    }
    net.ports_.busy_until(s.first_port + port) = unit.until[port] = tick + busy;
    net.put_on_link(entity, port, packet, {static_cast<u8>(vc)}, begin);
    net.pool_.give_back(at);
  }
};

}  // namespace weft::models::cells
