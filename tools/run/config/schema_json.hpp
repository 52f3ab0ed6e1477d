// `weft describe --schema`: a JSON schema of config files, by which editors complete keys and underline mistakes.
#pragma once

#include <string>

namespace weft::tools {

/// A schema (draft 7, which Taplo and with it editors of TOML read) of every table and key, from the settings table and
/// the registries: types, ranges, choices, defaults, help with units; the registered names of topologies, routing
/// algorithms, patterns, schedulers and placements; with a kind of topology or router given, only the keys that it has.
/// What needs the network built or several tables seen together is left to `weft run`.
[[nodiscard]] std::string schema_json();

}  // namespace weft::tools
