// The ranking of losses as text, as JSON, as a table for other programs and as a page.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "models/subnet/forwarding.hpp"
#include "tools/fabric/each_loss.hpp"
#include "tools/fabric/fabric.hpp"

namespace weft::tools {

/// A ranking and what it was made with.
struct LossReport {
  const Fabric& fabric;
  const LossRanking& ranking;
  LossChoice choice;
  u64 top = 25;  ///< losses that are listed

  [[nodiscard]] std::size_t listed() const { return std::min<std::size_t>(top, ranking.losses.size()); }
};

[[nodiscard]] std::string text_of(const LossReport& report);
[[nodiscard]] nlohmann::json json_of(const LossReport& report);
/// A row for every loss.
[[nodiscard]] std::string csv_of(const LossReport& report);
/// `tables`: of the whole fabric.
[[nodiscard]] std::string loss_page(const LossReport& report, const models::ForwardingTables& tables);

}  // namespace weft::tools
