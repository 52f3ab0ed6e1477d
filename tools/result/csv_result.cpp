// Figures and tables of a run as CSV; see the header.
#include "tools/result/csv_result.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/text/csv.hpp"
#include "tools/result/figures.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;

std::string text_of(const json& value) {
  if (value.is_null() || value.is_discarded()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Lists and objects are for other files.
bool is_single(const json& value) { return !value.is_structured(); }

std::string figures_csv(const RunResult& r) {
  CsvText text;
  for (const char* const name : {"figure", "value", "unit"}) text.cell(name);
  text.end_row();
  for_each_part([&](const Part& part, const auto& rows, auto of) {
    if (!part.there(r)) return;
    const auto& owner = of(r);
    const std::string_view before = part.name;
    for (const auto& row : rows) {
      if (!row.is_in(In::summary, r)) continue;
      const json value = value_of(r, owner, row);
      if (value.is_discarded() || !is_single(value)) continue;
      text.cell(before.empty() ? std::string(row.name) : fmt::format("{}.{}", before, row.name));
      text.cell(text_of(value));
      text.cell(row.unit);
      text.end_row();
    }
  });
  return text.take();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> csv_files(const RunResult& r, const std::string& path) {
  std::vector<std::pair<std::string, std::string>> files;
  constexpr std::string_view ending = ".csv";
  const std::string stem = path.ends_with(ending) ? path.substr(0, path.size() - ending.size()) : path;
  const auto add_table = [&](const Table& table, const auto& rows, auto of) {
    const auto& list = of(r);
    if (list.empty()) return;
    CsvText text;
    for (const auto& row : rows) text.cell(row.name);
    text.end_row();
    for (const auto& one : list) {
      for (const auto& row : rows) text.cell(text_of(value_of(r, one, row)));
      text.end_row();
    }
    files.emplace_back(fmt::format("{}.{}.csv", stem, table.group + 1), text.take());
  };
  for_each_table(add_table);
  if (r.cosim) with_endpoints(add_table);
  files.emplace_back(path, figures_csv(r));
  return files;
}

void write_csv(const RunResult& result, const std::string& path) {
  for (const auto& [file, text] : csv_files(result, path)) files::write_file_atomically(file, text);
}

}  // namespace weft::tools
