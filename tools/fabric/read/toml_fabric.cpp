// [fabric] with name, switches, hosts and links:
//   switches = [{ name = "leaf1", ports = 36, guid = "0x2c9020041", lid = 7 }]
//   hosts = [{ name = "node1", guid = "0x2c9010001", lid = 1, lmc = 0 }]
//   links = [["node1", "leaf1:1"], ["leaf1:19", "spine1:1", "4xQDR"], ["leaf1", "spine1", 4]]
#include "tools/fabric/read/toml_fabric.hpp"

#include <fmt/format.h>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/read/fabric_builder.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools {
namespace {

u64 line_of(const toml::node& node) { return node.source().begin.line; }

class TomlFabricReader {
 public:
  TomlFabricReader(const toml::table& root, const std::string& file) : builder_(file) {
    for (const auto& [key, value] : root) {
      if (key != "fabric") unknown(key, value, "the file", "fabric");
    }
    const toml::table* const fabric = root["fabric"].as_table();
    if (fabric == nullptr) builder_.fail(0, "there is no table [fabric]; add it");
    for (const auto& [key, value] : *fabric) {
      if (key == "name") {
        name_ = text(value, "fabric.name");
      } else if (key == "switches") {
        for_each(value, "switches", [&](const toml::node& node) { add(node, NodeKind::of_switch); });
      } else if (key == "hosts") {
        for_each(value, "hosts", [&](const toml::node& node) { add(node, NodeKind::host); });
      } else if (key != "links") {
        unknown(key, value, "[fabric]", "name, switches, hosts, links");
      }
    }
    if (const toml::node* links = fabric->get("links")) {
      for_each(*links, "links", [&](const toml::node& node) { connect(node); });
    }
  }
  Fabric finish(const NotHosts& not_hosts) {
    Fabric fabric = builder_.finish(not_hosts);
    fabric.form = FabricForm::toml;
    fabric.name = shown(name_);
    return fabric;
  }

 private:
  [[noreturn]] void unknown(const toml::key& key, const toml::node& value, const std::string& where,
                            const std::string& known) const {
    builder_.fail(line_of(value), fmt::format("'{}' is no key of {} (it has {}); correct or remove it",
                                              shown(key.str()), where, known));
  }
  std::string text(const toml::node& node, const std::string& what) const {
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty()) builder_.fail(line_of(node), fmt::format("{} is no text; put it into quotes", what));
    return *value;
  }
  u64 number(const toml::node& node, const std::string& what, u64 most) const {
    const auto value = node.value_exact<i64>();
    if (!value || *value < 0 || static_cast<u64>(*value) > most)
      builder_.fail(line_of(node), fmt::format("{} is no number from 0 to {}; correct it", what, most));
    return static_cast<u64>(*value);
  }
  u64 guid(const toml::node& node) const {
    const std::string digits = text(node, "a GUID");
    LineScanner words(digits);
    u64 value = 0;
    if (!words.take("0x") || !words.hexadecimal(value) || !words.empty())
      builder_.fail(line_of(node), fmt::format("'{}' is no GUID; write it as \"0x0002c90300012345\"", shown(digits)));
    return value;
  }
  template <class F>
  void for_each(const toml::node& node, const std::string& what, F&& use) const {
    const toml::array* const list = node.as_array();
    if (list == nullptr) builder_.fail(line_of(node), fmt::format("fabric.{} is no list; write [ ... ]", what));
    for (const toml::node& each : *list) use(each);
  }

  void add(const toml::node& node, NodeKind kind) {
    const toml::table* const table = node.as_table();
    const bool is_switch = kind == NodeKind::of_switch;
    if (table == nullptr) {
      builder_.fail(line_of(node), fmt::format("a {} is no table; write {{ name = \"...\"{} }}",
                                               is_switch ? "switch" : "host", is_switch ? ", ports = 36" : ""));
    }
    FabricBuilder::Node facts{.kind = kind, .name = {}, .guid = 0, .ports = is_switch ? 0U : 1U, .line = line_of(node)};
    u64 lid = 0, lmc = 0, port_guid = 0;
    for (const auto& [key, value] : *table) {
      if (key == "name") {
        facts.name = text(value, "name");
      } else if (key == "guid") {
        facts.guid = guid(value);
      } else if (key == "lid") {
        lid = number(value, "lid", most_lid);
      } else if (key == "ports" && is_switch) {
        facts.ports = static_cast<u32>(number(value, "ports", models::Subnet::most_ports));
      } else if (key == "lmc" && !is_switch) {
        lmc = number(value, "lmc", most_lmc);
      } else if (key == "port_guid" && !is_switch) {
        port_guid = guid(value);
      } else {
        unknown(key, value, is_switch ? "a switch" : "a host",
                is_switch ? "name, ports, guid, lid" : "name, guid, port_guid, lid, lmc");
      }
    }
    if (facts.name.empty()) builder_.fail(facts.line, "a node has no name; add name = \"...\"");
    if (facts.ports == 0)
      builder_.fail(facts.line, fmt::format("switch '{}' has no ports; add for example ports = 36", shown(facts.name)));
    const std::string name = facts.name;
    const u64 line = facts.line;
    const u32 n = builder_.add(std::move(facts));
    if (const auto [at, fresh] = node_of_.try_emplace(name, n); !fresh) {
      builder_.fail(line, fmt::format("'{}' is there twice (the first time in line {}); names must differ", shown(name),
                                      builder_.node(at->second).line));
    }
    builder_.set_lid(n, is_switch ? 0 : 1, lid, line);
    if (is_switch) return;
    builder_.set_lmc(n, 1, lmc, line);
    if (port_guid != 0) builder_.set_port_guid(n, 1, port_guid, line);
  }

