// What a page says that it shows: its JSON, read back out of the HTML.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace weft::tools::testing {

inline nlohmann::json page_spec(const std::string& html) {
  const std::string mark = "<script type=\"application/json\" id=\"page\">";
  const std::size_t from = html.find(mark), to = html.find("</script>", from);
  EXPECT_NE(from, std::string::npos);
  return nlohmann::json::parse(html.substr(from + mark.size(), to - from - mark.size()));
}

/// The first figure of this title, or null.
inline nlohmann::json figure_of(const nlohmann::json& spec, const std::string& title) {
  for (const auto& section : spec["sections"]) {
    for (const auto& figure : section["figures"]) {
      if (figure.value("title", "") == title) return figure;
    }
  }
  return nullptr;
}

/// The first section of this title, or null.
inline nlohmann::json section_of(const nlohmann::json& spec, const std::string& title) {
  for (const auto& section : spec["sections"]) {
    if (section["title"] == title) return section;
  }
  return nullptr;
}

/// The row of a table that begins with this text, or null.
inline nlohmann::json row_of(const nlohmann::json& table, const std::string& first) {
  if (!table.is_object()) return nullptr;
  for (const auto& row : table["rows"]) {
    if (row.is_array() && !row.empty() && row[0] == first) return row;
  }
  return nullptr;
}

}  // namespace weft::tools::testing
