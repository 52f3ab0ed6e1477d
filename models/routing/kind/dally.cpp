// Dally routers of tori: dimension order, deadlock broken by two virtual channels and a date line in each ring.
#include <fmt/format.h>

#include "models/routing/channel_classes.hpp"
#include "models/routing/insee_paper.hpp"
#include "models/routing/kind/lattice_routing.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

enum class DallyMode : u8 { adaptive, improved, basic, trc };

/// Two classes of escape channels of dimension order (Dally and Seitz, IEEE Trans. Computers 1987; modes as in INSEE):
/// in each ring one for packets whose path leads across the border of the coordinates and one for those whose path does
/// not, so that no cycle of channels closes. In mode adaptive these are channels 0 and 1, and the higher ones are
/// adaptive; in others they share all channels. Dimensions that are no rings need no classes; in mode trc, which tells
/// channels apart by coordinates, they have them all the same.
/// RouteState (router.channel_rule = "paper"): `phase` and `spare` the dimensions whose border the packet has crossed.
class DallyRouting final : public LatticeRouting {
 public:
  static constexpr u32 before_border = 1, after_border = 0;  ///< classes; who never crosses is after it

  DallyRouting(const Topology& topology, const RouterSettings& settings)
      : LatticeRouting(topology, settings.virtual_channels, RingTies(settings.own, topology.grid())),
        mode_(mode_of<DallyMode>("dally", settings.mode)),
        paper_(follows_paper(settings.own)),
        size_(topology.grid()),
        classes_(channels(), 2) {
    for (u32 d = 0; d < size_.size(); ++d) {
      const bool ring = lattice().crosses_border(RouterId(0), 2 * d + 1);  // down from coordinate 0
      rings_ |= u32{ring ? 1U : 0U} << d;
    }
    for (u32 o = 0; o < 64 * most_words; ++o) adaptive_[o / 64] |= u64{o % channels() >= 2 ? 1U : 0U} << (o % 64);
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const u64 word = packet.state.word();
    const u32 ports = record().profitable(word);
    if (ports == 0) return Verdict::arrived;
    const u32 port = port_in_order(packet);
    const bool crosses =
        crosses_ahead(at.router, port, record().hops(word, port / 2)) || has_crossed(packet.state, port);
    if (mode_ == DallyMode::trc) {
      classes_.add(candidates.outputs, port, paper_ ? class_in_paper(at, packet.state, port) : trc_class(at, port));
    } else if (mode_ == DallyMode::adaptive) {
      candidates.outputs.add(output(port, before_border));
      if (!crosses) candidates.outputs.add(output(port, after_border));
      for (u32 left = ports; left != 0; left &= left - 1) {
        candidates.outputs.add_range(output(static_cast<u32>(std::countr_zero(left)), 2), channels() - 2);
      }
    } else if (crosses) {
      classes_.add(candidates.outputs, port, before_border);
    } else if (mode_ == DallyMode::improved || (rings_ >> (port / 2) & 1) == 0) {
      classes_.add_all(candidates.outputs, port);
    } else {
      classes_.add(candidates.outputs, port, after_border);
    }
    return Verdict::waits;
  }

