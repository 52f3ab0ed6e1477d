// The table of all settings: one row declares a setting completely, and loading, checking, `weft describe` and the
// copy in the result all read that row, so that they cannot disagree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"

namespace weft::tools {

/// The keys that are no settings: files that a config takes in, and plug-ins that it needs.
constexpr const char* include_key = "include";
constexpr const char* plugins_key = "plugins";
/// Seeds are told from other settings where points of a sweep repeat each other.
constexpr const char* seed_key = "simulation.seed";

/// A table of the config file.
struct SettingTable {
  std::string name;
  std::string help;
};

/// All settings, in the order in which they are documented and written. A plug-in that is loaded adds its own; rows
/// that were given out before stay where they are.
[[nodiscard]] const std::vector<Setting>& settings();
/// All tables, in the same order.
[[nodiscard]] const std::vector<SettingTable>& setting_tables();
/// The row of a key, or nullptr; of a job's, too.
[[nodiscard]] const Setting* find_setting(const std::string& key);

/// Rows of [[job]], "job.start_ns"..., besides which each job has those of [workload] and [placement].
[[nodiscard]] const std::vector<Setting>& job_settings();
/// The tables of which each job has its own.
[[nodiscard]] bool is_table_of_jobs(const std::string& table);
/// A key of a certain job, "job.stencil.workload.tasks".
struct JobKey {
  std::string job;  ///< "stencil"
  std::string key;  ///< of its row: "workload.tasks", "job.start_ns"
};
/// None if the key is no such.
[[nodiscard]] std::optional<JobKey> job_key(const std::string& key);

/// The rows, a file for each group of tables.
namespace rows {
[[nodiscard]] std::vector<Setting> simulation();
[[nodiscard]] std::vector<Setting> topology_and_link();
[[nodiscard]] std::vector<Setting> faults();
[[nodiscard]] std::vector<Setting> router_and_packet();
[[nodiscard]] std::vector<Setting> workload_and_placement();
[[nodiscard]] std::vector<Setting> job();
[[nodiscard]] std::vector<Setting> node();
[[nodiscard]] std::vector<Setting> cosim();
[[nodiscard]] std::vector<Setting> measure();
[[nodiscard]] std::vector<Setting> statistics();
[[nodiscard]] std::vector<Setting> parallel_and_checkpoint();
}  // namespace rows

}  // namespace weft::tools
