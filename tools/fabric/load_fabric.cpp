// Kinds of fabric files, told apart by their first lines.
#include "tools/fabric/load_fabric.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "tools/config/config.hpp"
#include "tools/config/resolve.hpp"
#include "tools/fabric/leaf_core_file.hpp"

namespace weft::tools {

std::string form_name(FabricForm form) {
  switch (form) {
    case FabricForm::ibnetdiscover:
      return "output of ibnetdiscover";
    case FabricForm::ibsim_net:
      return "ibsim net file";
    case FabricForm::graphml:
      return "GraphML";
    case FabricForm::toml:
      return "TOML fabric";
    case FabricForm::config:
      return "config of weft";
  }
  throw Bug("a form of fabrics without a name");
}

Fabric load_fabric(const std::string& path, const std::vector<std::string>& overrides) {
  if (const auto shape = read_leaf_core(path)) {
    Fabric built;
    built.subnet = models::leaf_core_subnet(*shape);
    built.name = shape->name;
    built.form = FabricForm::toml;
    return built;
  }
  const auto topology = make_network(Config::load(path, overrides));
  Fabric fabric;
  fabric.subnet = models::subnet_of(*topology);
  fabric.name = topology->name();
  return fabric;
}

Fabric load_fabric_file(const std::string& path) { throw InputError(path + ": not read yet"); }

models::ForwardingTables load_tables(const std::string& path, Fabric& /*fabric*/) {
  throw InputError(path + ": not read yet");
}

}  // namespace weft::tools
