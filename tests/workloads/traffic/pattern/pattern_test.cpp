// Traffic patterns: what must hold for every registered one, the definition of each, and the errors.
#include "workloads/traffic/pattern/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "tests/support/scratch_folder.hpp"
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

/// A file of this process with so much text.
std::string scratch_of_patterns(const std::string& name, const std::string& text) {
  static const ScratchFolder folder;
  return folder.write(name, text);
}

/// Networks that every pattern accepts: a power of four of nodes, in groups, with and without dimensions, with the
/// distances of a ring, and with the keys that some patterns cannot do without.
const std::vector<PatternSpec> networks = [] {
  std::vector<PatternSpec> all = {
      {16, {}, 1, 4}, {16, {4, 4}, 1, 4}, {64, {4, 4, 4}, 1, 4}, {256, {16, 16}, 1, 4}, {1024, {}, 1, 4}};
  for (PatternSpec& spec : all) {
    spec.distance = [nodes = spec.nodes](u32 from, u32 to) {
      const u32 up = (to + nodes - from) % nodes;
      return std::min(up, nodes - up);
    };
    spec.keys.set("regions", std::string("0:4:0.5, 8:1:0.25"));
    spec.keys.set("matrix_path", scratch_of_patterns("matrix", "0 1 2\n1 15 1\n3 3 9\n15 0 1e-3\n"));
    spec.keys.set("distances_path", scratch_of_patterns("distances", "1 1\n8 0.5\n100 2\n"));
    spec.keys.set("population_path", scratch_of_patterns("population", "0\n1\n1\n3\n700\n"));
  }
  return all;
}();

u64 bits(u64 draw) { return engine::random_bits(7, 3, draw, engine::Use::test); }

u32 image(const std::string& name, const PatternSpec& spec, u32 node) {
  return make_pattern(name, spec)->destination(NodeId(node), {0}).value();
}

/// Packets that each node gets if `source` sends `draws` of them, [node].
std::vector<u64> histogram(const Pattern& pattern, u32 source, u32 nodes, u64 draws) {
  std::vector<u64> counts(nodes, 0);
  for (u64 draw = 0; draw < draws; ++draw) ++counts.at(pattern.destination(NodeId(source), {bits(draw)}).value());
  return counts;
}

