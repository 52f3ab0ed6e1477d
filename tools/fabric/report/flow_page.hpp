// Effective bisection bandwidths on a page, read back from results of `weft fabric ebb --out`.
#pragma once

#include <string>
#include <vector>

#include "tools/report/page/page.hpp"

namespace weft::tools {

/// What a result of `weft fabric ebb --out` says.
struct FlowFile {
  std::string name;  ///< as the page calls it
  std::string fabric, routing, pattern;
  u64 hosts = 0, patterns = 0;
  double mean = 0, ci95 = 0, min = 0, max = 0;
  std::vector<double> by_pattern;  ///< fraction of a link's bandwidth
};

/// Whether the file says that it is one.
[[nodiscard]] bool is_flow_file(const std::string& format);
/// Throws InputError.
[[nodiscard]] FlowFile read_flow_file(const std::string& path, const std::string& name);

/// A table of all, and the bandwidths of their patterns as curves of how many have less.
void add_flow_files(page::Page& page, const std::vector<FlowFile>& files);

}  // namespace weft::tools
