// What the parts of an algorithm of MSCCL must be to each other.
#pragma once

#include <string>

#include "workloads/generator/accelerator/msccl.hpp"

namespace weft::workloads {

/// Throws InputError "file:line: problem; advice".
[[noreturn]] void fail_msccl(const std::string& file, u64 line, const std::string& problem, const std::string& advice);

/// Throws InputError unless steps have peers and chunks, what they wait for is there, and each connection sends what is
/// received. Marks the steps that others wait for.
void check_msccl(MscclAlgorithm& algorithm, const std::string& file);

}  // namespace weft::workloads