  /// Any adaptive channel with free space; an escape channel if there is none. Other modes: the open one with most free
  /// space, but that two channels are drawn from as in INSEE.
  u32 request(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const override {
    if (mode_ != DallyMode::adaptive && (mode_ == DallyMode::basic || classes_.several()))
      return emptiest_open(router, candidates.outputs, bits);
    if (mode_ != DallyMode::adaptive) return Routing::request(router, candidates, memory, bits);
    std::array<u64, most_words> adaptive{};
    for (u32 w = 0; w < candidates.outputs.words(); ++w) adaptive[w] = candidates.outputs.word(w) & adaptive_[w];
    const u32 choice = router.random_with_space(OutputSet(adaptive.data(), candidates.outputs.words()), bits);
    return choice != RouterView::none ? choice : router.random_with_space(candidates.outputs, bits);
  }

  void leave(RouteState& state, const QueuePlace& at, u32 port, u32 channel) const override {
    if (paper_ && lattice().crosses_border(RouterId(at.router), port)) {
      const u32 crossed = crossed_in(state) | 1U << (port / 2);
      state.phase = static_cast<u8>(crossed);
      state.spare = static_cast<u8>(crossed >> 8);
    }
    LatticeRouting::leave(state, at, port, channel);
  }

  [[nodiscard]] bool goes_by_source() const override { return false; }

 private:
  /// Dimensions whose border a packet has crossed, as far as that is kept.
  [[nodiscard]] static u32 crossed_in(const RouteState& state) { return state.phase | u32{state.spare} << 8; }
  [[nodiscard]] static bool has_crossed(const RouteState& state, u32 port) {
    return (crossed_in(state) >> (port / 2) & 1) != 0;
  }
  [[nodiscard]] u32 coordinate(u32 router, u32 d) const {
    for (u32 k = 0; k < d; ++k) router /= size_[k];
    return router % size_[d];
  }
  [[nodiscard]] bool crosses_ahead(u32 router, u32 port, i32 hops) const {
    const i32 at = static_cast<i32>(coordinate(router, port / 2)) + hops;
    return at < 0 || at >= static_cast<i32>(size_[port / 2]);
  }
  /// Before the border from where a packet enters a ring; after it from the router with coordinate 0 on.
  [[nodiscard]] u32 trc_class(const QueuePlace& at, u32 port) const {
    const bool goes_on = at.port == (port ^ 1U);
    const bool is_after = goes_on && classes_.has(after_border, at.channel);
    return is_after || coordinate(at.router, port / 2) == 0 ? after_border : before_border;
  }

  /// Before the border from wherever a packet enters a ring; after it from the link across it on.
  [[nodiscard]] u32 class_in_paper(const QueuePlace& at, const RouteState& state, u32 port) const {
    const bool is_after = has_crossed(state, port) || lattice().crosses_border(RouterId(at.router), port);
    return is_after ? after_border : before_border;
  }

  static constexpr u32 most_words = 4;  ///< of a set of outputs of a plain router

  DallyMode mode_;
  bool paper_;             ///< router.channel_rule
  std::vector<u32> size_;  ///< routers in each dimension
  ChannelClasses classes_;
  u32 rings_ = 0;                           ///< a bit for each dimension that closes
  std::array<u64, most_words> adaptive_{};  ///< outputs that are adaptive channels
};

std::optional<Complaint> check_dally(const RouterChoice& choice) {
  const i64 channels = choice.keys.integer("virtual_channels");
  const i64 least = choice.mode == "adaptive" ? 3 : 2;
  if (channels < least) {
    return Complaint{"router.virtual_channels",
                     fmt::format("is too few for routing = \"{}\" of dally routers (two escape channels{})",
                                 choice.mode, least == 3 ? " and an adaptive one" : ""),
                     fmt::format("use virtual_channels = {}", least)};
  }
  const bool one_way = choice.shape.has("unidirectional") && choice.shape.flag("unidirectional");
  if (choice.topology == "twisted-torus" && one_way && !choice.unsafe()) {
    return Complaint{"router.kind",
                     "= \"dally\" does not fit one-way twisted tori (routes go round a ring more than "
                     "once, and close a cycle of channels)",
                     "use router.kind = \"bubble\""};
  }
  const bool paper = follows_paper(choice.keys) && choice.mode != "trc";
  if (paper && choice.topology == "mesh") {
    return Complaint{"router.channel_rule", "has no effect in a mesh (no packet crosses a border)", "remove it"};
  }
  const bool shortest_half =
      choice.topology != "twisted-torus" && !one_way;  // no packet goes round half a ring or more
  if (paper && !shortest_half && !choice.unsafe()) {
    return Complaint{
        "router.channel_rule",
        fmt::format("= \"paper\" can deadlock with routing = \"{}\" here (packets that keep the channel of "
                    "those that cross the border go round more than half of a ring)",
                    choice.mode),
        "use channel_rule = \"program\" or routing = \"trc\""};
  }
  if (choice.keys.text("ties") == "card") {
    return Complaint{"router.ties", "does not fit dally routers (only the nodes of twin tori are cards)",
                     "use ties = \"random\", \"up\", \"down\" or \"inside\""};
  }
  return {};
}

[[maybe_unused]] const bool dally_registered = RouterRegistry::instance().add(
    "dally",
    {.help = "meshes and tori, twisted ones too. Channels 0 and 1 are escape channels of dimension order with a date "
             "line in each ring, higher ones are adaptive (mode adaptive; in the other modes the lower half of the "
             "channels takes the part of 0 and the upper half that of 1).",
     .families = {"grid", "twisted"},
     .modes =
         {RouterMode::row_of(
              DallyMode::adaptive,
              {"adaptive",
               "any adaptive channel that leads closer and has free space; the escape channels as in mode improved if "
               "there is none. The default; needs 3 channels.",
               true, false, "duato"}),
          RouterMode::row_of(
              DallyMode::improved,
              {"improved", "packets that will cross the border of a ring take one channel, the others either."}),
          RouterMode::row_of(
              DallyMode::basic,
              {"basic",
               "packets that will cross the border of a ring take one channel, the others the other; any "
               "channel in dimensions that are no rings.",
               true, false, "dor"}),
          RouterMode::row_of(
              DallyMode::trc, {"trc", "packets enter a ring in one channel and change to the other at its border."})},
     .settings = {RingTies::key_row(), channel_rule_row()},
     .check = check_dally,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<DallyRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