  /// "leaf1:19", or "leaf1" for its next free port, which is port 0 here.
  std::pair<u32, u32> end_of(const toml::node& node) const {
    const std::string name = text(node, "the end of a link");
    if (const auto known = node_of_.find(name); known != node_of_.end()) return {known->second, 0};
    const std::size_t colon = name.rfind(':');
    if (colon != std::string::npos) {
      LineScanner words(std::string_view(name).substr(colon + 1));
      u64 port = 0;
      const auto known = node_of_.find(name.substr(0, colon));
      if (known != node_of_.end() && words.decimal(port) && words.empty() && port <= models::Subnet::most_ports &&
          port > 0)
        return {known->second, static_cast<u32>(port)};
    }
    builder_.fail(line_of(node), fmt::format("'{}' is no node, nor the port of one (\"NAME\" or \"NAME:PORT\"); add it "
                                             "to switches or hosts, or correct the name",
                                             shown(name)));
  }

  void connect(const toml::node& node) {
    const u64 line = line_of(node);
    const toml::array* const list = node.as_array();
    if (list == nullptr || list->size() < 2 || list->size() > 4) {
      builder_.fail(line,
                    "a link is no list of two ends; write [\"NODE\", \"NODE:PORT\"], or [\"NODE\", \"NODE\", CABLES], "
                    "and a speed behind it if it is known");
    }
    std::string speed;
    u64 cables = 1;
    for (std::size_t ix = 2; ix < list->size(); ++ix) {
      const toml::node& more = *list->get(ix);
      if (ix + 1 == list->size() && more.is_string()) {
        speed = text(more, "the speed of a link");
        if (!models::link_speed_named(speed)) {
          builder_.fail(line_of(more),
                        fmt::format("'{}' is no speed of a link; write it as \"4xQDR\" or \"25 Gb/s\"", shown(speed)));
        }
      } else if (ix == 2) {
        cables = number(more, "the number of cables", models::Subnet::most_ports);
      } else {
        builder_.fail(line_of(more), "the fourth value of a link is no text; write its speed, as \"4xQDR\"");
      }
    }
    const auto [a, port_a] = end_of(*list->get(0));
    const auto [b, port_b] = end_of(*list->get(1));
    if (cables != 1 && (port_a != 0 || port_b != 0))
      builder_.fail(line, "several cables cannot go to one port; leave out the port, or the number of cables");
    for (u64 cable = 0; cable < cables; ++cable) {
      const u32 from = port_a != 0 ? port_a : free_port(a, line, 0);
      const u32 to = port_b != 0 ? port_b : free_port(b, line, a == b ? from : 0);
      static_cast<void>(builder_.connect(a, from, b, to, line));
      builder_.set_speed(a, from, speed);
    }
  }
  u32 free_port(u32 n, u64 line, u32 but) const {
    const u32 port = builder_.free_port(n, but);
    if (port == 0) {
      builder_.fail(line, fmt::format("'{}' has no free port (all {} are cabled); give it more ports",
                                      shown(builder_.node(n).name), builder_.node(n).ports));
    }
    return port;
  }

  FabricBuilder builder_;
  std::string name_;
  std::unordered_map<std::string, u32> node_of_;
};

}  // namespace

Fabric read_toml_fabric(std::string_view text, const std::string& file, const NotHosts& not_hosts) {
  const auto parsed = [&] {
    try {
      return TomlFabricReader(parse_toml(text, file), file);
    } catch (const ConfigError& error) {  // of the TOML itself
      throw InputError(error.what(), error.detail());
    }
  };
  return parsed().finish(not_hosts);
}

}  // namespace weft::tools
