// A fabric from lines each of which says both ends of a cable with all that is known of their nodes: what
// ibnetdiscover -p and OpenSM's list of the subnet have in common.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/fabric/read/fabric_builder.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// A port and its node, as one end of a line says them.
struct CableEnd {
  NodeKind kind = NodeKind::host;
  std::string name;
  u64 guid = 0;  ///< that tells nodes apart: of the node, or of an adapter's port that is a node of its own
  bool guid_of_port = false;
  u64 port_guid = 0;  ///< 0: not said
  u64 lid = 0, port = 0;
  u64 ports = 0;  ///< of the node; 0: not said
  u32 vendor = 0, device = 0;
};

/// Every port with a cable has a line of its own, so each cable is in two of them.
class CableList {
 public:
  explicit CableList(FabricLines& lines) : lines_(lines), builder_(lines.file()) {}

  /// The line that was read last; `far`: nothing where nothing is plugged in. Throws InputError for what contradicts
  /// another line about a node.
  void add(const CableEnd& near, const std::optional<CableEnd>& far, const std::string& speed);
  /// Throws InputError for cables that contradict each other, and for those that only one end names.
  [[nodiscard]] Fabric finish(const NotHosts& not_hosts);

 private:
  struct ListedNode {
    CableEnd facts;  ///< ports: the largest number that was named
    u64 line = 0;
  };
  struct ListedPort {
    CableEnd end;
    std::optional<CableEnd> far;
    std::string speed;
    u64 line = 0;
  };
  void note(const CableEnd& end);
  void say(const CableEnd& end, u64 line);
  void connect(const ListedPort& port);

  FabricLines& lines_;
  FabricBuilder builder_;
  std::vector<ListedNode> nodes_;
  std::unordered_map<u64, u32> node_of_;  ///< by GUID
  std::vector<ListedPort> ports_;
  std::set<std::pair<u64, u64>> listed_;  ///< GUID and number of each port with a line of its own
};

}  // namespace weft::tools
