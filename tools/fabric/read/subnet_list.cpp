// A line is both ends of a cable in braces, and what the link is; all numbers but the speed are hexadecimal:
//   { SW Ports:24 SystemGUID:0002c902004b0918 NodeGUID:0002c902004b0918 PortGUID:0002c902004b0918 VenID:0002C9
//     DevID:BD36 Rev:000000A1 {leaf 1} LID:0002 PN:13 } { CA-SM Ports:02 ... {node7 HCA-1} LID:000F PN:01 }
//     PHY=4x LOG=ACT SPD=10
#include "tools/fabric/read/subnet_list.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/text/shown.hpp"
#include "tools/fabric/read/cable_list.hpp"

namespace weft::tools {
namespace {

/// Speeds of a lane as OpenSM writes them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> subnet_lane_names{
    {{"2.5", "SDR"}, {"5", "DDR"}, {"10", "QDR"}, {"FDR10", "FDR10"}, {"14", "FDR"}, {"25", "EDR"}}};

/// " Ports:24": the number behind the word.
bool take_hexadecimal(LineScanner& words, std::string_view word, u64& value) {
  words.skip_blanks();
  return words.take(word) && words.hexadecimal(value);
}

/// "{ SW Ports:24 ... PN:13 }".
bool take_braces(LineScanner& words, CableEnd& end) {
  constexpr std::string_view behind_name = "} LID:";
  words.skip_blanks();
  if (!words.take('{')) return false;
  words.skip_blanks();
  std::string_view kind = words.word();
  if (kind.ends_with("-SM")) kind.remove_suffix(3);  // the subnet manager runs there
  if (kind != "SW" && kind != "CA" && kind != "Rt" && kind != "**") return false;
  end.kind = kind == "SW" ? NodeKind::of_switch : kind == "CA" ? NodeKind::host : NodeKind::other;
  u64 ignored = 0, vendor = 0, device = 0;
  const bool numbers =
      take_hexadecimal(words, "Ports:", end.ports) && take_hexadecimal(words, "SystemGUID:", ignored) &&
      take_hexadecimal(words, "NodeGUID:", end.guid) && take_hexadecimal(words, "PortGUID:", end.port_guid) &&
      take_hexadecimal(words, "VenID:", vendor) && take_hexadecimal(words, "DevID:", device) &&
      take_hexadecimal(words, "Rev:", ignored);
  words.skip_blanks();
  if (!numbers || !words.take('{')) return false;
  if (end.kind == NodeKind::of_switch) end.port_guid = 0;
  end.vendor = static_cast<u32>(vendor);
  end.device = static_cast<u32>(device);
  const std::size_t at = words.rest().find(behind_name);  // a name may have braces
  if (at == std::string_view::npos) return false;
  end.name = std::string(words.rest().substr(0, at));
  words = LineScanner(words.rest().substr(at + 1));
  if (!take_hexadecimal(words, "LID:", end.lid) || !take_hexadecimal(words, "PN:", end.port)) return false;
  words.skip_blanks();
  return words.take('}');
}

/// "PHY=4x LOG=ACT SPD=10" as "4xQDR"; empty where width or speed is not known ("??").
bool take_state(LineScanner& words, std::string& speed) {
  words.skip_blanks();
  if (!words.take("PHY=")) return false;
  const std::string_view width = words.word();
  words.skip_blanks();
  if (!words.take("LOG=")) return false;
  static_cast<void>(words.word());
  words.skip_blanks();
  if (!words.take("SPD=")) return false;
  const std::string_view lane = words.word();
  const auto* const named = std::ranges::find(subnet_lane_names, lane, [](const auto& each) { return each.first; });
  if (width.ends_with('x') && named != subnet_lane_names.end()) speed = fmt::format("{}{}", width, named->second);
  return !lane.empty() && trimmed(words.rest()).empty();
}

}  // namespace

bool is_subnet_list(std::string_view line) {
  LineScanner words(line);
  if (!words.take('{')) return false;
  words.skip_blanks();
  const std::string_view kind = words.word();
  words.skip_blanks();
  return (kind.starts_with("SW") || kind.starts_with("CA") || kind.starts_with("Rt") || kind.starts_with("**")) &&
         words.rest().starts_with("Ports:");
}

Fabric read_subnet_list(FabricLines& lines, const NotHosts& not_hosts) {
  CableList cables(lines);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line.front() == '#') continue;
    LineScanner words(line);
    CableEnd near, far;
    std::string speed;
    if (!take_braces(words, near) || !take_braces(words, far) || !take_state(words, speed)) {
      lines.fail(
          fmt::format("'{}' is no cable of a subnet list (it is {{ SW|CA Ports:... {{NAME}} LID:... PN:... }} "
                      "twice and PHY=... LOG=... SPD=...); it may be cut off: fetch the file again",
                      shown(line, 60)));
    }
    cables.add(near, far, speed);
  }
  Fabric fabric = cables.finish(not_hosts);
  fabric.form = FabricForm::subnet_list;
  return fabric;
}

}  // namespace weft::tools
