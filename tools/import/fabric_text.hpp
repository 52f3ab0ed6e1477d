// A network that no kind of weft equals, as a fabric file in TOML (docs/fabrics.md): switches, hosts and links.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

struct FabricText {
  struct Link {
    u32 a = 0, b = 0;
    double gbps = 0;  ///< 10^9 bit/s
    u32 count = 1;    ///< cables side by side
  };
  std::string name;
  u32 switches = 0;            ///< "r0", "r1"...
  std::vector<u32> switch_of;  ///< of each host, "n0", "n1"...
  double host_gbps = 0;
  std::vector<Link> links;

  /// `about`: a comment on top, of one line.
  [[nodiscard]] std::string toml(const std::string& about) const;
  /// Whether every switch can be reached from the first over links.
  [[nodiscard]] bool connected() const;
};

}  // namespace weft::tools
