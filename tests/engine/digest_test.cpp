// The digest must not see order or grouping, and must see every change of an event.
#include "engine/digest.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "engine/random.hpp"

namespace weft::engine {
namespace {

struct Record {
  u64 who, when, what;
};

std::vector<Record> records(u32 count) {
  std::vector<Record> list;
  for (u32 i = 0; i < count; ++i) list.push_back({i % 7, i / 3, random_bits(1, i, 0, Use::test)});
  return list;
}

Digest of(const std::vector<Record>& list) {
  Digest digest;
  for (const Record& r : list) digest.add(r.who, r.when, r.what);
  return digest;
}

TEST(Digest, DoesNotDependOnTheOrderOfTheEvents) {
  auto list = records(200);
  const Digest forward = of(list);
  std::ranges::reverse(list);
  EXPECT_EQ(of(list), forward);
  std::ranges::sort(list, {}, &Record::what);
  EXPECT_EQ(of(list), forward);
}

TEST(Digest, DoesNotDependOnHowTheEventsAreSplit) {
  const auto list = records(200);
  Digest parts[3], sum, from_words;
  for (u32 i = 0; i < list.size(); ++i) parts[i % 3].add(list[i].who, list[i].when, list[i].what);
  for (const Digest& part : parts) {
    sum.add(part);
    from_words.add_words(part.low(), part.high());
  }
  EXPECT_EQ(sum, of(list));
  EXPECT_EQ(from_words, of(list));
}

TEST(Digest, ChangesWithEveryBitOfEveryWord) {
  std::set<std::string> seen;
  const Record base{5, 1000, 0x1234};
  seen.insert(of({base}).hex());
  for (u32 bit = 0; bit < 64; ++bit) {
    const u64 flip = u64{1} << bit;
    seen.insert(of({{base.who ^ flip, base.when, base.what}}).hex());
    seen.insert(of({{base.who, base.when ^ flip, base.what}}).hex());
    seen.insert(of({{base.who, base.when, base.what ^ flip}}).hex());
  }
  EXPECT_EQ(seen.size(), 1U + 3 * 64);
}

TEST(Digest, SmallValuesInAnyCombinationGiveDifferentDigests) {
  std::set<std::string> seen;
  for (u64 who = 0; who < 16; ++who) {
    for (u64 when = 0; when < 16; ++when) {
      for (u64 what = 0; what < 16; ++what) seen.insert(of({{who, when, what}}).hex());
    }
  }
  EXPECT_EQ(seen.size(), 16U * 16 * 16);
}

TEST(Digest, SeesWhenTwoEventsSwapAWord) {
  EXPECT_NE(of({{1, 10, 100}, {2, 20, 200}}), of({{2, 10, 100}, {1, 20, 200}}));
  EXPECT_NE(of({{1, 10, 100}, {2, 20, 200}}), of({{1, 20, 100}, {2, 10, 200}}));
  EXPECT_NE(of({{1, 10, 100}, {2, 20, 200}}), of({{1, 10, 200}, {2, 20, 100}}));
}

TEST(Digest, CountsRepeatedEvents) {
  const Record r{1, 2, 3};
  EXPECT_NE(of({r}), of({r, r}));
  EXPECT_NE(of({r, r}), Digest());
}

TEST(Digest, SeesWhenTwoEventsOfOneEntityAndTickSwapAPartOfTheirWords) {
  // As when two packets that are consumed in one tick exchange their sources: the sum of the words stays what it was.
  u32 collisions = 0;
  for (u32 i = 0; i < 1000; ++i) {
    const u64 a = random_bits(4, i, 0, Use::test) & ~u64{255}, b = random_bits(4, i, 1, Use::test) & ~u64{255};
    collisions += of({{i, 77, a + 1}, {i, 77, b + 2}}) == of({{i, 77, a + 2}, {i, 77, b + 1}}) ? 1 : 0;
  }
  EXPECT_EQ(collisions, 0U);
}

TEST(Digest, PrintsItsWordsAs32HexDigits) {
  Digest digest;
  EXPECT_EQ(digest.hex(), std::string(32, '0'));
  digest.add_words(0x0123456789abcdef, 0xfedcba9876543210);
  EXPECT_EQ(digest.hex(), "fedcba98765432100123456789abcdef");
  EXPECT_EQ(digest.low(), 0x0123456789abcdefU);
  EXPECT_EQ(digest.high(), 0xfedcba9876543210U);
}

TEST(Digest, CarriesFromTheLowIntoTheHighWord) {
  Digest digest;
  digest.add_words(~u64{0}, 0);
  digest.add_words(1, 0);
  EXPECT_EQ(digest.hex(), "00000000000000010000000000000000");
}

}  // namespace
}  // namespace weft::engine