std::string error_of(const std::string& name, const PatternSpec& spec) {
  try {
    (void)make_pattern(name, spec);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(EveryPattern, SendsInsideTheNetworkAndToItselfOnlyIfItDoesNotSend) {
  for (const auto& name : PatternRegistry::instance().names()) {
    for (const auto& network : networks) {
      const auto pattern = make_pattern(name, network);
      for (u32 source = 0; source < network.nodes; ++source) {
        for (u64 draw = 0; draw < 20; ++draw) {
          const NodeId to = pattern->destination(NodeId(source), {bits(draw * network.nodes + source)});
          ASSERT_LT(to.value(), network.nodes) << name;
          ASSERT_EQ(to != NodeId(source), pattern->sends(NodeId(source))) << name << " from " << source;
        }
        for (const u64 extreme : {u64{0}, ~u64{0}}) {
          ASSERT_LT(pattern->destination(NodeId(source), {extreme}).value(), network.nodes) << name;
        }
      }
    }
  }
}

TEST(EveryPattern, GivesTheSameDestinationForTheSameBits) {
  for (const auto& name : PatternRegistry::instance().names()) {
    const auto one = make_pattern(name, networks[2]);
    const auto two = make_pattern(name, networks[2]);
    for (u64 draw = 0; draw < 100; ++draw) {
      const NodeId source(static_cast<u32>(draw % 64));
      ASSERT_EQ(one->destination(source, {bits(draw)}), two->destination(source, {bits(draw)})) << name;
    }
  }
}

TEST(EveryPattern, WithFixedPartnersIsABijectionAndMovesSomeNode) {
  u32 permutations = 0;
  for (const auto& name : PatternRegistry::instance().names()) {
    for (const auto& network : networks) {
      const auto pattern = make_pattern(name, network);
      const auto* permutation = dynamic_cast<const Permutation*>(pattern.get());
      if (permutation == nullptr) continue;
      ++permutations;
      std::set<u32> images;
      u32 senders = 0;
      for (u32 node = 0; node < network.nodes; ++node) {
        images.insert(permutation->image(node));
        senders += pattern->sends(NodeId(node)) ? 1 : 0;
      }
      EXPECT_EQ(images.size(), network.nodes) << name;
      EXPECT_GT(senders, 0U) << name;
    }
  }
  EXPECT_EQ(permutations, 10 * networks.size());
}

TEST(EveryPattern, NeedsTwoNodes) {
  for (const auto& name : PatternRegistry::instance().names()) {
    EXPECT_THROW((void)make_pattern(name, {1, {}, 1}), ConfigError) << name;
    EXPECT_THROW((void)make_pattern(name, {0, {}, 1}), ConfigError) << name;
  }
}

TEST(BitPermutations, ThatSwapAreInvolutions) {
  for (const char* name : {"bit-complement", "bit-reversal", "transpose", "butterfly"}) {
    for (const auto& network : networks) {
      const auto pattern = make_pattern(name, network);
      for (u32 node = 0; node < network.nodes; ++node) {
        ASSERT_EQ(pattern->destination(pattern->destination(NodeId(node), {0}), {0}), NodeId(node)) << name;
      }
    }
  }
}

TEST(BitPermutations, MatchTheirDefinitionOnSmallExamples) {
  const PatternSpec sixteen{16, {}, 1};
  EXPECT_EQ(image("bit-complement", sixteen, 0b0011), 0b1100U);
  EXPECT_EQ(image("bit-reversal", sixteen, 0b0010), 0b0100U);
  EXPECT_EQ(image("bit-reversal", sixteen, 0b1011), 0b1101U);
  EXPECT_EQ(image("transpose", sixteen, 0b0111), 0b1101U);
  EXPECT_EQ(image("butterfly", sixteen, 0b0101), 0b1100U);
  EXPECT_EQ(image("butterfly", sixteen, 0b1111), 0b1111U);
  EXPECT_EQ(image("shuffle", sixteen, 0b1001), 0b0011U);
  EXPECT_EQ(image("bit-rotation", sixteen, 0b0011), 0b1001U);
}

TEST(BitPermutations, KeepStillAsManyNodesAsTheirAlgebraSays) {
  const std::map<std::string, u32> fixed = {{"bit-complement", 0}, {"bit-reversal", 8}, {"transpose", 8},
                                            {"butterfly", 32},     {"shuffle", 2},      {"bit-rotation", 2}};
  for (const auto& [name, expected] : fixed) {
    const auto pattern = make_pattern(name, {64, {}, 1});
    u32 still = 0;
    for (u32 node = 0; node < 64; ++node) still += pattern->sends(NodeId(node)) ? 0 : 1;
    EXPECT_EQ(still, expected) << name;
  }
}

TEST(Shuffle, ReturnsAfterAsManyStepsAsThereAreBits) {
  const auto pattern = make_pattern("shuffle", {64, {}, 1});
  for (u32 node = 0; node < 64; ++node) {
    NodeId place(node);
    for (int step = 0; step < 6; ++step) place = pattern->destination(place, {0});
    EXPECT_EQ(place, NodeId(node));
  }
}

TEST(Tornado, MovesAlmostHalfWayRoundEachRing) {
  EXPECT_EQ(image("tornado", {64, {8, 8}, 1}, 0), 3 + 8 * 3U);
  EXPECT_EQ(image("tornado", {64, {8, 8}, 1}, 7), 2 + 8 * 3U);
  EXPECT_EQ(image("tornado", {35, {5, 7}, 1}, 0), 2 + 5 * 3U);
  EXPECT_EQ(image("tornado", {64, {}, 1}, 40), (40 + 31) % 64U);
  EXPECT_EQ(image("tornado", {6, {2, 3}, 1}, 0), 2U);  // the dimension of two stays where it is
}

TEST(Uniform, ReachesEveryNodeButItselfEquallyOften) {
  constexpr u32 nodes = 64;
  constexpr u64 draws = 63'000;
  const auto pattern = make_pattern("uniform", {nodes, {}, 1});
  for (const u32 source : {0U, 17U, 63U}) {
    const auto counts = histogram(*pattern, source, nodes, draws);
    EXPECT_EQ(counts[source], 0U);
    const double expected = static_cast<double>(draws) / (nodes - 1);
    double chi_square = 0;
    for (u32 node = 0; node < nodes; ++node) {
      const double difference = static_cast<double>(counts[node]) - expected;
      if (node != source) chi_square += difference * difference / expected;
    }
    EXPECT_LT(chi_square, 106.0);  // 62 degrees of freedom: exceeded with a probability below 0.0005
    EXPECT_GT(chi_square, 30.0);   // nor suspiciously even
  }
}

TEST(Uniform, IsTheFastFunction) {
  const auto pattern = make_pattern("uniform", {1000, {}, 1});
  for (u64 draw = 0; draw < 1000; ++draw) {
    const auto source = static_cast<u32>(draw);
    EXPECT_EQ(pattern->destination(NodeId(source), {bits(draw)}).value(),
              uniform_destination(source, 1000, bits(draw)));
  }
}

TEST(Uniform, OfTwoNodesIsTheOther) {
  EXPECT_EQ(uniform_destination(0, 2, ~u64{0}), 1U);
  EXPECT_EQ(uniform_destination(1, 2, 0), 0U);
}

TEST(HotRegion, DrawsAQuarterOfTheTrafficAndItsShareOfTheRest) {
  constexpr u32 nodes = 64;
  constexpr u64 draws = 100'000;
  const auto counts = histogram(*make_pattern("hot-region", {nodes, {}, 1}), 20, nodes, draws);
  u64 hot = 0;
  for (u32 node = 0; node < 8; ++node) {
    hot += counts[node];
    EXPECT_GT(counts[node], draws / 50);
  }
  EXPECT_NEAR(static_cast<double>(hot) / draws, 0.25 + 0.75 * 8 / 63, 0.005);
  EXPECT_EQ(counts[20], 0U);
}

TEST(HotRegion, IsNeverEmptyNorSendsToItself) {
  const auto pattern = make_pattern("hot-region", {4, {}, 1});
  const auto counts = histogram(*pattern, 0, 4, 1000);
  EXPECT_EQ(counts[0], 0U);
  EXPECT_GT(std::min({counts[1], counts[2], counts[3]}), 250U);
}

TEST(HotSpot, DrawsTwoPercentAndItsShareOfTheRest) {
  constexpr u64 draws = 200'000;
  const auto pattern = make_pattern("hot-spot", {64, {}, 1});
  const auto counts = histogram(*pattern, 5, 64, draws);
  EXPECT_NEAR(static_cast<double>(counts[0]) / draws, 0.02 + 0.98 / 63, 0.002);
  EXPECT_EQ(histogram(*pattern, 0, 64, 1000)[0], 0U);
}

PatternSpec zipf_spec(u32 nodes, double exponent, u64 seed = 1) {
  PatternSpec spec{nodes, {}, seed};
  spec.keys.set("zipf_exponent", exponent);
  return spec;
}

/// The nodes from the most wanted down, as packets of a node that is none of the first few show them.
std::vector<u32> most_wanted(const PatternSpec& spec, u32 source, u32 count) {
  const auto counts = histogram(*make_pattern("zipf", spec), source, spec.nodes, 20'000);
  std::vector<u32> nodes(spec.nodes);
  for (u32 node = 0; node < spec.nodes; ++node) nodes[node] = node;
  std::ranges::sort(nodes, [&](u32 a, u32 b) { return counts[a] > counts[b]; });
  nodes.resize(count);
  return nodes;
}

TEST(Zipf, KeepsToItsLawWithTheSenderLeftOut) {
  constexpr u32 nodes = 40;
  constexpr u64 draws = 40'000;
  // The order of the nodes does not depend on the exponent, and the packets of all under a steep law show it.
  const auto steep = make_pattern("zipf", zipf_spec(nodes, 1.5));
  std::vector<u64> all(nodes, 0);
  for (u32 source = 0; source < nodes; ++source) {
    for (u64 draw = 0; draw < 8000; ++draw)
      ++all[steep->destination(NodeId(source), {bits(draw * nodes + source)}).value()];
  }
  std::vector<u32> order(nodes);
  for (u32 node = 0; node < nodes; ++node) order[node] = node;
  std::ranges::sort(order, [&](u32 a, u32 b) { return all[a] > all[b]; });
  for (const double exponent : {0.0, 0.7, 1.0, 2.0}) {
    const auto pattern = make_pattern("zipf", zipf_spec(nodes, exponent));
    for (const u32 place : {0U, 1U, 20U, 39U}) {
      const u32 source = order[place];
      const auto counts = histogram(*pattern, source, nodes, draws);
      EXPECT_EQ(counts[source], 0U);
      double sum = 0, chi_square = 0;
      for (u32 k = 0; k < nodes; ++k) sum += k == place ? 0 : std::pow(k + 1, -exponent);
      for (u32 k = 0; k < nodes; ++k) {
        if (k == place) continue;
        const double expected = static_cast<double>(draws) * std::pow(k + 1, -exponent) / sum;
        const double difference = static_cast<double>(counts[order[k]]) - expected;
        chi_square += difference * difference / expected;
      }
      EXPECT_LT(chi_square, 76.0) << exponent << " from " << place;  // 38 degrees: exceeded with 0.00025
      EXPECT_GT(chi_square, 14.0) << exponent << " from " << place;
    }
  }
}

TEST(Zipf, SpreadsTheWantedNodesByTheSeed) {
  EXPECT_EQ(most_wanted(zipf_spec(1000, 1.5), 7, 5), most_wanted(zipf_spec(1000, 1.5), 8, 5));
  EXPECT_NE(most_wanted(zipf_spec(1000, 1.5), 7, 5), most_wanted(zipf_spec(1000, 1.5, 2), 7, 5));
}

TEST(Zipf, OrdersAnyNumberOfNodesWithoutGapsOrDoubles) {
  for (const u32 nodes : {2U, 3U, 5U, 17U, 64U, 100U}) {
    // With exponent 0 every node but the sender comes out, and none outside.
    const auto counts = histogram(*make_pattern("zipf", zipf_spec(nodes, 0)), 0, nodes, 200U * nodes);
    for (u32 node = 1; node < nodes; ++node) EXPECT_GT(counts[node], 0U) << nodes;
  }
}

TEST(Zipf, OfAMillionNodesGivesTheFirstItsShare) {
  constexpr u32 nodes = 1'000'000;
  constexpr u64 draws = 20'000;
  const auto pattern = make_pattern("zipf", zipf_spec(nodes, 1));
  std::map<u32, u64> counts;
  for (u64 draw = 0; draw < draws; ++draw) ++counts[pattern->destination(NodeId(123), {bits(draw)}).value()];
  u64 most = 0;
  for (const auto& [node, count] : counts) most = std::max(most, count);
  EXPECT_NEAR(static_cast<double>(most) / draws, 1 / 14.3927, 0.006);  // the sum of 1/k up to a million
}

TEST(Zipf, StaysInsideWithTheSteepestLawsAndTheMostExtremeBits) {
  for (const double exponent : {3.0, 9.99, 10.0}) {
    const auto pattern = make_pattern("zipf", zipf_spec(1000, exponent));
    for (u32 source = 0; source < 1000; ++source) {
      for (const u64 draw : {bits(source), u64{0}, ~u64{0}}) {
        const NodeId to = pattern->destination(NodeId(source), {draw});
        ASSERT_LT(to.value(), 1000U);
        ASSERT_NE(to, NodeId(source));
      }
    }
  }
}

TEST(PatternErrors, NameTheNearestPattern) {
  EXPECT_NE(error_of("unifrom", networks[0]).find("did you mean \"uniform\""), std::string::npos);
  EXPECT_NE(error_of("hotspot", networks[0]).find("did you mean \"hot-spot\""), std::string::npos);
}

TEST(PatternErrors, NameTheNearestValidNodeCounts) {
  for (const char* name : {"bit-complement", "bit-reversal", "butterfly", "shuffle", "bit-rotation"}) {
    EXPECT_NE(error_of(name, {48, {}, 1}).find("32 or 64 nodes"), std::string::npos) << error_of(name, {48, {}, 1});
  }
  EXPECT_NE(error_of("transpose", {32, {}, 1}).find("16 or 64 nodes"), std::string::npos);
  EXPECT_NE(error_of("transpose", {2, {}, 1}).find("use 4 nodes"), std::string::npos);
  EXPECT_NE(error_of("shuffle", {2, {}, 1}).find("use 4 nodes"), std::string::npos);
  EXPECT_EQ(error_of("bit-complement", {2, {}, 1}), "");
}

TEST(PatternErrors, RefuseATornadoThatMovesNothingAndDimsThatDoNotFit) {
  EXPECT_NE(error_of("tornado", {4, {2, 2}, 1}).find("sends nothing"), std::string::npos);
  EXPECT_NE(error_of("tornado", {64, {8, 4}, 1}).find("64 nodes"), std::string::npos);
}

}  // namespace
}  // namespace weft::workloads
