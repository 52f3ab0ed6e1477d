// What a report calls its runs: names that people gave them, and how many of them can be trusted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/report/page/page.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// A result and the name that the page gives it.
struct NamedResult {
  std::string name;
  RunResult result;
};

/// Config as "table.key" -> text (numbers and lists as in JSON), so that runs can be compared key by key.
[[nodiscard]] std::map<std::string, std::string> flat_config(const RunResult& result);
/// A number of the config; 0 without.
[[nodiscard]] double config_number(const RunResult& result, const char* table, const char* key);

/// 1: saturated, 2: looked for a steady state in vain, 3: both.
[[nodiscard]] u8 marks_of(const RunResult& result);
/// "saturated, not converged"; empty without marks.
[[nodiscard]] std::string marks_text(u8 marks);

/// The page's number for the lengths of the run's cycle and phit.
[[nodiscard]] u32 clock_of(page::Page& page, const RunResult& result);

}  // namespace weft::tools
