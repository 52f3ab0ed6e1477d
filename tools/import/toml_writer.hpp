// A config of weft that is put together key by key.
#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// Tables come out in the order in which they were first named, keys in that in which they were set.
class TomlWriter {
 public:
  void set(const std::string& table, const std::string& key, const std::string& value,
           const std::string& comment = "") {
    lines_of(table) += fmt::format("{} = {}{}\n", key, value, comment.empty() ? "" : "  # " + comment);
  }
  void text(const std::string& table, const std::string& key, const std::string& value,
            const std::string& comment = "") {
    std::string quoted = "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    set(table, key, quoted + "\"", comment);
  }
  void number(const std::string& table, const std::string& key, i64 value, const std::string& comment = "") {
    set(table, key, fmt::format("{}", value), comment);
  }
  void real(const std::string& table, const std::string& key, double value, const std::string& comment = "") {
    std::string digits = fmt::format("{}", value);
    if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
    set(table, key, digits, comment);
  }
  void list(const std::string& table, const std::string& key, const std::vector<i64>& values) {
    std::string all;
    for (const i64 value : values) all += fmt::format("{}{}", all.empty() ? "" : ", ", value);
    set(table, key, "[" + all + "]");
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
