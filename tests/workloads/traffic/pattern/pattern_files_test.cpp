// Patterns by distance, matrix, region and permutation: counted against closed forms, and what their files must not be.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "tests/support/scratch_folder.hpp"
#include "workloads/traffic/pattern/distance_files.hpp"
#include "workloads/traffic/pattern/matrix_file.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

constexpr u32 side = 8, torus_nodes = side * side;

u32 steps_round(u32 a, u32 b) {
  const u32 up = (b + side - a) % side;
  return std::min(up, side - up);
}
u32 on_torus(u32 a, u32 b) { return steps_round(a % side, b % side) + steps_round(a / side, b / side); }

/// An 8x8 torus.
PatternSpec torus_spec() {
  PatternSpec spec{torus_nodes, {side, side}, 1};
  spec.distance = on_torus;
  return spec;
}

std::string file_with(const std::string& text) {
  static const ScratchFolder folder;
  static int number = 0;
  return folder.write(std::to_string(number++), text);
}

std::vector<u64> counts_of(const Pattern& pattern, u32 source, u32 nodes, u64 draws) {
  std::vector<u64> counts(nodes, 0);
  for (u64 draw = 0; draw < draws; ++draw)
    ++counts.at(pattern.destination(NodeId(source), {engine::random_bits(3, source, draw, engine::Use::test)}).value());
  return counts;
}

/// Chi square of counts against expected shares of nodes, which add up to 1: about the number of shares above 0.
double chi_square_of(const std::vector<u64>& counts, const std::vector<double>& shares) {
  const auto draws = static_cast<double>(std::accumulate(counts.begin(), counts.end(), u64{0}));
  double sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double expected = draws * shares[k], difference = static_cast<double>(counts[k]) - expected;
    if (shares[k] == 0) {
      EXPECT_EQ(counts[k], 0U) << k;
    } else {
      sum += difference * difference / expected;
    }
  }
  return sum;
}

constexpr u64 many = 100'000;
constexpr double most_chi_square = 110, least_chi_square = 30;  // 62 degrees: beyond with less than 0.0005

template <class Action>
std::string refusal_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Local, FallsWithTheDistanceAsItsLawSays) {
  for (const bool power : {false, true}) {
    for (const double decay : {0.0, 0.5, 2.0}) {
      PatternSpec spec = torus_spec();
      spec.keys.set("locality", std::string(power ? "power-law" : "exponential"));
      spec.keys.set("locality_decay", decay);
      const auto pattern = make_pattern("local", spec);
      for (const u32 source : {0U, 27U, 63U}) {
        std::vector<double> shares(torus_nodes, 0.0);
        double sum = 0;
        for (u32 node = 0; node < torus_nodes; ++node) {
          const double d = on_torus(source, node);
          if (node != source) sum += shares[node] = power ? std::pow(d, -decay) : std::exp(-decay * (d - 1));
        }
        for (double& share : shares) share /= sum;
        const double found = chi_square_of(counts_of(*pattern, source, torus_nodes, many), shares);
        EXPECT_LT(found, most_chi_square) << power << " " << decay;
        EXPECT_GT(found, least_chi_square) << power << " " << decay;
      }
    }
  }
}

TEST(Local, NeedsDistancesOfNotTooManyNodes) {
  EXPECT_NE(refusal_of([] { (void)make_pattern("local", {16, {}, 1}); }).find("has no distances"), std::string::npos);
  PatternSpec large{1 << 15, {}, 1};
  large.distance = [](u32, u32) { return 1U; };
  EXPECT_NE(refusal_of([&] { (void)make_pattern("local", large); }).find("at most 16384 nodes"), std::string::npos);
}

TEST(DistanceHistogram, GivesEachDistanceItsWeight) {
  PatternSpec spec = torus_spec();
  // Nodes at distances of an 8x8 torus: 4 at 1, 8 at 2, 12 at 3, 14 at 4, 12 at 5, 8 at 6, 4 at 7, 1 at 8.
  spec.keys.set("distances_path", file_with("# links weight\n1 2\n3\t1\n8, 1 # the far corner\n20 5\n"));
  const auto counts = counts_of(*make_pattern("distance-histogram", spec), 9, torus_nodes, many);
  std::vector<double> shares(torus_nodes, 0.0);
  for (u32 node = 0; node < torus_nodes; ++node) {
    const u32 d = on_torus(9, node);
    shares[node] = d == 1 ? 0.5 / 4 : d == 3 ? 0.25 / 12 : d == 8 ? 0.25 : 0.0;
  }
  EXPECT_LT(chi_square_of(counts, shares), 42.0);  // 16 degrees
}

