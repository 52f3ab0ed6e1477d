// The suggestions in error messages must be the nearest valid choice and must themselves be valid.
#include "engine/base/nearest.hpp"

#include <gtest/gtest.h>

#include "engine/base/synonyms.hpp"

namespace weft {
namespace {

const std::vector<std::string> kinds = {"crossbar", "mesh", "thin-tree", "torus", "tree", "xgft"};

TEST(Nearest, FindsTheWordWithTheFewestEdits) {
  EXPECT_EQ(nearest("toros", kinds), "torus");
  EXPECT_EQ(nearest("thinner-tree", kinds), "thin-tree");
  EXPECT_EQ(nearest("tre", kinds), "tree");
  EXPECT_EQ(nearest("cross-bar", kinds), "crossbar");
  EXPECT_EQ(nearest("mesh", kinds), "mesh");
}

TEST(Nearest, IsTheSameWordWhateverItsCaseAndJoints) {
  EXPECT_EQ(nearest("ThinTree", kinds), "thin-tree");
  EXPECT_EQ(nearest("THIN_TREE", kinds, 0), "thin-tree");
}

[[maybe_unused]] const bool added = add_synonyms([] {
  return std::vector<Synonym>{{"mess", "nobody", {{"topology.kind", "xgft"}, {"topology.kind", "torus"}}},
                              {"round-grid", "nobody", {{"topology.kind", "torus"}}}};
});

TEST(Nearest, GoesByMeaningBeforeLetters) {
  EXPECT_EQ(nearest("Mess", kinds), "xgft");
  EXPECT_EQ(nearest("mess", {"mesh", "torus"}), "torus");
  EXPECT_EQ(nearest("mess", {"mesh"}), "mesh");
  EXPECT_EQ(nearest("round_grid", kinds, 0), "torus");
  EXPECT_EQ(nearest("roun-grid", kinds), "torus");  // with a slip
}

TEST(Nearest, TakesTheFirstOfEquallyNearWords) { EXPECT_EQ(nearest("c", {"a", "b"}), "a"); }

TEST(Nearest, IsEmptyWhereAllAreTooFarAway) {
  EXPECT_EQ(nearest("toros", kinds, 1), "torus");
  EXPECT_EQ(nearest("tos", kinds, 1), "");
  EXPECT_EQ(nearest("tos", kinds, 2), "torus");
}

TEST(Nearest, IsEmptyWithoutCandidates) { EXPECT_EQ(nearest("torus", {}), ""); }

TEST(ProductUpTo, IsExactUpToTheLimitAndSaturatesAboveIt) {
  EXPECT_EQ(product_up_to({}, 100), 1U);
  EXPECT_EQ(product_up_to({4, 25}, 100), 100U);
  EXPECT_EQ(product_up_to({4, 26}, 100), 101U);
  EXPECT_EQ(product_up_to({INT64_MAX, INT64_MAX, INT64_MAX}, 100), 101U);
  EXPECT_EQ(product_up_to({INT64_MAX, INT64_MAX, 0}, 100), 0U);
}

TEST(NearestFactors, LeavesAValidListAlone) { EXPECT_EQ(nearest_factors({8, 1, 8}, 64), (std::vector<i64>{8, 1, 8})); }

TEST(NearestFactors, RaisesValuesBelowOne) { EXPECT_EQ(nearest_factors({0, 4, -3}, 64), (std::vector<i64>{1, 4, 1})); }

TEST(NearestFactors, CutsTheLargestUntilTheProductFits) {
  EXPECT_EQ(nearest_factors({4, 100}, 64), (std::vector<i64>{4, 16}));
  EXPECT_EQ(nearest_factors({INT64_MAX, INT64_MAX, 3}, 64), (std::vector<i64>{1, 21, 3}));
}

TEST(ListText, IsWrittenAsInToml) {
  EXPECT_EQ(list_text({}), "[]");
  EXPECT_EQ(list_text({8, -1}), "[8, -1]");
}

TEST(ListText, OfVeryManyValuesIsShort) {
  EXPECT_EQ(list_text(std::vector<i64>(24, 1)).size(), 72U);
  EXPECT_EQ(list_text(std::vector<i64>(100'000, 1)), "[1, 1, 1, 1, 1, 1, 1, 1, ... (100000 values)]");
}

}  // namespace
}  // namespace weft
