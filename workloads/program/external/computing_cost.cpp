// Files of computing times; see the header.
#include "workloads/program/external/computing_cost.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::workloads {
namespace {

constexpr LineForm cost_lines{.separators = " \t\r"};

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
    const TextLine line(path, number, text, cost_lines);
    if (line.words() == 0) continue;
    u64 task = 0, ns = 0;
    if (line.words() != 2 || !read_number(line.word(0), task) || !read_number(line.word(1), ns)) {
      line.fail(fmt::format("no task and nanoseconds (got '{}'); expected for example '0 1500'", shown(text)));
    }
    if (task >= tasks) {
      line.fail(fmt::format("there is no task {} (tasks are 0 to {}); record a table with as many processes", task,
                            tasks - 1));
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
