// Files in which users name hosts: pairs that communicate, and where the tasks of a pattern are.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// Reads lines `source destination`; # begins a comment, names with blanks are in quotation marks. Throws InputError
/// with file and line.
[[nodiscard]] std::vector<std::pair<u32, u32>> read_host_pairs(const std::string& path, const models::Subnet& subnet);

/// A host, and the line that names it.
struct ListedHost {
  u32 host = 0;
  u64 line = 0;
};
/// Hosts of a text, one or several a line, or lists as SLURM writes them (node[001-008,010]), none twice: that of task
/// 0, 1, 2... `file` stands for it in errors, `what` for what it says. Throws InputError with file and line.
[[nodiscard]] std::vector<ListedHost> host_list(std::string_view text, const std::string& file, const std::string& what,
                                                const models::Subnet& subnet);

/// Hosts that a file lists for the tasks of a pattern, which are two at least.
[[nodiscard]] std::vector<u32> read_host_list(const std::string& path, const models::Subnet& subnet);
/// Hosts that a list on the command line names for the tasks of a pattern, two at least. Throws ConfigError.
[[nodiscard]] std::vector<u32> hosts_of_list(const std::string& list, const models::Subnet& subnet);

}  // namespace weft::tools
