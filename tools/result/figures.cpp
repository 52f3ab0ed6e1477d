// The rows of all figures together; see the header.
#include "tools/result/figures.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

std::string with_underscores(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '.', '_');
  return text;
}

std::string joined(std::string_view part, const char* name) {
  return part.empty() ? name : fmt::format("{}.{}", part, name);
}

}  // namespace

std::string figure_path(const Part& part, const char* name, const char* given) {
  if (*given != '\0') return given;
  const std::string_view of_part = part.name;
  if (of_part.empty()) return "/summary/" + with_underscores(name);
  const std::size_t dot = of_part.find('.');
  if (dot == std::string_view::npos) return fmt::format("/{}/{}", of_part, with_underscores(name));
  return fmt::format("/{}/{}", of_part.substr(0, dot), with_underscores(joined(of_part.substr(dot + 1), name)));
}

std::string column_path(const Table& table, const char* name, const char* given) {
  return *given != '\0' ? given : fmt::format("{}/{}", table.group, with_underscores(name));
}

nlohmann::json finite(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

std::vector<AnyFigure> all_figures() {
  std::vector<AnyFigure> all;
  const auto is_in = [](In in, In one) { return in == In::both || in == one; };
  for_each_part([&](const Part& part, const auto& rows, auto of) {
    for (const auto& row : rows) {
      const auto value = [row, of, there = part.there](const RunResult& r) {
        return there(r) ? value_of(r, of(r), row) : nlohmann::json(nullptr);
      };
      all.push_back({joined(part.name, row.name), is_in(row.in, In::file) ? figure_path(part, row.name, row.path) : "",
                     row.unit, row.help, row.merge, value});
    }
  });
  const auto add_table = [&](const Table& table, const auto& rows, auto) {
    for (const auto& row : rows) {
      all.push_back({joined(table.name, row.name),
                     is_in(row.in, In::file) ? column_path(table, row.name, row.path) : "", row.unit, row.help,
                     row.merge, nullptr});
    }
  };
  for_each_table(add_table);
  with_endpoints(add_table);
  return all;
}

const char* name_of(Merge how) {
  switch (how) {
    case Merge::first:
      return "first";
    case Merge::sum:
      return "sum";
    case Merge::mean:
      return "mean";
    case Merge::share:
      return "share";
    case Merge::least:
      return "least";
    case Merge::most:
      return "most";
    case Merge::every:
      return "every";
    case Merge::any:
      return "any";
  }
  throw Bug("a way to merge figures without a name");
}

}  // namespace weft::tools
