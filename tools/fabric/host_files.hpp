// Files in which users name hosts: pairs that communicate, and where the tasks of a pattern are.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// Hosts by what users call them: GUID of node or port (0x...), LID (a number), node description.
class HostNames {
 public:
  explicit HostNames(const models::Subnet& subnet);
  /// The host, or why it is not clear: "no host has ...", "several hosts are called ...".
  [[nodiscard]] std::pair<u32, std::string> find(std::string_view name) const;

 private:
  static constexpr u32 several = ~u32{0};
  const models::Subnet& subnet_;
  std::unordered_map<std::string, u32> by_name_;
  std::unordered_map<u64, u32> by_guid_;
};

/// Reads lines `source destination`; # begins a comment, names with blanks are in quotation marks. Throws InputError with file and
/// line.
[[nodiscard]] std::vector<std::pair<u32, u32>> read_host_pairs(const std::string& path, const models::Subnet& subnet);

/// Reads a host a line, none twice: that of task 0, 1, 2... Throws InputError with file and line.
[[nodiscard]] std::vector<u32> read_host_list(const std::string& path, const models::Subnet& subnet);

}  // namespace weft::tools
