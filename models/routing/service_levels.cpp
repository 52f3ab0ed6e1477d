// Levels of packets, and their lanes.
#include "models/routing/service_levels.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "engine/base/nearest.hpp"
#include "models/routing/table_routes.hpp"
#include "models/routing/traffic_class.hpp"
#include "models/subnet/sl_to_vl.hpp"
#include "models/subnet/subnet_topology.hpp"

namespace weft::models {
namespace {

constexpr u32 levels = SlToVl::levels;
/// Lanes for data; lane 15 is for management.
constexpr i64 data_lanes = 15;

bool by_layers(const Parameters& keys) {
  enum class By : u8 { choose, layers, shares };
  const By by =
      meaning_of<By>(keys.text("sl_by"), {{"auto", By::choose}, {"layers", By::layers}, {"shares", By::shares}});
  return by == By::layers || (by == By::choose && keys.integers("sl_shares").empty());
}

/// The fabric's own lanes, if it has some.
const SlToVl* lanes_of_fabric(const Topology& topology) {
  const auto* const fabric = dynamic_cast<const SubnetTopology*>(&topology.whole());
  return fabric != nullptr ? fabric->sl_to_vl() : nullptr;
}

class ServiceLevelRouting final : public Routing {
 public:
  ServiceLevelRouting(const Topology& topology, const RouterSettings& settings, LevelDraws draws)
      : net_(topology),
        settings_(settings),
        lanes_(settings.virtual_channels),
        by_layers_(by_layers(settings.own)),
        routes_(table_routes(topology, settings, !by_layers_)),
        of_fabric_(lanes_of_fabric(topology)) {
    for (const i64 share : settings.own.integers("sl_shares")) {
      const i64 even = share > 0 ? 1 : 0;
      shares_.push_back(static_cast<u32>(draws == LevelDraws::evenly ? even : share));
    }
    const std::vector<i64> list = settings.own.integers("sl2vl");
    for (u32 level = 0; level < levels; ++level) {
      const bool says = list.empty() || level < list.size();
      lane_[level] = !says ? no_lane : list.empty() ? static_cast<u8>(level % lanes_) : static_cast<u8>(list[level]);
    }
    check_levels();
  }

  /// Packets that are on their way keep their level.
  bool follow(const Topology& left) override {
    routes_ = table_routes(left, settings_, !by_layers_);
    check_levels();
    return true;
  }

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    u32 level = 0;
    if (by_layers_) {
      level = routes_.layers.layer(net_.router_of(from).value(), to.value());
    } else if (!shares_.empty()) {
      level = traffic_class(bits, shares_);
    }
    state.phase = static_cast<u8>(level);
  }
  /// Each level that has packets.
  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override {
    return by_layers_ || shares_.empty() ? 1 : static_cast<u32>(shares_.size() - std::ranges::count(shares_, 0U));
  }
  void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const override {
    if (by_layers_ || shares_.empty()) return begin(state, from, to, 0);
    u32 level = 0;
    for (u32 left = number; shares_[level] == 0 || left-- > 0;) ++level;
    state.phase = static_cast<u8>(level);
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const bool here = net_.router_of(packet.to).value() == at.router;
    if (here && net_.direct()) return Verdict::arrived;
    const u32 port = here ? net_.port_of(packet.to) + 1 : routes_.tables.port(at.router, packet.to.value());
    if (port == 0 || port == ForwardingTables::none) return Verdict::dropped;
    const u32 level = packet.state.phase;
    const u32 lane = of_fabric_ != nullptr ? of_fabric_->lane(at.router, at.port + 1, port, level) : lane_[level];
    if (lane >= lanes_) return Verdict::dropped;  // back to where it came from: not looked at before the start
    candidates.outputs.add((port - 1U) * lanes_ + lane);
    return Verdict::waits;
  }

  [[nodiscard]] bool goes_by_source() const override { return false; }
  [[nodiscard]] u32 service_level(const RouteState& state) const override { return state.phase; }
  [[nodiscard]] Channels node_link_channels(const RouteState& state, bool /*to_node*/) const override {
    return {lane_[state.phase], 1};
  }

 private:
  static constexpr u8 no_lane = 0xff;

