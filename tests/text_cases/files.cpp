// Whole files: what runs of cases write is small.
#include "tests/text_cases/files.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::text_cases {
namespace {

std::string path_of(const std::vector<Value>& values) {
  const std::string path = text_of(values.at(0));
  if (!std::filesystem::exists(path)) throw CaseError("there is no file '" + path + "'");
  return path;
}

/// Cells of a line; none of them has quotation marks.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream all(line);
  for (std::string cell; std::getline(all, cell, ',');) cells.push_back(cell);
  return cells;
}

Value csv_column(const std::vector<Value>& values) {
  std::istringstream lines(content_of(path_of(values)));
  std::string line;
  do std::getline(lines, line);
  while (line.starts_with("#"));
  const std::vector<std::string> names = cells_of(line);
  const auto place = static_cast<std::size_t>(std::ranges::find(names, text_of(values.at(1))) - names.begin());
  if (place == names.size()) throw CaseError("no column '" + text_of(values.at(1)) + "' in '" + line + "'");
  Value column = Value::array();
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    const std::string cell = place < cells.size() ? cells[place] : "";
    char* end = nullptr;
    const double number = std::strtod(cell.c_str(), &end);
    column.push_back(cell.empty() || *end != '\0' ? Value(cell) : Value(number));
  }
  return column;
}

template <class T>
bool hdf5_column(const files::Hdf5Reader& file, const std::string& name, Value& column) {
  try {
    std::vector<T> values;
    file.column(name, values);
    column = values;
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool is_single(const files::Hdf5Reader& file, const std::string& name, u64& value) {
  try {
    file.scalar(name, value);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Value hdf5_values(const std::vector<Value>& values) {
  const files::Hdf5Reader file(path_of(values));
  const std::string name = text_of(values.at(1));
  Value column;
  if (u64 single = 0; file.has_dataset(name) && is_single(file, name, single)) return single;
  if (!hdf5_column<u64>(file, name, column) && !hdf5_column<double>(file, name, column) &&
      !hdf5_column<std::string>(file, name, column)) {
    throw CaseError("no column '" + name + "' in '" + text_of(values[0]) + "'");
  }
  return column;
}

}  // namespace

const Builtins& file_functions() {
  static const Builtins all = {
      {"exists", [](const Values& v) { return Value(std::filesystem::exists(text_of(v.at(0)))); }},
      {"text", [](const Values& v) { return Value(content_of(path_of(v))); }},
      {"json", [](const Values& v) { return Value::parse(content_of(path_of(v))); }},
      {"csv", csv_column},
      {"hdf5", hdf5_values},
  };
  return all;
}

}  // namespace weft::text_cases
