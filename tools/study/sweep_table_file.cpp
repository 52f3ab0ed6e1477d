// Reads the table of a sweep; see the header.
#include "tools/study/sweep_table_file.hpp"

#include <fmt/format.h>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "tools/study/sweep_networks.hpp"
#include "tools/study/sweep_search.hpp"

namespace weft::tools::sweep {
namespace {

/// A setting as texts in TOML; numbers have no quotation marks.
std::vector<std::string> setting_texts(const files::Hdf5Reader& file, const std::string& path) {
  std::vector<double> numbers;
  try {
    file.column(path, numbers);
  } catch (const InputError&) {
    std::vector<std::string> texts;
    file.column(path, texts);
    return texts;
  }
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(fmt::format("{}", number));
  return texts;
}

PointStatus status_of(const files::Hdf5Reader& file, const std::string& name) {
  for (const PointStatus status :
       {PointStatus::done, PointStatus::stopped, PointStatus::failed, PointStatus::missing}) {
    if (status_name(status) == name) return status;
  }
  file.fail(fmt::format("a point is '{}'", name));
}

}  // namespace

SweepTable read_sweep_table(const std::string& path) {
  const files::Hdf5Reader file(path);
  SweepTable table;
  std::string text;
  file.attribute("study", text);
  try {
    table.study = read_sweep(text, path);
  } catch (const ConfigError& error) {
    file.fail(fmt::format("its study cannot be read: {}", error.what()));
  }
  file.attribute("name", table.study.name);
  std::vector<u64> indices;
  std::vector<std::string> names, statuses, digests;
  file.column("/points/index", indices);
  file.column("/points/name", names);
  file.column("/points/status", statuses);
  file.column("/points/digest", digests);
  const std::size_t count = indices.size();
  const auto check = [&](std::size_t rows, const std::string& what) {
    if (rows != count) file.fail(fmt::format("{} has {} rows, /points/index {}", what, rows, count));
  };
  for (const auto* column : {&names, &statuses, &digests}) check(column->size(), "a column of /points");
  table.points.resize(count);
  table.states.resize(count);
  for (std::size_t ix = 0; ix < count; ++ix) {
    table.points[ix].index = static_cast<u32>(indices[ix]);
    table.points[ix].name = names[ix];
    table.states[ix].status = status_of(file, statuses[ix]);
    table.states[ix].digest = digests[ix];
    if (table.states[ix].status == PointStatus::done)
      table.states[ix].figures.assign(sweep_figures().size(), std::numeric_limits<double>::quiet_NaN());
  }
  for (const std::string& key : table.study.keys()) {
    const std::vector<std::string> values = setting_texts(file, "/settings/" + key);
    check(values.size(), "/settings/" + key);
    for (std::size_t ix = 0; ix < count; ++ix) table.points[ix].values.push_back(values[ix]);
  }
  for (std::size_t figure = 0; figure < sweep_figures().size(); ++figure) {
    const std::string column = "/points/" + sweep_figures()[figure].name;
    // Files of other versions have fewer figures.
    if (!file.has_dataset(column)) continue;
    std::vector<double> values;
    file.column(column, values);
    check(values.size(), column);
    for (std::size_t ix = 0; ix < count; ++ix) {
      if (!table.states[ix].figures.empty()) table.states[ix].figures[figure] = values[ix];
    }
  }
  // Columns of networks and derived ones are as they were when it was written.
  const auto read_columns_of = [&](const std::string& group, bool of_curves, std::vector<TableColumn>& columns) {
    std::vector<std::string> wanted;
    for (const NetworkFigure& figure : network_figures()) wanted.emplace_back(figure.name);
    for (const DerivedColumn& one : table.study.columns) {
      if (one.of_curves == of_curves) wanted.push_back(one.name);
    }
    for (const std::string& name : wanted) {
      const std::string path_of_column = group + name;
      if (!file.has_dataset(path_of_column)) continue;
      columns.push_back({name, "", {}});
      file.column(path_of_column, columns.back().values);
      columns.back().unit = file.unit(path_of_column);
    }
  };
  read_columns_of("/points/", false, table.columns);
  for (const TableColumn& column : table.columns) check(column.values.size(), "/points/" + column.name);
  read_columns_of("/saturation/", true, table.curve_columns);
  const std::size_t curves = saturations(table).size();
  for (const TableColumn& column : table.curve_columns) {
    if (column.values.size() != curves)
      file.fail(fmt::format("/saturation/{} has {} rows, not {}", column.name, column.values.size(), curves));
  }
  return table;
}

}  // namespace weft::tools::sweep
