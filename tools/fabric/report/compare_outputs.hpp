// Comparisons of routing engines as text, as JSON, as rows for other programs and as a page; one block for each fabric.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/fabric/compare_engines.hpp"

namespace weft::tools {

[[nodiscard]] std::string text_of(const EngineComparison& comparison, const CompareChoice& choice);
[[nodiscard]] nlohmann::json json_of(const EngineComparison& comparison);
/// A row for every engine of every fabric.
[[nodiscard]] std::string csv_of(const std::vector<EngineComparison>& all);
[[nodiscard]] std::string compare_page(const std::vector<EngineComparison>& all, const CompareChoice& choice);

}  // namespace weft::tools
