// The JSON summary of a run: figures under their names, each dot of which is an object in the other.
#include "tools/result/json_summary.hpp"

#include <iostream>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "tools/result/figures.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;

/// What stands in an object, or in objects in it, under a name; null if it was not there.
json& at_name(json& object, std::string_view name) {
  json* at = &object;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    at = &(*at)[std::string(name.substr(0, dot))];
    name.remove_prefix(dot + 1);
  }
  return (*at)[std::string(name)];
}

/// Adds the figures of an owner that the result has.
template <class Owner>
void add_figures(json& object, const RunResult& r, const Owner& owner, const std::vector<Figure<Owner>>& rows) {
  for (const Figure<Owner>& row : rows) {
    if (!row.is_in(In::summary, r)) continue;
    if (json value = value_of(r, owner, row); !value.is_discarded()) at_name(object, row.name) = std::move(value);
  }
}

/// Puts the activities of each of several jobs into its row.
void move_to_jobs(json& summary, const RunResult& r) {
  for (std::size_t ix = 0; ix < r.activities.size(); ++ix)
    summary["jobs"][r.activities[ix].job]["activities"].push_back(std::move(summary["activities"][ix]));
  summary.erase("activities");
}

}  // namespace

json to_json(const RunResult& r) {
  json summary = json::object();
  for_each_part([&](const Part& part, const auto& rows, auto of) {
    if (!part.there(r)) return;
    const auto& owner = of(r);
    if (std::string_view(part.name).empty()) return add_figures(summary, r, owner, rows);
    json figures = json::object();
    add_figures(figures, r, owner, rows);
    if (!figures.empty()) at_name(summary, part.name).update(figures, true);
  });
  const auto add_table = [&](const Table& table, const auto& rows, auto of) {
    const auto& list = of(r);
    if (table.in == In::file || (list.empty() && !table.always) || list.size() > table.most) return;
    json& to = at_name(summary, table.name) = json::array();
    for (const auto& one : list) add_figures(to.emplace_back(json::object()), r, one, rows);
  };
  for_each_table(add_table);
  if (r.cosim) with_endpoints(add_table);
  if (!r.jobs.empty()) move_to_jobs(summary, r);
  if (!r.measured) summary["steady_state"] = nullptr;
  return summary;
}

void write_json(const RunResult& result, const std::string& path) {
  // Host or file names need not be UTF-8; a replacement character is better than no summary.
  const std::string text = to_json(result).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  if (path != "-") return files::write_file_atomically(path, text, files::Streams::allowed);
  std::cout << text << std::flush;
  if (!std::cout)
    throw SystemError(
        "cannot write the JSON summary to standard output (disk full or pipe closed); "
        "name a file instead of -");
}

}  // namespace weft::tools
