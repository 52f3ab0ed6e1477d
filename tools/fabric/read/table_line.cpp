// Entries come by the million: they are looked at first, and their comments last.
#include "tools/fabric/read/table_line.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/shown.hpp"
#include "models/subnet/forwarding.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"

namespace weft::tools {
namespace {

/// Behind a word: a GUID in hexadecimal.
bool guid_behind(std::string_view text, std::string_view word, u64& guid) {
  const std::size_t at = text.rfind(word);
  if (at == std::string_view::npos) return false;
  LineScanner words(text.substr(at + word.size()));
  return words.take("0x") && words.hexadecimal(guid);
}

bool read_entry(std::string_view text, TableLine& line) {
  LineScanner words(text);
  if (!words.hexadecimal(line.lid)) return false;
  line.kind = TableLine::Kind::entry;
  words.skip_blanks();
  static_cast<void>(words.take(':'));
  words.skip_blanks();
  if (words.decimal(line.port)) {
    words.skip_blanks();
    if (!words.empty() && !words.take(':') && !words.take('#')) return false;
    line.behind = words.rest();
    return true;
  }
  if (!words.take("UNREACHABLE")) return false;
  line.port = models::ForwardingTables::none;
  return true;
}

/// "'spine 1'):", "spine 1):": the name.
std::string_view name_in_brackets(std::string_view text) {
  const std::size_t end = text.rfind(')');
  if (end == std::string_view::npos) return "";
  text = text.substr(0, end);
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') text = text.substr(1, text.size() - 2);
  return text;
}

/// "Unicast lids [0-112] of switch", "[0x0-0x70]": the first and the last LID.
void read_range(std::string_view text, TableLine& line) {
  const std::size_t begin = text.find('['), end = text.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return;
  const std::string_view range = text.substr(begin + 1, end - begin - 1);
  LineScanner words(range);
  u64 first = 0, last = 0;
  const bool numbers = words.number(first) && words.take('-') && words.number(last) && words.empty();
  if (numbers && first <= last && last <= most_lid) return;
  line.problem = fmt::format(
      "[{}] is no range of LIDs (it goes from a lower to a higher one, {} at most); fetch the "
      "file again",
      shown(range, 40), most_lid);
}

}  // namespace

void read_destination(TableLine& line) {
  // "Channel Adapter portguid 0x0000000000100001: 'H-000000'", in brackets or not.
  const std::size_t at = line.behind.find("portguid ");
  if (at == std::string_view::npos) return;
  LineScanner words(line.behind.substr(at + 9));
  if (!words.hexadecimal(line.guid)) return;
  const std::string_view rest = words.rest();
  const std::size_t first = rest.find('\''), last = rest.rfind('\'');
  if (first != std::string_view::npos && last > first) line.name = rest.substr(first + 1, last - first - 1);
}

bool read_table_line(std::string_view text, TableLine& line) {
  line = {};
  if (text.starts_with("0x")) return read_entry(text, line);
  if (text.empty() || text.front() == '#') return true;
  if (text.starts_with("Unicast lids")) {
    line.kind = TableLine::Kind::unicast;
    read_range(text, line);
    const std::size_t lid = text.find(" of switch Lid ");
    if (lid != std::string_view::npos) {
      LineScanner words(text.substr(lid + 15));
      if (!words.decimal(line.lid) || line.lid > most_lid)
        line.problem = fmt::format("the switch has no LID (they are 1 to {}); fetch the file again", most_lid);
    }
    // The name behind it may have anything in it.
    const std::size_t bracket = text.find(" (");
    line.name = name_in_brackets(bracket == std::string_view::npos ? "" : text.substr(bracket + 2));
    return guid_behind(text.substr(0, bracket), " guid ", line.guid);
  }
  if (text.starts_with("Multicast mlids")) {
    line.kind = TableLine::Kind::multicast;
    return true;
  }
  if (text.find("dump_ucast_routes: Switch ") != std::string_view::npos) {
    line.kind = TableLine::Kind::unicast;
    return guid_behind(text, ": Switch ", line.guid);
  }
  if (text.starts_with("*** WARNING ***")) return true;  // dump_lfts says at the end that it has a new name
  if (text.starts_with("LID ") || text.starts_with("Lid ") || text.starts_with("Port ")) return true;
  LineScanner words(text);
  if (!words.decimal(line.lid)) return false;
  words.skip_blanks();
  line.exact = words.take("valid");
  words.skip_blanks();
  if (!words.take("lids dumped")) return words.take("mlids dumped") || words.take("valid mlids dumped");
  line.kind = TableLine::Kind::count;
  return true;
}

}  // namespace weft::tools