  [[nodiscard]] bool has_packets(u32 level) const {
    if (by_layers_) return level < routes_.layers.used;
    return shares_.empty() ? level == 0 : level < shares_.size() && shares_[level] > 0;
  }
  void check_levels() const {
    for (u32 level = 0; level < levels; ++level) {
      if (has_packets(level)) check(level);
    }
  }
  /// Whether a level that packets have gets lanes that links have, wherever they may pass.
  void check(u32 level) const {
    if (lane_[level] >= lanes_) {
      const std::string why = lane_[level] == no_lane ? fmt::format("has no lane for SL {}, which packets have", level)
                                                      : fmt::format("gives SL {} the lane {} (links have VLs 0 to {})",
                                                                    level, lane_[level], lanes_ - 1);
      throw ConfigError(fmt::format("router.sl2vl {}; use a list of {} lanes from 0 to {}, or none", why,
                                    std::max<u32>(level + 1, 1), lanes_ - 1));
    }
    if (of_fabric_ == nullptr) return;
    for (u32 s = 0; s < net_.routers(); ++s) {
      const u32 ports = net_.ports(RouterId(s));
      for (u32 in = 1; in <= ports; ++in) {
        for (u32 out = 1; out <= ports; ++out) {
          const u32 lane = of_fabric_->lane(s, in, out, level);
          const bool cabled = net_.peer(RouterId(s), in - 1).kind != Peer::Kind::none &&
                              net_.peer(RouterId(s), out - 1).kind != Peer::Kind::none;
          if (lane < lanes_ || in == out || !cabled) continue;
          throw ConfigError(
              fmt::format("topology.sl2vl gives SL {} the lane {} at switch {} from port {} to port {} (links have VLs "
                          "0 to {}); {}",
                          level, lane, s, in, out, lanes_ - 1,
                          lane < data_lanes ? fmt::format("use router.virtual_channels = {}", lane + 1)
                                            : "such packets are dropped: use other service levels"));
        }
      }
    }
  }

  const Topology& net_;
  RouterSettings settings_;
  u32 lanes_;
  bool by_layers_;
  TableRoutes routes_;
  const SlToVl* of_fabric_;  ///< of switches, in place of lane_; nullptr: none
  std::vector<u32> shares_;  ///< a weight for each level; empty: all have level 0
  std::array<u8, levels> lane_{};
};

}  // namespace

std::vector<Setting> service_level_rows() {
  return {row::choice("router.sl_by", "auto", {"auto", "layers", "shares"},
                      "what gives packets their service level (SL): layers, that of the route from their source to "
                      "their destination, so that routes do not close cycles; shares, a draw with router.sl_shares; "
                      "auto: shares if those are given, else layers."),
          row::integers("router.sl_shares", "", {0, 1'000'000},
                        "weights of service levels 0, 1, 2...: packets are drawn with these (pairs of nodes with "
                        "router.route_per = \"flow\"); not given: all have level 0."),
          row::integers("router.sl2vl", "", {0, data_lanes - 1},
                        "virtual lanes of service levels 0, 1, 2..., the same at all ports; nodes go by it too where "
                        "topology.sl2vl says it of switches; not given: the level modulo router.virtual_channels.")};
}

std::optional<Complaint> check_service_levels(const RouterChoice& choice) {
  const std::vector<i64> shares = choice.keys.integers("sl_shares"), list = choice.keys.integers("sl2vl");
  const i64 lanes = choice.keys.integer("virtual_channels");
  const auto too_long = [](const std::string& key, std::size_t count) {
    return Complaint{key, fmt::format("has {} values (there are {} service levels)", count, levels),
                     "leave out the last"};
  };
  if (shares.size() > levels) return too_long("router.sl_shares", shares.size());
  if (list.size() > levels) return too_long("router.sl2vl", list.size());
  if (!shares.empty() && by_layers(choice.keys)) {
    return Complaint{"router.sl_shares", "has no effect beside sl_by = \"layers\"", "remove one of them"};
  }
  if (!shares.empty() && std::ranges::all_of(shares, [](i64 share) { return share == 0; })) {
    return Complaint{"router.sl_shares", "leaves no service level any packets", "give one of them a weight above 0"};
  }
  for (std::size_t level = 0; level < list.size(); ++level) {
    if (list[level] < lanes) continue;
    return Complaint{
        "router.sl2vl", fmt::format("gives SL {} the lane {} (links have VLs 0 to {})", level, list[level], lanes - 1),
        list[level] < data_lanes ? fmt::format("use virtual_channels = {}, or other lanes", list[level] + 1)
                                 : "use other lanes"};
  }
  return {};
}

std::unique_ptr<Routing> service_level_routing(const Topology& topology, const RouterSettings& settings,
                                               LevelDraws draws) {
  return std::make_unique<ServiceLevelRouting>(topology, settings, draws);
}

}  // namespace weft::models
