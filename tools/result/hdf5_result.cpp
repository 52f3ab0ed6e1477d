// The result file of a run: figures where figure_path has them, tables as groups of columns.
#include "tools/result/hdf5_result.hpp"

#include <fmt/format.h>
#include <string_view>
#include <type_traits>

#include "engine/base/error.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "tools/result/check_result.hpp"
#include "tools/result/figures.hpp"

namespace weft::tools {
namespace {

constexpr const char* format_name = "weft-result";

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

/// A value as the file holds it: it knows neither flags nor short numbers.
template <class Value>
using Stored = std::conditional_t<std::is_integral_v<Value>, u64, Value>;

bool is_attribute(std::string_view path) { return path.starts_with('@'); }

template <class Value>
void write_value(files::Hdf5Writer& file, const std::string& path, const Value& value, const char* unit) {
  if constexpr (is_list<Value>) {
    file.column(path, value, unit);
  } else if constexpr (!std::is_same_v<Value, double>) {
    if (is_attribute(path)) return file.attribute("/", path.substr(1), Stored<Value>(value));
    file.scalar(path, Stored<Value>(value), unit);
  } else {
    file.scalar(path, value, unit);
  }
}

/// A figure that has no member.
void write_worked_out(files::Hdf5Writer& file, const std::string& path, const nlohmann::json& value, const char* unit) {
  if (value.is_number_float()) return file.scalar(path, value.get<double>(), unit);
  file.scalar(path, value.is_boolean() ? u64{value.get<bool>()} : value.is_null() ? 0 : value.get<u64>(), unit);
}

template <class Owner>
void write_figures(files::Hdf5Writer& file, const RunResult& r, const Part& part,
                   const std::vector<Figure<Owner>>& rows, const Owner& owner) {
  const bool explained = std::is_same_v<Owner, EngineCounters>;
  for (const Figure<Owner>& row : rows) {
    if (!row.is_in(In::file, r)) continue;
    const std::string path = figure_path(part, row.name, row.path);
    if (row.member.index() == 0) write_worked_out(file, path, value_of(r, owner, row), row.unit);
    row.with_member([&](auto member) { write_value(file, path, owner.*member, row.unit); });
    if (explained) file.attribute(path, "help", std::string(row.help));
  }
}

template <class Value>
void read_value(const files::Hdf5Reader& file, const std::string& path, Value& value) {
  Stored<Value> stored{};
  if constexpr (is_list<Value>) {
    file.column(path, value);
    return;
  } else if constexpr (std::is_same_v<Value, double>) {
    file.scalar(path, stored);
  } else {
    is_attribute(path) ? file.attribute(path.substr(1), stored) : file.scalar(path, stored);
  }
  value = static_cast<Value>(stored);
}

bool has(const files::Hdf5Reader& file, const std::string& path) {
  return is_attribute(path) ? file.has_attribute(path.substr(1)) : file.has_dataset(path);
}

/// Figures that the file does not have, since an older version wrote it, stay as they are.
template <class Owner>
void read_figures(const files::Hdf5Reader& file, const Part& part, const std::vector<Figure<Owner>>& rows,
                  Owner& owner) {
  for (const Figure<Owner>& row : rows) {
    if (row.in == In::summary) continue;
    std::string path = figure_path(part, row.name, row.path);
    if (*row.old_path != '\0' && !has(file, path)) path = row.old_path;
    if ((row.optional || *part.name != '\0') && !has(file, path)) continue;
    row.with_member([&](auto member) { read_value(file, path, owner.*member); });
  }
}

template <class Row>
void write_table(files::Hdf5Writer& file, const Table& table, const std::vector<Figure<Row>>& figures,
                 const std::vector<Row>& rows) {
  for (const Figure<Row>& figure : figures) {
    figure.with_member([&](auto member) {
      using Value = std::remove_cvref_t<decltype(rows.front().*member)>;
      if constexpr (!is_list<Value>) {
        std::vector<Stored<Value>> values;
        values.reserve(rows.size());
        for (const Row& row : rows) values.push_back(row.*member);
        file.column(column_path(table, figure.name, figure.path), values, figure.unit);
      }
    });
  }
}

template <class Row>
void read_column(const files::Hdf5Reader& file, const Table& table, const Figure<Row>& figure, std::string path,
                 std::vector<Row>& rows, bool first) {
  if (*figure.old_path != '\0' && !file.has_dataset(path)) path = figure.old_path;
  if (figure.optional && !file.has_dataset(path)) return;
  figure.with_member([&](auto member) {
    using Value = std::remove_cvref_t<decltype(rows.front().*member)>;
    if constexpr (!is_list<Value>) {
      std::vector<Stored<Value>> values;
      file.column(path, values);
      if (first) rows.resize(values.size());
      if (values.size() != rows.size()) {
        file.fail(fmt::format("table '{}' has columns of {} and {} rows", table.group, rows.size(), values.size()));
      }
      for (std::size_t ix = 0; ix < rows.size(); ++ix) rows[ix].*member = static_cast<Value>(values[ix]);
    }
  });
}

template <class Row>
void read_table(const files::Hdf5Reader& file, const Table& table, const std::vector<Figure<Row>>& figures,
                std::vector<Row>& rows) {
  if (!table.always && !file.has_dataset(column_path(table, figures.front().name, figures.front().path))) return;
  for (const Figure<Row>& figure : figures)
    read_column(file, table, figure, column_path(table, figure.name, figure.path), rows, &figure == &figures.front());
}

void check_identity(const files::Hdf5Reader& file, const std::string& path) {
  std::string format;
  if (!file.has_attribute("format")) file.fail("an HDF5 file without the attribute 'format'");
  file.attribute("format", format);
  if (format != format_name) file.fail(fmt::format("its format is '{}', expected '{}'", format, format_name));
  u64 format_version = 0;
  file.attribute("format_version", format_version);
  if (format_version != result_format_version) {
    throw InputError(fmt::format(
        "cannot read '{}' (result format version {}, expected {}); read it with the version of weft that wrote it",
        path, format_version, result_format_version));
  }
}

}  // namespace

void write_hdf5(const RunResult& result, const std::string& path) {
  files::Hdf5Writer file(path);
  file.attribute("/", "format", format_name);
  file.attribute("/", "format_version", result_format_version);
  for_each_part([&](const Part& part, const auto& rows, auto of) {
    if (part.there(result)) write_figures(file, result, part, rows, of(result));
  });
  const auto write = [&](const Table& table, const auto& figures, auto of) {
    if (table.always || !of(result).empty()) write_table(file, table, figures, of(result));
  };
  for_each_table(write);
  if (result.cosim) with_endpoints(write);
  file.save();
}

RunResult read_hdf5(const std::string& path) {
  const files::Hdf5Reader file(path);
  check_identity(file, path);
  RunResult result;
  result.cosim.emplace();
  result.told_task_times.emplace();
  for_each_part([&](const Part& part, const auto& rows, auto of) { read_figures(file, part, rows, of(result)); });
  const auto read = [&](const Table& table, const auto& figures, auto of) {
    read_table(file, table, figures, of(result));
  };
  for_each_table(read);
  with_endpoints(read);
  if (result.cosim->endpoints.empty()) result.cosim.reset();
  if (!file.has_dataset("/tasks/finished")) result.told_task_times.reset();
  result.chooses_routes = file.has_dataset("/routes/probes");
  result.marks = file.has_dataset("/congestion/marked_packets");
  if (const std::string problem = result_problem(result); !problem.empty()) file.fail(problem);
  return result;
}

}  // namespace weft::tools