TEST(Population, IsTheHistogramOfItsLines) {
  PatternSpec lines = torus_spec(), histogram = torus_spec();
  lines.keys.set("population_path", file_with("1\n1\n5\n0\n40\n5\n5\n"));
  histogram.keys.set("distances_path", file_with("1 2\n5 3\n"));
  const auto a = make_pattern("population", lines), b = make_pattern("distance-histogram", histogram);
  EXPECT_EQ(counts_of(*a, 12, torus_nodes, 1000), counts_of(*b, 12, torus_nodes, 1000));
}

TEST(DistanceFiles, AreRefusedWithTheLine) {
  const auto histogram = [](const std::string& text) {
    return refusal_of([&] { (void)read_distance_histogram(text, "h.txt"); });
  };
  EXPECT_EQ(histogram("1 2\n\n1 3\n"), "h.txt:3: distance 1 comes twice; remove one of them");
  EXPECT_NE(histogram("1\n").find("h.txt:1: 1 words where 2 were expected; write `distance weight`"),
            std::string::npos);
  EXPECT_NE(histogram("1 -2\n").find("h.txt:1: weight -2 is negative"), std::string::npos);
  EXPECT_NE(histogram("x 2\n").find("'x' is no distance in links"), std::string::npos);
  EXPECT_NE(histogram("1 nan\n").find("'nan' is no weight"), std::string::npos);
  EXPECT_NE(histogram("99999999999999999999 1\n").find("too large"), std::string::npos);
  EXPECT_NE(histogram("0 1\n4 0\n").find("no distance from 1 on has a weight"), std::string::npos);
  EXPECT_NE(refusal_of([] { (void)read_population("2\n2.5\n", "p.txt"); }).find("p.txt:2"), std::string::npos);
  PatternSpec spec = torus_spec();
  EXPECT_NE(refusal_of([&] { (void)make_pattern("population", spec); }).find("workload.population_path is not given"),
            std::string::npos);
  spec.keys.set("distances_path", file_with("9 1\n"));
  EXPECT_NE(refusal_of([&] { (void)make_pattern("distance-histogram", spec); }).find("sends nothing"),
            std::string::npos);
}

TEST(Matrix, IsTheSameWholeAndSparse) {
  const TrafficMatrix whole = read_traffic_matrix("5 1 2 0\n0 0 0 0\n1 1 1 1\n0 0 0.5 7\n", "m", 4);
  const TrafficMatrix sparse =
      read_traffic_matrix("0 2 1.5\n2 0 1\n0 1 1\n2 1 1\n3 2 0.5\n2 3 1\n0 2 0.5\n1 1 3\n1 0 0\n", "m", 4);
  EXPECT_EQ(whole.first, (std::vector<u64>{0, 2, 2, 5, 6}));
  EXPECT_EQ(whole.to, (std::vector<u32>{1, 2, 0, 1, 3, 2}));
  EXPECT_EQ(whole.weight, (std::vector<double>{1, 2, 1, 1, 1, 0.5}));
  EXPECT_EQ(whole.first, sparse.first);
  EXPECT_EQ(whole.to, sparse.to);
  EXPECT_EQ(whole.weight, sparse.weight);
}

TEST(Matrix, SendsInProportionToTheRow) {
  PatternSpec spec{4, {}, 1};
  spec.keys.set("matrix_path", file_with("5 1 2 0\n0 0 0 0\n1 1 1 1\n0 0 0.5 7\n"));
  const auto pattern = make_pattern("matrix", spec);
  const auto counts = counts_of(*pattern, 0, 4, many);
  EXPECT_EQ(counts[0] + counts[3], 0U);
  EXPECT_NEAR(static_cast<double>(counts[1]) / many, 1.0 / 3, 0.006);
  EXPECT_FALSE(pattern->sends(NodeId(1)));
  EXPECT_EQ(pattern->destination(NodeId(3), {~u64{0}}), NodeId(2));
}

