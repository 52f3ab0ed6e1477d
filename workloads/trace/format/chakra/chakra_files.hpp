// Which files a Chakra trace consists of.
#pragma once

#include <string>
#include <vector>

#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

struct ChakraFiles {
  std::vector<std::size_t> of_npu;  ///< [NPU]: number in TraceInput::files
  std::string groups;               ///< path of the file of groups; empty: there is none
};

/// Files PREFIX.N.et, N from 0, each once; of several, a file .json among them, or PREFIX.json or comm_group.json
/// beside them, has the groups. Throws InputError.
[[nodiscard]] ChakraFiles find_chakra_files(const TraceInput& input);

/// Whether files have such names.
[[nodiscard]] bool has_chakra_name(const std::string& path);

}  // namespace weft::workloads
