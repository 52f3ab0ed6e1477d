// Tables by key and mask: the file, the first entry that matches, straight on without one, circles, capacity; and what
// packets do by them.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "models/machine/spinnaker/key_circles.hpp"
#include "models/machine/spinnaker/multicast_tables.hpp"
#include "models/topology/lattice.hpp"
#include "tests/models/spinnaker/chips.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::models::spinnaker {
namespace {

using testing::chips;

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(parse_key_file(text, "keys", 16));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(KeyFile, HasKeysOfNodesAndEntriesInTheirOrder) {
  const KeyFile file =
      parse_key_file("key 3 0xff000010 # of node 3\n\nentry 5 16 0xfffffff0 e ne\r\nentry 5 0 0 node\n", "keys", 16);
  ASSERT_EQ(file.keys.size(), 16U);
  EXPECT_EQ(file.keys[3], 0xff000010U);
  EXPECT_EQ(file.keys[4], 4U) << "without a line its number";
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.entries[0].outputs, 1U << 0 | 1U << 4);
  EXPECT_TRUE(file.entries[0].matches(0x1f));
  EXPECT_FALSE(file.entries[0].matches(0x20));
  EXPECT_EQ(file.entries[1].outputs, 1U << local);
  EXPECT_TRUE(file.entries[1].matches(~0U));
}

TEST(KeyFile, IsRefusedWithItsLine) {
  EXPECT_EQ(complaint("key 1 2\nroute 1\n"),
            "keys:2: line begins with \"route\" (not key or entry); correct it or put # before comments");
  EXPECT_EQ(complaint("key 16 2\n"), "keys:1: line names node 16 (the network has 16, from 0); correct it");
  EXPECT_EQ(complaint("key 1 2\nkey 1 3\n"), "keys:2: line has the key of node 1 again (it was in line 1); remove one");
  EXPECT_EQ(
      complaint("key 1 0x1ffffffff\n"),
      "keys:1: line holds \"0x1ffffffff\" (not a number of 32 bits, decimal or 0x...); correct it or put # before "
      "comments");
  EXPECT_EQ(complaint("entry 1 2 3\n"),
            "keys:1: line is too short (entry ROUTER KEY MASK OUTPUT ...); name at least one output");
  EXPECT_EQ(
      complaint("entry 1 3 2 e\n"),
      "keys:1: line has an entry that no packet matches (key 0x00000003 has ones where mask 0x00000002 has none); "
      "correct one of them");
  EXPECT_EQ(complaint("entry 1 2 2 up\n"),
            "keys:1: line names output \"up\" (not e, ne, n, w, sw, s or node); correct it");
  EXPECT_EQ(complaint("entry 1 2 2 e w e\n"), "keys:1: line names output e twice; remove one");
}

TEST(KeyTables, TakeTheFirstEntryThatMatches) {
  const KeyTables tables(
      parse_key_file("entry 2 0x12 0xff n\nentry 2 0x10 0xf0 e\nentry 2 0 0 w\nentry 3 0 0 s\n", "keys", 16), 16);
  EXPECT_EQ(tables.entries(2), 3U);
  EXPECT_EQ(tables.find(2, 0x12), 1U << 2);
  EXPECT_EQ(tables.find(2, 0x1a), 1U << 0);
  EXPECT_EQ(tables.find(2, 0x2a), 1U << 1);
  EXPECT_EQ(tables.find(3, 7), 1U << 3);
  EXPECT_EQ(tables.find(4, 7), 0U);
}

TEST(KeyTables, HaveNoCircles) {
  const auto torus = make_topology(testing::triangular(4, 4));
  const auto& lattice = dynamic_cast<const Lattice&>(*torus);
  const auto circle = [&](const std::string& text) {
    return find_circle(lattice, KeyTables(parse_key_file(text, "keys", 16), 16));
  };
  EXPECT_FALSE(circle("entry 0 0 0xffffffff e\nentry 3 0 0xffffffff node\n")) << "straight on through 1 and 2";
  EXPECT_TRUE(circle("entry 0 0 0xffffffff e\n")) << "straight on round the torus";
  // A square of entries, and one that is left for the node.
  const std::string square = "entry 0 0 ~ e\nentry 1 0 ~ n\nentry 5 0 ~ w\nentry 4 0 ~ s\n";
  const auto with_mask = [](std::string text) {
    for (std::size_t at = text.find('~'); at != std::string::npos; at = text.find('~'))
      text.replace(at, 1, "0xffffffff");
    return text;
  };
  ASSERT_TRUE(circle(with_mask(square)));
  EXPECT_EQ(circle(with_mask(square))->source, 0U);
  EXPECT_FALSE(circle(with_mask(
      "entry 0 0 ~ e n\nentry 1 0 ~ ne\nentry 4 0 ~ ne\nentry 6 0 ~ node\nentry 9 0 ~ s\nentry 5 0 ~ node\n")))
      << "two ways that never meet again by one link";
}

class KeyedChips : public ::testing::Test {
 protected:
  testing::Case keyed(const std::string& text, i64 x = 4, i64 y = 4) {
    testing::Case setup = chips(x, y, 4, "multicast");
    setup.router.own.set("table_file", folder_.write("tables.txt", text));
    return setup;
  }
  ScratchFolder folder_;
};

