// One routing, told of one failure after the other and of its repair.
#include "tools/cli/command/single_failures.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/bits.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text/table.hpp"
#include "models/faults/fault_event.hpp"
#include "models/routing/channel_search.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/routing_of.hpp"
#include "models/topology/forwarded.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/setup/static_routes.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;

/// A network without one link, or one router and its nodes.
class Without final : public models::ReducedTopology {
 public:
  Without(const Topology& topology, const models::FaultEvent& part) : ReducedTopology(topology), part_(part) {
    if (part.part == models::FaultEvent::Part::link) far_ = topology.peer(RouterId(part.id), part.port);
  }
  [[nodiscard]] const Topology& whole() const override { return inner().whole(); }
  [[nodiscard]] bool works(NodeId node) const override {
    return inner().works(node) && !is_gone(inner().router_of(node).value());
  }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override {
    const Peer far = inner().peer(router, port);
    if (is_gone(router.value()) || (far.kind == Peer::Kind::router && is_gone(far.id))) return {};
    return is_link(router.value(), port) ? Peer{} : far;
  }
  [[nodiscard]] u64 router_links() const override { return inner().router_links(); }
  [[nodiscard]] std::string name() const override { return inner().name() + " without " + part_name(part_); }

 private:
  [[nodiscard]] bool is_gone(u32 router) const {
    return part_.part == models::FaultEvent::Part::router && part_.id == router;
  }
  [[nodiscard]] bool is_link(u32 router, u32 port) const {
    return part_.part == models::FaultEvent::Part::link &&
           ((router == part_.id && port == part_.port) || (router == far_.id && port == far_.port));
  }
  models::FaultEvent part_;
  Peer far_;
};

std::vector<models::FaultEvent> parts_of(const Topology& topology) {
  std::vector<models::FaultEvent> parts;
  models::FaultEvent part;
  for (part.id = 0; part.id < topology.routers(); ++part.id) {
    for (part.port = 0; part.port < topology.ports(RouterId(part.id)); ++part.port) {
      const Peer far = topology.peer(RouterId(part.id), part.port);
      if (far.kind == Peer::Kind::router && std::pair(part.id, part.port) < std::pair(far.id, far.port))
        parts.push_back(part);
    }
  }
  part.part = models::FaultEvent::Part::router;
  part.port = 0;
  for (part.id = 0; part.id < topology.routers(); ++part.id) {
    if (topology.routers() > 1) parts.push_back(part);
  }
  return parts;
}

/// Goes from node to node by what the routes offer first.
class Walk {
 public:
  Walk(const Topology& left, const models::Routing& routing, u32 channels)
      : left_(left), routing_(routing), channels_(channels), words_(((left.most_ports() + 1) * channels + 63) / 64) {}

  /// The first pair of nodes that work of which one does not reach the other; empty: there is none.
  std::string first_cut_off() {
    for (u32 from = 0; from < left_.nodes(); ++from) {
      for (u32 to = 0; to < left_.nodes() && left_.works(NodeId(from)); ++to) {
        if (from != to && left_.works(NodeId(to)) && !arrives(NodeId(from), NodeId(to)))
          return fmt::format("node {} does not reach node {}", from, to);
      }
    }
    return {};
  }

 private:
  bool arrives(NodeId from, NodeId to) {
    models::RouteState state;
    routing_.begin(state, from, to, 0);
    models::QueuePlace at{left_.router_of(from).value()};
    if (!left_.direct()) at.port = left_.port_of(from);
    for (u32 links = 0; links <= 4 * left_.routers(); ++links) {
      if (!left_.direct() && left_.router_of(to).value() == at.router) return true;
      std::ranges::fill(words_, 0);
      models::Candidates candidates{models::OutputSet(words_.data(), static_cast<u32>(words_.size()))};
      const models::Verdict verdict = routing_.route(at, {from, to, state}, candidates);
      if (verdict != models::Verdict::waits) return verdict == models::Verdict::arrived;
      u32 output = candidates.escape;
      engine::for_bits(words_.data(), static_cast<u32>(words_.size()), [&](u32 o) {
        if (output == candidates.escape) output = o;
      });
      if (output == models::Candidates::none) return false;
      const Peer far = left_.peer(RouterId(at.router), output / channels_);
      if (far.kind != Peer::Kind::router) return false;
      routing_.leave(state, at, output / channels_, output % channels_);
      at = {far.id, far.port, output % channels_};
    }
    return false;
  }

