// Switches of indirect cubes: dimension order or adaptive over parallel links, deadlock kept away by a bubble at the
// neighbour; or parallel links used as meshes, which have no rings. Modes as in INSEE.
#include "models/topology/kind/indirect_cube.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/routing/packed_record.hpp"
#include "models/routing/ring_ties.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

enum class CubeMode : u8 { adaptive, fixed, one_mesh, four_meshes };

const IndirectCube& as_cube(const Topology& topology) {
  const auto* const cube = dynamic_cast<const IndirectCube*>(&topology.whole());
  WEFT_ASSERT(cube != nullptr);
  return *cube;
}

class IndirectCubeRouting final : public Routing {
 public:
  IndirectCubeRouting(const Topology& topology, const RouterSettings& settings)
      : cube_(as_cube(topology)),
        mode_(mode_of<CubeMode>("indirect-cube", settings.mode)),
        channels_(settings.virtual_channels),
        record_(cube_.dimensions(), *std::ranges::max_element(cube_.dims()), topology.name()) {}

  /// Hops in each dimension; in `phase` the one of the parallel links that a mode without choice takes.
  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    const RouterId source = cube_.router_of(from), target = cube_.router_of(to);
    const u32 links = cube_.parallel_links(), lane = from.value() % cube_.nodes_per_switch() % links;
    Lattice::Record hops{};
    u32 mesh = 0;
    for (u32 d = 0; d < cube_.dimensions(); ++d) {
      const i32 size = static_cast<i32>(cube_.dims()[d]);
      const i32 a = static_cast<i32>(cube_.coordinate(source, d)), b = static_cast<i32>(cube_.coordinate(target, d));
      hops[d] = b - a;
      if (mode_ == CubeMode::one_mesh) continue;
      const bool tie_down = mode_ == CubeMode::four_meshes ? (lane >> d & 1) == 0 : (bits >> (d % 8) & 1) != 0;
      const i32 up = b >= a ? b - a : b - a + size, down = size - up;
      hops[d] = up == 0 ? 0 : down < up || (down == up && tie_down) ? -down : up;
      const bool wraps = a + hops[d] < 0 || a + hops[d] >= size, same_half = (2 * a < size) == (2 * b < size);
      if (d < 2 && (wraps || (same_half && (lane >> d & 1) != 0))) mesh |= 1U << d;
    }
    state.set_word(record_.pack(hops));
    state.phase = static_cast<u8>(mode_ == CubeMode::four_meshes ? mesh
                                  : mode_ == CubeMode::one_mesh  ? lane
                                                                 : from.value() % links);
  }

  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override {
    return ring_directions(cube_.dimensions());
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const u32 directions = record_.profitable(packet.state.word());
    const u32 first = static_cast<u32>(std::countr_zero(directions)), links = cube_.parallel_links();
    const u32 straight = straight_on(at);
    if (mode_ != CubeMode::adaptive) {
      const u32 port = first * links + packet.state.phase;
      if (mode_ != CubeMode::fixed) {
        candidates.outputs.add_range(port * channels_, channels_);
      } else {
        candidates.escape = port * channels_;
        candidates.escape_far_packets = port == straight ? 1 : 2;
      }
      return Verdict::waits;
    }
    for (u32 left = directions; left != 0; left &= left - 1) {
      const u32 direction = static_cast<u32>(std::countr_zero(left));
      for (u32 l = 0; l < links; ++l) {
        const u32 output = (direction * links + l) * channels_;
        candidates.outputs.add_range(output + 1, channels_ - 1);
        if (direction == first) candidates.outputs.add(output);
      }
    }
    candidates.memory = straight != none && at.channel == 0 ? straight * channels_ : Candidates::none;
    return Verdict::waits;
  }

  /// The output with most free space, ties at random; in channel 0 only where there is free space for 2 packets, or for
  /// 1 straight on in the ring.
  u32 request(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const override {
    if (mode_ != CubeMode::adaptive) return Routing::request(router, candidates, memory, bits);
    std::array<u64, 4> words{};
    OutputSet allowed(words.data(), candidates.outputs.words());
    for (u32 w = 0; w < allowed.words(); ++w) {
      for (u64 left = candidates.outputs.word(w) & router.space_word(w); left != 0; left &= left - 1) {
        const u32 o = 64 * w + static_cast<u32>(std::countr_zero(left));
        const u32 wanted = o % channels_ != 0 || o == memory ? 1 : 2;
        if (router.far_space(o, wanted)) allowed.add(o);
      }
    }
    return router.emptiest(allowed, bits);
  }

  void leave(RouteState& state, const QueuePlace& /*at*/, u32 port, u32 /*channel*/) const override {
    if (port < cube_.first_node_port()) state.set_word(record_.after(state.word(), port / cube_.parallel_links()));
  }

  [[nodiscard]] bool goes_by_source() const override { return false; }

 private:
  static constexpr u32 none = ~u32{0};

  /// Port of the same link on the other side of the switch, of a packet that came through a link.
  [[nodiscard]] u32 straight_on(const QueuePlace& at) const {
    if (at.port >= cube_.first_node_port()) return none;
    const u32 links = cube_.parallel_links();
    return (at.port / links ^ 1U) * links + at.port % links;
  }

  const IndirectCube& cube_;
  CubeMode mode_;
  u32 channels_;
  PackedRecord record_;
};

