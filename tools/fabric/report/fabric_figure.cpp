// What tools/report/page/assets/fabric.js asks for, put together.
#include "tools/fabric/report/fabric_figure.hpp"

#include "engine/base/text/markup.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Subnet;

/// Entries of tables, and hosts with a name, on a page.
constexpr u64 most_entries = 1'000'000, most_named_hosts = 20'000;
constexpr u32 is_of_host = u32{1} << 31;

page::Json names_of_switches(const Subnet& subnet) {
  page::Json names = page::Json::array();
  for (u32 s = 0; s < subnet.switches(); ++s) names.push_back(shown(subnet.switch_label(s), 80));
  return names;
}

/// Where the ports of each switch lead to, as the script reads it.
std::vector<u32> peers_of(const Subnet& subnet) {
  std::vector<u32> peers(subnet.switch_channels(), UINT32_MAX);
  for (u32 channel = 0; channel < subnet.switch_channels(); ++channel) {
    const Peer from = subnet.owner(channel), to = subnet.next(from.id, from.port);
    if (to.kind == Peer::Kind::router) peers[channel] = to.id;
    if (to.kind == Peer::Kind::node) peers[channel] = is_of_host | to.id;
  }
  return peers;
}

std::vector<u8> first_rows(const Subnet& subnet, const models::ForwardingTables& tables) {
  std::vector<u8> rows;
  rows.reserve(u64{subnet.hosts()} * subnet.switches());
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const u8* const row = tables.row(tables.first_target(h));
    rows.insert(rows.end(), row, row + subnet.switches());
  }
  return rows;
}

}  // namespace

void add_drawing(page::Page& page, const Subnet& subnet, const FabricDrawing& drawing,
                 const models::ForwardingTables* tables, const std::string& heading) {
  page::Json hosts = page::Json::array(), at = hosts, first = hosts;
  const bool named = subnet.hosts() <= most_named_hosts;
  for (u32 h = 0; named && h < subnet.hosts(); ++h) {
    const Peer peer = subnet.peer_of_host(h);
    hosts.push_back(shown(subnet.host_label(h), 80));
    at.push_back(peer.kind == Peer::Kind::router ? static_cast<i64>(peer.id) : i64{-1});
  }
  for (u32 s = 0; s < subnet.switches(); ++s) first.push_back(subnet.first_channel(s));
  page::Json spec = {
      {"kind", "fabric"}, {"wide", true},   {"switches", names_of_switches(subnet)}, {"hosts", hosts},
      {"at", at},         {"first", first}, {"peers", page.block(peers_of(subnet))}, {"tables", nullptr}};
  if (!heading.empty()) spec["title"] = heading;
  const bool routes = tables != nullptr && named && u64{subnet.hosts()} * subnet.switches() <= most_entries;
  if (routes) spec["tables"] = page.block(first_rows(subnet, *tables));
  std::string picture = drawing.legend;
  if (!drawing.left_out.empty()) picture += paragraph(drawing.left_out, "warning");
  if (tables != nullptr && !routes)
    picture +=
        paragraph("The fabric is too large for its routes to be on the page: the search finds places only.", "soft");
  page.markup(std::move(spec), picture + "<div class=\"scroll\">" + drawing.svg + "</div>\n");
}

}  // namespace weft::tools
