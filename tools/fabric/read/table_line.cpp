// Entries come by the million: they are looked at first, and their comments last.
#include "tools/fabric/read/table_line.hpp"

#include <algorithm>

#include "models/subnet/forwarding.hpp"
#include "tools/fabric/read/line_reader.hpp"

namespace weft::tools {
namespace {

/// Behind a word: a GUID in hexadecimal.
bool guid_behind(std::string_view text, std::string_view word, u64& guid) {
  const std::size_t at = text.rfind(word);
  if (at == std::string_view::npos) return false;
  Words words(text.substr(at + word.size()));
  return words.take("0x") && words.hexadecimal(guid);
}

bool read_entry(std::string_view text, TableLine& line) {
  Words words(text);
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

}  // namespace

void read_destination(TableLine& line) {
  // "Channel Adapter portguid 0x0000000000100001: 'H-000000'", in brackets or not.
  const std::size_t at = line.behind.find("portguid ");
  if (at == std::string_view::npos) return;
  Words words(line.behind.substr(at + 9));
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
    const std::size_t lid = text.find(" of switch Lid ");
    if (lid != std::string_view::npos) {
      Words words(text.substr(lid + 15));
      static_cast<void>(words.decimal(line.lid));
    }
    // The name behind it may have anything in it.
    return guid_behind(text.substr(0, text.find(" (")), " guid ", line.guid);
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
  Words words(text);
  if (!words.decimal(line.lid)) return false;
  words.skip_blanks();
  line.exact = words.take("valid");
  words.skip_blanks();
  if (!words.take("lids dumped")) return words.take("mlids dumped") || words.take("valid mlids dumped");
  line.kind = TableLine::Kind::count;
  return true;
}

}  // namespace weft::tools