TEST(Matrix, IsRefusedWithTheLine) {
  const auto refusal = [](const std::string& text, u32 nodes) {
    return refusal_of([&] { (void)read_traffic_matrix(text, "m", nodes); });
  };
  EXPECT_NE(refusal("0 1 1\n0 4 1\n", 4).find("m:2: node 4 is too large (at most 3)"), std::string::npos);
  EXPECT_NE(refusal("1 1 1 1\n1 1 1\n", 4).find("m:2: 3 words; write 4 lines of 4 weights"), std::string::npos);
  EXPECT_NE(refusal("1 1 1 1\n", 4).find("1 rows for 4 nodes"), std::string::npos);
  EXPECT_NE(refusal("1 1\n1 1\n1 1\n", 2).find("m:3: row 3"), std::string::npos);
  EXPECT_NE(refusal("0 1 1e300\n", 4).find("too large"), std::string::npos);
  EXPECT_NE(refusal("", 4).find("nothing would be sent"), std::string::npos);
  EXPECT_NE(refusal("2 2 1\n", 4).find("nothing would be sent"), std::string::npos);
}

TEST(Regions, DrawTheirFractionsAndTheirShareOfTheRest) {
  PatternSpec spec{64, {}, 1};
  spec.keys.set("regions", std::string("0:8:0.25, 40:2:0.1"));
  const auto counts = counts_of(*make_pattern("regions", spec), 20, 64, many);
  std::vector<double> shares(64, 0.65 / 63);
  shares[20] = 0;
  for (u32 node = 0; node < 8; ++node) shares[node] += 0.25 / 8;
  for (u32 node = 40; node < 42; ++node) shares[node] += 0.1 / 2;
  EXPECT_LT(chi_square_of(counts, shares), most_chi_square);
}

TEST(Regions, AreRefusedWithWhatWouldFit) {
  const auto refusal = [](const std::string& regions) {
    PatternSpec spec{64, {}, 1};
    spec.keys.set("regions", regions);
    return refusal_of([&] { (void)make_pattern("regions", spec); });
  };
  EXPECT_NE(refusal("").find("add for example regions = \"0:8:0.25\""), std::string::npos);
  EXPECT_NE(refusal("60:8:0.1").find("the network has nodes 0 to 63"), std::string::npos);
  EXPECT_NE(refusal("0:8:0.6, 8:8:0.6").find("take 1.2 of the packets"), std::string::npos);
  EXPECT_NE(refusal("0:8").find("wanted first:nodes:fraction"), std::string::npos);
  EXPECT_NE(refusal("0:8:0.1:2").find("wanted first:nodes:fraction"), std::string::npos);
  EXPECT_NE(refusal("0:8:nan").find("fraction"), std::string::npos);
  EXPECT_NE(refusal("0:8:2").find("use 0 to 1"), std::string::npos);
}

TEST(HotSpot, IsAnyNodeWithAnyFraction) {
  PatternSpec spec{64, {}, 1};
  spec.keys.set("hot_node", i64{9});
  spec.keys.set("hot_spot_fraction", 0.5);
  const auto counts = counts_of(*make_pattern("hot-spot", spec), 5, 64, many);
  EXPECT_NEAR(static_cast<double>(counts[9]) / many, 0.5 + 0.5 / 63, 0.006);
  spec.keys.set("hot_spot_fraction", 1.0);
  EXPECT_EQ(counts_of(*make_pattern("hot-spot", spec), 5, 64, 1000)[9], 1000U);
  spec.keys.set("hot_node", i64{64});
  EXPECT_NE(refusal_of([&] { (void)make_pattern("hot-spot", spec); }).find("use 63 or less"), std::string::npos);
}

TEST(RandomPermutation, IsAnyWithoutFixedPointsEquallyOften) {
  // The 9 permutations of 4 without fixed points.
  std::map<std::vector<u32>, u32> seen;
  constexpr u32 seeds = 9000;
  for (u32 seed = 0; seed < seeds; ++seed) {
    const auto pattern = make_pattern("random-permutation", {4, {}, seed});
    std::vector<u32> images;
    for (u32 node = 0; node < 4; ++node) images.push_back(pattern->destination(NodeId(node), {0}).value());
    for (u32 node = 0; node < 4; ++node) ASSERT_NE(images[node], node);
    ++seen[images];
  }
  ASSERT_EQ(seen.size(), 9U);
  for (const auto& [images, count] : seen) EXPECT_NEAR(count, 1000, 130);
}

}  // namespace
}  // namespace weft::workloads
