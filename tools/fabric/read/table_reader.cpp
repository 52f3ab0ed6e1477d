// Tables come switch by switch:
//   Unicast lids [0-112] of switch Lid 2 guid 0x0000000000200001 ('S0-0000'):           OpenSM
//   0x0001 001 # Channel Adapter portguid 0x0000000000100001: 'H-000000'
//   Unicast lids [0x0-0x70] of switch DR path slid 0; dlid 0; 0,1 guid 0x... (S0-0000):  dump_lfts
//   0x0001 001 : (Channel Adapter portguid 0x0000000000100001: 'H-000000')
//   dump_ucast_routes: Switch 0x0000000000200001                                         .fdbs
//   0x0001 : 001  : 01   : yes
#include "tools/fabric/read/table_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/read/switch_finder.hpp"
#include "tools/fabric/read/table_line.hpp"

namespace weft::tools {
namespace {

using models::ForwardingTables;
using models::Subnet;

constexpr u32 nobody = UINT32_MAX, not_a_host = UINT32_MAX - 1;

/// Behind the highest LID that can be meant. Fabrics of configs may have more hosts than a real one has LIDs.
u32 lid_end(const Subnet& subnet) {
  u32 end = 1U << 16;
  for (u32 s = 0; s < subnet.switches(); ++s) end = std::max(end, subnet.switch_at(s).lid + 1);
  for (u32 h = 0; h < subnet.hosts(); ++h) end = std::max(end, subnet.host_at(h).lid + (1U << subnet.host_at(h).lmc));
  return end;
}

/// [LID]: target, or not_a_host for switches and routers, or nobody.
std::vector<u32> targets_by_lid(const Fabric& fabric, const ForwardingTables& tables) {
  const Subnet& subnet = fabric.subnet;
  std::vector<u32> target(lid_end(subnet), nobody);
  for (u32 s = 0; s < subnet.switches(); ++s) target[subnet.switch_at(s).lid] = not_a_host;
  for (const OtherPort& other : fabric.others) {
    for (u32 lid = other.lid; other.lid != 0 && lid < other.lid + (1U << other.lmc); ++lid) target[lid] = not_a_host;
  }
  for (u32 t = 0; t < tables.targets(); ++t) {
    if (subnet.host_at(tables.host_of(t)).lid != 0) target[tables.lid_of(subnet, t)] = t;
  }
  target[0] = nobody;
  return target;
}

/// What tables of a fabric have at most, several times over: a line for each LID of each switch, multicast, comments.
void limit_tables(FabricLines& lines, const Subnet& subnet) {
  constexpr u64 line_bytes = 256, multicast_bytes = 256 << 10, always = 1 << 20;
  u64 lids = 64;
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const models::SubnetHost& host = subnet.host_at(h);
    lids = std::max<u64>(lids + (1U << host.lmc), host.lid + (1U << host.lmc));
  }
  for (u32 s = 0; s < subnet.switches(); ++s) lids = std::max<u64>(lids + 1, subnet.switch_at(s).lid);
  lines.limit(always + u64{subnet.switches()} * (multicast_bytes + lids * line_bytes),
              fmt::format("tables of {} switches with {} LIDs", subnet.switches(), lids));
}

class TableReader {
 public:
  TableReader(FabricLines& lines, const Fabric& fabric)
      : lines_(lines),
        subnet_(fabric.subnet),
        numbered_(fabric.numbered > 0),
        tables_(subnet_),
        target_(targets_by_lid(fabric, tables_)),
        finder_(fabric),
        table_line_(subnet_.switches(), 0),
        entry_line_(target_.size(), 0) {
    limit_tables(lines, subnet_);
  }

  ForwardingTables read() {
    TableLine line;
    for (std::string_view text; lines_.next(text);) {
      if (!read_table_line(text, line)) {
        lines_.fail(
            fmt::format("'{}' is no line of forwarding tables (LID and port, or 'Unicast lids ... of switch'); "
                        "check which file it is",
                        shown(text, 60)));
      }
      if (!line.problem.empty()) lines_.fail(line.problem);
      take(line);
    }
    if (switches_ == 0)
      throw InputError(fmt::format("{}: there is no forwarding table in it; check which file it is", lines_.file()));
    // Tables that end with their number of entries (a file has all alike) show where one is cut off.
    if (trailers_ && open_) {
      lines_.fail(
          fmt::format("the last table, of '{}', has no line with the number of its LIDs (the file is cut off); "
                      "fetch it again",
                      shown(subnet_.switch_label(at_))));
    }
    return std::move(tables_);
  }

 private:
  void take(const TableLine& line) {
    switch (line.kind) {
      case TableLine::Kind::unicast:
        return begin(line);
      case TableLine::Kind::entry:
        return skipping_ ? void() : enter(line);
      case TableLine::Kind::count:
        return end(line);
      case TableLine::Kind::multicast:
        skipping_ = true;
        return;
      case TableLine::Kind::nothing:
        return;
    }
  }

