// Text of `weft describe`: every setting and every name that a setting can take, from the tables that the program
// itself uses.
#pragma once

#include <string>
#include <vector>

#include "tools/run/config/config.hpp"

namespace weft::tools {

/// No words: describe_plugins if there are some, else all keys by table with type, unit, range, default and help. Each
/// word: a key ("router.queue_packets", or its name alone), a table ("router"), or one of topologies, routers,
/// patterns, placements, kernels, formats, collectives..., a word of another simulator (num_vcs), or one that
/// descriptions have (bandwidth). Throws ConfigError for another word, naming the nearest known one.
[[nodiscard]] std::string describe(const std::vector<std::string>& words);

/// The settings that a config can make use of, with their values: of all tables, or of those named. Throws ConfigError
/// for a name that is no table.
[[nodiscard]] std::string describe_for(const Config& config, const std::vector<std::string>& tables);

}  // namespace weft::tools
