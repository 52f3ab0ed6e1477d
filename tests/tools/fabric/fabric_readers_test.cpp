// Readers of fabrics: the forms that tools print, and an error with its line for what is damaged or contradicts itself.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/error.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/load_fabric.hpp"
#include "tools/fabric/read/read_fabric.hpp"
#include "tools/fabric/read/table_reader.hpp"
#include "workloads/trace/byte_source.hpp"

namespace weft::tools {
namespace {

using models::Peer;

Fabric fabric_of(const std::string& text) {
  auto fabric = read_fabric(workloads::bytes_in_memory(text, "f"));
  EXPECT_TRUE(fabric.has_value());
  return std::move(fabric).value();
}

LineReader lines_of(const std::string& text) { return LineReader(workloads::bytes_in_memory(text, "t")); }

template <class F>
std::string error_of(F&& what) {
  try {
    what();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string fabric_error(const std::string& text) {
  return error_of([&] { (void)read_fabric(workloads::bytes_in_memory(text, "f")); });
}

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

/// Two switches, an adapter with both ports in use, one with one; all that ibnetdiscover can print somewhere.
const std::string discovered = R"(#
# Topology file: generated on Fri Nov 20 09:03:33 2026
#
# Initiated from node 0002c9030000aaaa port 0002c9030000aaab

vendid=0x2c9
devid=0xbd36
sysimgguid=0x2c90200404c83
switchguid=0x2c90200404c80(2c90200404c80)
Switch	36 "S-0002c90200404c80"		# "Infiniscale-IV "rack #7" Mellanox" enhanced port 0 lid 6 lmc 0
[1]	"H-0002c9030000aaaa"[1](2c9030000aaab) 		# "node1 mlx4_0" lid 4 4xQDR
[2][ext 17]	"H-0002c9030000aaaa"[2](2c9030000aaac) 		# "node1 mlx4_0" lid 8 4xFDR10
[19]	"S-0002c90200404c90"[19]		# "spine" lid 7 4xQDR

vendid=0x2c9
devid=0xbd36
sysimgguid=0x2c90200404c93
switchguid=0x2c90200404c90(2c90200404c90)
Switch	36 "S-0002c90200404c90"		# "spine" base port 0 lid 7 lmc 0
[19]	"S-0002c90200404c80"[19]		# "Infiniscale-IV "rack #7" Mellanox" lid 6 4xQDR
[20]	"R-0002c9030000dddd"[1](2c9030000ddde) 		# "gateway" lid 20 4xQDR
[36]	"H-0002c9030000bbbb"[1](2c9030000bbbc) 		# "node2 mlx5_0" lid 12 4xHDR

vendid=0x2c9
rtguid=0x2c9030000dddd
Rt	1 "R-0002c9030000dddd"		# "gateway"
[1](2c9030000ddde) 	"S-0002c90200404c90"[20]		# lid 20 lmc 0 "spine" lid 7 4xQDR

vendid=0x2c9
devid=0x1003
sysimgguid=0x2c9030000aaad
caguid=0x2c9030000aaaa
Ca	2 "H-0002c9030000aaaa"		# "node1 mlx4_0"
[1](2c9030000aaab) 	"S-0002c90200404c80"[1]		# lid 4 lmc 1 "Infiniscale-IV "rack #7" Mellanox" lid 6 4xQDR
[2](2c9030000aaac) 	"S-0002c90200404c80"[2] (2c90200404c80) 		# lid 8 lmc 0 "Infiniscale-IV "rack #7" Mellanox" lid 6 4xFDR10

caguid=0x2c9030000bbbb
Ca	1 "H-0002c9030000bbbb"		# "node2 mlx5_0"
[1](2c9030000bbbc) 	"S-0002c90200404c90"[36]		# lid 12 lmc 0 "spine" lid 7 4xHDR
)";

TEST(FabricReaders, ReadAllThatIbnetdiscoverPrints) {
  const Fabric fabric = fabric_of(discovered);
  const models::Subnet& subnet = fabric.subnet;
  EXPECT_EQ(fabric.form, FabricForm::ibnetdiscover);
  ASSERT_EQ(subnet.switches(), 2U);
  EXPECT_EQ(subnet.switch_at(0).name, "Infiniscale-IV \"rack #7\" Mellanox");
  EXPECT_EQ(subnet.switch_at(0).guid, 0x2c90200404c80U);
  EXPECT_EQ(subnet.switch_at(0).lid, 6U);
  ASSERT_EQ(subnet.hosts(), 3U);  // an adapter with two cables is two
  EXPECT_EQ(subnet.host_at(0).lid, 4U);
  EXPECT_EQ(subnet.host_at(0).lmc, 1U);
  EXPECT_EQ(subnet.host_at(1).lid, 8U);
  EXPECT_EQ(subnet.host_at(1).port, 2U);
  EXPECT_EQ(subnet.host_at(1).port_guid, 0x2c9030000aaacU);
  EXPECT_EQ(subnet.host_at(1).guid, 0x2c9030000aaaaU);
  EXPECT_EQ(subnet.peer_of_host(2).port, 36U);
  EXPECT_EQ(subnet.peer(0, 19).id, 1U);
  EXPECT_EQ(subnet.peer(1, 20).kind, Peer::Kind::none);  // the router is left out
  EXPECT_EQ(fabric.other_lids, (std::vector<u32>{20}));
  EXPECT_EQ(fabric.other_cables, 1U);
  EXPECT_EQ(fabric.speeds, (std::map<std::string, u64>{{"4xFDR10", 1}, {"4xHDR", 1}, {"4xQDR", 3}}));
}

TEST(FabricReaders, AcceptLineEndsOfOtherSystemsAndCablesSaidOnce) {
  std::string text = discovered;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  EXPECT_EQ(fabric_of(text).subnet.hosts(), 3U);
  const Fabric net = fabric_of("Switch 8 \"a\"\n[1] \"b\"[2]\n[3] \"h\"[1]\nSwitch 8 \"b\"\nHca 1 \"h\"\n");
  EXPECT_EQ(net.form, FabricForm::ibsim_net);
  EXPECT_EQ(net.subnet.peer(1, 2).id, 0U);
  EXPECT_EQ(net.subnet.host_links(), 1U);
}

TEST(FabricReaders, NameBothLinesThatContradictEachOther) {
  const std::string two = "Switch 8 \"a\"\n[1] \"b\"[2]\nSwitch 8 \"b\"\n";
  EXPECT_HAS(fabric_error(two + "[2] \"a\"[3]\n"),
             "f:4: port 2 of 'b' is cabled to port 3 of 'a' here, to port 1 of 'a' in line 2");
  EXPECT_HAS(fabric_error(two + "[3] \"a\"[1]\n"),
             "f:4: port 1 of 'a' is cabled to port 3 of 'b' here, to port 2 of 'b' in line 2");
  EXPECT_HAS(fabric_error(two + "[2] \"a\"[1]\n[2] \"a\"[1]\n"),
             "f:5: port 2 of 'b' is cabled twice (the first time in line 4)");
  EXPECT_HAS(fabric_error(two + "[9] \"a\"[1]\n"), "f:4: 'b' has no port 9 (it has 8, numbered from 1: f:3)");
  EXPECT_HAS(fabric_error(two + "[1] \"b\"[1]\n"), "cabled to itself");
  EXPECT_HAS(fabric_error(two + "[3] \"c\"[1]\n"), "f:4: the cable leads to 'c', which is not in the file");
  EXPECT_HAS(fabric_error(two + "Switch 8 \"a\"\n"), "f:4: node 'a' is there twice (the first time in line 1)");
}

TEST(FabricReaders, RefuseLidsThatTwoHave) {
  std::string text = discovered;
  text.replace(text.find("lid 12 lmc 0"), 12, "lid 5 lmc 0 ");
  text.replace(text.find("lid 12 4x"), 9, "lid 5 4x ");
  EXPECT_HAS(fabric_error(text), "LID 5 belongs to 'node2 mlx5_0' here and to another node in line ");
  text = discovered;
  text.replace(text.find("lid 12 4x"), 9, "lid 13 4x");
  EXPECT_HAS(fabric_error(text), "'node2 mlx5_0' has LID ");
  text = discovered;
  text.replace(text.find("lid 12 lmc 0"), 12, "lid 12 lmc 9");
  EXPECT_HAS(fabric_error(text), "LMC 9 is not possible");
}

TEST(FabricReaders, RefuseWhatIsNoFabric) {
  EXPECT_HAS(fabric_error(""), "is empty");
  EXPECT_HAS(fabric_error("\x7f"
                          "ELF\x02\x01\x01" +
                          std::string(3, '\0')),
             "is no text");
  EXPECT_HAS(fabric_error("CA: H-00 mlx4_0:\n  0x1  64  1[  ] ==( 4X 10.0 Gbps)==> 9\n"), "no fabric of a known form");
  EXPECT_HAS(fabric_error("vendid=0x1\n"), "there is no node in it");
  EXPECT_HAS(fabric_error("[1] \"a\"[2]\n"), "a port without a node");
  EXPECT_HAS(fabric_error("Switch 8 \"a\"\nwhatever\n"), "f:2: 'whatever' is no line of a network");
  EXPECT_HAS(fabric_error("Switch 8 \"a\n"), "f:1: ");
  EXPECT_HAS(fabric_error("Switch 255 \"a\"\n"), "has 255 ports (a forwarding table can name 254)");
  EXPECT_HAS(fabric_error("Switch 99999999999999999999 \"a\"\n"), "f:1: ");
  EXPECT_HAS(fabric_error("Switch 8 \"a\"\n" + std::string(100'000, 'x')), "f:2: ");
  EXPECT_HAS(fabric_error("Unicast lids [0-1] of switch Lid 2 guid 0x0000000000200001 ('a'):\n"), "with --tables");
  for (const char* config :
       {"[topology]\nkind = \"torus\"\n", "[topology]\nkind = \"file\"\ntext = \"\"\"\n[fabric]\n\"\"\"\n"}) {
    EXPECT_FALSE(read_fabric(workloads::bytes_in_memory(config, "c")).has_value()) << config;
  }
}

const std::string toml = R"([fabric]
name = "two leaves"
switches = [{ name = "leaf1", ports = 4, lid = 10 }, { name = "leaf2", ports = 4, guid = "0xabc" }]
hosts = [{ name = "n1", lid = 2, lmc = 1, guid = "0x1" }, { name = "n2:1", lid = 1 }]
links = [["leaf1", "leaf2", 2], ["n1", "leaf1:4"], ["n2:1", "leaf2"]]
)";

TEST(FabricReaders, ReadTheTomlForm) {
  const Fabric fabric = fabric_of(toml);
  EXPECT_EQ(fabric.name, "two leaves");
  EXPECT_EQ(fabric.form, FabricForm::toml);
  EXPECT_EQ(fabric.subnet.switch_links(), 2U);
  EXPECT_EQ(fabric.subnet.peer(0, 2).port, 2U);
  EXPECT_EQ(fabric.subnet.peer_of_host(0).port, 4U);
  EXPECT_EQ(fabric.subnet.peer_of_host(1).port, 3U);
  EXPECT_EQ(fabric.subnet.switch_at(1).guid, 0xabcU);
  EXPECT_EQ(fabric.subnet.host_at(0).lmc, 1U);
}

TEST(FabricReaders, NameTheLineOfWhatIsWrongInTheTomlForm) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = toml;
    return fabric_error(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_HAS(with("\"leaf2\", 2]", "\"leaf3\", 2]"), "f:5: 'leaf3' is no node");
  EXPECT_HAS(with("\"leaf2\", 2]", "\"leaf2\", 9]"), "f:5: 'leaf1' has no free port");
  EXPECT_HAS(with("leaf1:4", "leaf1:5"), "f:5: 'leaf1' has no port 5");
  EXPECT_HAS(with("leaf1:4", "leaf1:1"), "port 1 of 'leaf1' is cabled to ");
  EXPECT_HAS(with("lid = 10", "lid = 3"), "LID 3 belongs to ");
  EXPECT_HAS(with("\"leaf2\", ports = 4", "\"leaf2\", ports = 400"), "ports is no number from 0 to 254");
  EXPECT_HAS(with("lmc = 1", "lcm = 1"), "'lcm' is no key of a host");
  EXPECT_HAS(with("\"0xabc\"", "\"abc\""), "is no GUID");
  EXPECT_HAS(with("\"leaf2\", ports", "\"leaf1\", ports"), "'leaf1' is there twice");
  EXPECT_HAS(with("\"leaf2\"]]", "\"leaf2\"]"), "f:");
}

TEST(FabricReaders, ReadGraphsOfOtherPrograms) {
  const std::string head =
      "<?xml version=\"1.0\"?>\n<graphml>\n<key id=\"t\" for=\"node\" attr.name=\"type\"/>\n<graph>\n";
  const std::string nodes =
      "<node id=\"x\"><data key=\"t\">switch</data></node>\n<node id=\"y\"><data key=\"t\">Host</data></node>\n"
      "<node id=\"z\"><data key=\"t\">host</data></node>\n";
  const std::string tail = "</graph></graphml>\n";
  const Fabric fabric =
      fabric_of(head + nodes + "<edge source=\"y\" target=\"x\"/><edge source=\"x\" target=\"z\"/>" + tail);
  EXPECT_EQ(fabric.form, FabricForm::graphml);
  EXPECT_EQ(fabric.subnet.hosts(), 2U);
  EXPECT_EQ(fabric.subnet.peer_of_host(1).port, 2U);
  EXPECT_EQ(fabric.subnet.host_at(0).name, "y");
  EXPECT_HAS(fabric_error(head + nodes + "\n<edge source=\"y\" target=\"q\"/>" + tail), "f:9: the target 'q'");
  EXPECT_HAS(fabric_error(head + nodes + "<edge source=\"y\""), "this is no XML");
  EXPECT_HAS(fabric_error(head + nodes + nodes + tail), "f:8: node 'x' is there twice (the first time in line 5)");
  EXPECT_HAS(fabric_error(head + "<node id=\"x\"><data key=\"t\">fridge</data></node>" + tail), "is a 'fridge'");
  EXPECT_HAS(fabric_error("<svg/>"), "no <graphml>");
  // Without hosts it is a direct network: each switch gets one.
  const Fabric direct = fabric_of(
      "<graphml><graph><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><edge source=\"a\" "
      "target=\"b\"/><edge source=\"b\" target=\"c\"/><edge source=\"c\" target=\"a\"/>" +
      tail);
  EXPECT_EQ(direct.subnet.hosts(), 3U);
  EXPECT_EQ(direct.subnet.switch_links(), 3U);
}

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
    LineReader lines = lines_of(text);
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
    LineReader lines = lines_of(text);
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
  LineReader first = lines_of(text);
  learn_lids(first, fabric);
  EXPECT_EQ(fabric.subnet.host_at(0).lid, 4U);
  EXPECT_EQ(fabric.subnet.host_at(0).lmc, 1U);
  EXPECT_EQ(fabric.subnet.host_at(1).lid, 12U);
  EXPECT_EQ(fabric.subnet.switch_at(0).lid, 6U);
  LineReader again = lines_of(text);
  EXPECT_EQ(read_tables(again, fabric).port(0, 2), 19U);
}

TEST(TableReaders, ReadLanesOfServiceLevels) {
  const Fabric fabric = fabric_of(discovered);
  const std::string head = "Channel Adapter 0x0002c9030000aaab, base LID 4, \"n\"\n#in out : 0\n0   0   : ";
  const std::string row = "0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n";
  const std::string spine = "Switch 0x0002c90200404c90, base LID 7, \"spine\"\n19  36  : " + row;
  const std::string text = head + row + spine + "Switch 0x0002c90200404c80, base LID 6, \"leaf\"\n3   1   : " + row;
  LineReader lines = lines_of(text);
  const models::SlToVl lanes = read_sl_to_vl(lines, fabric);
  EXPECT_EQ(lanes.lanes(), 8U);
  EXPECT_EQ(lanes.lane(0, 3, 1, 13), 5U);
  EXPECT_EQ(lanes.lane(0, 1, 3, 13), 0U);
  const auto error = [&](const std::string& bad) {
    return error_of([&] {
      LineReader again = lines_of(bad);
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
      LineReader lines = lines_of(text);
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
      LineReader lines = lines_of(text);
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
  LineReader lines = lines_of(bomb), names = lines_of(blank), lanes = lines_of(blank);
  const std::string of_tables = error_of([&] { (void)read_tables(lines, fabric); });
  const std::string of_names = error_of([&] { learn_lids(names, fabric); });
  const std::string of_lanes = error_of([&] { (void)read_sl_to_vl(lanes, fabric); });
  EXPECT_HAS(of_tables, "'t' has more than 1 MiB (more than tables of 2 switches with");
  EXPECT_HAS(of_names, "'t' has more than 1 MiB (more than tables of 2 switches with");
  EXPECT_HAS(of_lanes, "'t' has more than 1 MiB (more than sl2vl tables of 2 switches can have)");
}

TEST(FabricReaders, StopAtLinesWithoutEndAndAtAddressesThatNobodyHas) {
  EXPECT_HAS(fabric_error(discovered + std::string(200'000, '\n')),
             "there are more than 100000 lines without a node or a port");
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = discovered;
    text.replace(text.find(from), from.size(), to);
    return fabric_error(text);
  };
  EXPECT_HAS(with("lid 6 lmc 0", "lid 6 lmc 99"), "f:10: LMC 99 is not possible (it is 0 to 7)");
  EXPECT_HAS(with("lid 6 lmc 0", "lid 99999999999999999999 lmc 0"), "f:10: LID of so many digits is none of a node");
  EXPECT_HAS(with("lid 12 lmc 0", "lid 12345678901234567890 lmc 0"), "LID 12345678901234567890 is none of a node");
}

TEST(FabricReaders, KeepTheSpeedsOfLinksAndOfTwoEndsTheSlower) {
  const auto speed = [](const Fabric& fabric, u32 s, u32 port) {
    return fabric.subnet.speed(fabric.subnet.channel(s, port));
  };
  const Fabric fabric = fabric_of(discovered);
  EXPECT_EQ(speed(fabric, 0, 1).name, "4xQDR");
  EXPECT_EQ(speed(fabric, 0, 1).rate, 32);
  EXPECT_EQ(speed(fabric, 0, 2).rate, 40);
  EXPECT_EQ(speed(fabric, 1, 36).rate, 200);
  EXPECT_EQ(fabric.subnet.speed(fabric.subnet.host_channel(2)).name, "4xHDR");
  std::string text = discovered;
  text.replace(text.find("\"spine\" lid 7 4xQDR"), 19, "\"spine\" lid 7 1xSDR");
  const Fabric slow = fabric_of(text);  // said at one end only
  EXPECT_EQ(speed(slow, 0, 19).name, "1xSDR");
  EXPECT_EQ(speed(slow, 1, 19).name, "1xSDR");
  EXPECT_EQ(slow.speeds.at("1xSDR"), 1U);

  const Fabric written = fabric_of(R"([fabric]
switches = [{ name = "a", ports = 4 }, { name = "b", ports = 4 }]
hosts = [{ name = "h" }, { name = "k" }]
links = [["a", "b", 2, "4xEDR"], ["h", "a", "25 Gb/s"], ["k", "b"]]
)");
  EXPECT_EQ(speed(written, 0, 2).rate, 100);
  EXPECT_EQ(speed(written, 0, 3).rate, 25);
  EXPECT_EQ(speed(written, 1, 3).name, "");
  const std::string links = "[fabric]\nswitches = [{ name = \"a\", ports = 4 }]\nhosts = [{ name = \"h\" }]\nlinks = ";
  EXPECT_HAS(fabric_error(links + "[[\"h\", \"a\", \"4xABC\"]]"), "f:4: '4xABC' is no speed of a link");
  EXPECT_HAS(fabric_error(links + "[[\"h\", \"a\", \"4xQDR\", 2]]"), "f:4: ");

  const Fabric graph = fabric_of(R"(<graphml><key id="s" attr.name="speed"/><graph edgedefault="undirected">
<node id="a" kind="switch"/><node id="h" kind="host"/><node id="k" kind="host"/>
<edge source="a" target="h"><data key="s">4xHDR</data></edge><edge source="k" target="a" speed="1xQDR"/></graph></graphml>)");
  EXPECT_EQ(speed(graph, 0, 1).rate, 200);
  EXPECT_EQ(speed(graph, 0, 2).rate, 8);
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