std::optional<Complaint> check_indirect_cube(const RouterChoice& choice) {
  const i64 channels = choice.keys.integer("virtual_channels");
  if (choice.mode == "adaptive" && channels < 2) {
    return Complaint{"router.virtual_channels",
                     "leaves no choice with routing = \"adaptive\" (channel 0 is the escape channel)",
                     "use virtual_channels = 2 or routing = \"static\""};
  }
  if (choice.mode == "static" && channels != 1) {
    return Complaint{"router.virtual_channels", "has no use with routing = \"static\" (one channel is taken)",
                     "use virtual_channels = 1"};
  }
  if ((choice.mode == "adaptive" || choice.mode == "static") && choice.keys.integer("queue_packets") < 2) {
    return Complaint{"router.queue_packets",
                     "is too short (entering a ring needs free space for 2 packets at the neighbour)",
                     "the nearest valid value is 2"};
  }
  if (choice.mode == "4mesh" &&
      (choice.shape.integers("dims").size() != 2 || choice.shape.integer("parallel_links") < 4)) {
    return Complaint{"router.routing", "needs two dimensions and 4 parallel links (a mesh for each quarter)",
                     "use routing = \"1mesh\" or parallel_links = 4"};
  }
  return {};
}

[[maybe_unused]] const bool indirect_cube_registered = RouterRegistry::instance().add(
    "indirect-cube",
    {.help =
         "switches of indirect cubes. Rings are kept free of deadlock by a bubble: entering one needs free space for 2 "
         "packets at the neighbour, going straight on in the same link free space for 1; or parallel links make up "
         "meshes, which have no "
         ""
         "rings.",
     .families = {"indirect-cube"},
     .modes =
         {RouterMode::row_of(
              CubeMode::adaptive,
              {"adaptive",
               "any channel of any parallel link that leads closer, the one with most free space, ties at random; "
               "channel 0 is the "
               ""
               "escape channel, of the first dimension left to go. The default.",
               true, true}),
          RouterMode::row_of(
              CubeMode::fixed,
              {"static", "dimension order on one channel, in the parallel link that the source's number selects.", true,
               true}),
          RouterMode::row_of(
              CubeMode::one_mesh,
              {"1mesh",
               "dimension order without the links that close rings; each node of a switch has a link of its own.",
               false}),
          RouterMode::row_of(
              CubeMode::four_meshes,
              {"4mesh",
               "two dimensions: four meshes, one a parallel link, shifted by half the torus, so that no shortest path "
               "crosses a border."})},
     .settings = {},
     .check = check_indirect_cube,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<IndirectCubeRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {},
     .ignores = {{"router.lbr_packets", "a node injects through a link of its own"}}});

}  // namespace
}  // namespace weft::models
