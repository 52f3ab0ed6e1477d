// The processes of a run, where a workload is prepared by all of them together.
#pragma once

#include <functional>
#include <string>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Which of the processes this is, and how they wait for each other.
struct ProcessGroup {
  u32 number = 0, of = 1;
  /// All of them call it; whether all said true. Also a barrier.
  std::function<bool(bool)> all = [](bool yes) { return yes; };
  /// All of them call it; what the first gave.
  std::function<std::string(const std::string&)> of_first = [](const std::string& text) { return text; };
};

}  // namespace weft::workloads
