// Lists of tasks.
#include "tools/cli/task_list.hpp"

#include <charconv>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::tools {
namespace {

[[noreturn]] void fail_tasks(const std::string& text, const std::string& piece) {
  throw ConfigError(
      fmt::format("--tasks {} is no list of tasks (because of '{}'); give numbers and ranges like 0-15,20", shown(text),
                  shown(piece)));
}

}  // namespace

std::vector<u32> parse_tasks(const std::string& text) {
  std::vector<u32> tasks;
  for (std::size_t at = 0; at < text.size() || (at == text.size() && at > 0 && text.back() == ',');) {
    const std::string piece = text.substr(at, text.find(',', at) - at);
    at += piece.size() + 1;
    const char *from = piece.data(), *const end = piece.data() + piece.size();
    u32 first = 0, last = 0;
    auto [stop, error] = std::from_chars(from, end, first);
    if (error != std::errc{}) fail_tasks(text, piece);
    last = first;
    if (stop != end) {
      if (*stop != '-') fail_tasks(text, piece);
      const auto range = std::from_chars(stop + 1, end, last);
      if (range.ec != std::errc{} || range.ptr != end) fail_tasks(text, piece);
    }
    if (last < first || last >= workloads::max_trace_tasks) fail_tasks(text, piece);
    for (u32 task = first; task <= last; ++task) tasks.push_back(task);
  }
  return tasks;
}

}  // namespace weft::tools
