// Defaults that kinds of workloads have in place of those of settings, which other kinds of them have otherwise.
#pragma once

#include <vector>

#include "models/routing/router_kind.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::tools {

/// Defaults of a kind of workload, in the order of its keys.
[[nodiscard]] std::vector<models::DefaultValue> defaults_of(const workloads::WorkloadKind& kind);

}  // namespace weft::tools
