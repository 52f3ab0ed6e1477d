// A fabric from whatever a user names: what a cluster's tools print of it, a graph, our own TOML form, or a config of
// weft whose topology it is. Which of these a file is, its content says.
#pragma once

#include <string>
#include <vector>

#include "models/subnet/forwarding.hpp"
#include "models/subnet/sl_to_vl.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/counter_reader.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// Reads a fabric; a config may have `overrides`, as after --set; others only if these mean something `elsewhere`.
/// `not_hosts` are patterns of adapters that are no hosts (NotHosts); a config has topology.not_hosts for them.
/// Throws InputError with file and line for a fabric file that is damaged or contradicts itself, ConfigError as
/// Config::load and make_network do.
[[nodiscard]] Fabric load_fabric(const std::string& path, const std::vector<std::string>& overrides = {},
                                 bool elsewhere = false, const std::vector<std::string>& not_hosts = {});

/// Reads a fabric from a file that must be no config: topology.kind = "file" reads it, and would lead back to itself.
[[nodiscard]] Fabric load_fabric_file(const std::string& path, const NotHosts& not_hosts);

/// Reads forwarding tables (dump_lfts, opensm-lfts.dump, .fdbs) of `fabric`. A fabric whose file knows no LIDs gets
/// them from the tables, where those say whose they are. Throws InputError with file and line.
[[nodiscard]] models::ForwardingTables load_tables(const std::string& path, Fabric& fabric);

/// Reads counters of ports (perfquery, ibqueryerrors). Throws InputError with file and line.
[[nodiscard]] CounterReading load_counters(const std::string& path, const Fabric& fabric);

/// Reads which virtual lane each service level gets at each switch (opensm-sl2vl.dump).
[[nodiscard]] models::SlToVl load_sl_to_vl(const std::string& path, const Fabric& fabric);

}  // namespace weft::tools
