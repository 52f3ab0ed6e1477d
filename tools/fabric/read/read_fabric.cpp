// The first line that is no comment decides.
#include "tools/fabric/read/read_fabric.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/fabric/read/fabric_lines.hpp"
#include "tools/fabric/read/graphml.hpp"
#include "tools/fabric/read/ib_net.hpp"
#include "tools/fabric/read/link_info.hpp"
#include "tools/fabric/read/ports_list.hpp"
#include "tools/fabric/read/subnet_list.hpp"
#include "tools/fabric/read/table_reader.hpp"
#include "tools/fabric/read/toml_fabric.hpp"

namespace weft::tools {
namespace {

constexpr u64 most_graphml_bytes = u64{64} << 20;
constexpr u64 most_toml_fabric_bytes = u64{32} << 20;

enum class Looks : u8 { nothing, ib_net, link_info, ports_list, subnet_list, graphml, table, toml, other };

/// A word at the beginning of a line of ibnetdiscover.
bool begins_net(std::string_view line) {
  static constexpr std::array<std::string_view, 16> words{
      "vendid=",  "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "routerguid=", "Chassis ",
      "Switch\t", "Ca\t",   "Hca\t",       "Rt\t",        "Switch ", "Ca ",     "Hca ",        "Rt "};
  if (line.size() > 2 && line[0] == '[' && line[1] >= '0' && line[1] <= '9')
    return true;  // a port; its node is cut off
  return std::ranges::any_of(words, [line](std::string_view word) { return line.starts_with(word); });
}

/// "[table]" or "key = value"; nearly all that is TOML begins so.
bool begins_toml(std::string_view line) {
  if (line.starts_with('[')) return true;
  const std::size_t equals = line.find('=');
  return equals != std::string_view::npos && equals > 0 &&
         trimmed(line.substr(0, equals)).find_first_of(" \t:(") == std::string_view::npos;
}

Looks looks_like(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  Looks found = Looks::nothing;
  bool decided = false;
  for_each_line(head, [&](std::string_view line) {
    line = trimmed(line);
    if (decided || line.empty() || is_message(line)) return;
    if (line.starts_with("# Topology file: generated")) {
      found = Looks::ib_net;
      decided = true;
    }
    if (line.front() == '#') return;
    found = line.front() == '<'      ? Looks::graphml
            : is_link_info(line)     ? Looks::link_info
            : is_ports_list(line)    ? Looks::ports_list
            : is_subnet_list(line)   ? Looks::subnet_list
            : begins_net(line)       ? Looks::ib_net
            : is_table_heading(line) ? Looks::table
            : begins_toml(line)      ? Looks::toml
                                     : Looks::other;
    decided = true;
  });
  return found;
}

/// Whether TOML has the table of our own form. A config may have one in a text (topology.text).
bool has_fabric_table(std::string_view text) {
  bool fabric = false, topology = false;
  for_each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    fabric = fabric || line.starts_with("[fabric]") || line.starts_with("fabric.") || line.starts_with("fabric =");
    topology = topology || line.starts_with("[topology]") || line.starts_with("topology.");
  });
  return fabric && !topology;
}

std::optional<Fabric> read_toml_or_nothing(const std::string& text, const std::string& name, Looks looks,
                                           const NotHosts& not_hosts) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(fmt::format("'{}' is empty (the command that wrote it may have failed); fetch it again", name));
  if (text.find('\0') != std::string::npos || !is_utf8(text))
    throw InputError(fmt::format("'{}' is no text, and so no fabric; check which file it is", name));
  if (looks == Looks::other) {
    throw InputError(
        fmt::format("'{}' is no fabric of a known form (output of ibnetdiscover or iblinkinfo, opensm-subnet.lst, a "
                    "net file, GraphML, TOML with [fabric], a config of weft); check which file it is",
                    name));
  }
  if (has_fabric_table(text)) return read_toml_fabric(text, name, not_hosts);
  return std::nullopt;
}

/// Text by lines, and what was skipped of it.
template <class Read>
Fabric read_lines(std::unique_ptr<ByteSource> source, const NotHosts& not_hosts, Read&& read) {
  FabricLines lines(std::move(source));
  Fabric fabric = read(lines, not_hosts);
  fabric.skipped_lines = lines.skipped().lines;
  fabric.skipped_place = lines.place(lines.skipped().first);
  fabric.skipped_text = shown(lines.skipped().text, 100);
  return fabric;
}

}  // namespace

std::optional<Fabric> read_fabric(std::unique_ptr<ByteSource> source, const NotHosts& not_hosts) {
  constexpr std::size_t head_bytes = 64 * 1024;
  const std::string name = source->name();
  std::string head = read_head(*source, head_bytes);
  const Looks looks = looks_like(head);
  auto whole = put_back(std::move(head), std::move(source));
  switch (looks) {
    case Looks::ib_net:
      return read_lines(std::move(whole), not_hosts, read_ib_net);
    case Looks::link_info:
      return read_lines(std::move(whole), not_hosts, read_link_info);
    case Looks::ports_list:
      return read_lines(std::move(whole), not_hosts, read_ports_list);
    case Looks::subnet_list:
      return read_lines(std::move(whole), not_hosts, read_subnet_list);
    case Looks::graphml:
      return read_graphml(whole_text(*whole, most_graphml_bytes), name, not_hosts);
    case Looks::table:
      throw InputError(
          fmt::format("'{}' has forwarding tables, no fabric; give the fabric first and this file with "
                      "--tables",
                      name));
    case Looks::nothing:
    case Looks::toml:
    case Looks::other:
      return read_toml_or_nothing(whole_text(*whole, most_toml_fabric_bytes), name, looks, not_hosts);
  }
  throw Bug("a form of fabrics without a reader");
}

}  // namespace weft::tools
