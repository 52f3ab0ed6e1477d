// What the checks of settings that belong together have in common; one file of checks for each subject.
#pragma once

#include <string>
#include <vector>

#include "tools/run/config/config.hpp"

namespace weft::tools::checks {

[[nodiscard]] bool is_one_of(const std::string& word, const std::vector<std::string>& words);

/// "router.queue_packets = 4", the value as the config has it.
[[nodiscard]] std::string setting_text(const Config& config, const std::string& key);

/// Throws ConfigError: names the place of the key and its value, the reason and what to write instead.
[[noreturn]] void fail(const Config& config, const std::string& key, const std::string& why, const std::string& advice);

/// A choice of "file" needs a path. `example`: of a file name.
void check_file(const Config& config, const std::string& table, const std::string& choice, const std::string& path,
                const std::string& example);

// Each throws ConfigError for the first of its settings that contradicts another.

/// Whether there are such kinds of network and router, and whether they fit each other.
void check_kinds(const Config& config);
void check_network(const Config& config);
void check_stop(const Config& config);
/// What is sent, and where; of one workload.
void check_workload(const Config& config);
/// The jobs of [[job]], each with its network and its workload.
void check_jobs(const Config& config);
void check_run(const Config& config);

}  // namespace weft::tools::checks
