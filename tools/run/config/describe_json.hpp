// `weft describe --json`: the settings table and the registries for programs, which the text of `weft describe` is not.
#pragma once

#include <string>

namespace weft::tools {

/// One JSON object:
/// `tables`: name, help.
/// `settings`: key, table, name, type, unit, least, most (numbers), choices, default (null: none), help, path (whether
/// it names an input file), kinds (topologies or routers that declare it; empty: it is everybody's).
/// `topologies`: name, help, family, router (of router.kind = "auto"), partition, keys, example (keys of a small one).
/// `routers`: name, help, topologies (that it fits), modes (values of router.routing), keys, any_length, any_rate,
/// machine, defaults (by topology, where it has some of its own).
/// `patterns`, `kernels`, `collectives`, `exchanges`, `formats`, `engines`, `dispersions`: name, help, and what else a
/// config must know of them.
[[nodiscard]] std::string describe_json();

}  // namespace weft::tools
