// Hosts as people name them: on the command line and in files with patterns.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/types.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// What maps of names say in place of a number: none has the name, or several have.
constexpr u32 nobody = UINT32_MAX, several = UINT32_MAX - 1;

/// Finds hosts of a fabric by GUID ("0x2c9010001", of node or port), LID ("17", any of those that LMC gives it) or
/// description, or a port of an adapter by its description and number ("node7:2"). A description goes before a LID that
/// looks the same.
class HostNames {
 public:
  explicit HostNames(const models::Subnet& subnet);

  struct Named {
    u32 host = 0;
    u32 address = 0;  ///< which of its LIDs, from 0; 0 unless a LID was given
  };
  /// Throws ConfigError with the nearest description for a name that no host or several have; `place` goes in front
  /// ("pairs.txt:7: ").
  [[nodiscard]] Named find(const std::string& name, const std::string& place = "") const;

  /// All hosts that a word of a list means: those of `find`, of each name of a SLURM list, and all adapters of a node
  /// whose first word it is ("node7" for "node7 HCA-1" and "node7 HCA-2"), side by side.
  [[nodiscard]] std::vector<u32> find_all(const std::string& list, const std::string& place) const;

 private:
  /// Hosts whose descriptions begin with this word.
  [[nodiscard]] std::vector<u32> of_node(const std::string& word) const;
  [[noreturn]] void fail(const std::string& name, const std::string& place) const;
  const models::Subnet& subnet_;
  /// The host that "node7:2" names: this port of such an adapter.
  [[nodiscard]] u32 port_named(const std::string& name) const;
  std::unordered_map<std::string, std::vector<u32>> by_word_;  ///< by first words of descriptions of several
  std::unordered_map<std::string, u32> by_name_;
  std::map<std::pair<std::string_view, u32>, u32> by_port_;  ///< by name and number of the port
  std::unordered_map<u64, u32> by_guid_;
  std::vector<u32> by_lid_;
};

/// The names of a list as SLURM writes it: "node[001-003,010],login1" is node001, node002, node003, node010, login1. A
/// name without brackets and commas is itself. Throws InputError, with `place` in front, for brackets that are left
/// open, ranges that are none, and more names than a fabric has hosts.
[[nodiscard]] std::vector<std::string> names_of_list(const std::string& list, const std::string& place);

/// "node7 (LID 12)", as messages and lists name a host.
[[nodiscard]] std::string host_text(const models::Subnet& subnet, u32 host);

}  // namespace weft::tools
