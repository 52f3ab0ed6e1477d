// Omega, delta, butterfly and baseline networks: wiring and distances against search, one route by the digits of the
// destination, known permutations.
#include "models/topology/kind/unidirectional_min.hpp"

#include <cmath>
#include <map>
#include <set>

#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> min_of(const std::string& wiring, i64 arity, i64 levels) {
  return made("unidirectional-min", {{"arity", arity}, {"levels", levels}, {"wiring", wiring}});
}
const std::vector<std::string> min_wirings{"omega", "delta", "butterfly", "baseline"};
const std::vector<std::pair<i64, i64>> min_shapes{{2, 1}, {2, 3}, {2, 5}, {3, 3}, {4, 2}, {5, 1}};

/// Routers from a node's terminal on by the digits of another's number, highest first, up to where no digit is left.
std::vector<u32> by_digits(const Topology& net, u32 radix, u32 stages, u32 from, u32 to) {
  std::vector<u32> way{net.router_of(NodeId{from}).value()};
  way.push_back(net.peer(RouterId{way.back()}, UnidirectionalMin::terminal_out).id);
  for (u32 i = 0, power = net.nodes() / radix; i < stages; ++i, power /= radix) {
    way.push_back(net.peer(RouterId{way.back()}, to / power % radix).id);
  }
  return way;
}

TEST(UnidirectionalMin, IsWiredAsSearchSays) {
  for (const std::string& wiring : min_wirings) {
    for (const auto& [arity, levels] : min_shapes) {
      const auto net = min_of(wiring, arity, levels);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      EXPECT_EQ(net->diameter(), static_cast<u32>(levels + 3));
      EXPECT_EQ(net->nodes(), static_cast<u32>(std::pow(arity, levels)));
    }
  }
}

TEST(UnidirectionalMin, LeadsEveryPairByTheDigitsOfTheDestination) {
  for (const std::string& wiring : min_wirings) {
    for (const auto& [arity, levels] : min_shapes) {
      const auto net = min_of(wiring, arity, levels);
      for (u32 from = 0; from < net->nodes(); ++from) {
        for (u32 to = 0; to < net->nodes(); ++to) {
          const auto way = by_digits(*net, static_cast<u32>(arity), static_cast<u32>(levels), from, to);
          ASSERT_EQ(way.back(), net->router_of(NodeId{to}).value()) << net->name() << " " << from << " to " << to;
        }
      }
    }
  }
}

TEST(UnidirectionalMin, CarriesWhatTheMostLoadedLinkCan) {
  for (const std::string& wiring : min_wirings) {
    const auto net = min_of(wiring, 2, 3);
    std::map<std::pair<u32, u32>, u32> pairs;  // by link
    for (u32 from = 0; from < 8; ++from) {
      for (u32 to = 0; to < 8; ++to) {
        if (from == to) continue;
        const auto way = by_digits(*net, 2, 3, from, to);
        for (std::size_t h = 1; h < way.size(); ++h) ++pairs[{way[h - 1], way[h]}];
      }
    }
    u32 most = 0;
    for (const auto& [link, count] : pairs) most = std::max(most, count);
    EXPECT_DOUBLE_EQ(net->uniform_load_bound(), std::min(1.0, 7.0 / most)) << wiring;
  }
}

TEST(UnidirectionalMin, BlocksWhatOmegaNetworksBlock) {
  // Lawrie 1975: an omega network passes the identity and all shifts without a conflict, but not bit reversal of 8.
  const auto net = min_of("omega", 2, 3);
  const auto conflicts = [&](auto&& image) {
    std::set<std::pair<u32, u32>> links;
    u32 twice = 0;
    for (u32 from = 0; from < 8; ++from) {
      const auto way = by_digits(*net, 2, 3, from, image(from));
      for (std::size_t h = 1; h < way.size(); ++h) twice += links.emplace(way[h - 1], way[h]).second ? 0 : 1;
    }
    return twice;
  };
  for (u32 shift = 0; shift < 8; ++shift)
    EXPECT_EQ(conflicts([&](u32 node) { return (node + shift) % 8; }), 0U) << shift;
  EXPECT_GT(conflicts([](u32 node) { return node >> 2 | (node & 2) | (node & 1) << 2; }), 0U);
}

TEST(UnidirectionalMin, RefusesMoreNodesThanPacketsCanAddress) {
  EXPECT_EQ(error_of("unidirectional-min", {{"arity", i64{16}}, {"levels", i64{7}}}),
            "topology.levels = 7 is not possible (more than 16777216 nodes with 16 ports a switch); use levels = 6");
}

}  // namespace
}  // namespace weft::models::testing
