// Routing by forwarding tables, in any network: those of a real fabric, or those that a routing engine makes for the
// topology, as a subnet manager would. Free of deadlock by virtual layers: routes that would close a cycle of channels
// get channels of their own.
#include "models/routing/recovery/transition_check.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/table_routes.hpp"

namespace weft::models {
namespace {

/// Skeie, Lysne, Theiss, "Layered shortest path (LASH) routing", 2002; Domke, Hoefler, Nagel, "Deadlock-free oblivious
/// routing for arbitrary topologies", IPDPS 2011. RouteState: `low` the layer. Layer l has channels l, l + layers, l +
/// 2 * layers...
class TableRouting final : public Routing {
 public:
  TableRouting(const Topology& topology, const RouterSettings& settings)
      : net_(topology),
        settings_(settings),
        channels_(settings.virtual_channels),
        has_alternatives_(settings.own.has("alternative_ports") && settings.own.flag("alternative_ports")),
        routes_(table_routes(topology, settings, settings.own.flag("one_layer"))) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 /*bits*/) const override {
    state.low = routes_.layers.layer(net_.router_of(from).value(), to.value());
  }

  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return 1; }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (net_.direct() && packet.to.value() == at.router) return Verdict::arrived;
    const u8 port = routes_.tables.port(at.router, packet.to.value());
    if (port == 0 || port == ForwardingTables::none) return Verdict::dropped;
    for (u32 channel = packet.state.low; channel < channels_; channel += routes_.layers.used)
      candidates.outputs.add((port - 1U) * channels_ + channel);
    return Verdict::waits;
  }

  /// Loop-free alternates (RFC 5286): links to neighbours whose own route does not come back here.
  void add_alternatives(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (!has_alternatives_) return;
    for (u32 port = 0; port < net_.ports(RouterId(at.router)); ++port) {
      const Peer far = net_.peer(RouterId(at.router), port);
      if (far.kind != Peer::Kind::router || port == at.port || far.id == at.router) continue;
      if (port + 1U == routes_.tables.port(at.router, packet.to.value())) continue;
      if (!avoids(far.id, packet.to, at.router)) continue;
      for (u32 channel = packet.state.low; channel < channels_; channel += routes_.layers.used)
        candidates.outputs.add(port * channels_ + channel);
    }
  }

  [[nodiscard]] bool goes_by_source() const override { return false; }

  bool follow(const Topology& left) override {
    TableRoutes next = table_routes(left, settings_, settings_.own.flag("one_layer"));
    const TransitionFindings found = check_transition(net_, routes_, next, channels_);
    loop_ = found.cycle.empty() ? "" : describe_cycle(net_, found.cycle);
    routes_ = std::move(next);
    return true;
  }
  [[nodiscard]] std::string loop_in_transition() const override { return loop_; }

 private:
  /// Whether the route from a router to a node leads there without coming by another router.
  [[nodiscard]] bool avoids(u32 router, NodeId to, u32 other) const {
    const u32 end = net_.router_of(to).value();
    for (u32 hops = 0; hops < net_.routers() && router != other; ++hops) {
      if (router == end) return true;
      const u8 port = routes_.tables.port(router, to.value());
      if (port == 0 || port == ForwardingTables::none) return false;
      const Peer far = net_.peer(RouterId(router), port - 1U);
      if (far.kind != Peer::Kind::router) return false;
      router = far.id;
    }
    return false;
  }

  const Topology& net_;
  RouterSettings settings_;
  u32 channels_;
  bool has_alternatives_;
  TableRoutes routes_;
  std::string loop_;  ///< that the last change of tables can close
};

std::optional<Complaint> check_table(const RouterChoice& choice) {
  if (const auto problem = engine_problem(choice.keys.text("engine"))) {
    return Complaint{"router.engine", problem->first, problem->second};
  }
  if (choice.keys.flag("one_layer") && !choice.unsafe()) {
    return Complaint{"router.one_layer", "may deadlock (nothing keeps packets from waiting in a cycle)",
                     "use one_layer = false, or deadlock.unsafe = true to see it happen"};
  }
  if (!choice.shape.text("sl2vl").empty() && choice.keys.text("kind") != "infiniband") {
    return Complaint{"topology.sl2vl", "has no effect (service levels are for InfiniBand switches)",
                     "remove it, or use router.kind = \"infiniband\""};
  }
  return {};
}

[[maybe_unused]] const bool forwarding_table_registered = RouterRegistry::instance().add(
    "forwarding-table",
    {.help = "routers of any network that send each packet where a forwarding table says: the tables of a fabric "
             "(topology.tables), or those that a routing engine makes. Routes that would close a cycle of channels are "
             "given virtual layers, each with channels of its own; too few virtual channels for that are refused.",
     .families = {any_family},
     .modes = {{"by-table", "by the entry for the destination. The only one.", false, false, "table"}},
     .settings =
         {engine_row(),
          row::boolean(
              "router.one_layer", false,
              "whether all routes share all channels, whatever cycles they close; needs deadlock.unsafe = true."),
          row::boolean("router.alternative_ports", false,
                       "whether a router that hears of a failed link sends what goes there to neighbours whose own "
                       "route does not come back, until all have new tables (faults.sweep_ns).")},
     .check = check_table,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<TableRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
