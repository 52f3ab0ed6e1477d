// Events of parts that exist, in an order that makes sense.
#include "models/faults/fault_schedule.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "engine/base/error.hpp"

namespace weft::models {
namespace {

[[noreturn]] void refuse(const FaultEvent& event, const std::string& why) {
  throw ConfigError(fmt::format("{}: {}", event.place, why));
}

void check_number(const FaultEvent& event, const char* what, u32 count) {
  if (event.id < count) return;
  refuse(event, fmt::format("there is no {} {} (the network has {}, from 0); the nearest is {}", what, event.id, count,
                            count - 1));
}

std::string name_of(const FaultEvent& event) {
  switch (event.part) {
    case FaultEvent::Part::link:
      return fmt::format("link r{}:{}", event.id, event.port);
    case FaultEvent::Part::router:
      return fmt::format("router {}", event.id);
    case FaultEvent::Part::node:
      break;
  }
  return fmt::format("node {}", event.id);
}

/// The port of the first link from one router to another. Throws if there is none.
u32 port_to(const Topology& topology, const FaultEvent& event) {
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
void check_part(const Topology& topology, FaultEvent& event) {
  if (event.part == FaultEvent::Part::node) return check_number(event, "node", topology.nodes());
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
  if (event.change == FaultEvent::Change::error_rate || event.one_way) {
    refuse(event,
           fmt::format("port {} of router {} leads to node {}, whose link is up or down as a whole; name the node",
                       event.port, event.id, far.id));
  }
  event.part = FaultEvent::Part::node;
  event.id = far.id;
}

/// Throws unless parts go up and down in turn. `events`: by time.
void check_turns(const std::vector<FaultEvent>& events) {
  struct State {
    bool down = false;
    std::optional<Tick> last = {};
  };
  std::unordered_map<u64, State> states;
  for (const FaultEvent& event : events) {
    const u64 key = u64{event.part == FaultEvent::Part::link ? event.port : 0} << 34 | u64{event.id} << 2 |
                    static_cast<u64>(event.part);
    State& state = states[key];
    if (event.change == FaultEvent::Change::error_rate) continue;
    const bool down = event.change == FaultEvent::Change::down;
    if (state.last == event.at)
      refuse(event, fmt::format("{} has two events at this time; leave one of them out", name_of(event)));
    if (down == state.down) {
      refuse(event, down ? fmt::format("{} goes down though it is down; let it come up before", name_of(event))
                         : fmt::format("{} comes up though it is not down; let it go down before", name_of(event)));
    }
    state = {down, event.at};
  }
}

}  // namespace

FaultSchedule::FaultSchedule(const Topology& topology, std::vector<FaultEvent> events,
                             const std::vector<FaultProcess>& processes, u64 seed)
    : draws_(seed) {
  for (FaultEvent& event : events) check_part(topology, event);
  std::ranges::stable_sort(events, {}, &FaultEvent::at);
  check_turns(events);
  for (const FaultEvent& event : events) add(topology, event);
  for (const FaultProcess& process : processes) add(topology, process);
}

void FaultSchedule::add(const Topology& topology, const FaultEvent& event) {
  given_.push_back({event.at, event.part, event.change, event.id, event.port, event.error_rate, event.one_way});
  u32 part = 0, other = 0;
  if (event.part == FaultEvent::Part::link) {
    part = other = number(links_, end_of(event.id, event.port));
    const Peer far = topology.peer(RouterId(event.id), event.port);
    if (!event.one_way) other = number(links_, end_of(far.id, far.port));
  } else {
    part = other = number(event.part == FaultEvent::Part::node ? nodes_ : routers_, event.id);
  }
  given_parts_.emplace_back(part, other);
}

u32 FaultSchedule::only_here(Numbers& numbers, u64 key, const FaultProcess& process, const std::string& name) {
  const u32 before = parts_, part = number(numbers, key);
  if (parts_ != before) return part;
  throw ConfigError(
      fmt::format("{}: {} has events or another process, too; leave one of them out", process.place, name));
}

void FaultSchedule::add(const Topology& topology, const FaultProcess& process) {
  const auto add_part = [&](u32 part, u32 other, u32 id, u32 port) {
    drawn_parts_.resize(parts_);
    drawn_parts_[part] = {.part = process.part, .id = id, .port = port};
    draws_.add(process, part, other);
  };
  if (process.part == FaultEvent::Part::node) {
    for (u32 node = 0; node < topology.nodes(); ++node) {
      if (!topology.works(NodeId(node))) continue;
      const u32 part = only_here(nodes_, node, process, fmt::format("node {}", node));
      add_part(part, part, node, 0);
    }
    return;
  }
  for (u32 router = 0; router < topology.routers(); ++router) {
    if (process.part == FaultEvent::Part::router) {
      const u32 part = only_here(routers_, router, process, fmt::format("router {}", router));
      add_part(part, part, router, 0);
      continue;
    }
    for (u32 port = 0; port < topology.ports(RouterId(router)); ++port) {
      const Peer far = topology.peer(RouterId(router), port);
      const u64 here = end_of(router, port), there = end_of(far.id, far.port);
      if (far.kind != Peer::Kind::router || here > there) continue;
      const std::string name = fmt::format("link r{}:{}", router, port);
      const u32 part = only_here(links_, here, process, name);
      add_part(part, here == there ? part : only_here(links_, there, process, name), router, port);
    }
  }
}

bool FaultSchedule::draw(std::size_t count) {
  while (changes_.size() <= count) {
    const std::optional<Tick> drawn = draws_.next();
    const bool given = next_given_ < given_.size();
    if (!given && !drawn) return false;
    std::pair<u32, u32> parts;
    if (given && (!drawn || given_[next_given_].at <= *drawn)) {
      parts = given_parts_[next_given_];
      events_.push_back(given_[next_given_++]);
    } else {
      const FaultDraws::Change change = draws_.take();
      parts = {change.part, change.other};
      Event& event = events_.emplace_back(drawn_parts_[change.part]);
      event.at = change.at;
      event.what = change.down ? FaultEvent::Change::down : FaultEvent::Change::up;
    }
    const Event& event = events_.back();
    const u32 number = static_cast<u32>(events_.size()) - 1;
    changes_.push_back({event.at, parts.first, number, event.what, event.error_rate});
    if (parts.second != parts.first) changes_.push_back({event.at, parts.second, number, event.what, event.error_rate});
  }
  return true;
}

}  // namespace weft::models
