// Readers of forwarding tables and of service levels' lanes, and hosts by their names: the forms that tools print, and
// an error with its line for what does not fit the fabric.
#include <gtest/gtest.h>

#include "engine/base/text/byte_source.hpp"
#include "tests/tools/fabric/fabric_text.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/read/table_reader.hpp"

namespace weft::tools {
namespace {

using testing::discovered;
using testing::error_of;
using testing::fabric_of;

FabricLines lines_of(const std::string& text) { return FabricLines(bytes_in_memory(text, "t")); }

const std::string table_a = R"(Unicast lids [0-20] of switch Lid 6 guid 0x0002c90200404c80 ('leaf (a)'):
0x0004 001 # Channel Adapter portguid 0x0002c9030000aaab: 'node1 mlx4_0'
0x0005 001 # Channel Adapter portguid 0x0002c9030000aaab: 'node1 mlx4_0'
0x0006 000 # Switch portguid 0x0002c90200404c80: 'x'
0x0007 019 # Switch portguid 0x0002c90200404c90: 'spine'
0x0008 002 # Channel Adapter portguid 0x0002c9030000aaac: 'node1 mlx4_0'
0x000c 019 # Channel Adapter portguid 0x0002c9030000bbbc: 'node2 mlx5_0'
0x0014 019 # Router portguid 0x0002c9030000ddde: 'gateway'
20 lids dumped
)";

std::string table_error(const std::string& text) {
  const Fabric fabric = fabric_of(discovered);
  return error_of([&] {
    FabricLines lines = lines_of(text);
    (void)read_tables(lines, fabric);
  });
}

TEST(TableReaders, ReadTheThreeForms) {
  const Fabric fabric = fabric_of(discovered);
  const std::string dump_lfts =
      "Unicast lids [0x0-0x14] of switch DR path slid 0; dlid 0; 0,1 guid 0x0002c90200404c80 (leaf):\n"
      "  Lid  Out   Destination\n       Port     Info \n"
      "0x0004 001 : (Channel Adapter portguid 0x0002c9030000aaab: 'n')\n0x0005 001 : (Channel Adapter portguid 0x1: "
      "'n')\n"
      "0x0008 002 : (Channel Adapter)\n0x000c 019 : (x)\n4 valid lids dumped \n"
      "Multicast mlids [0xc000-0xc3ff] of switch Lid 6 guid 0x0002c90200404c80 (leaf):\n0xc000  x\n";
  const std::string fdbs =
      "osm_ucast_mgr_dump_ucast_routes: Switch 0x0002c90200404c80\nLID    : Port : Hops : Optimal\n"
      "0x0004 : 001  : 01   : yes\n0x0005 : 001  : 01   : yes\n0x0006 : UNREACHABLE\n0x0008 : 002  : 01   : yes\n"
      "0x000C : 019  : 02   : No 1 hop path possible via port 3!\n\n";
  for (const std::string& text : {table_a, dump_lfts.substr(0, dump_lfts.find("0xc000 ")), fdbs}) {
    FabricLines lines = lines_of(text);
    const models::ForwardingTables tables = read_tables(lines, fabric);
    ASSERT_EQ(tables.targets(), 4U);
    const std::vector<u8> want{1, 1, 2, 19};
    for (u32 t = 0; t < 4; ++t) {
      EXPECT_EQ(tables.port(0, t), want[t]) << text;
      EXPECT_EQ(tables.port(1, t), models::ForwardingTables::none);
    }
  }
}

TEST(TableReaders, NameTheLineOfWhatDoesNotFit) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = table_a;
    return table_error(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_HAS(with("0x000c", "0x000d"), "t:7: LID 13 belongs to no port of the fabric");
  EXPECT_HAS(with("0x000c", "0x0008"), "t:7: LID 8 is there twice for switch");
  EXPECT_HAS(with("0x000c 019", "0x000c 037"), "t:7: port 37 is none of switch");
  EXPECT_HAS(with("0x000c 019", "0x000c 99999999999999999999999"), "t:7: ");
  EXPECT_HAS(with("0x000c", "0xfffffffff"), "is no LID");
  EXPECT_HAS(with("404c80 (", "404c81 ("), "t:1: the table is of switch 0x0002c90200404c81");
  EXPECT_HAS(with("Lid 6", "Lid 9"), "has LID 9 here, 6 in the fabric");
  EXPECT_HAS(with("20 lids", "3 lids"), "has 7 LIDs, but ends as one of 3");
  EXPECT_HAS(table_error(table_a + table_a), "t:10: there is a second table of switch");
  EXPECT_HAS(table_error(table_a.substr(table_a.find("0x0004"))), "t:1: a LID without a switch");
  EXPECT_HAS(table_error("hello\n"), "t:1: 'hello' is no line of forwarding tables");
  EXPECT_HAS(table_error(""), "there is no forwarding table");
  const std::string second = "Unicast lids [0-20] of switch Lid 7 guid 0x0002c90200404c90 ('spine'):\n0x0004 019 # x\n";
  EXPECT_HAS(table_error(table_a + second), "the file is cut off");
}

TEST(TableReaders, TeachAFabricWithoutLids) {
  Fabric fabric = fabric_of(
      "switchguid=0x2c90200404c80\nSwitch 36 \"leaf\"\n[1] \"node1 mlx4_0\"[1]\n[19] \"spine\"[19]\n"
      "Switch 36 \"spine\"\n[36] \"node2 mlx5_0\"[1]\nHca 1 \"node1 mlx4_0\"\nHca 1 \"node2 mlx5_0\"\n");
  std::string text = table_a;
  text.erase(text.find("0x0008"), text.find("0x000c") - text.find("0x0008"));
  text.erase(text.find("0x0014"), text.find("20 lids") - text.find("0x0014"));
  FabricLines first = lines_of(text);
  learn_lids(first, fabric);
  EXPECT_EQ(fabric.subnet.host_at(0).lid, 4U);
  EXPECT_EQ(fabric.subnet.host_at(0).lmc, 1U);
  EXPECT_EQ(fabric.subnet.host_at(1).lid, 12U);
  EXPECT_EQ(fabric.subnet.switch_at(0).lid, 6U);
  FabricLines again = lines_of(text);
  EXPECT_EQ(read_tables(again, fabric).port(0, 2), 19U);
}

TEST(TableReaders, ReadLanesOfServiceLevels) {
  const Fabric fabric = fabric_of(discovered);
  const std::string head = "Channel Adapter 0x0002c9030000aaab, base LID 4, \"n\"\n#in out : 0\n0   0   : ";
  const std::string row = "0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n";
  const std::string spine = "Switch 0x0002c90200404c90, base LID 7, \"spine\"\n19  36  : " + row;
  const std::string text = head + row + spine + "Switch 0x0002c90200404c80, base LID 6, \"leaf\"\n3   1   : " + row;
  FabricLines lines = lines_of(text);
  const models::SlToVl lanes = read_sl_to_vl(lines, fabric);
  EXPECT_EQ(lanes.lanes(), 8U);
  EXPECT_EQ(lanes.lane(0, 3, 1, 13), 5U);
  EXPECT_EQ(lanes.lane(0, 1, 3, 13), 0U);
  const auto error = [&](const std::string& bad) {
    return error_of([&] {
      FabricLines again = lines_of(bad);
      (void)read_sl_to_vl(again, fabric);
    });
  };
  EXPECT_HAS(error("Switch 0x99, base LID 6, \"leaf\"\n"), "t:1: ");
  EXPECT_HAS(error(text + "3 77 : " + row), "t:8: port 77 is none of switch");
  EXPECT_HAS(error(text + "3 7 : 0 1 2\n"), "t:8: ");
  EXPECT_HAS(error(""), "there is no sl2vl table");
}

TEST(TableReaders, RefuseLanesThatAreCutOff) {
  const Fabric fabric = fabric_of(discovered);
  const std::string row = "3   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n", ruler = "#-----------\n";
  const std::string leaf = "Switch 0x0002c90200404c80, base LID 6, \"leaf\"\n" + ruler + row + ruler;
  const std::string spine = "Switch 0x0002c90200404c90, base LID 7, \"spine\"\n" + ruler + row + ruler;
  const auto error = [&](const std::string& text) {
    return error_of([&] {
      FabricLines lines = lines_of(text);
      (void)read_sl_to_vl(lines, fabric);
    });
  };
  EXPECT_EQ(error(leaf + spine), "");
  EXPECT_HAS(error(leaf), "t:4: there is no table of switch 'spine' (the file is cut off here, or of another time)");
  std::string cut = leaf + spine;
  cut.resize(cut.size() - ruler.size());
  EXPECT_HAS(error(cut), "t:7: the rows of the last node have no ruler behind them, as in front of them in line 6");
  EXPECT_HAS(error(leaf.substr(0, leaf.size() - ruler.size()) + spine), "t:4: the rows of the node before it");
}

TEST(TableReaders, RefuseHeadingsThatCannotBeTrue) {
  const Fabric fabric = fabric_of(discovered);
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string text = table_a;
    EXPECT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
    return error_of([&] {
      FabricLines lines = lines_of(text);
      (void)read_tables(lines, fabric);
    });
  };
  const std::string range = table_a.substr(table_a.find('['), table_a.find(']') + 1 - table_a.find('['));
  EXPECT_EQ(error(range, "[0x0-0x20]"), "");
  for (const std::string bad : {"[0-4294967295]", "[108-0]", "[0-]", "[a-b]", "[0-49152]"})
    EXPECT_HAS(error(range, bad), "t:1: " + bad + " is no range of LIDs");
  EXPECT_HAS(error("switch Lid 6 ", "switch Lid 99999999999999999999 "),
             "t:1: the switch has no LID (they are 1 to 49151)");
}

