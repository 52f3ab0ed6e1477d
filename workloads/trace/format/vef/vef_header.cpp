// Reader of the first lines of VEF traces:
//   VEF NumTask NumMsg NumCOMM NumGlobalColl NumLocalColl onlySendFlag
//   VEF3 NumTask NumMsg NumCOMM NumGlobalColl NumLocalColl onlySendFlag clock
//   NumCOMM lines: C<number> task0 task1 ...
#include "workloads/trace/format/vef/vef_header.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_vef_records = u64{1} << 60;
constexpr u64 most_vef_clock_ps = 1'000'000'000'000;
constexpr const char* vef_first_line =
    "VEF TASKS MESSAGES COMMUNICATORS COLLECTIVES COLLECTIVE-LINES TRUE|FALSE, or VEF3 ... 0|1 CLOCK";

/// A line C<number> task0 task1 ...
void read_group(TextCursor& text, VefHeader& header) {
  const char* const expected = "C<number> and its tasks";
  if (!text.next_line()) text.reject("the file ends in its communicators", "", expected);
  text.expect('C', expected);
  const u64 number = text.number("the number of a communicator", most_vef_records);
  VefHeader::Group group;
  std::vector<u32> members;
  bool in_order = true;
  while (!text.at_line_end()) {
    const u32 task = static_cast<u32>(text.number("a task of a communicator", header.tasks - u64{1}));
    in_order = in_order && task == members.size();
    group.ranks.emplace_back(task, static_cast<u32>(members.size()));
    members.push_back(task);
  }
  group.size = static_cast<u32>(members.size());
  std::ranges::sort(group.ranks);
  const auto twice = std::ranges::adjacent_find(group.ranks, {}, &std::pair<u32, u32>::first);
  if (twice != group.ranks.end())
    text.reject(fmt::format("a task is twice in communicator C{}", number), std::to_string(twice->first),
                "each task once");
  if (members.empty()) text.reject(fmt::format("communicator C{} has no tasks", number), "", expected);
  if (in_order && members.size() == header.tasks) {
    group.ranks = {};
  } else {
    group.number = static_cast<u32>(header.communicators.size());
    header.communicators.push_back({std::move(members)});
  }
  if (!header.groups.emplace(number, std::move(group)).second)
    text.reject("a communicator is defined twice", fmt::format("C{}", number), "each once");
  text.end_line(expected);
}

}  // namespace

u32 VefHeader::rank_of(const Group& group, u32 task) {
  if (group.ranks.empty()) return task;
  const auto found = std::ranges::lower_bound(group.ranks, task, {}, &std::pair<u32, u32>::first);
  return found != group.ranks.end() && found->first == task ? found->second : ~u32{0};
}

VefHeader read_vef_header(TextCursor& text) {
  VefHeader header;
  const std::string_view kind = text.word();
  if (kind != "VEF" && kind != "VEF3") text.reject("an unknown version of VEF", kind, vef_first_line);
  header.third = kind == "VEF3";
  header.tasks = static_cast<u32>(text.number("the number of tasks", max_trace_tasks));
  if (header.tasks == 0) text.reject("the trace has no tasks", "0", vef_first_line);
  header.messages = text.number("the number of messages", max_trace_tag);
  const u64 groups = text.number("the number of communicators", max_trace_tag);
  header.collectives = text.number("the number of collectives", most_vef_records);
  header.collective_lines = text.number("the number of lines of collectives", most_vef_records);
  text.skip_blanks();
  const std::string_view flag = text.word();
  if (flag != "TRUE" && flag != "FALSE" && flag != "0" && flag != "1")
    text.reject("the flag of sends only is none", flag, "TRUE, FALSE, 0 or 1");
  if (header.third) {
    header.clock_ps = text.number("the clock", most_vef_clock_ps);
    if (header.clock_ps == 0) text.reject("a clock of 0 ps", "0", "ps of a unit of time, such as 1000");
  }
  text.end_line(vef_first_line);
  for (u64 group = 0; group < groups; ++group) read_group(text, header);
  return header;
}

}  // namespace weft::workloads
