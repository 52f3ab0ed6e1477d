// Routings of twin tori: order of dimensions, over the internal link where the next one's port is at the other card.
#include "models/routing/channel_classes.hpp"
#include "models/routing/ring_ties.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/kind/twin_torus.hpp"

namespace weft::models {
namespace {

enum class NdtMode : u8 { dort, ts_dor, dort_cases, ts_dor_up, ts_dor_down };

const TwinTorus& as_twin_torus(const Topology& topology) {
  const auto* const torus = dynamic_cast<const TwinTorus*>(&topology.whole());
  WEFT_ASSERT(torus != nullptr);
  return *torus;
}

/// F. Andujar et al., IEEE Trans. Computers 63(11), 2014, and CPE 2018. The shorter direction in each ring; of two
/// equally short ones that which router.ties says (RouteState::low, bit d % 8; ties = "card": down from card 0, up from
/// card 1, so that the two cards load both halves of a ring), in the middle dimension that which leaves from the card
/// where the packet is.
///
/// Free of deadlock, as channels can be numbered such that packets only go up: in a ring a channel for packets whose
/// path leads across the border of the coordinates and one for the others, told by comparing coordinates. Packets that
/// go on in the middle dimension cross an internal link at every torus node, which so belongs to the ring and has the
/// two channels too. What is said of the four channels holds of four classes of more.
/// - dort: the internal links come by before the dimensions of card 0 (channel 2), in the middle one (0 and 1), and
///   before those of card 1 or at the end (channel 3).
/// - ts-dor: packets of card 0 in channels 0 and 1, those of card 1, in the reverse order, in channels 2 and 3. They
///   begin in dimensions of their own card, so that nobody takes an internal link before the middle dimension. One
///   behind it is taken in the channel of those who cross no border. That closes no cycle: packets in that channel go
///   on in the middle ring towards its border, and none goes across.
/// - ts-dor-up, ts-dor-down: those of card 0 and those of card 1 alone, in channels 0 and 1 of a traffic class.
/// - dort-cases: as dort, with the channels of internal links as the text of 2018 has them: to the PE of the other card
///   0, before a dimension of the other card 1, in the middle dimension 2 and 3.
class NdtRouting final : public RoutingByClasses {
 public:
  NdtRouting(const Topology& topology, const RouterSettings& settings)
      : RoutingByClasses(settings.virtual_channels, one_card(mode_of<NdtMode>("ndt", settings.mode)) ? 2 : 4),
        net_(as_twin_torus(topology)),
        mode_(mode_of<NdtMode>("ndt", settings.mode)),
        two_orders_(mode_ == NdtMode::ts_dor || one_card(mode_)),
        ties_(settings.own, sizes(net_)),
        ties_by_card_(settings.own.text("ties") == "card") {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    state.low = static_cast<u32>(ties(from, to, bits) & (ring_directions(net_.dimensions()) - 1));
  }
  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override {
    return ring_directions(net_.dimensions());
  }
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (at.router == packet.to.value()) return Verdict::arrived;
    const Step next = step(at.router, packet.from, packet.to, packet.state.low);
    classes().add(candidates.outputs, next.port, next.channel);
    return Verdict::waits;
  }
  [[nodiscard]] bool serves(NodeId from) const override {
    return !one_card(mode_) || TwinTorus::card(from.value()) == (mode_ == NdtMode::ts_dor_up ? 0U : 1U);
  }
  [[nodiscard]] u32 first_port(NodeId from, NodeId to, u64 bits) const override {
    return from == to ? 0 : step(from.value(), from, to, ties(from, to, bits)).port;
  }

 private:
  static constexpr u32 to_card_0 = 2, behind_middle = 3;         ///< channels of internal links in mode dort
  static constexpr u32 to_pe = 0, to_dimension = 1, middle = 2;  ///< and in mode dort-cases, the last of two

  [[nodiscard]] static bool one_card(NdtMode mode) {
    return mode == NdtMode::ts_dor_up || mode == NdtMode::ts_dor_down;
  }

