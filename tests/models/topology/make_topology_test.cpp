// Bad shapes: each error names the key and the reason and suggests a shape that is valid.
#include <cstdio>
#include <gtest/gtest.h>

#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

/// The error that a kind makes of these keys; "" if there is none.
std::string error_of(const std::string& kind, const Parameters& keys = {}) {
  try {
    (void)make_topology({kind, keys});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string dims_error(std::vector<i64> dims) { return error_of("torus", {{"dims", std::move(dims)}}); }

std::string thin_error(i64 down, i64 up, i64 levels) {
  return error_of("thin-tree", {{"down", down}, {"up", up}, {"levels", levels}});
}

std::string xgft_error(std::vector<i64> m, std::vector<i64> w) {
  return error_of("xgft", {{"m", std::move(m)}, {"w", std::move(w)}});
}

TEST(MakeTopology, NamesTheNearestKind) {
  const std::string text = error_of("toros");
  EXPECT_NE(text.find("topology.kind = \"toros\" is unknown"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean \"torus\"?"), std::string::npos) << text;
  EXPECT_NE(error_of("").find("topology.kind is missing"), std::string::npos);
}

TEST(MakeTopology, NamesTheMissingKeyOfEveryKind) {
  for (const std::string& kind : TopologyRegistry::instance().names()) {
    const std::string text = error_of(kind);
    EXPECT_EQ(text.find("topology."), 0U) << kind << ": " << text;
    EXPECT_NE(text.find("is missing"), std::string::npos) << kind << ": " << text;
    EXPECT_NE(text.find("; use "), std::string::npos) << kind << ": " << text;
  }
}

TEST(MakeTopology, RefusesImpossibleDims) {
  EXPECT_EQ(dims_error({0, 4}),
            "topology.dims = [0, 4] is not possible (dimension 0 has 0 routers, at least 1 is needed); "
            "use dims = [1, 4]");
  EXPECT_EQ(dims_error({1, 1}),
            "topology.dims = [1, 1] is not possible (a network has at least 2 nodes); use dims = [2, 1]");
  EXPECT_EQ(dims_error({65536, 65536}),
            "topology.dims = [65536, 65536] is not possible (more than 2147483648 nodes); use dims = [32768, 65536]");
  EXPECT_NE(dims_error(std::vector<i64>(17, 1)).find("17 dimensions, at most 16 are possible"), std::string::npos);
  EXPECT_NE(dims_error(std::vector<i64>(17, 2)).find("17 dimensions, at most 16 are possible"), std::string::npos);
  EXPECT_NE(dims_error({INT64_MAX, INT64_MAX}), "");
  EXPECT_NE(dims_error({INT64_MIN}), "");
}

TEST(MakeTopology, RefusesOpenDimensionsThatAreNotThere) {
  Parameters keys{{"dims", std::vector<i64>{4, 3}}, {"open_dims", std::vector<i64>{1, 2}}};
  EXPECT_EQ(error_of("torus", keys),
            "topology.open_dims = [1, 2] is not possible (there is no dimension 2); use numbers from 0 to 1");
  keys.set("open_dims", std::vector<i64>{1});
  EXPECT_EQ(error_of("torus", keys), "");
  EXPECT_EQ(error_of("mesh", keys),
            "topology.open_dims = [1] is not possible (all dimensions of a mesh are open); use kind = \"torus\"");
  keys.set("unidirectional", true);
  EXPECT_EQ(error_of("torus", keys),
            "topology.open_dims = [1] is not possible (with unidirectional = true nobody could go back); use "
            "unidirectional = false");
}

TEST(MakeTopology, RefusesImpossibleThinTrees) {
  EXPECT_EQ(thin_error(8, 9, 3), "topology.up = 9 is not possible (more than the 8 ports down); use up = 8");
  EXPECT_EQ(thin_error(8, -1, 3), "topology.up = -1 is not possible (a switch has at least 1 port up); use up = 1");
  EXPECT_EQ(thin_error(1, 1, 3),
            "topology.down = 1 is not possible (a switch has at least 2 ports down); use down = 2");
  EXPECT_EQ(thin_error(8, 4, -2), "topology.levels = -2 is not possible (a tree has at least 1 level); use levels = 1");
  EXPECT_EQ(thin_error(8, 4, 11),
            "topology.levels = 11 is not possible (more than 2147483648 nodes or switches with 8 "
            "ports down); use levels = 10");
  EXPECT_NE(thin_error(INT64_MAX, INT64_MAX, INT64_MAX), "");
  EXPECT_NE(thin_error(2, 2, 31).find("use levels = 2"), std::string::npos);  // 31 * 2^30 switches are too many
  EXPECT_EQ(thin_error(2, 1, 31), "");
}

TEST(MakeTopology, RefusesImpossibleXgfts) {
  EXPECT_EQ(xgft_error({8, 8}, {2, 4}),
            "topology.w = [2, 4] is not possible (w[0] must be 1: a node has one link); "
            "use m = [8, 8], w = [1, 4]");
  EXPECT_EQ(xgft_error({8, 8}, {1}),
            "topology.w = [1] is not possible (w has 1 levels, m has 2); "
            "use m = [8, 8], w = [1, 1]");
  EXPECT_EQ(xgft_error({0, 8}, {1, 4}),
            "topology.m = [0, 8] is not possible (each level has at least 1 child); "
            "use m = [1, 8], w = [1, 4]");
  EXPECT_NE(xgft_error({8, 8}, {1, 0}).find("each level has at least 1 parent"), std::string::npos);
  EXPECT_NE(xgft_error({1, 1}, {1, 1}).find("at least 2 nodes"), std::string::npos);
  EXPECT_NE(xgft_error({1 << 20, 1 << 20}, {1, 1}).find("more than 2147483648 nodes"), std::string::npos);
  EXPECT_NE(xgft_error({2, 2}, {1, INT64_MAX}).find("more than 2147483648 switches"), std::string::npos);
  EXPECT_NE(xgft_error({8, 8}, {}).find("topology.w is missing"), std::string::npos);
}

TEST(MakeTopology, RefusesImpossibleTreesAndCrossbars) {
  const auto tree_error = [](i64 arity, i64 levels) {
    return error_of("tree", {{"arity", arity}, {"levels", levels}});
  };
  EXPECT_EQ(tree_error(1, 3), "topology.arity = 1 is not possible (a switch has at least 2 ports down); use arity = 2");
  EXPECT_NE(tree_error(4, 100).find("use levels = "), std::string::npos);
  EXPECT_NE(tree_error(4, 0).find("topology.levels is missing"), std::string::npos);
  EXPECT_NE(error_of("crossbar", {{"nodes", i64{1}}}).find("use nodes = 2"), std::string::npos);
}

TEST(MakeTopology, SuggestsAValidXgftForEveryBadOne) {
  const std::vector<i64> values = {-5, 1, 3, 70000, INT64_MAX};
  for (const i64 a : values) {
    for (const i64 b : values) {
      for (const i64 c : values) {
        const std::string text = xgft_error({a, b}, {1, c});
        if (text.empty()) continue;
        i64 m0 = 0, m1 = 0, w1 = 0;
        const std::string suggestion = text.substr(text.find("use m = "));
        ASSERT_EQ(std::sscanf(suggestion.c_str(), "use m = [%ld, %ld], w = [1, %ld]", &m0, &m1, &w1), 3) << text;
        EXPECT_EQ(xgft_error({m0, m1}, {1, w1}), "") << text;
      }
    }
  }
}

}  // namespace
}  // namespace weft::models
