// Kinds of fabric files, told apart by their first lines.
#include "tools/fabric/load_fabric.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <spdlog/spdlog.h>

#include "engine/base/error.hpp"
#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/leaf_core_file.hpp"
#include "tools/fabric/read/read_fabric.hpp"
#include "tools/fabric/read/table_reader.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

std::string file_name(const std::string& path) { return shown(std::filesystem::path(path).filename().string()); }

/// Phits that links of a class carry in a cycle.
double class_rate(const Config& config, const std::string& link_class) {
  const std::string key = fmt::format("link.{}.phits_per_cycle", link_class);
  const bool own = link_class != "link" && find_setting(key) != nullptr && config.given(key);
  return config.real(own ? key : "link.phits_per_cycle");
}

/// Speeds of the links of a config, where they differ.
void set_speeds(Fabric& fabric, const Config& config, const models::Topology& topology) {
  const std::vector<std::string> classes = topology.link_classes();
  std::vector<double> rates;
  for (const std::string& name : classes) rates.push_back(class_rate(config, name));
  const double gbps = config.real("link.rate_gbps");
  if (std::ranges::all_of(rates, [&](double rate) { return rate == rates.front(); }) && topology.link_rates().empty())
    return;
  for (u32 r = 0; r < topology.routers(); ++r) {
    const u32 ports = fabric.subnet.switch_at(r).ports;
    for (u32 p = 0; p < ports; ++p) {
      const models::Peer far = fabric.subnet.peer(r, p + 1);
      const bool node = far.kind == models::Peer::Kind::node;
      if (far.kind == models::Peer::Kind::none) continue;
      const bool inside = p >= topology.ports(RouterId(r));  // where nodes sit inside routers
      const u32 of_class = node ? models::Topology::node_link_class() : topology.link_class(RouterId(r), p);
      const double rate = rates[of_class] * (inside ? 1.0 : topology.link_rate(RouterId(r), p));
      const std::string name = gbps > 0 ? significant(rate * gbps) + " Gb/s" : significant(rate) + " phits/cycle";
      fabric.subnet.set_speed(r, p + 1, {name, gbps > 0 ? rate * gbps : rate});
    }
  }
  fabric.speeds = models::speeds_of(fabric.subnet);
}

Fabric fabric_of_config(const std::string& path, const std::vector<std::string>& overrides) {
  const Config config = Config::load(path, overrides);
  const auto topology = make_network(config);
  const models::Topology& plane = topology->plane();  // all are alike
  Fabric fabric;
  fabric.subnet = models::subnet_of(plane);
  fabric.name =
      topology->planes() == 1 ? plane.name() : fmt::format("{}, one of {} planes", plane.name(), topology->planes());
  fabric.form = FabricForm::config;
  fabric.link_gbps = config.real("link.rate_gbps") * class_rate(config, "link");
  set_speeds(fabric, config, plane);
  return fabric;
}

/// Lines that are no part of a file are not passed over in silence: the command that wrote it had trouble.
void warn_of_messages(const std::string& path, u64 lines, const std::string& place, const std::string& text) {
  if (lines == 0) return;
  spdlog::warn("{}: {} left out ('{}'); what it says may be missing in '{}'", place,
               lines == 1 ? "a message between the lines was"
                          : fmt::format("this and {} more messages between the lines were", lines - 1),
               text, shown(path));
}

/// The file, read by `read`, with a warning of what is none of it.
template <class Read>
auto read_lines(const std::string& path, Read&& read) {
  FabricLines lines(open_bytes(path));
  auto result = read(lines);
  warn_of_messages(path, lines.skipped().lines, lines.place(lines.skipped().first), shown(lines.skipped().text, 100));
  return result;
}

Fabric named(Fabric fabric, const std::string& path) {
  if (fabric.name.empty()) fabric.name = file_name(path);
  warn_of_messages(path, fabric.skipped_lines, fabric.skipped_place, fabric.skipped_text);
  return fabric;
}

bool has_no_lids(const models::Subnet& subnet) {
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (subnet.host_at(h).lid != 0) return false;
  }
  return true;
}

}  // namespace

