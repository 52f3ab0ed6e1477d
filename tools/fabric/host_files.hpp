// Files in which users name hosts: pairs that communicate, and where the tasks of a pattern are.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// Reads lines `source destination`; # begins a comment, names with blanks are in quotation marks. Throws InputError
/// with file and line.
[[nodiscard]] std::vector<std::pair<u32, u32>> read_host_pairs(const std::string& path, const models::Subnet& subnet);

/// Reads hosts, one or several a line, or lists as SLURM writes them (node[001-008,010]), none twice: that of task 0,
/// 1, 2... Throws InputError with file and line.
[[nodiscard]] std::vector<u32> read_host_list(const std::string& path, const models::Subnet& subnet);

}  // namespace weft::tools