TEST(TableReaders, StopAtFilesThatAreLargerThanTablesOfTheFabricCanBe) {
  Fabric fabric = fabric_of(discovered);
  const std::string bomb = table_a + std::string(16 << 20, '\n');
  const std::string blank = bomb.substr(table_a.size());
  FabricLines lines = lines_of(bomb), names = lines_of(blank), lanes = lines_of(blank);
  const std::string of_tables = error_of([&] { (void)read_tables(lines, fabric); });
  const std::string of_names = error_of([&] { learn_lids(names, fabric); });
  const std::string of_lanes = error_of([&] { (void)read_sl_to_vl(lanes, fabric); });
  EXPECT_HAS(of_tables, "'t' has more than 1 MiB (more than tables of 2 switches with");
  EXPECT_HAS(of_names, "'t' has more than 1 MiB (more than tables of 2 switches with");
  EXPECT_HAS(of_lanes, "'t' has more than 1 MiB (more than sl2vl tables of 2 switches can have)");
}

TEST(HostNames, FindHostsByGuidLidAndDescription) {
  const Fabric fabric = fabric_of(discovered);
  const HostNames names(fabric.subnet);
  EXPECT_EQ(names.find("node2 mlx5_0").host, 2U);
  EXPECT_EQ(names.find("0x2c9030000bbbb").host, 2U);
  EXPECT_EQ(names.find("0x0002c9030000aaac").host, 1U);
  EXPECT_EQ(names.find("5").host, 0U);
  EXPECT_EQ(names.find("5").address, 1U);
  const auto error = [&](const std::string& name) {
    try {
      (void)names.find(name, "p:3: ");
    } catch (const ConfigError& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_HAS(
      error("node2 mlx5_1"),
      "p:3: 'node2 mlx5_1' is no host of the fabric (GUID 0x..., LID or description); did you mean 'node2 mlx5_0'?");
  EXPECT_HAS(error("node1 mlx4_0"), "is the name of several hosts");
  EXPECT_HAS(error("0x2c9030000aaaa"), "is the name of several hosts");
  EXPECT_HAS(error("77"), "is no host");
  EXPECT_HAS(error("99999999999999999999999"), "is no host");
}

}  // namespace
}  // namespace weft::tools
