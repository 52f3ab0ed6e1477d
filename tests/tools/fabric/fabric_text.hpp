// What the tests of readers of fabrics share: a fabric as ibnetdiscover prints it, and readers of texts in memory.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/text/byte_source.hpp"
#include "tools/fabric/read/read_fabric.hpp"

namespace weft::tools::testing {

inline Fabric fabric_of(const std::string& text) {
  auto fabric = read_fabric(bytes_in_memory(text, "f"));
  EXPECT_TRUE(fabric.has_value());
  return std::move(fabric).value();
}

template <class F>
std::string error_of(F&& what) {
  try {
    what();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline std::string fabric_error(const std::string& text) {
  return error_of([&] { (void)read_fabric(bytes_in_memory(text, "f")); });
}

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

/// Two switches, an adapter with both ports in use, one with one; all that ibnetdiscover can print somewhere.
inline const std::string discovered = R"(#
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

}  // namespace weft::tools::testing
