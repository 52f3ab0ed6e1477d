// Bit sets against std::set, for one word and for several.
#include "engine/base/bitset.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "engine/random.hpp"

namespace weft::engine {
namespace {

template <class T>
class BitSetOf : public ::testing::Test {};

using Sizes = ::testing::Types<BitSet<1>, BitSet<2>, BitSet<4>>;
TYPED_TEST_SUITE(BitSetOf, Sizes);

template <class Set>
std::set<u32> elements(const Set& set) {
  std::set<u32> result;
  u32 last = 0;
  set.for_each([&](u32 bit) {
    EXPECT_TRUE(result.empty() || bit > last) << "not in increasing order";
    last = bit;
    result.insert(bit);
  });
  return result;
}

template <class Set>
void expect_equal(const Set& set, const std::set<u32>& reference) {
  ASSERT_EQ(set.count(), reference.size());
  ASSERT_EQ(set.any(), !reference.empty());
  ASSERT_EQ(set.single(), reference.size() == 1);
  ASSERT_EQ(elements(set), reference);
  u32 rank = 0;
  for (const u32 bit : reference) ASSERT_EQ(set.nth(rank++), bit);
  for (u32 bit = 0; bit < Set::capacity; ++bit) {
    ASSERT_EQ(set.test(bit), reference.contains(bit));
    const auto at = reference.lower_bound(bit);
    ASSERT_EQ(set.next(bit), at == reference.end() ? Set::capacity : *at);
    if (!reference.empty()) {
      ASSERT_EQ(set.next_cyclic(bit), at == reference.end() ? *reference.begin() : *at);
    }
  }
  ASSERT_EQ(set.next(Set::capacity), Set::capacity);
  ASSERT_EQ(set.next(Set::capacity + 5), Set::capacity);
}

TYPED_TEST(BitSetOf, AgreesWithAReferenceAfterRandomChanges) {
  TypeParam set;
  std::set<u32> reference;
  expect_equal(set, reference);
  for (u32 step = 0; step < 300; ++step) {
    const u64 bits = random_bits(1, 0, step, Use::test);
    const u32 bit = scale_to(bits, TypeParam::capacity);
    if ((bits & 3) != 0) {
      set.set(bit);
      reference.insert(bit);
    } else {
      set.clear(bit);
      reference.erase(bit);
    }
    expect_equal(set, reference);
  }
}

TYPED_TEST(BitSetOf, HoldsItsFirstAndLastElement) {
  TypeParam set;
  set.set(0);
  set.set(TypeParam::capacity - 1);
  expect_equal(set, {0, TypeParam::capacity - 1});
}

TYPED_TEST(BitSetOf, IntersectsUnitesAndSubtracts) {
  for (u32 round = 0; round < 50; ++round) {
    TypeParam a, b, either;
    std::set<u32> both, only_a, any;
    for (u32 bit = 0; bit < TypeParam::capacity; ++bit) {
      const u64 bits = random_bits(2, round, bit, Use::test);
      const bool in_a = (bits & 1) != 0, in_b = (bits & 2) != 0;
      if (in_a) a.set(bit);
      if (in_b) b.set(bit);
      if (in_a && in_b) both.insert(bit);
      if (in_a && !in_b) only_a.insert(bit);
      if (in_a || in_b) any.insert(bit);
    }
    either = a;
    either |= b;
    expect_equal(a & b, both);
    expect_equal(without(a, b), only_a);
    expect_equal(either, any);
  }
}

TYPED_TEST(BitSetOf, RangesIncludeTheirFirstAndExcludeTheirEnd) {
  for (u32 first = 0; first < TypeParam::capacity; first += 7) {
    for (u32 count = 0; first + count <= TypeParam::capacity; count += 9) {
      std::set<u32> reference;
      for (u32 bit = first; bit < first + count; ++bit) reference.insert(bit);
      ASSERT_EQ(elements(TypeParam::range(first, count)), reference);
    }
  }
}

TYPED_TEST(BitSetOf, TheSetMayChangeWhileItIsWalked) {
  auto set = TypeParam::range(3, 40);
  std::vector<u32> seen;
  set.for_each([&](u32 bit) {
    seen.push_back(bit);
    set.clear(bit);
  });
  EXPECT_EQ(seen.size(), 40U);
  EXPECT_FALSE(set.any());
}

}  // namespace
}  // namespace weft::engine
