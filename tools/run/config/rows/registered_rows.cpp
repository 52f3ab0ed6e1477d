// Rows with the same key become one.
#include "tools/run/config/rows/registered_rows.hpp"

#include <cctype>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

/// What kinds say of a key.
struct Help {
  std::string text;
  std::vector<std::string> kinds;
};

bool same_values(const Setting& a, const Setting& b) {
  return a.type == b.type && a.unit == b.unit && a.whole.least == b.whole.least && a.whole.most == b.whole.most &&
         a.real.least == b.real.least && a.real.most == b.real.most && a.choices == b.choices && a.is_path == b.is_path;
}

}  // namespace

std::vector<Setting> joined_rows(const std::vector<DeclaredRows>& declared) {
  std::vector<Setting> rows;
  std::map<std::string, std::vector<Help>> helps;  // by key
  for (const DeclaredRows& from : declared) {
    for (const Setting& row : from.settings) {
      const auto known = std::ranges::find(rows, row.key, &Setting::key);
      if (known == rows.end()) {
        rows.push_back(row);
      } else if (!same_values(*known, row)) {
        throw Bug(fmt::format("{} declares {} otherwise than another kind does", from.kind, row.key));
      } else if (known->fallback != row.fallback) {
        known->fallback = {};
      }
      std::vector<Help>& said = helps[row.key];
      auto same = std::ranges::find(said, row.help, &Help::text);
      if (same == said.end()) same = said.insert(said.end(), {row.help, {}});
      same->kinds.push_back(from.kind);
    }
  }
  for (Setting& row : rows) {
    row.help.clear();
    for (const Help& help : helps[row.key]) {
      row.help += fmt::format("{}{}: {}", row.help.empty() ? "" : " ", fmt::join(help.kinds, ", "), help.text);
    }
    row.help.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(row.help.front())));
  }
  return rows;
}

}  // namespace weft::tools
