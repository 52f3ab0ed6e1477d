// Kinds of fabric files, told apart by their first lines.
#include "tools/fabric/load_fabric.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "tools/config/config.hpp"
#include "tools/config/resolve.hpp"
#include "tools/fabric/leaf_core_file.hpp"
#include "tools/fabric/read/read_fabric.hpp"
#include "tools/fabric/read/table_reader.hpp"
#include "workloads/trace/byte_source.hpp"

namespace weft::tools {
namespace {

std::string file_name(const std::string& path) { return shown(std::filesystem::path(path).filename().string()); }

Fabric fabric_of_config(const std::string& path, const std::vector<std::string>& overrides) {
  const auto topology = make_network(Config::load(path, overrides));
  Fabric fabric;
  fabric.subnet = models::subnet_of(*topology);
  fabric.name = topology->name();
  fabric.form = FabricForm::config;
  return fabric;
}

Fabric named(Fabric fabric, const std::string& path) {
  if (fabric.name.empty()) fabric.name = file_name(path);
  return fabric;
}

bool has_no_lids(const models::Subnet& subnet) {
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (subnet.host_at(h).lid != 0) return false;
  }
  return true;
}

}  // namespace

std::string form_name(FabricForm form) {
  switch (form) {
    case FabricForm::ibnetdiscover:
      return "output of ibnetdiscover";
    case FabricForm::ibsim_net:
      return "net file of ibsim";
    case FabricForm::graphml:
      return "GraphML";
    case FabricForm::toml:
      return "TOML fabric";
    case FabricForm::config:
      return "config of weft";
  }
  throw Bug("a form of fabrics without a name");
}

Fabric load_fabric(const std::string& path, const std::vector<std::string>& overrides, bool elsewhere) {
  const auto check_overrides = [&](FabricForm form) {
    if (overrides.empty() || elsewhere) return;
    throw ConfigError(fmt::format("--set {} has no effect on '{}' (it is {}, no config); leave it out",
                                  shown(overrides.front()), shown(path), form_name(form)));
  };
  if (const auto shape = read_leaf_core(path)) {
    Fabric built;
    built.subnet = models::leaf_core_subnet(*shape);
    built.name = shape->name;
    built.form = FabricForm::toml;
    check_overrides(built.form);
    return built;
  }
  std::optional<Fabric> read = read_fabric(workloads::open_bytes(path));
  if (!read) return fabric_of_config(path, overrides);
  check_overrides(read->form);
  return named(std::move(*read), path);
}

Fabric load_fabric_file(const std::string& path) {
  std::optional<Fabric> read = read_fabric(workloads::open_bytes(path));
  if (read) return named(std::move(*read), path);
  throw InputError(
      fmt::format("'{}' is no fabric file (it is a config of weft, or no text that is known); use the output of "
                  "ibnetdiscover, a net file, GraphML or TOML with [fabric]",
                  shown(path)));
}

models::ForwardingTables load_tables(const std::string& path, Fabric& fabric) {
  if (has_no_lids(fabric.subnet)) {
    LineReader lines(workloads::open_bytes(path));
    learn_lids(lines, fabric);
  }
  LineReader lines(workloads::open_bytes(path));
  return read_tables(lines, fabric);
}

models::SlToVl load_sl_to_vl(const std::string& path, const Fabric& fabric) {
  LineReader lines(workloads::open_bytes(path));
  return read_sl_to_vl(lines, fabric);
}

}  // namespace weft::tools