  struct Step {
    u32 port, channel;
  };
  [[nodiscard]] Step step(u32 here, NodeId from, NodeId to, u64 ties) const {
    const u32 n = net_.dimensions(), card = TwinTorus::card(here);
    const u32 traffic_class = mode_ == NdtMode::ts_dor_up     ? 0
                              : mode_ == NdtMode::ts_dor_down ? 1
                              : two_orders_                   ? TwinTorus::card(from.value())
                                                              : 0;
    const u32 first_channel = one_card(mode_) ? 0 : 2 * traffic_class;
    for (u32 k = 0; k < n; ++k) {
      const u32 d = traffic_class == 1 ? n - 1 - k : k;
      const u32 at = net_.coordinate(here, d), target = net_.coordinate(to.value(), d), size = net_.size(d);
      if (at == target) continue;
      const bool tie_up = d == net_.middle() ? card == 1 : (ties >> (d % 8) & 1) == 0;
      const u32 up_twice = 2 * (target > at ? target - at : target + size - at);
      const bool up = up_twice < size || (up_twice == size && tie_up);
      const bool crosses_border = up ? target < at : target > at;
      const u32 ring = first_channel + (crosses_border ? 1 : 0);
      if (const u32 door = net_.card_towards(d, up); door != card) {
        const u32 in_middle = mode_ == NdtMode::dort_cases ? middle + ring : ring;
        return {net_.internal_port(), d == net_.middle() ? in_middle : across(first_channel, door)};
      }
      return {net_.port_towards(d, up), ring};
    }
    if (mode_ == NdtMode::dort_cases) return {net_.internal_port(), to_pe};
    return {net_.internal_port(), two_orders_ ? first_channel : behind_middle};
  }
  static std::vector<u32> sizes(const TwinTorus& net) {
    std::vector<u32> result;
    for (u32 d = 0; d < net.dimensions(); ++d) result.push_back(net.size(d));
    return result;
  }
  /// The bits that decide between equally short paths (0: up).
  [[nodiscard]] u64 ties(NodeId from, NodeId to, u64 bits) const {
    if (ties_by_card_) return TwinTorus::card(from.value()) == 0 ? ~u64{0} : 0;
    return ties_.of(bits, from.value() / 2, to.value() / 2);
  }
  /// Channel of an internal link to a card, before dimensions that are all its own.
  [[nodiscard]] u32 across(u32 first_channel, u32 card) const {
    if (two_orders_) return first_channel;
    if (mode_ == NdtMode::dort_cases) return to_dimension;
    return card == 0 ? to_card_0 : behind_middle;
  }

  const TwinTorus& net_;
  NdtMode mode_;
  bool two_orders_;
  RingTies ties_;
  bool ties_by_card_;
};

/// Whether there are several traffic classes.
bool has_classes(const RouterChoice& choice) {
  return choice.keys.has("traffic_classes") && choice.keys.integer("traffic_classes") > 1;
}

std::optional<Complaint> check_ndt(const RouterChoice& choice) {
  if (choice.mode == "ts-dor-up" || choice.mode == "ts-dor-down") {
    if (!has_classes(choice)) {
      return Complaint{"router.routing", "has routes for the packets of one card alone (" + choice.mode + ")",
                       "use ts-dor, or switches of cells with two traffic classes and router.class_modes"};
    }
    if (choice.keys.integer("virtual_channels") >= 2) return {};
    return Complaint{"router.virtual_channels",
                     "deadlocks with " + choice.mode + " routes (two channels for each ring)",
                     "use virtual_channels = 2"};
  }
  if (choice.mode == "ts-dor" && has_classes(choice) && choice.keys.integer("virtual_channels") >= 2) return {};
  if (choice.keys.integer("virtual_channels") < 4) {
    return Complaint{"router.virtual_channels",
                     choice.mode == "ts-dor"
                         ? "deadlocks with ts-dor routes (two channels for the packets of each card)"
                         : "deadlocks with dort routes (internal links need four channels)",
                     "use virtual_channels = 4"};
  }
  return {};
}

[[maybe_unused]] const bool ndt_registered = RouterRegistry::instance().add(
    "ndt",
    {.help =
         "twin tori (ndt-torus): order of dimensions, the shorter direction in each ring. A channel in each ring for "
         "packets whose path crosses the border of the coordinates and one for the others, and channels of their "
         "own for internal links or for the packets of each card, so that no cycle of channels closes. More than four "
         "channels are shared out among those.",
     .families = {"ndt"},
     .modes =
         {RouterMode::row_of(
              NdtMode::dort,
              {"dort", "dimensions upwards; internal links have four channels. The default; needs 4 channels.", false}),
          RouterMode::row_of(
              NdtMode::ts_dor,
              {"ts-dor",
               "packets of card 0 take the dimensions upwards in channels 0 and 1, those of card 1 downwards in "
               "channels 2 and 3; needs 4 channels.",
               false}),
          RouterMode::row_of(
              NdtMode::dort_cases,
              {"dort-cases",
               "as dort, with channels of internal links by what packets do there: to the other processing element "
               "0, to a dimension of the other card 1, on in the middle dimension 2 and 3; needs 4 channels.",
               false}),
          RouterMode::row_of(NdtMode::ts_dor_up,
                             {"ts-dor-up",
                              "packets of card 0 alone, as in ts-dor: of a traffic class of their own "
                              "(router.class_modes); needs 2 channels.",
                              false}),
          RouterMode::row_of(NdtMode::ts_dor_down,
                             {"ts-dor-down",
                              "packets of card 1 alone, as in ts-dor: of a traffic class of their own "
                              "(router.class_modes); needs 2 channels.",
                              false})},
     .settings = {RingTies::key_row()},
     .check = check_ndt,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<NdtRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
