// Runs of endpoints that go on in slices of time, from [cosim] to the result.
#pragma once

#include <memory>
#include <vector>

#include "tools/cosim/slices.hpp"
#include "tools/run/endpoint_kind.hpp"

namespace weft::tools::cosim {

/// Rows of cosim.nic_latency_ns, cosim.slice_ns and cosim.end_ns.
[[nodiscard]] std::vector<Setting> rows_of_slices();

/// From those and the length of a cycle. Throws ConfigError if they do not fit together.
[[nodiscard]] SliceSpec slice_spec(const Config& config);

/// A run in slices of the endpoints that `make` makes.
[[nodiscard]] std::unique_ptr<Cosimulation> sliced(const Config& config, engine::Transport& transport,
                                                   EndpointMaker make);

}  // namespace weft::tools::cosim
