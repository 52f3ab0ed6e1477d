// Source routing, in any network: a packet carries the ports that it takes, as a file or a routing engine says for each
// pair of nodes.
#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/text/text_file.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/source_routes.hpp"

namespace weft::models {
namespace {

constexpr u64 most_route_bytes = u64{1} << 30;

/// RouteState: `low` is the route (SourceRoutes), `phase` the hops that are behind.
class SourceRouting final : public Routing {
 public:
  SourceRouting(const Topology& topology, const RouterSettings& settings)
      : direct_(topology.direct()), routes_(routes_of(topology, settings)) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    state.low = routes_.choose(from, to, engine::remix(bits, 1));
  }
  [[nodiscard]] u32 routes(NodeId from, NodeId to) const override { return routes_.of_pair(from, to).count; }
  void take(RouteState& state, NodeId from, NodeId to, u32 route) const override {
    const SourceRoutes::OfPair pair = routes_.of_pair(from, to);
    state.low = pair.count == 0 ? SourceRoutes::none : pair.first + route;
  }
  [[nodiscard]] u32 beginnings(NodeId from, NodeId to) const override { return std::max(1U, routes(from, to)); }
  void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const override { take(state, from, to, number); }
  [[nodiscard]] u32 route_taken(const RouteState& state, NodeId from, NodeId to) const override {
    return state.low == SourceRoutes::none ? 0 : state.low - routes_.of_pair(from, to).first;
  }
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (direct_ && packet.to.value() == at.router) return Verdict::arrived;
    const RouteState& state = packet.state;
    if (state.low == SourceRoutes::none || state.phase == routes_.hops(state.low)) return Verdict::dropped;
    candidates.outputs.add(routes_.output(state.low, state.phase));
    return Verdict::waits;
  }
  void leave(RouteState& state, const QueuePlace& /*at*/, u32 /*port*/, u32 /*channel*/) const override {
    ++state.phase;
  }
  [[nodiscard]] bool goes_by_source() const override { return false; }

 private:
  static SourceRoutes routes_of(const Topology& topology, const RouterSettings& settings) {
    const std::string path = settings.own.text("routes_path");
    const u32 channels = settings.virtual_channels;
    if (path.empty()) return {table_routes(topology, settings), topology, channels};
    return {path, read_text_file<InputError>(path, most_route_bytes, "file of routes"), topology, channels};
  }

  bool direct_;
  SourceRoutes routes_;
};

std::optional<Complaint> check_source_route(const RouterChoice& choice) {
  if (const auto problem = engine_problem(choice.keys.text("engine"))) {
    return Complaint{"router.engine", problem->first, problem->second};
  }
  if (choice.keys.integer("lbr_packets") > 0) {
    return Complaint{"router.lbr_packets", "has no effect on source routes", "use lbr_packets = 0"};
  }
  return {};
}

[[maybe_unused]] const bool source_route_registered = RouterRegistry::instance().add(
    "source-route",
    {.help = "routers of any network that send each packet by the port that it carries: a file has the ports and "
             "channels of the path from node to node, or a routing engine finds them. With several paths of a pair "
             "packets take one of them at random.",
     .families = {any_family},
     .modes = {{.name = "by-source",
                .help = "by the packet's own list. The only one.",
                .shortest_paths = false,
                .routes_have_numbers = true}},
     .settings = {row::path("router.routes_path",
                            "the paths, one in a line: FROM TO: PORT/CHANNEL PORT/CHANNEL..., the port by which each "
                            "router is left, from the one of node FROM to the one of node TO (/0 may be left out). "
                            "Without it the paths are those of router.engine, in virtual layers that keep them free of "
                            "deadlock."),
                  engine_row()},
     .check = check_source_route,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<SourceRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {},
     .drops = "no route from their source",
     .keeps_routes_with_faults = true});

}  // namespace
}  // namespace weft::models
