// A fabric from whatever a user names: what a cluster's tools print of it, a graph, our own TOML form, or a config of weft whose
// topology it is. Which of these a file is, its content says.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/types.hpp"
#include "models/subnet/forwarding.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// What kind of file a fabric came from.
enum class FabricForm : u8 { ibnetdiscover, ibsim_net, graphml, toml, config };

/// "ibnetdiscover output", "GraphML"...
[[nodiscard]] std::string form_name(FabricForm form);

/// A fabric, and what its file says beside cables.
struct Fabric {
  models::Subnet subnet;
  std::string name;  ///< of the topology, or the file without folders
  FabricForm form = FabricForm::config;
  std::map<std::string, u64> speeds;  ///< links by width and speed ("4xQDR"), as far as the file tells
  std::vector<u32> other_lids;        ///< of what is no switch and no host: routers to other subnets
  u64 direct_cables = 0;              ///< between two hosts, which are not kept
};

/// Reads a fabric; a config may have `overrides`, as after --set. Throws InputError with file and line for a fabric file that is
/// damaged or contradicts itself, ConfigError as Config::load and make_network do.
[[nodiscard]] Fabric load_fabric(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for a file that must be no config: topology.kind = "file" reads it, and would lead back to itself.
[[nodiscard]] Fabric load_fabric_file(const std::string& path);

/// Reads forwarding tables (dump_lfts, opensm-lfts.dump, .fdbs) of `fabric`. A fabric whose file knows no LIDs gets them from
/// the tables, where those say whose they are. Throws InputError with file and line.
[[nodiscard]] models::ForwardingTables load_tables(const std::string& path, Fabric& fabric);

}  // namespace weft::tools