bool knows_no_lmc(FabricForm form) {
  return form == FabricForm::iblinkinfo || form == FabricForm::ports_list || form == FabricForm::subnet_list;
}

std::string form_name(FabricForm form) {
  switch (form) {
    case FabricForm::ibnetdiscover:
      return "output of ibnetdiscover";
    case FabricForm::iblinkinfo:
      return "output of iblinkinfo";
    case FabricForm::ports_list:
      return "output of ibnetdiscover -p";
    case FabricForm::subnet_list:
      return "subnet list of OpenSM";
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

std::string Fabric::left_out_text() const {
  std::string text;
  const auto add = [&text](u64 count, const std::string& one, const std::string& many) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(count), count == 1 ? one : many);
  };
  add(left_out[static_cast<std::size_t>(LeftOut::aggregation_node)], "SHARP aggregation node",
      "SHARP aggregation nodes");
  add(left_out[static_cast<std::size_t>(LeftOut::not_host)], "adapter that is no host", "adapters that are no hosts");
  add(left_out[static_cast<std::size_t>(LeftOut::router)], "router to another subnet", "routers to other subnets");
  return text;
}

Fabric load_fabric(const std::string& path, const std::vector<std::string>& overrides, bool elsewhere,
                   const std::vector<std::string>& not_hosts) {
  const NotHosts patterns(not_hosts, "--not-hosts");
  const auto check_not_hosts = [&](FabricForm form, const std::string& instead) {
    if (patterns.empty()) return;
    throw ConfigError(fmt::format("--not-hosts {} has no effect on '{}' (it is a {}, whose hosts are what it says); {}",
                                  shown(not_hosts.front()), shown(path), form_name(form), instead));
  };
  const auto check_overrides = [&](FabricForm form) {
    if (overrides.empty() || elsewhere) return;
    throw ConfigError(fmt::format("--set {} has no effect on '{}' (it is {}, no config); leave it out",
                                  shown(overrides.front()), shown(path), form_name(form)));
  };
  if (const auto shape = read_leaf_core(path)) {
    Fabric built;
    built.subnet = models::leaf_core_subnet(*shape);
    built.name = shown(shape->name);
    built.form = FabricForm::toml;
    check_overrides(built.form);
    check_not_hosts(built.form, "leave it out");
    return built;
  }
  std::optional<Fabric> read = read_fabric(open_bytes(path), patterns);
  if (!read) {
    check_not_hosts(FabricForm::config, "use topology.not_hosts in a config of kind \"file\"");
    return fabric_of_config(path, overrides);
  }
  check_overrides(read->form);
  return named(std::move(*read), path);
}

Fabric load_fabric_file(const std::string& path, const NotHosts& not_hosts) {
  std::optional<Fabric> read = read_fabric(open_bytes(path), not_hosts);
  if (read) return named(std::move(*read), path);
  throw InputError(
      fmt::format("'{}' is no fabric file (it is a config of weft, or no text that is known); use the output of "
                  "ibnetdiscover or iblinkinfo, opensm-subnet.lst, a net file, GraphML or TOML with [fabric]",
                  shown(path)));
}

models::ForwardingTables load_tables(const std::string& path, Fabric& fabric) {
  if (has_no_lids(fabric.subnet)) {
    FabricLines lines(open_bytes(path));
    learn_lids(lines, fabric);
    fabric.subnet.label_nodes();
  }
  if (knows_no_lmc(fabric.form)) {
    FabricLines lines(open_bytes(path));
    learn_lmc(lines, fabric);
  }
  return read_lines(path, [&fabric](FabricLines& lines) { return read_tables(lines, fabric); });
}

CounterReading load_counters(const std::string& path, const Fabric& fabric) {
  return read_lines(path, [&fabric](FabricLines& lines) { return read_counters(lines, fabric); });
}

models::SlToVl load_sl_to_vl(const std::string& path, const Fabric& fabric) {
  return read_lines(path, [&fabric](FabricLines& lines) { return read_sl_to_vl(lines, fabric); });
}

}  // namespace weft::tools
