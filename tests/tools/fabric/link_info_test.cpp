// Output of iblinkinfo: what the two forms say of speeds and names, and what is refused.
#include <gtest/gtest.h>

#include "tests/tools/fabric/fabric_text.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using testing::fabric_error;
using testing::fabric_of;

const std::string leaf_heading = "Switch: 0x0000000000200003 leaf \"4\": a:\n";
const std::string leaf_port =
    "  6    2[ 7] ==( 4X   25.78125 Gbps Active/  LinkUp) (HOQ:0 VL_Stall:7)==>   7    3[  ] \"spine\" ( )\n";
const std::string spine_heading = "Switch: 0x0000000000200004 spine:\n";
const std::string spine_port =
    "  7    3[  ] ==( 4X   25.78125 Gbps Active/  LinkUp)==>   6    2[ 7] \"leaf \"4\": a\" (Could be 12X )\n";
const std::string free_port = "  7    9[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n";

TEST(LinkInfo, HasPortsNamesAndSpeeds) {
  const Fabric fabric = fabric_of(leaf_heading + leaf_port + spine_heading + spine_port + free_port);
  EXPECT_EQ(fabric.form, FabricForm::iblinkinfo);
  ASSERT_EQ(fabric.subnet.switches(), 2U);
  EXPECT_EQ(fabric.subnet.switch_at(0).name, "leaf \"4\": a");
  EXPECT_EQ(fabric.subnet.switch_at(0).guid, 0x200003U);
  EXPECT_EQ(fabric.subnet.switch_at(1).lid, 7U);
  EXPECT_EQ(fabric.subnet.switch_at(1).ports, 9U);
  EXPECT_EQ(fabric.subnet.peer(0, 2).port, 3U);
  EXPECT_EQ(fabric.speeds, (std::map<std::string, u64>{{"4xEDR", 1}}));
}

TEST(LinkInfo, NamesLanesByTheirSignallingRate) {
  const auto speed = [](const std::string& rate) {
    std::string text = leaf_heading + leaf_port + spine_heading + free_port;
    text.replace(text.find("25.78125 Gbps"), 13, rate);
    return fabric_of(text).speeds.begin()->first;
  };
  EXPECT_EQ(speed("2.5 Gbps"), "4xSDR");
  EXPECT_EQ(speed("5.0 Gbps"), "4xDDR");
  EXPECT_EQ(speed("10.0 Gbps"), "4xQDR");
  EXPECT_EQ(speed("10.0 Gbps (FDR10)"), "4xFDR10");
  EXPECT_EQ(speed("14.0625 Gbps"), "4xFDR");
  EXPECT_EQ(speed("53.125 Gbps"), "4xHDR");
  EXPECT_EQ(speed("106.25 Gbps"), "4xNDR");
}

TEST(LinkInfo, IsToldApartByPortsOfAdapters) {
  const std::string host =
      "CA: node HCA-1:\n  0x11   21   1[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==>  6  1[  ] \"leaf\" ( )\n"
      "  0x12   22   2[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==>  6  3[  ] \"leaf\" ( )\n";
  const Fabric fabric = fabric_of(host + leaf_heading + leaf_port + spine_heading + free_port);
  ASSERT_EQ(fabric.subnet.hosts(), 2U);
  EXPECT_EQ(fabric.subnet.host_at(1).port, 2U);
  EXPECT_EQ(fabric.subnet.host_at(1).port_guid, 0x12U);
  EXPECT_EQ(fabric.subnet.host_at(1).lid, 22U);
  EXPECT_EQ(fabric.subnet.peer_of_host(1).port, 3U);
}

TEST(LinkInfo, IsRefusedWhereItContradictsItselfOrIsCutOff) {
  EXPECT_HAS(fabric_error(leaf_heading + leaf_port),
             "f:2: the cable leads to 'spine' (LID 7), which is not in the file");
  EXPECT_HAS(fabric_error(leaf_heading + leaf_port + spine_heading +
                          "  7    4[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==>  6    2[ 7] \"leaf\" ( )\n"),
             "f:4: port 2 of 'leaf \"4\": a' is cabled to port 4 of 'spine' here, to port 3 of 'spine' in line 2");
  EXPECT_HAS(fabric_error(leaf_heading + leaf_port + "  8    3[  ] ==( Down/ Polling)==> [  ] \"\" ( )\n" +
                          spine_heading + spine_port),
             "f:3: 'leaf \"4\": a' has LID 8 here, LID 6 in line 2");
  EXPECT_HAS(fabric_error(leaf_port), "f:1: a port without a node in front of it");
  EXPECT_HAS(fabric_error(leaf_heading + leaf_port.substr(0, 30)), "f:2: '");
  EXPECT_HAS(fabric_error(leaf_heading + "  6    2[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==>  7    3[  ] \"spi"),
             "may be cut off");
  EXPECT_HAS(fabric_error(leaf_heading + "  6    999[  ] ==( Down/ Polling)==> [  ] \"\" ( )\n"), "999 ports");
  EXPECT_HAS(fabric_error("Switch: leaf:\n" + leaf_port), "no fabric of a known form");
  EXPECT_HAS(fabric_error(leaf_heading), "f:1: there is no port in it");
}

}  // namespace
}  // namespace weft::tools