  void begin(const TableLine& line) {
    if (open_ && trailers_) {
      lines_.fail(
          fmt::format("the table of '{}' has no line with the number of its LIDs (lines are missing); fetch the "
                      "file again",
                      shown(subnet_.switch_label(at_))));
    }
    const u32 known = finder_.find(line.guid, line.name);
    if (known == SwitchFinder::nobody) {
      lines_.fail(fmt::format(
          "the table is of switch 0x{:016x}{}, which the fabric has not ({}); fetch them again", line.guid,
          line.name.empty() ? "" : fmt::format(" ('{}')", shown(line.name, 60)),
          numbered_ ? "its file has no GUIDs, and no switch alone has this name" : "both must be of one time"));
    }
    at_ = known;
    if (table_line_[at_] != 0) {
      lines_.fail(fmt::format("there is a second table of switch '{}' (the first one begins in line {}); remove one",
                              shown(subnet_.switch_label(at_)), table_line_[at_]));
    }
    const u32 lid = subnet_.switch_at(at_).lid;
    if (line.lid != 0 && lid != 0 && line.lid != lid) {
      lines_.fail(
          fmt::format("switch '{}' has LID {} here, {} in the fabric (both must be of one time); fetch them again",
                      shown(subnet_.switch_label(at_)), line.lid, lid));
    }
    table_line_[at_] = lines_.number();
    open_ = true;
    skipping_ = false;
    entries_ = 0;
    ++switches_;
  }

  void enter(const TableLine& line) {
    if (!open_) lines_.fail("a LID without a switch in front of it (the file is cut off); fetch it again");
    ++entries_;
    if (line.lid == 0 || line.lid >= target_.size()) {
      if (line.lid == 0 && line.port == ForwardingTables::none) return;
      lines_.fail(fmt::format("{} is no LID (they are 1 to {}); fetch the file again", line.lid, target_.size() - 1));
    }
    const u32 lid = static_cast<u32>(line.lid);
    if (entry_line_[lid] >= table_line_[at_]) {
      lines_.fail(
          fmt::format("LID {} is there twice for switch '{}' (the first time in line {}); remove one of the lines", lid,
                      shown(subnet_.switch_label(at_)), entry_line_[lid]));
    }
    entry_line_[lid] = lines_.number();
    if (line.port == ForwardingTables::none) return;
    if (line.port > subnet_.switch_at(at_).ports) {
      lines_.fail(fmt::format("port {} is none of switch '{}' (it has {}); fetch tables and fabric again", line.port,
                              shown(subnet_.switch_label(at_)), subnet_.switch_at(at_).ports));
    }
    const u32 target = target_[lid];
    if (target == nobody) {
      lines_.fail(
          fmt::format("LID {} belongs to no port of the fabric (both must be of one time); fetch them again", lid));
    }
    if (target != not_a_host) tables_.set_port(at_, target, static_cast<u8>(line.port));
  }

  void end(const TableLine& line) {
    if (skipping_ || !open_) return;
    if (line.exact ? entries_ != line.lid : entries_ > line.lid) {
      lines_.fail(
          fmt::format("the table of '{}' has {} LIDs, but ends as one of {} (lines were lost or added); fetch the file "
                      "again",
                      shown(subnet_.switch_label(at_)), entries_, line.lid));
    }
    trailers_ = true;
    open_ = false;
  }

  FabricLines& lines_;
  const Subnet& subnet_;
  bool numbered_;  ///< the fabric's file has no GUIDs
  ForwardingTables tables_;
  std::vector<u32> target_;
  SwitchFinder finder_;
  std::vector<u64> table_line_;  ///< [switch]
  std::vector<u64> entry_line_;  ///< [LID]: last line that had it
  u32 at_ = 0;
  u64 entries_ = 0, switches_ = 0;
  bool open_ = false, skipping_ = false, trailers_ = false;
};

}  // namespace

ForwardingTables read_tables(FabricLines& lines, const Fabric& fabric) { return TableReader(lines, fabric).read(); }

bool is_table_heading(std::string_view line) {
  TableLine read;
  return read_table_line(line, read) && read.kind == TableLine::Kind::unicast;
}

