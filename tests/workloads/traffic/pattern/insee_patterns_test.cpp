// Patterns of INSEE's paper and code: each against its definition, written anew here.
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

u64 bits_of(u64 draw) { return engine::random_bits(11, 5, draw, engine::Use::test); }

u32 sent_by(const Pattern& pattern, u32 source, u64 number = 0, u32 phase = 0) {
  return pattern.destination(NodeId(source), {bits_of(number), number, phase}).value();
}

PatternSpec spec_with(u32 nodes, std::vector<u32> dims, const std::string& key = "", SettingValue value = {}) {
  PatternSpec spec{.nodes = nodes, .dims = std::move(dims), .seed = 3};
  if (!key.empty()) spec.keys.set(key, std::move(value));
  return spec;
}

template <class F>
std::string refusal_by(F&& f) {
  try {
    f();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(InseeTornado, GoesHalfWayRoundInXAsTheExampleOfThePaper) {
  const auto square = make_pattern("insee-tornado", spec_with(64, {8, 8}));
  EXPECT_EQ(sent_by(*square, 3 + 2 * 8), 7U + 2 * 8);  // TO of 8 x 8: <3, 2> to <7, 2>
  for (const auto& dims : std::vector<std::vector<u32>>{{8, 8}, {5, 3, 2}, {9}, {2, 4}}) {
    u32 nodes = 1;
    for (const u32 side : dims) nodes *= side;
    const auto pattern = make_pattern("insee-tornado", spec_with(nodes, dims));
    for (u32 node = 0; node < nodes; ++node) {
      const u32 x = node % dims[0], rest = node / dims[0];
      EXPECT_EQ(sent_by(*pattern, node), rest * dims[0] + (dims[0] / 2 + x) % dims[0]);
    }
  }
  EXPECT_EQ(sent_by(*make_pattern("insee-tornado", spec_with(10, {})), 7), 2U);
  EXPECT_NE(refusal_by([] {
              (void)make_pattern("insee-tornado", spec_with(6, {1, 6}));
            }).find("sends nothing"),
            std::string::npos);
}

TEST(Tornado, StaysThatOfDallyAndTowles) {
  EXPECT_EQ(sent_by(*make_pattern("tornado", spec_with(64, {8, 8})), 3 + 2 * 8), 6U + 5 * 8);
}

TEST(Shift, SendsSoManyNodesOnRoundTheEnd) {
  for (const i64 shift : {1, 5, 13, 29}) {
    const auto pattern = make_pattern("shift", spec_with(14, {}, "shift_nodes", shift));
    for (u32 node = 0; node < 14; ++node) EXPECT_EQ(sent_by(*pattern, node), (node + shift) % 14);
  }
  EXPECT_NE(refusal_by([] {
              (void)make_pattern("shift", spec_with(14, {}, "shift_nodes", i64{28}));
            }).find("use a number between 1 and 13"),
            std::string::npos);
}

TEST(Semi, KeepsToTheLowerHalfOfTheFirstDimension) {
  for (const auto& dims : std::vector<std::vector<u32>>{{8, 4}, {5, 3, 2}}) {
    u32 nodes = 1;
    for (const u32 side : dims) nodes *= side;
    const auto pattern = make_pattern("semi", spec_with(nodes, dims));
    const u32 half = dims[0] / 2, members = nodes / dims[0] * half;
    for (u32 source = 0; source < nodes; ++source) {
      EXPECT_EQ(pattern->sends(NodeId(source)), source % dims[0] < half);
      if (!pattern->sends(NodeId(source))) {
        EXPECT_EQ(sent_by(*pattern, source), source);
        continue;
      }
      std::vector<u32> counts(nodes, 0);
      const u32 draws = 400 * members;
      for (u32 draw = 0; draw < draws; ++draw) ++counts[sent_by(*pattern, source, draw)];
      for (u32 to = 0; to < nodes; ++to) {
        if (to == source || to % dims[0] >= half) {
          EXPECT_EQ(counts[to], 0U);
        } else {
          EXPECT_NEAR(counts[to], draws / (members - 1), 6 * std::sqrt(draws / (members - 1)));
        }
      }
    }
  }
}

TEST(Distribution, GoesThroughAllOthersFromTheNextOneOn) {
  const auto pattern = make_pattern("distribution", spec_with(5, {}));
  std::vector<u32> seen;
  for (u64 number = 0; number < 9; ++number) seen.push_back(sent_by(*pattern, 3, number));
  EXPECT_EQ(seen, (std::vector<u32>{4, 0, 1, 2, 4, 0, 1, 2, 4}));
  EXPECT_EQ(sent_by(*make_pattern("distribution", spec_with(2, {})), 1, 77), 0U);
}

TEST(RandomDistribution, DoesSoFromAFirstOneOfItsOwn) {
  const u32 nodes = 16;
  std::vector<u32> first(nodes, 0);
  for (u64 seed = 1; seed <= 600; ++seed) {
    PatternSpec spec = spec_with(nodes, {});
    spec.seed = seed;
    const auto pattern = make_pattern("random-distribution", spec);
    const u32 source = static_cast<u32>(seed % nodes);
    ++first[(sent_by(*pattern, source, 0) + nodes - source) % nodes];
    std::set<u32> all;
    for (u64 number = 0; number < nodes - 1; ++number) {
      const u32 to = sent_by(*pattern, source, number), next = sent_by(*pattern, source, number + 1);
      all.insert(to);
      // In turn, but for the source itself.
      const u32 after = (to + 1) % nodes;
      EXPECT_EQ(next, after == source ? (after + 1) % nodes : after);
    }
    EXPECT_EQ(all.size(), nodes - 1);
    EXPECT_FALSE(all.contains(source));
  }
  EXPECT_EQ(first[0], 0U);
  for (u32 step = 1; step < nodes; ++step) EXPECT_NEAR(first[step], 40, 28);
}

TEST(PhasesOfPatterns, FollowThePhaseOfThePacket) {
  PatternSpec spec = spec_with(16, {4, 4}, "phase_patterns", std::string("insee-tornado, distribution , tornado"));
  const auto pattern = make_pattern("phases", spec);
  for (u32 source = 0; source < 16; ++source) {
    for (u64 number = 0; number < 5; ++number) {
      EXPECT_EQ(sent_by(*pattern, source, number, 0), sent_by(*make_pattern("insee-tornado", spec), source));
      EXPECT_EQ(sent_by(*pattern, source, number, 4), sent_by(*make_pattern("distribution", spec), source, number));
      EXPECT_EQ(sent_by(*pattern, source, number, 5), sent_by(*make_pattern("tornado", spec), source));
    }
  }
  const auto refused = [&spec](const std::string& list) {
    spec.keys.set("phase_patterns", list);
    return refusal_by([&spec] { (void)make_pattern("phases", spec); });
  };
  EXPECT_NE(refused("uniform, phases").find("itself"), std::string::npos);
  EXPECT_NE(refused(" , ").find("names no pattern"), std::string::npos);
  EXPECT_NE(refused("uniform, unifrom").find("did you mean \"uniform\"?"), std::string::npos);
  spec.keys.set("arrivals", std::string("bernoulli"));
  EXPECT_NE(refused("uniform, tornado").find("never changes"), std::string::npos);
}

/// Patterns of a job's own nodes: places 0, 1 ... of it are these nodes.
PatternSpec job_on(std::vector<u32> nodes, u32 network) {
  PatternSpec spec = spec_with(static_cast<u32>(nodes.size()), {});
  spec.node_of = std::move(nodes);
  spec.network_nodes = network;
  return spec;
}

std::set<u32> places_of(const Pattern& pattern, u32 place) {
  std::set<u32> found;
  for (u64 draw = 0; draw < 300; ++draw) found.insert(sent_by(pattern, place, draw));
  return found;
}

TEST(PatternsOfJobs, KnowTheGroupsOfTheirNodes) {
  PatternSpec spec = job_on({11, 0, 5, 2, 9, 4}, 12);  // groups of 4: {0, 2}, {5, 4}, {11, 9}
  spec.group_nodes = 4;
  const auto pattern = make_pattern("next-group", spec);
  EXPECT_EQ(places_of(*pattern, 1), (std::set<u32>{2, 5}));
  EXPECT_EQ(places_of(*pattern, 3), (std::set<u32>{2, 5}));
  EXPECT_EQ(places_of(*pattern, 5), (std::set<u32>{0, 4}));
  EXPECT_EQ(places_of(*pattern, 4), (std::set<u32>{1, 3}));
  spec.node_of = {0, 1, 8, 2, 3, 9};  // none in the second group
  const auto gap = make_pattern("next-group", spec);
  EXPECT_FALSE(gap->sends(NodeId(0)));
  EXPECT_EQ(places_of(*gap, 0), (std::set<u32>{0}));
  EXPECT_EQ(places_of(*gap, 2), (std::set<u32>{0, 1, 3, 4}));
  spec.node_of = {0, 1, 2, 3};
  spec.nodes = 4;
  EXPECT_NE(refusal_by([&spec] { (void)make_pattern("next-group", spec); }).find("sends nothing"), std::string::npos);
}

TEST(PatternsOfJobs, KnowTheWorstCaseOfTheirNodes) {
  PatternSpec spec = job_on({7, 1, 3, 5, 0, 4}, 8);
  spec.worst_case = [](u32 from) { return std::pair{(from + 4) % 8, 1U}; };  // half the machine away
  const auto pattern = make_pattern("worst-case", spec);
  EXPECT_EQ(sent_by(*pattern, 0), 2U);  // 7 to 3
  EXPECT_EQ(sent_by(*pattern, 2), 0U);
  EXPECT_EQ(sent_by(*pattern, 1), 3U);
  EXPECT_EQ(sent_by(*pattern, 4), 5U);
  spec.node_of = {0, 1, 2, 3, 5, 7};
  const auto some = make_pattern("worst-case", spec);
  EXPECT_FALSE(some->sends(NodeId(0)));
  EXPECT_EQ(sent_by(*some, 0), 0U);
  EXPECT_EQ(sent_by(*some, 1), 4U);
}

}  // namespace
}  // namespace weft::workloads
