// Events of parts that exist, in an order that makes sense.
#include "models/faults/fault_schedule.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"

namespace weft::models {
namespace {

[[noreturn]] void refuse(const GivenFault& event, const std::string& why) {
  throw ConfigError(fmt::format("{}: {}", event.place, why));
}

void check_number(const GivenFault& event, const char* what, u32 count) {
  if (event.id < count) return;
  refuse(event, fmt::format("there is no {} {} (the network has {}, from 0); the nearest is {}", what, event.id, count,
                            count - 1));
}

/// The port of the first link from one router to another. Throws if there is none.
u32 port_to(const Topology& topology, const GivenFault& event) {
  const u32 ports = topology.ports(RouterId(event.id));
  std::string neighbours;
  for (u32 port = 0; port < ports; ++port) {
    const Peer far = topology.peer(RouterId(event.id), port);
    if (far.kind != Peer::Kind::router) continue;
    if (far.id == *event.far) return port;
    constexpr std::size_t most_named = 60;
    if (neighbours.size() < most_named) neighbours += (neighbours.empty() ? "" : ", ") + std::to_string(far.id);
  }
  refuse(event, fmt::format("router {} has no link to router {}; it has links to {}", event.id, *event.far,
                            neighbours.empty() ? "none" : neighbours));
}

/// Throws unless the part is there; a link of a node is that node.
void check_part(const Topology& topology, GivenFault& event) {
  if (event.part == FaultEvent::Part::node) return check_number(event, "node", topology.nodes());
  if (topology.joins_all()) {
    refuse(event, fmt::format("there are no links and routers between the nodes of this network; name a node (0 to {})",
                              topology.nodes() - 1));
  }
  check_number(event, "router", topology.routers());
  if (event.part == FaultEvent::Part::router) return;
  if (event.far) event.port = port_to(topology, event);
  const u32 ports = topology.ports(RouterId(event.id));
  if (event.port >= ports) {
    refuse(event, fmt::format("router {} has no port {} (it has {}, from 0); the nearest is {}", event.id, event.port,
                              ports, ports - 1));
  }
  const Peer far = topology.peer(RouterId(event.id), event.port);
  if (far.kind == Peer::Kind::none)
    refuse(event, fmt::format("port {} of router {} has no link; remove the event", event.port, event.id));
  if (far.kind == Peer::Kind::router) return;
  if (event.change == FaultEvent::Change::rate) {
    refuse(event, fmt::format("port {} of router {} leads to node {}, whose link keeps its rate; name a link between "
                              "routers",
                              event.port, event.id, far.id));
  }
  if (event.change == FaultEvent::Change::error_rate || event.one_way) {
    refuse(event,
           fmt::format("port {} of router {} leads to node {}, whose link is up or down as a whole; name the node",
                       event.port, event.id, far.id));
  }
  event.part = FaultEvent::Part::node;
  event.id = far.id;
}

/// Whether a part is down, and since when it is as it is.
struct State {
  bool down = false;
  std::optional<Tick> since = {};
};

/// Throws unless a part goes up and down in turn.
void check_turn(const GivenFault& event, State& state) {
  if (event.change == FaultEvent::Change::error_rate) return;
  const bool down = event.change == FaultEvent::Change::down;
  if (state.since == event.at)
    refuse(event, fmt::format("{} has two events at this time; leave one of them out", part_name(event)));
  if (down == state.down) {
    refuse(event, down ? fmt::format("{} goes down though it is down; let it come up before", part_name(event))
                       : fmt::format("{} comes up though it is not down; let it go down before", part_name(event)));
  }
  state = {down, event.at};
}

}  // namespace

FaultSchedule::FaultSchedule(const Topology& topology, std::vector<GivenFault> events,
                             const std::vector<FaultProcess>& processes, u64 seed)
    : routers_(topology.routers(), none), nodes_(topology.nodes(), none), draws_(seed) {
  first_port_.push_back(0);
  for (u32 router = 0; router < topology.routers(); ++router)
    first_port_.push_back(first_port_.back() + topology.ports(RouterId(router)));
  links_.assign(first_port_.back(), none);
  for (GivenFault& event : events) check_part(topology, event);
  std::ranges::stable_sort(events, {}, &GivenFault::at);
  std::vector<State> states;  // [part]
  for (const GivenFault& event : events) {
    if (event.change == FaultEvent::Change::rate) {
      add_rate(topology, event);
      given_.push_back(event);
      given_parts_.emplace_back(none, none);
      continue;
    }
    const auto [part, other] = parts_of(topology, event);
    states.resize(parts_);
    check_turn(event, states[part]);
    if (other != part) check_turn(event, states[other]);
    given_.push_back(event);
    given_parts_.emplace_back(part, other);
  }
  for (const FaultProcess& process : processes) add(topology, process);
}

void FaultSchedule::add_rate(const Topology& topology, const GivenFault& event) {
  least_rate_factor_ = std::min(least_rate_factor_, event.rate_factor);
  const auto add_to = [&](u64 end) {
    std::vector<Rate>& rates = rates_[end];
    if (!rates.empty() && rates.back().from == event.at) {
      refuse(event, fmt::format("{} is given two rates at this time; leave one of them out", part_name(event)));
    }
    rates.push_back({event.at, event.rate_factor});
  };
  add_to(end_of(event.id, event.port));
  const Peer far = topology.peer(RouterId(event.id), event.port);
  if (event.one_way || far.port >= topology.ports(RouterId(far.id))) return;
  const Peer back = topology.peer(RouterId(far.id), far.port);
  const bool leads_back = back.kind == Peer::Kind::router && back.id == event.id && back.port == event.port;
  if (leads_back && end_of(far.id, far.port) != end_of(event.id, event.port)) add_to(end_of(far.id, far.port));
}

double FaultSchedule::rate_factor(u32 router, u32 port, Tick at) const {
  const auto found = rates_.find(end_of(router, port));
  if (found == rates_.end()) return 1;
  const auto& rates = found->second;
  const auto next = std::ranges::upper_bound(rates, at, {}, &Rate::from);
  return next == rates.begin() ? 1 : std::prev(next)->factor;
}

FaultSchedule::Parts FaultSchedule::parts_of(const Topology& topology, const FaultEvent& event) {
  if (event.part != FaultEvent::Part::link) {
    const u32 part = number(event.part == FaultEvent::Part::node ? nodes_[event.id] : routers_[event.id], no_link);
    return {part, part};
  }
  const auto direction = [this](u32 router, u32 port) {
    return number(links_[first_port_[router] + port], end_of(router, port));
  };
  const u32 part = direction(event.id, event.port);
  if (event.one_way) return {part, part};
  const Peer far = topology.peer(RouterId(event.id), event.port);
  if (far.port >= topology.ports(RouterId(far.id))) return {part, part};  // nothing leads back
  return {part, direction(far.id, far.port)};
}

void FaultSchedule::add(const Topology& topology, const FaultProcess& process) {
  if (topology.joins_all() && process.part != FaultEvent::Part::node) {
    throw ConfigError(fmt::format(
        "{}: there are no links and routers between the nodes of this network; use part = \"nodes\"", process.place));
  }
  if (process.part == FaultEvent::Part::node) {
    for (u32 node = 0; node < topology.nodes(); ++node) {
      if (topology.works(NodeId(node))) add(topology, process, node);
    }
    return;
  }
  for (u32 router = 0; router < topology.routers(); ++router) {
    if (process.part == FaultEvent::Part::router) {
      add(topology, process, router);
      continue;
    }
    for (u32 port = 0; port < topology.ports(RouterId(router)); ++port) {
      const Peer far = topology.peer(RouterId(router), port);
      if (far.kind == Peer::Kind::router && end_of(router, port) <= end_of(far.id, far.port))
        add(topology, process, router, port);
    }
  }
}

void FaultSchedule::add(const Topology& topology, const FaultProcess& process, u32 id, u32 port) {
  FaultEvent event;
  event.part = process.part;
  event.id = id;
  event.port = port;
  const u32 before = parts_;
  const auto [part, other] = parts_of(topology, event);
  if (part < before || other < before) {
    throw ConfigError(fmt::format("{}: {} has events or another process, too; leave one of them out", process.place,
                                  part_name(event)));
  }
  drawn_parts_.resize(parts_);
  drawn_parts_[part] = event;
  draws_.add(process, part, other);
}

bool FaultSchedule::draw(std::size_t count) {
  while (changes_.size() <= count) {
    const std::optional<Tick> drawn = draws_.next();
    const bool given = next_given_ < given_.size();
    if (!given && !drawn) return false;
    Parts parts;
    if (given && (!drawn || given_[next_given_].at <= *drawn)) {
      parts = given_parts_[next_given_];
      events_.push_back(given_[next_given_++]);
    } else {
      const FaultDraws::Change change = draws_.take();
      parts = {change.part, change.other};
      FaultEvent& event = events_.emplace_back(drawn_parts_[change.part]);
      event.at = change.at;
      event.change = change.down ? FaultEvent::Change::down : FaultEvent::Change::up;
    }
    const FaultEvent& event = events_.back();
    if (event.change == FaultEvent::Change::rate) continue;
    const u32 number = static_cast<u32>(events_.size()) - 1;
    changes_.push_back({event.at, parts.first, number, event.change, event.error_rate});
    if (parts.second != parts.first)
      changes_.push_back({event.at, parts.second, number, event.change, event.error_rate});
  }
  return true;
}

}  // namespace weft::models
