// A config of weft that is put together key by key.
#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/setting.hpp"

namespace weft::tools {

/// Tables come out in the order in which they were first named, keys in that in which they were set.
class TomlWriter {
 public:
  void set(const std::string& table, const std::string& key, const SettingValue& value) {
    lines_of(table) += fmt::format("{} = {}\n", key, value_text(value));
  }
  /// A text of several lines, as it is; it has no three double quotes in it.
  void set_lines(const std::string& table, const std::string& key, const std::string& text) {
    lines_of(table) += fmt::format("{} = \"\"\"\n{}\"\"\"\n", key, text);
  }
  /// `table`: "[workload]", "[[job]]", "[job.workload]"; empty: on top. A name that begins with two brackets always
  /// begins a new element.
  void begin(const std::string& table) { tables_.emplace_back(table, ""); }
  [[nodiscard]] std::string whole() const {
    std::string all;
    for (const auto& [table, lines] : tables_)
      all += fmt::format("{}{}{}", all.empty() ? "" : "\n", table.empty() ? "" : table + "\n", lines);
    return all;
  }

 private:
  std::string& lines_of(const std::string& table) {
    const std::string header = table.empty() || table.front() == '[' ? table : "[" + table + "]";
    for (auto found = tables_.rbegin(); found != tables_.rend(); ++found) {
      if (found->first == header) return found->second;
    }
    return tables_.emplace_back(header, "").second;
  }

  std::vector<std::pair<std::string, std::string>> tables_;  ///< header, lines
};

}  // namespace weft::tools
