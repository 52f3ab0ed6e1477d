// Routing by forwarding tables, in any network: those of a real fabric, or those that a routing engine makes for the
// topology, as a subnet manager would. Free of deadlock by virtual layers: routes that would close a circle of channels
// get channels of their own.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "engine/error.hpp"
#include "engine/nearest.hpp"
#include "models/router/router_kind.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/engine/virtual_layers.hpp"
#include "models/subnet/subnet_topology.hpp"

namespace weft::models {
namespace {

/// Bytes of tables at most, on each process.
constexpr u64 most_entries = u64{1} << 31;
constexpr const char* default_engine = "updn";

/// The fabric's own tables, if it has some and no engine is asked for.
const ForwardingTables* tables_of_fabric(const Topology& topology, const RouterSettings& settings) {
  const auto* const fabric = dynamic_cast<const SubnetTopology*>(&topology.whole());
  return fabric != nullptr && settings.own.text("engine") == "auto" ? fabric->tables() : nullptr;
}

/// Skeie, Lysne, Theiss, "Layered shortest path (LASH) routing", 2002; Domke, Hoefler, Nagel, "Deadlock-free oblivious
/// routing for arbitrary topologies", IPDPS 2011. RouteState: `low` the layer. Layer l has channels l, l + layers, l +
/// 2 * layers...
class TableRouting final : public Routing {
 public:
  TableRouting(const Topology& topology, const RouterSettings& settings)
      : net_(topology), channels_(settings.virtual_channels), subnet_(subnet_of(topology)) {
    const u64 entries = u64{topology.nodes()} * topology.routers();
    if (entries > most_entries) {
      throw ConfigError(
          fmt::format("tables of {} routers for {} nodes take {} MB on each process, more than the {} that are "
                      "allowed; use a router that computes its routes, or a smaller network",
                      topology.routers(), topology.nodes(), entries >> 20, most_entries >> 20));
    }
    if (const ForwardingTables* const given = tables_of_fabric(topology, settings)) {
      take(*given, static_cast<const SubnetTopology&>(topology.whole()));
    } else {
      const std::string engine = settings.own.text("engine");
      FabricRouting made =
          route_subnet(subnet_, engine == "auto" ? default_engine : engine, {.most_layers = channels_});
      tables_ = std::move(made.tables);
      layers_ = std::move(made.layers);
    }
    if (settings.own.flag("one_layer")) {
      layers_ = {};
    } else if (layers_.used == 1) {  // else the engine has shared its routes out itself
      layers_ = break_cycles(subnet_, *tables_, channels_);
    }
  }

  void begin(RouteState& state, NodeId from, NodeId to, u64 /*bits*/) const override {
    state.low = layers_.layer(net_.router_of(from).value(), to.value());
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (net_.direct() && packet.to.value() == at.router) return Verdict::arrived;
    const u8 port = tables_->port(at.router, packet.to.value());
    if (port == 0 || port == ForwardingTables::none) return Verdict::dropped;
    for (u32 channel = packet.state.low; channel < channels_; channel += layers_.used)
      candidates.outputs.add((port - 1U) * channels_ + channel);
    return Verdict::waits;
  }

  [[nodiscard]] bool goes_by_source() const override { return false; }

 private:
  /// Tables by the numbers of nodes; of several addresses of a host the first.
  void take(const ForwardingTables& given, const SubnetTopology& fabric) {
    tables_.emplace(subnet_);
    for (u32 n = 0; n < net_.nodes(); ++n) {
      const u32 target = given.first_target(fabric.host_of(NodeId(n)));
      std::copy_n(given.row(target), net_.routers(), tables_->row(n));
    }
  }

  const Topology& net_;
  u32 channels_;
  Subnet subnet_;
  std::optional<ForwardingTables> tables_;  ///< target n is node n
  RouteLayers layers_;
};

std::optional<Complaint> check_table(const RouterChoice& choice) {
  const std::string engine = choice.keys.text("engine");
  const std::vector<std::string> engines = RoutingEngineRegistry::instance().names();
  if (engine != "auto" && RoutingEngineRegistry::instance().find(engine) == nullptr) {
    return Complaint{"router.engine", fmt::format("is no routing engine (auto, {})", fmt::join(engines, ", ")),
                     fmt::format("did you mean \"{}\"?", nearest(engine, engines))};
  }
  if (choice.keys.flag("one_layer") && !choice.unsafe()) {
    return Complaint{"router.one_layer", "may deadlock (nothing keeps packets from waiting in a circle)",
                     "use one_layer = false, or unsafe = true to see it happen"};
  }
  if (choice.keys.integer("lbr_packets") > 0) {
    return Complaint{"router.lbr_packets", "has no effect on routers with tables", "use lbr_packets = 0"};
  }
  return {};
}

[[maybe_unused]] const bool forwarding_table_registered = RouterRegistry::instance().add(
    "forwarding-table",
    {.help =
         "routers of any network that send each packet where a forwarding table says: the tables of a fabric "
         "(topology.tables), or those that a routing engine makes. Routes that would close a circle of channels are "
         "given virtual layers, each with channels of its own; too few virtual channels for that are refused.",
     .families = {any_family},
     .modes = {{"by-table", "by the entry for the destination. The only one.", false}},
     .settings =
         {row::text(
              "router.engine", "auto",
              "which routing engine fills the tables: minhop, updn, dmodk, dor, sssp (weft fabric route --help). auto: "
              "the fabric's own tables if topology.tables gives some, else updn."),
          row::boolean("router.one_layer", false,
                       "whether all routes share all channels, whatever circles they close; needs unsafe = true.")},
     .check = check_table,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<TableRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
