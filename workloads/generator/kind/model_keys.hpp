// Keys that kinds with transformer models on accelerators share: the model, the device, and how they are shared out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/parameters.hpp"
#include "engine/base/setting.hpp"
#include "workloads/generator/training/model_shape.hpp"

namespace weft::workloads {

/// Rows of the model and of the device, and then `own`.
[[nodiscard]] std::vector<Setting> with_model_rows(std::vector<Setting> own);

/// The model but for the length of its sequences.
[[nodiscard]] ModelShape model_of(const Parameters& keys);
[[nodiscard]] Device device_of(const Parameters& keys);

/// Experts are shared out only if there are some.
[[nodiscard]] std::optional<Complaint> check_experts(const Parameters& keys);
/// Keys of experts without experts.
[[nodiscard]] std::optional<Complaint> unused_without_experts(const Parameters& keys, const std::string& name);

/// Throws ConfigError that names what fits unless `parts` divide `amount`. Texts: "workload.layers", or what it is.
void check_divides(u64 amount, u64 parts, const std::string& amount_text, const std::string& parts_text);
/// Throws ConfigError for a token that goes to more experts than there are.
void check_top_k(const ModelShape& model);

}  // namespace weft::workloads
