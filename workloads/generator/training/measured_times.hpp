// Times of passes from a table that was measured, in place of a roofline. docs/accelerators.md has its form.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "workloads/generator/training/training.hpp"

namespace weft::workloads {

/// Reads rows `attention|feed-forward LAYERS forward_ns backward_ns weights_ns`, `embedding|logits forward_ns
/// backward_ns weights_ns` and `optimizer STAGES ns`; LAYERS and STAGES are a number from 0, `A-B`, or `*` for those
/// that have no row of their own. Throws InputError "NAME:LINE: ..." for other rows, and "NAME: ..." for a layer or
/// stage without.
[[nodiscard]] std::shared_ptr<const PassTimes> read_pass_times(std::string_view text, const std::string& name,
                                                               u32 layers, u32 stages);

}  // namespace weft::workloads
