// The table of all settings: one row declares a setting completely, and loading, checking, `weft describe` and the
// copy in the result all read that row, so that they cannot disagree.
#pragma once

#include <string>
#include <vector>

#include "engine/setting.hpp"

namespace weft::tools {

/// The one key that is no setting: files that a config takes in.
constexpr const char* include_key = "include";
/// Seeds are told from other settings where points of a sweep repeat each other.
constexpr const char* seed_key = "simulation.seed";

/// A table of the config file.
struct SettingTable {
  std::string name;
  std::string help;
};

/// All settings, in the order in which they are documented and written.
[[nodiscard]] const std::vector<Setting>& settings();
/// All tables, in the same order.
[[nodiscard]] const std::vector<SettingTable>& setting_tables();
/// The row of a key, or nullptr.
[[nodiscard]] const Setting* find_setting(const std::string& key);

/// The rows, a file for each group of tables.
namespace rows {
[[nodiscard]] std::vector<Setting> simulation();
[[nodiscard]] std::vector<Setting> topology_and_link();
[[nodiscard]] std::vector<Setting> faults();
[[nodiscard]] std::vector<Setting> router_and_packet();
[[nodiscard]] std::vector<Setting> workload_and_placement();
[[nodiscard]] std::vector<Setting> node();
[[nodiscard]] std::vector<Setting> measure();
[[nodiscard]] std::vector<Setting> statistics();
[[nodiscard]] std::vector<Setting> parallel_and_checkpoint();
}  // namespace rows

}  // namespace weft::tools
