// Which switch of a fabric a file of tables speaks of.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "tools/fabric/fabric.hpp"

namespace weft::tools {

/// Finds switches by GUID. Where the fabric's file had no GUIDs, those of the fabric are numbers that a subnet manager
/// need not know: there a name goes first, if one switch alone has it.
class SwitchFinder {
 public:
  static constexpr u32 nobody = UINT32_MAX;

  explicit SwitchFinder(const Fabric& fabric);
  /// A switch's number, or nobody. `name` may be empty.
  [[nodiscard]] u32 find(u64 guid, std::string_view name) const;

 private:
  bool numbered_;
  std::unordered_map<u64, u32> by_guid_;
  std::unordered_map<std::string_view, u32> by_name_;
};

}  // namespace weft::tools
