// A line is a port with LID, number, GUID, width and speed, and the far end where a cable is plugged in. The GUID of a
// switch's ports is its own; adapters have one for each port, which is a node of its own here:
//   SW     2 19 0x0002c902004b0918 4x QDR - CA    15  1 0x0002c903000e0b73 ( 'leaf 1' - 'node7 HCA-1' )
//   SW     2 20 0x0002c902004b0918 4x SDR                                    'leaf 1'
#include "tools/fabric/read/ports_list.hpp"

#include <fmt/format.h>

#include "engine/base/text/shown.hpp"
#include "tools/fabric/read/cable_list.hpp"

namespace weft::tools {
namespace {

/// "SW     2 19 0x0002c902004b0918".
bool take_listed_port(LineScanner& words, CableEnd& end) {
  words.skip_blanks();
  const std::string_view kind = words.word();
  if (kind != "SW" && kind != "CA" && kind != "RT" && kind != "??") return false;
  end.kind = kind == "SW" ? NodeKind::of_switch : kind == "CA" ? NodeKind::host : NodeKind::other;
  words.skip_blanks();
  if (!words.decimal(end.lid)) return false;
  words.skip_blanks();
  if (!words.decimal(end.port)) return false;
  words.skip_blanks();
  if (!words.rest().starts_with("0x") || !words.hexadecimal(end.guid)) return false;
  end.guid_of_port = end.kind != NodeKind::of_switch;
  if (end.guid_of_port) end.port_guid = end.guid;
  return true;
}

/// "4x QDR" as "4xQDR"; empty where width or speed is not known ("??", "???").
bool take_width_and_speed(LineScanner& words, std::string& speed) {
  words.skip_blanks();
  const std::string_view width = words.word();
  words.skip_blanks();
  const std::string_view lane = words.word();
  if (!width.ends_with('x') && width != "??") return false;
  if (width != "??" && lane.find('?') == std::string_view::npos) speed = fmt::format("{}{}", width, lane);
  return !lane.empty();
}

/// What is between the quotation marks at both ends of `text`.
std::optional<std::string_view> in_quotation_marks(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '\'' || text.back() != '\'') return {};
  return text.substr(1, text.size() - 2);
}

/// " - CA 15 1 0x... ( 'leaf 1' - 'node7 HCA-1' )".
bool take_far_port(LineScanner& words, CableEnd& near, CableEnd& far) {
  constexpr std::string_view between = "' - '";
  words.skip_blanks();
  if (!words.take('-') || !take_listed_port(words, far)) return false;
  words.skip_blanks();
  if (!words.take('(') || !words.rest().ends_with(')')) return false;
  const auto names = in_quotation_marks(words.rest().substr(0, words.rest().size() - 1));
  const std::size_t at = names ? names->find(between) : std::string_view::npos;
  if (at == std::string_view::npos) return false;
  near.name = std::string(names->substr(0, at));
  far.name = std::string(names->substr(at + between.size()));
  return true;
}

}  // namespace

bool is_ports_list(std::string_view line) {
  LineScanner words(line);
  CableEnd end;
  std::string speed;
  return take_listed_port(words, end) && take_width_and_speed(words, speed);
}

Fabric read_ports_list(FabricLines& lines, const NotHosts& not_hosts) {
  CableList cables(lines);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line.front() == '#') continue;
    LineScanner words(line);
    CableEnd near, far;
    std::string speed;
    bool whole = take_listed_port(words, near) && take_width_and_speed(words, speed), alone = false;
    if (const auto name = in_quotation_marks(words.rest()); whole && name) {
      near.name = std::string(*name);
      alone = true;
    } else {
      whole = whole && take_far_port(words, near, far);
    }
    if (!whole) {
      lines.fail(
          fmt::format("'{}' is no port of ibnetdiscover -p (it is SW|CA|RT LID PORT 0xGUID 4x QDR, then - and "
                      "the far end with ( 'NAME' - 'NAME' ), or 'NAME' alone); it may be cut off: fetch the "
                      "file again",
                      shown(line, 60)));
    }
    cables.add(near, alone ? std::nullopt : std::optional(far), speed);
  }
  Fabric fabric = cables.finish(not_hosts);
  fabric.form = FabricForm::ports_list;
  return fabric;
}

}  // namespace weft::tools
