// Twin tori: the published configuration of ports, sizes, where the links of the middle dimension lead, shapes that are
// refused. Wiring and distances are tested as those of every topology.
#include "models/topology/kind/twin_torus.hpp"

#include <cmath>

#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/parts.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> twin(Ints dims) { return made("ndt-torus", {{"dims", std::move(dims)}}); }

TopologySpec shape(Ints dims) { return {"ndt-torus", {{"dims", std::move(dims)}}}; }

[[maybe_unused]] const bool twin_torus_shapes_added =
    test_shapes({shape({2, 2}), shape({5, 4}), shape({1, 3, 1}), shape({3, 1, 2}), shape({2, 5, 3}), shape({3, 4, 2}),
                 shape({2, 3, 2, 4}), shape({2, 2, 4, 3, 2}), shape({2, 2, 5, 1, 2})});

std::vector<std::string> port_names(const Topology& net, u32 router) {
  std::vector<std::string> names;
  for (u32 p = 0; p < net.ports(RouterId{router}); ++p) names.push_back(net.port_name(RouterId{router}, p));
  return names;
}

TEST(TwinTorus, SharesTheDirectionsOutBetweenTheTwoCards) {
  using Names = std::vector<std::string>;
  const auto five = twin({4, 4, 2, 2, 2});
  EXPECT_EQ(port_names(*five, 0), (Names{"d0-", "d0+", "d1-", "d1+", "d2-", "internal"}));
  EXPECT_EQ(port_names(*five, 1), (Names{"d2+", "d3-", "d3+", "d4-", "d4+", "internal"}));
  const auto four = twin({3, 3, 2, 2});
  EXPECT_EQ(port_names(*four, 6), (Names{"d0-", "d0+", "d1-", "d1+", "internal"}));
  EXPECT_EQ(port_names(*four, 7), (Names{"d2-", "d2+", "d3-", "d3+", "internal"}));
}

TEST(TwinTorus, HasThePublishedNumbersOfProcessingElements) {
  const std::vector<std::pair<Ints, u32>> published{
      {{4, 4, 2, 2, 2}, 256}, {{4, 4, 2, 4, 2}, 512}, {{4, 4, 2, 4, 4}, 1024}, {{4, 4, 4, 4, 4}, 2048}};
  for (const auto& [dims, nodes] : published) {
    const auto net = twin(dims);
    EXPECT_EQ(net->nodes(), nodes);
    EXPECT_EQ(net->routers(), nodes);
    EXPECT_EQ(net->router_links(), nodes / 2 * 6);
    EXPECT_LT(net->mean_distance(), std::cbrt(nodes) * 3 / 4);  // below the cube of as many nodes
  }
  EXPECT_EQ(twin({4, 4, 2, 2, 2})->name(), "4x4x2x2x2 twin torus");
}

TEST(TwinTorus, ArrivesAtTheOtherCardByTheMiddleDimension) {
  const auto net = twin({4, 3, 4, 2, 2});
  const auto& torus = dynamic_cast<const TwinTorus&>(*net);
  const u32 stride = 2 * 4 * 3;  // cards from one to the next in dimension 2
  EXPECT_EQ(net->peer(RouterId{stride}, torus.port_towards(2, false)).id, 1U);
  EXPECT_EQ(net->peer(RouterId{1}, torus.port_towards(2, true)).id, stride);
  EXPECT_EQ(net->peer(RouterId{0}, torus.port_towards(0, true)).id, 2U);
  EXPECT_EQ(net->peer(RouterId{0}, torus.internal_port()).id, 1U);
  EXPECT_EQ(net->link_classes().at(net->link_class(RouterId{5}, torus.internal_port())), "internal");
  EXPECT_EQ(net->link_class(RouterId{5}, 0), 0U);
}

TEST(TwinTorus, IsCutIntoBoxesThatKeepTwinsTogether) {
  const auto net = twin({4, 4, 2, 2, 2});
  const std::vector<u32> part = table(*net, net->regular_partition(4).part_of);
  for (u32 r = 0; r < net->routers(); r += 2) EXPECT_EQ(part[r], part[r + 1]);
  EXPECT_EQ(sizes(part, 4), (std::vector<u32>{64, 64, 64, 64}));
}

TEST(TwinTorus, RefusesShapesThatItCannotHave) {
  EXPECT_EQ(error_of("ndt-torus", {{"dims", Ints{8}}}),
            "topology.dims = [8] is not possible (a twin torus has 2 to 16 dimensions); use dims = [8, 8]");
  EXPECT_EQ(error_of("ndt-torus", {{"dims", Ints{32768, 65536}}}),
            "topology.dims = [32768, 65536] is not possible (more than 2147483648 nodes, two of each torus node); "
            "use dims = [32768, 32768]");
  EXPECT_EQ(error_of("ndt-torus", {}).find("topology.dims is missing"), 0U);
}

}  // namespace
}  // namespace weft::models::testing
