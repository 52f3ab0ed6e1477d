// Files of computing times; see the header.
#include "workloads/program/external/computing_cost.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

std::string_view next_word(std::string_view& line) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = line.find_first_not_of(blank);
  if (begin == std::string_view::npos) return line = {};
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(blank));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

CostTable read_cost_table(const std::string& path, u32 tasks) {
  std::ifstream file(path);
  if (!file) {
    throw InputError(
        fmt::format("cannot read the table of computing times '{}' ({}); record one with "
                    "cosim.record_costs",
                    shown(path), std::strerror(errno)));
  }
  CostTable table(tasks);
  std::string text;
  for (u64 number = 1; std::getline(file, text); ++number) {
    std::string_view line = std::string_view(text).substr(0, text.find('#'));
    const std::string_view first = next_word(line);
    if (first.empty()) continue;
    u64 task = 0, ns = 0;
    if (!read_number(first, task) || !read_number(next_word(line), ns) || !next_word(line).empty()) {
      throw InputError(fmt::format("{}:{}: no task and nanoseconds (got '{}'); expected for example '0 1500'",
                                   shown(path), number, shown(text)));
    }
    if (task >= tasks) {
      throw InputError(
          fmt::format("{}:{}: there is no task {} (tasks are 0 to {}); record a table with as many "
                      "processes",
                      shown(path), number, task, tasks - 1));
    }
    table[task].push_back(ns);
  }
  return table;
}

std::string cost_table_text(const CostTable& table, const std::string& comment) {
  std::string text = fmt::format("# {}\n# task, nanoseconds; in the order of its calls\n", comment);
  for (std::size_t task = 0; task < table.size(); ++task) {
    for (const u64 ns : table[task]) text += fmt::format("{} {}\n", task, ns);
  }
  return text;
}

}  // namespace weft::workloads
