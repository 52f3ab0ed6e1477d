// Registries note who adds what, and what was refused.
#include "engine/base/registry.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

struct TestOnlyKind {
  int value = 0;
};

TEST(Registry, ATakenNameKeepsItsFirstEntryAndTheSecondIsNoted) {
  auto& registry = Registry<TestOnlyKind>::instance();
  const std::size_t before = registrations().size();
  set_registrant("libfirst.so");
  registry.add("same", {1});
  set_registrant("libsecond.so");
  EXPECT_FALSE(registry.add("same", {2}));
  registry.add("other", {3});
  set_registrant("");
  EXPECT_EQ(registry.find("same")->value, 1);
  ASSERT_EQ(registrations().size(), before + 3);
  const Registration &first = registrations()[before], &second = registrations()[before + 1];
  EXPECT_EQ(first.what, "test only kind");
  EXPECT_EQ(first.owner, "libfirst.so");
  EXPECT_FALSE(first.taken);
  EXPECT_TRUE(second.taken);
  EXPECT_EQ(second.owner, "libsecond.so");
  EXPECT_EQ(second.instead, "libfirst.so");
  EXPECT_FALSE(registrations()[before + 2].taken);
}

TEST(Registry, ANameThatTheProgramItselfAddsTwiceIsABug) {
  Registry<TestOnlyKind>::instance().add("mine", {1});
  EXPECT_THROW(Registry<TestOnlyKind>::instance().add("mine", {2}), Bug);
}

}  // namespace
}  // namespace weft