TEST_F(KeyedChips, SendWhereTheEntriesSay) {
  // By hand, on 4x4: nodes of the lowest row have keys 0x100 to 0x103. One entry in each of them sends east; 3 sends on
  // north-east what comes, which is (0, 1) = 4 of the torus, and keeps a copy; 4 has an entry for key 0x102 alone: that
  // goes to its node and north to 8, where it ends; others go straight on to (1, 2) = 9, which takes 0x100 to 0x10f.
  std::string text;
  for (u32 node = 0; node < 4; ++node) text += fmt::format("key {} {:#x}\n", node, 0x100 + node);
  text += "entry 0 0x100 0xfff0 e\nentry 1 0x100 0xfff0 e\nentry 2 0x100 0xfff0 e\nentry 3 0x100 0xfff0 ne node\n";
  text += "entry 4 0x102 0xffff n node\nentry 8 0x100 0xfff0 node\nentry 9 0x100 0xfff0 node\n";
  std::vector<testing::Send> script;
  for (u32 from = 0; from < 4; ++from) script.push_back({from * 1000, from, 15});
  const testing::Result result = testing::run_chips(keyed(text), script);
  std::map<u32, std::multiset<u32>> arrived;
  for (const testing::Delivery& d : result.deliveries) arrived[d.from].insert(d.to);
  const std::map<u32, std::multiset<u32>> wanted{{0, {3, 9}}, {1, {3, 9}}, {2, {3, 4, 8}}, {3, {3, 9}}};
  EXPECT_EQ(arrived, wanted);
  EXPECT_EQ(result.counters.copies, 1U + 1 + 2 + 1);
  EXPECT_EQ(result.counters.dropped, 0U);
}

TEST_F(KeyedChips, DropWhatTheirOwnRouterHasNoEntryFor) {
  const testing::Result result = testing::run_chips(keyed("entry 0 0 0xffffffff node\n"), {{0, 0, 1}, {0, 5, 1}});
  EXPECT_EQ(result.counters.delivered, 1U);
  EXPECT_EQ(result.counters.dropped, 1U);
}

/// Trees by source, written as entries with a key for each source, are the same tables: one history.
TEST_F(KeyedChips, DoAsTablesBySourceDo) {
  testing::Case drawn = chips(5, 4, 4, "multicast");
  drawn.router.own.set("multicast_targets", i64{6});
  const auto topology = testing::network_of(drawn);
  const Layout layout(*topology, part_of_table(std::vector<u32>(20, 0)), 0, 1);
  const MulticastTables tables(*topology, drawn.router, layout);
  constexpr const char* names[] = {"e", "w", "n", "s", "ne", "sw", "node"};
  std::string text;
  for (u32 node = 0; node < 20; ++node) text += fmt::format("key {} {:#x}\n", node, 0xabc000 + node * 256);
  for (u32 router = 0; router < 20; ++router) {
    for (u32 source = 0; source < 20; ++source) {
      const u8 outputs = tables.find(router, source);
      if (outputs == 0) continue;
      text += fmt::format("entry {} {:#x} 0xffffff00", router, 0xabc000 + source * 256);
      for (u32 output = 0; output < ends; ++output)
        if ((outputs >> output & 1) != 0) text += fmt::format(" {}", names[output]);
      text += "\n";
    }
  }
  const auto script = testing::random_traffic(20, 20, 60, 4);
  const testing::Result by_source = testing::run_chips(drawn, script);
  const testing::Result by_key = testing::run_chips(keyed(text, 5, 4), script);
  EXPECT_GT(by_source.counters.dropped, 0U);
  EXPECT_EQ(by_key.digest.hex(), by_source.digest.hex());
  EXPECT_EQ(by_key.counters.words(), by_source.counters.words());
}

TEST_F(KeyedChips, RefuseTablesThatAreTooLongOrLeadRound) {
  const auto refused = [&](const std::string& text, i64 capacity) -> std::string {
    testing::Case setup = keyed(text);
    setup.router.own.set("table_entries", capacity);
    const auto topology = testing::network_of(setup);
    const Layout layout(*topology, part_of_table(std::vector<u32>(16, 0)), 0, 1);
    try {
      static_cast<void>(MulticastTables(*topology, setup.router, layout));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const std::string two = "entry 0 0 0xffffffff node\nentry 0 1 0xffffffff node\n";
  EXPECT_EQ(refused(two, 2), "");
  EXPECT_EQ(
      refused(two, 1),
      "router.table_entries = 1 is too few for the multicast tables of 1 router (router 0 needs most, 2); use 2, or "
      "write entries with masks that serve several keys");
  const std::string round = refused("entry 7 7 0xffffffff n\n", 9);
  EXPECT_TRUE(
      round.ends_with("tables.txt: packets of node 7 (key 0x00000007) come by router 11 again and again (by "
                      "entries, or straight on where no entry matches); add an entry that ends their way"))
      << round;
}

}  // namespace
}  // namespace weft::models::spinnaker