void learn_lids(FabricLines& lines, Fabric& fabric) {
  Subnet& subnet = fabric.subnet;
  std::unordered_map<u64, u32> by_guid;
  std::unordered_map<std::string_view, u32> by_name;
  const auto add_name = [&by_name](const std::string& name, u32 which) {
    if (const auto [at, fresh] = by_name.try_emplace(name, which); !fresh) at->second = nobody;
  };
  // Switches behind the hosts and others behind them, so that one number says which of all.
  const u32 hosts = subnet.hosts(), nodes = hosts + subnet.switches();
  for (u32 h = 0; h < hosts; ++h) {
    if (subnet.host_at(h).port_guid != 0) by_guid.emplace(subnet.host_at(h).port_guid, h);
    add_name(subnet.host_at(h).name, h);
  }
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (subnet.switch_at(s).guid != 0) by_guid.emplace(subnet.switch_at(s).guid, hosts + s);
    add_name(subnet.switch_at(s).name, hosts + s);
  }
  std::unordered_map<std::string_view, u32> next_other;  // of several that have a name
  for (u32 o = 0; o < fabric.others.size(); ++o) {
    by_guid.emplace(fabric.others[o].port_guid, nodes + o);
    if (by_name.contains(fabric.others[o].name)) continue;
    next_other.emplace(fabric.others[o].name, o);
  }
  TableLine line;
  u64 tables = 0;
  limit_tables(lines, subnet);
  std::vector<std::pair<u32, u32>> range(nodes + fabric.others.size());  // first LID and how many
  for (std::string_view text; lines.next(text) && tables <= 1;) {
    if (!read_table_line(text, line)) continue;  // read_tables complains
    tables += line.kind == TableLine::Kind::unicast ? 1 : 0;
    if (line.kind != TableLine::Kind::entry || tables != 1 || line.lid == 0 || line.lid > most_lid) continue;
    read_destination(line);
    const auto guid = by_guid.find(line.guid);
    const auto name = by_name.find(line.name);
    // Where the fabric's file has no GUIDs, they are numbers that the tables need not know: names go first.
    const bool named = name != by_name.end() && name->second != nobody;
    const bool by_number = guid != by_guid.end() && !(named && fabric.numbered > 0);
    u32 which = by_number ? guid->second : named ? name->second : nobody;
    if (const auto other = next_other.find(line.name); which == nobody && other != next_other.end()) {
      // Which of them has which address makes no difference to hosts.
      const std::string& of = fabric.others[other->second].name;
      while (other->second < fabric.others.size() &&
             (fabric.others[other->second].name != of || range[nodes + other->second].second > 0))
        ++other->second;
      if (other->second < fabric.others.size()) which = nodes + other->second;
    }
    if (which == nobody) {
      lines.fail(
          fmt::format("it does not say whose LID {} is (the fabric's file knows no LIDs, and the table names no "
                      "node of it); use the output of ibnetdiscover as the fabric",
                      line.lid));
    }
    auto& [first, count] = range[which];
    if (count == 0) first = static_cast<u32>(line.lid);
    if (first + count++ != line.lid)
      lines.fail(
          fmt::format("'{}' has LIDs {} and {}, which do not follow each other; use the output of ibnetdiscover "
                      "as the fabric",
                      shown(line.name), first, line.lid));
  }
  for (u32 h = 0; h < hosts; ++h) {
    u32 lmc = 0;
    while (lmc < most_lmc && (1U << (lmc + 1)) <= range[h].second) ++lmc;
    if (range[h].second > 0) subnet.set_host_lid(h, range[h].first, lmc);
  }
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (range[hosts + s].second > 0) subnet.set_switch_lid(s, range[hosts + s].first);
  }
  for (u32 o = 0; o < fabric.others.size(); ++o) {
    OtherPort& other = fabric.others[o];
    other.lid = range[nodes + o].first;
    other.lmc = 0;
    while (other.lmc < most_lmc && (1U << (other.lmc + 1)) <= range[nodes + o].second) ++other.lmc;
  }
}

void learn_lmc(FabricLines& lines, Fabric& fabric) {
  Subnet& subnet = fabric.subnet;
  std::vector<u8> owned(most_lid + 1, 0);
  for (u32 s = 0; s < subnet.switches(); ++s) owned[std::min(subnet.switch_at(s).lid, most_lid)] = 1;
  for (const OtherPort& other : fabric.others) owned[std::min(other.lid, most_lid)] = 1;
  u32 shift = most_lmc;  // base LIDs are multiples of 2^LMC
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const u32 lid = subnet.host_at(h).lid;
    owned[std::min(lid, most_lid)] = 1;
    while (shift > 0 && lid % (1U << shift) != 0) --shift;
  }
  limit_tables(lines, subnet);
  std::vector<u8> strange(most_lid + 1, 0);
  bool any = false;
  TableLine line;
  for (std::string_view text; lines.next(text);) {
    if (!read_table_line(text, line) || line.kind != TableLine::Kind::entry) continue;
    if (line.lid == 0 || line.lid > most_lid || line.port == ForwardingTables::none || owned[line.lid] != 0) continue;
    strange[line.lid] = 1;
    any = true;
  }
  if (!any) return;
  for (u32 lmc = 1; lmc <= shift; ++lmc) {
    std::vector<u8> left = strange;
    bool free = true;
    for (u32 h = 0; h < subnet.hosts(); ++h) {
      const u32 first = subnet.host_at(h).lid;
      for (u32 lid = first + 1; first != 0 && lid < first + (1U << lmc) && lid <= most_lid; ++lid) {
        free = free && owned[lid] == 0;
        left[lid] = 0;
      }
    }
    if (!free || std::ranges::find(left, u8{1}) != left.end()) continue;
    for (u32 h = 0; h < subnet.hosts(); ++h) {
      if (const u32 first = subnet.host_at(h).lid; first != 0) subnet.set_host_lid(h, first, lmc);
    }
    return;
  }
}

}  // namespace weft::tools
