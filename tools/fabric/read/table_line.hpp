// One line of forwarding tables, of whichever form.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/types.hpp"

namespace weft::tools {

struct TableLine {
  enum class Kind : u8 {
    nothing,    ///< headings of columns, blank lines
    unicast,    ///< a table begins: guid of the switch, lid and name if said
    multicast,  ///< what follows is no unicast table
    entry,      ///< lid, port; read_destination says whose LID it is
    count,      ///< a table ends: lid is the number of entries
  };
  Kind kind = Kind::nothing;
  u64 lid = 0;
  u64 port = 0;
  u64 guid = 0;
  std::string_view name;
  bool exact = false;       ///< count: of the entries that are there (OpenSM counts LIDs without an entry too)
  std::string_view behind;  ///< of an entry: not read yet
  std::string problem;      ///< of a heading that cannot be true
};

/// False if it is none.
bool read_table_line(std::string_view text, TableLine& line);
/// GUID of the port and name of an entry's destination, if it says that.
void read_destination(TableLine& line);

}  // namespace weft::tools
