// Tables from service levels to virtual lanes as OpenSM dumps them, a block for each node:
//   Switch 0x0000000000200001, base LID 2, "D-000-00"
//   #in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
//   3   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/read/switch_finder.hpp"
#include "tools/fabric/read/table_reader.hpp"

namespace weft::tools {
namespace {

using models::SlToVl;

bool read_row(std::string_view text, u64& in, u64& out, SlToVl::Row& row) {
  LineScanner words(text);
  const auto number = [&words](u64& value) {
    words.skip_blanks();
    return words.decimal(value);
  };
  if (!number(in) || !number(out)) return false;
  words.skip_blanks();
  if (!words.take(':')) return false;
  for (u8& lane : row) {
    u64 value = 0;
    if (!number(value) || value >= SlToVl::levels) return false;
    lane = static_cast<u8>(value);
  }
  words.skip_blanks();
  return words.empty();
}

}  // namespace

SlToVl read_sl_to_vl(FabricLines& lines, const Fabric& fabric) {
  const models::Subnet& subnet = fabric.subnet;
  const SwitchFinder finder(fabric);
  SlToVl lanes(subnet.switches());
  constexpr u32 none = UINT32_MAX;
  u32 at = none;
  bool adapter = false, any = false;
  u64 open_line = 0;  // of the ruler above the rows of a node, until the one below them is there
  constexpr u64 row_bytes = 128, always = 1 << 20;
  u64 rows = 16 * (u64{subnet.hosts()} + subnet.switches());
  for (u32 s = 0; s < subnet.switches(); ++s)
    rows += u64{subnet.switch_at(s).ports + 1} * (subnet.switch_at(s).ports + 1);
  lines.limit(always + rows * row_bytes, fmt::format("sl2vl tables of {} switches", subnet.switches()));
  std::vector<bool> has_table(subnet.switches(), false);
  std::vector<SlToVl::Entry> entries;
  const auto close = [&] {
    if (at != none) lanes.set(at, std::move(entries));
    at = none;
    entries = {};
  };
  for (std::string_view text; lines.next(text);) {
    if (text.starts_with("#---")) {
      open_line = open_line == 0 ? lines.number() : 0;
      continue;
    }
    if (text.empty() || text.front() == '#') continue;
    const bool heading =
        text.starts_with("Channel Adapter ") || text.starts_with("Router ") || text.starts_with("Switch ");
    if (heading && open_line != 0) {
      lines.fail(
          fmt::format("the rows of the node before it have no ruler behind them, as in front of them in line {} "
                      "(lines are missing); fetch the file again",
                      open_line));
    }
    if (text.starts_with("Channel Adapter ") || text.starts_with("Router ")) {
      close();
      adapter = any = true;
    } else if (text.starts_with("Switch ")) {
      close();
      adapter = false;
      any = true;
      u64 guid = 0;
      LineScanner words(text.substr(7));
      const std::size_t first = text.find('"'), last = text.rfind('"');
      const std::string_view name = last > first ? text.substr(first + 1, last - first - 1) : "";
      const u32 known = words.hexadecimal(guid) && guid != 0 ? finder.find(guid, name) : SwitchFinder::nobody;
      if (known == SwitchFinder::nobody)
        lines.fail(
            fmt::format("'{}' is none of the fabric (both must be of one time); fetch them again", shown(text, 60)));
      if (lanes.knows(known))
        lines.fail(fmt::format("switch '{}' is there twice; remove one", shown(subnet.switch_label(known))));
      at = known;
      has_table[at] = true;
    } else {
      u64 in = 0, out = 0;
      SlToVl::Row row;
      if (!read_row(text, in, out, row) || (at == none && !adapter)) {
        lines.fail(
            fmt::format("'{}' is no line of sl2vl tables (a node, or IN OUT : and 16 lanes from 0 to 15); check "
                        "which file it is",
                        shown(text, 60)));
      }
      if (adapter) continue;
      const u32 ports = subnet.switch_at(at).ports;
      if (in > ports || out > ports) {
        lines.fail(fmt::format("port {} is none of switch '{}' (it has {}); fetch tables and fabric again",
                               std::max(in, out), shown(subnet.switch_label(at)), ports));
      }
      entries.push_back({static_cast<u8>(in), static_cast<u8>(out), row});
      if (entries.size() > u64{ports + 1} * (ports + 1))
        lines.fail(fmt::format("switch '{}' has more lines than pairs of ports; fetch the file again",
                               shown(subnet.switch_label(at))));
    }
  }
  close();
  if (!any) throw InputError(fmt::format("{}: there is no sl2vl table in it; check which file it is", lines.file()));
  if (open_line != 0) {
    lines.fail(
        fmt::format("the rows of the last node have no ruler behind them, as in front of them in line {} (the file "
                    "is cut off); fetch it again",
                    open_line));
  }
  if (const auto missing = std::ranges::find(has_table, false); missing != has_table.end()) {
    const auto s = static_cast<u32>(missing - has_table.begin());
    lines.fail(
        fmt::format("there is no table of switch '{}' (the file is cut off here, or of another time); fetch it "
                    "again",
                    shown(subnet.switch_label(s))));
  }
  return lanes;
}

}  // namespace weft::tools