  const Topology& left_;
  const models::Routing& routing_;
  u32 channels_;
  std::vector<u64> words_;
};

}  // namespace

SingleFailures try_single_failures(const Config& config, const Topology& topology) {
  checks::check_network(config);
  models::RouterSettings router = router_settings(config, time_scale(config));
  router.faults = true;
  const models::RouterKind& kind = models::router_kind(router.kind);
  models::SearchedRoutes routes;
  if (kind.searched_routes) {
    routes = kind.searched_routes(topology, router);
  } else if (kind.routing) {
    routes.routing = models::routing_of(kind, topology, router);
  }
  if (routes.routing == nullptr || !routes.routing->follow(topology)) {
    throw ConfigError(
        fmt::format("router.kind = \"{}\" with these routes makes none anew when parts fail (--single-failures); use "
                    "forwarding tables, or "
                    "routers that heal the network by themselves (docs/recovery.md)",
                    router.kind));
  }
  SingleFailures found;
  found.bubbles = models::keeps_bubbles(kind, router.mode);
  models::ChannelSearch search{.virtual_channels = router.virtual_channels, .takes = routes.takes};
  search.ignores_conditions = static_cast<bool>(kind.searched_routes);
  search.holds_channels = router.own.has("vc_release");  // worms
  for (const models::FaultEvent& part : parts_of(topology)) {
    ++(part.part == models::FaultEvent::Part::link ? found.links : found.routers);
    const Without left(topology, part);
    const auto note_transition = [&](const char* what) {
      ++found.transitions;
      if (std::string loop = routes.routing->loop_in_transition(); !loop.empty())
        found.loose_changes.push_back({part_name(part) + what, std::move(loop)});
    };
    try {
      routes.routing->follow(left);
      note_transition(" fails");
      if (std::string why = Walk(left, *routes.routing, router.virtual_channels).first_cut_off(); !why.empty()) {
        found.not_survived.push_back({part_name(part), std::move(why)});
        routes.routing->follow(topology);
        continue;
      }
      const models::ChannelFindings here = models::search_channels(left, *routes.routing, search);
      if (here.answer == models::ChannelFindings::Answer::cycle)
        found.not_survived.push_back({part_name(part), models::describe_cycle(topology, here.cycle)});
    } catch (const ConfigError& error) {
      found.not_survived.push_back({part_name(part), error.what()});
    }
    routes.routing->follow(topology);
    note_transition(" is repaired");
  }
  return found;
}

std::string text_of(const SingleFailures& found) {
  const u32 all = found.links + found.routers;
  std::string text = labelled(
      "failures", fmt::format("{} links and {} routers, one at a time; routes made anew for what is left: {} of {} are "
                              "survived (every node left reaches every other{})",
                              found.links, found.routers, all - found.not_survived.size(), all,
                              found.bubbles ? "; free space in rings keeps them free of deadlock"
                                            : ", no packets wait in a cycle"));
  if (!found.not_survived.empty())
    text += labelled("", fmt::format("not {}: {}", found.not_survived.front().name, found.not_survived.front().why));
  if (found.bubbles) return text;
  text += labelled("", fmt::format("changes of routes under packets in flight: {} of {} close no cycle either",
                                   found.transitions - found.loose_changes.size(), found.transitions));
  if (!found.loose_changes.empty())
    text += labelled("", fmt::format("but: {}: {}", found.loose_changes.front().name, found.loose_changes.front().why));
  return text;
}

nlohmann::json json_of(const SingleFailures& found) {
  const auto list = [](const std::vector<SingleFailures::Part>& parts) {
    nlohmann::json all = nlohmann::json::array();
    for (const SingleFailures::Part& part : parts) all.push_back({{"part", part.name}, {"why", part.why}});
    return all;
  };
  return {{"links", found.links},
          {"routers", found.routers},
          {"not_survived", list(found.not_survived)},
          {"transitions", found.transitions},
          {"transitions_with_a_cycle", list(found.loose_changes)}};
}

}  // namespace weft::tools
