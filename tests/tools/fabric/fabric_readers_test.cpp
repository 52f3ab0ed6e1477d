// Readers of fabrics: the forms that tools print, and an error with its line for what is damaged or contradicts itself.
#include <gtest/gtest.h>

#include "tests/tools/fabric/fabric_text.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using testing::discovered;
using testing::fabric_error;
using testing::fabric_of;

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
  ASSERT_EQ(fabric.others.size(), 1U);
  EXPECT_EQ(fabric.others[0].lid, 20U);
  EXPECT_EQ(fabric.others[0].at_switch, 1U);
  EXPECT_EQ(fabric.others[0].at_port, 20U);
  EXPECT_EQ(fabric.left_out, (std::array<u64, kinds_left_out>{1, 0, 0}));
  EXPECT_EQ(fabric.numbered, 0U);
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
  EXPECT_HAS(fabric_error("CA: H-00 mlx4_0:\n  0x1  64  1[  ] ==( 4X 10.0 Gbps)==> 9\n"),
             "f:2: '0x1  64  1[  ] ==( 4X 10.0 Gbps)==> 9' is no port");
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
    EXPECT_FALSE(read_fabric(bytes_in_memory(config, "c")).has_value()) << config;
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

}  // namespace
}  // namespace weft::tools
